import type { SupplierEntry } from "../connector-kind.ts";
import type { ConnectorServices } from "../http-connector.ts";
import { complaintAmong, type OpenedEntry, openAmong } from "../registry.ts";
import type { PaymentConnector } from "./contract.ts";
import { flutterwaveKind } from "./flutterwave.ts";
import { monnifyKind } from "./monnify.ts";
import type { PaymentKind } from "./payment-kind.ts";
import { paystackKind } from "./paystack.ts";

/** Every payment provider there is. A new one is its file and its line here; the conformance suite demands its stub. */
export const paymentKinds: readonly PaymentKind[] = [paystackKind, flutterwaveKind, monnifyKind];

/** What is wrong with a payment provider that is being entered, without quoting a credential; null when nothing is. */
export function complaintAboutProvider(entry: Omit<SupplierEntry, "name">): string | null {
  return complaintAmong(paymentKinds, entry);
}

/** Makes the connector of a payment provider. */
export function openPaymentProvider(entry: SupplierEntry, services: ConnectorServices): OpenedEntry<PaymentConnector> {
  return openAmong(paymentKinds, entry, services);
}
