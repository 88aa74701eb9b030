import { expect, test } from "vitest";
import type { Bank } from "../../rigs/torture/funding/banks.ts";
import type { SentTransfer } from "../../rigs/torture/funding/senders.ts";
import { fundingChecks, type StoredPayment, type StoredWallet } from "../../rigs/torture/funding/verdict.ts";
import type { Merchant } from "../../rigs/torture/merchants.ts";
import { kobo } from "../../src/kernel/money.ts";
import type { StubTransfer } from "../support/payments/payment-stub.ts";

const merchant = { id: 7 } as unknown as Merchant;
const bank = { name: "monnify", feeBearer: "merchant" } as unknown as Bank;
const transfer: StubTransfer = {
  ...{
    id: "M1",
    amount: 10_000n,
    fee: 100n,
    takenBack: 4_000n,
    takenBackBy: "refund",
    takenBackAt: null,
    status: "paid",
  },
  ...{ currency: "NGN", accountNumber: "9900000001", holder: "mer_7", paidAt: 0, asked: 1 },
  sender: { name: null, bank: null, accountNumber: null, sessionId: null, narration: null },
};
const sent: SentTransfer = { bank, transfer, merchant };
const payment: StoredPayment = {
  ...{ provider: "monnify", paymentId: "M1", number: 1, state: "credited", walletId: 7, sharing: 1 },
  ...{ amount: kobo(10_000n), fee: kobo(100n), credited: kobo(9_900n) },
  ...{ takenBack: kobo(4_000n), entered: kobo(9_900n) },
};
/** It had 2,000 left when 4,000 were taken back. */
const wallet: StoredWallet = { walletId: 7, moved: kobo(7_900n), debt: kobo(2_000n) };

function brokenBy(change: {
  readonly sent?: Partial<SentTransfer>;
  readonly transfer?: Partial<StubTransfer>;
  readonly payment?: Partial<StoredPayment>;
  readonly wallet?: Partial<StoredWallet>;
  readonly others?: readonly StoredPayment[];
}): number[] {
  const checks = fundingChecks({
    sent: [{ ...sent, ...change.sent, transfer: { ...transfer, ...change.transfer } }],
    invented: ["M900"],
    payments: [{ ...payment, ...change.payment }, ...(change.others ?? [])],
    wallets: [{ ...wallet, ...change.wallet }],
  });
  return checks.flatMap(({ broken }, nth) => (broken.length > 0 ? [nth] : []));
}

test("books that agree break no promise", () => {
  expect(brokenBy({})).toEqual([]);
});

test("each way in which books can differ is noticed", () => {
  expect(brokenBy({ payment: { state: "heard" } })).toContain(0);
  expect(brokenBy({ transfer: { status: "failed" } })).toContain(0);
  expect(brokenBy({ transfer: { currency: "USD" } })).toContain(0);
  expect(brokenBy({ sent: { merchant: null } })).toContain(0);
  expect(brokenBy({ payment: { entered: kobo(9_901n) } })).toContain(1);
  expect(brokenBy({ payment: { walletId: 8 } })).toContain(1);
  expect(brokenBy({ payment: { sharing: 2 } })).toContain(1);
  expect(brokenBy({ transfer: { amount: 10_001n } })).toContain(1);
  expect(brokenBy({ payment: { takenBack: kobo(0n) } })).toContain(2);
  expect(brokenBy({ others: [{ ...payment, paymentId: "M2" }] })).toContain(3);
  expect(brokenBy({ others: [{ ...payment, paymentId: "M900" }] })).toContain(3);
  expect(brokenBy({ others: [{ ...payment, paymentId: "M900", state: "heard" }] })).toEqual([]);
  expect(brokenBy({ wallet: { debt: kobo(1_999n) } })).toContain(4);
  expect(brokenBy({ wallet: { moved: kobo(7_901n) } })).toContain(4);
});
