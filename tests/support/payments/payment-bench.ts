import { expect } from "vitest";
import { openAllowlistedHttp } from "../../../src/platform/outbound-http/allowlisted-http-client.ts";
import { noTokenStore } from "../../../src/providers/access-token.ts";
import type { CallbackMessage } from "../../../src/providers/contract.ts";
import type { PaymentConnector } from "../../../src/providers/payments/contract.ts";
import { openPaymentProvider } from "../../../src/providers/payments/registry.ts";
import { type PaymentStub, type PaymentStubDialect, type StubEvent, startPaymentStub } from "./payment-stub.ts";

/** A stub, and connectors that know where it is. */
export interface PaymentBench {
  readonly stub: PaymentStub;
  readonly connector: PaymentConnector;
  /** Waits for `impatientMs` alone. */
  readonly impatient: PaymentConnector;
  /** Where nobody listens. */
  readonly unreachable: PaymentConnector;
  readonly deniedAccess: PaymentConnector;
  close(): Promise<void>;
}

export const impatientMs = 300;

/** Opens a provider's connector as the service does, from what an operator enters. */
export async function openPaymentBench(dialect: PaymentStubDialect): Promise<PaymentBench> {
  const stub = await startPaymentStub(dialect);
  const nobody = "http://127.0.0.1:1";
  const monotonicMs = () => performance.now();
  const http = openAllowlistedHttp({ origins: [stub.url, nobody], monotonicMs });
  const services = { http, monotonicMs, clock: { now: () => Date.now() }, tokenStore: noTokenStore };
  const open = (url: string, keys: "right" | "wrong" = "right", deadlineMs?: number) => {
    const entry = { name: dialect.connector, connector: dialect.connector, ...dialect.entered(url, keys) };
    const opened = openPaymentProvider(entry, { ...services, ...(deadlineMs === undefined ? {} : { deadlineMs }) });
    if (opened.kind === "unfit") throw new Error(opened.complaint);
    return opened.connector;
  };
  return {
    stub,
    connector: open(stub.url),
    impatient: open(stub.url, "right", impatientMs),
    unreachable: open(nobody),
    deniedAccess: open(stub.url, "wrong"),
    async close() {
      await stub.close();
      await http.close();
    },
  };
}

/** An event as it arrives at such a time. */
export function messageOf({ headers, body }: StubEvent, at = Date.now()): CallbackMessage {
  return { headers, body, query: "", addressSecret: null, at };
}

/** The business whose accounts are opened. */
export const owner = {
  businessName: "Ada Data Ventures",
  email: "ada@example.com",
  phone: "+2348031234567",
  identity: { kind: "bvn", number: "22123456789" },
} as const;

/** People whom evidence must not name, as they were sent or answered. */
const ofPeople = ["Ada Data", "ada@example", "+ada", "8031234567", "ADA EZE", "0123456789", owner.identity.number];

/** No key, identity number or person is in it. */
export function expectNothingSecret({ keys }: PaymentStubDialect, evidence: string): void {
  for (const secret of [...keys, ...ofPeople]) expect(evidence).not.toContain(secret);
}
