import { paymentKinds } from "../../../src/providers/payments/registry.ts";
import type { PaymentStubDialect } from "./payment-stub.ts";

/** Every payment provider's dialect from its own side: the registry demands a stub `<connector>-stub.ts` of each. */
export const paymentStubs: readonly PaymentStubDialect[] = await Promise.all(
  paymentKinds.map(({ connector }) => stubOf(connector)),
);

async function stubOf(connector: string): Promise<PaymentStubDialect> {
  const exported = (await import(`./${connector}-stub.ts`)) as Readonly<Record<string, PaymentStubDialect>>;
  const stub = exported[`${connector}Stub`];
  if (stub === undefined) throw new Error(`${connector}-stub.ts has no ${connector}Stub`);
  return stub;
}
