// The program behind `openProvider`: a payment provider, which speaks as the conformance suite's stub of it does. Over IPC it
// takes one order at a time and answers it.

import { type StubEvent, startPaymentStub } from "../../tests/support/payments/payment-stub.ts";
import { paystackStub } from "../../tests/support/payments/paystack-stub.ts";
import type { BookedTransfer, ProviderOrder } from "./open-provider.ts";

const stub = await startPaymentStub(paystackStub);
/** Kobo: no two transfers of a run are alike for long. */
const amountLeast = 100_000n;

process.once("disconnect", () => process.exit(0));
process.on("message", (order: ProviderOrder) => process.send?.(carryOut(order)));

function carryOut(order: ProviderOrder): object {
  if (order.what === "settings") return paystackStub.entered(stub.url);
  if (order.what === "open") return order.references.map((reference) => stub.books.open(reference));
  if (order.what === "books") return listBooked();
  return pay(order.accountNumbers, order.count);
}

function listBooked(): readonly BookedTransfer[] {
  const { accounts, transfers } = stub.books;
  return [...transfers.values()].map((transfer) => {
    const { id, amount, accountNumber } = transfer;
    const reference = accounts.get(accountNumber ?? "")?.reference ?? "nobody";
    return { id, amount, reference, questions: transfer.asked };
  });
}

function pay(accountNumbers: readonly string[], count: number): readonly StubEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const accountNumber = accountNumbers[index % accountNumbers.length] ?? "";
    return stub.event(stub.pay(accountNumber, amountLeast + BigInt(index)));
  });
}

process.send?.({ url: stub.url });
