import { assert } from "../../kernel/assert.ts";
import { groupedNaira, type Kobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database/database.ts";
import type { Transfer } from "../../providers/payments/contract.ts";
import { formatMerchantId, parseMerchantId } from "../merchants/merchant.ts";
import { findExistingMerchant } from "../merchants/queries.ts";
import type { CarriedOut, Facts, Fields, Request } from "../staff/change-kinds.ts";
import { statementReason } from "../wallet/wallet.ts";
import { findPaymentNumbered, type ListedPayment } from "./listed-payment-queries.ts";
import { formatPaymentNumber, reasonFor } from "./payment.ts";
import { insertBookings } from "./payment-booking-queries.ts";

/** A transfer that came to nobody's account is credited to a merchant: one person asks, another one agrees. */
export const matchingPayment: CarriedOut = {
  rules: {
    kind: "match payment",
    ask: ["admin", "finance"],
    approve: ["admin", "finance"],
    subjects: ({ payment }) => [`payment ${payment}`],
  },
  readFacts: async (db, fields) => factsOf(db, fields, await findPaymentNumbered(db, Number(fields.payment))),
  async carryOut(database, { fields }) {
    const merchantId = parseMerchantId(String(fields.merchant));
    assert(merchantId !== null, "a request names its merchant");
    const number = Number(fields.payment);
    const { credited, transfer, ...payment } = unmatched(await findPaymentNumbered(database, number), number);
    const { provider, paymentId, epoch, evidence } = payment;
    const credit = { walletId: merchantId, transfer, credited, reason: reasonFor(transfer), isDue: false };
    const booking = { provider, paymentId, epoch, evidence, ...credit };
    const [outcome] = await insertBookings(database, [booking]);
    if (outcome !== "booked") {
      throw refuse("VALIDATION_ERROR", { message: "Its wallet is in use, or the bank has news of it: try again." });
    }
    return `₦${groupedNaira(credited)} of ${formatPaymentNumber(number)} credited to ${formatMerchantId(merchantId)}.`;
  },
};

async function factsOf(db: Queryable, { merchant }: Fields, payment: ListedPayment | null): Promise<Facts> {
  const merchantId = parseMerchantId(String(merchant));
  if (payment === null || merchantId === null) return { Payment: "none" };
  const { name, status } = await findExistingMerchant(db, merchantId);
  const { sender, amount, accountNumber } = payment;
  return {
    Merchant: `${name} (${formatMerchantId(merchantId)}, ${status})`,
    Amount: amount === null ? null : `₦${groupedNaira(amount)}`,
    "To be credited": payment.credited === null ? null : `₦${groupedNaira(payment.credited)}`,
    Sender: [sender?.name, sender?.bank].filter((part) => typeof part === "string").join(", ") || null,
    Narration: sender?.narration ?? null,
    "Sent to account": accountNumber,
    "Taken back": payment.takenBack > 0n ? `₦${groupedNaira(payment.takenBack)}` : "nothing",
    State: payment.state,
  };
}

/**
 * What is asked for. @throws Refusal NOT_FOUND, VALIDATION_ERROR where it can't be credited, before anybody is asked to
 * agree
 */
export async function requestMatch(
  db: Queryable,
  given: { readonly number: number; readonly merchant: string; readonly reason: string },
): Promise<Request> {
  const { credited, number } = unmatched(await findPaymentNumbered(db, given.number), given.number);
  const merchantId = parseMerchantId(given.merchant);
  if (merchantId === null) throw refuse("NOT_FOUND", { message: "There is no such merchant." });
  const { name } = await findExistingMerchant(db, merchantId);
  const merchant = formatMerchantId(merchantId);
  return {
    fields: { payment: number, merchant, reason: statementReason(given.reason) },
    summary: `Credit ₦${groupedNaira(credited)} of ${formatPaymentNumber(number)} to ${name} (${merchant})`,
  };
}

/** A verified payment that is nobody's yet. */
type UnmatchedPayment = ListedPayment & { readonly transfer: Transfer; readonly credited: Kobo };

function unmatched(payment: ListedPayment | null, number: number): UnmatchedPayment {
  const named = formatPaymentNumber(number);
  if (payment === null) throw refuse("NOT_FOUND", { message: `There is no payment ${named}.` });
  const { state, amount, fee, credited, takenBack, accountNumber, accountReference, sender, paidAt } = payment;
  if (state === "credited")
    throw refuse("VALIDATION_ERROR", { message: `${named} is credited to a merchant already.` });
  const isVerified = amount !== null && fee !== null && credited !== null && sender !== null && paidAt !== null;
  if (state !== "unmatched" || !isVerified) {
    throw refuse("VALIDATION_ERROR", { message: `${named} is not verified: it can’t be credited yet.` });
  }
  if (takenBack > 0n) throw refuse("VALIDATION_ERROR", { message: `${named} was taken back by the bank.` });
  const transfer = { amount, fee, takenBack, accountNumber, accountReference, sender, paidAt };
  return { ...payment, transfer, credited };
}
