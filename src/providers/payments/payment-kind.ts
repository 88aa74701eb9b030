import type { TObject } from "typebox";
import type { EnteredFields, SupplierEntry } from "../connector-kind.ts";
import type { ConnectorServices } from "../http-connector.ts";
import type { PaymentConnector } from "./contract.ts";
import type { PaymentDialect } from "./dialect.ts";
import { httpPayments } from "./http-payments.ts";

/** One way of speaking to payment providers. */
export interface PaymentKind extends EnteredFields {
  readonly open: (entry: SupplierEntry, services: ConnectorServices) => PaymentConnector;
}

/** Ties a payment provider's dialect to the shapes of what an operator enters. */
export function paymentKind<Settings, Credentials>(of: {
  readonly connector: string;
  readonly title: string;
  readonly settings: TObject;
  readonly credentials: TObject;
  readonly dialect: (entry: {
    readonly name: string;
    readonly settings: Settings;
    readonly credentials: Credentials;
  }) => PaymentDialect;
}): PaymentKind {
  const { connector, title, settings, credentials, dialect } = of;
  return {
    ...{ connector, title, settings, credentials },
    // The registry has compared the entry with these shapes.
    open: (entry, services) => httpPayments(dialect(entry as unknown as Parameters<typeof dialect>[0]), services),
  };
}
