import { assert } from "../../kernel/assert.ts";
import { groupedNaira } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { formatMerchantId, parseMerchantId } from "../merchants/merchant.ts";
import { findExistingMerchant } from "../merchants/queries.ts";
import type { CarriedOut, Facts, Fields, Request } from "../staff/change-kinds.ts";
import { statementReason } from "../wallet/wallet.ts";
import { formatPaymentNumber, reasonFor } from "./payment.ts";
import { findPaymentByNumber, insertBookings, type StoredPayment } from "./payment-queries.ts";

/** A transfer that came to nobody's account is credited to a merchant: one person asks, another one agrees. */
export const matchingPayment: CarriedOut = {
  rules: {
    kind: "match payment",
    ask: ["admin", "finance"],
    approve: ["admin", "finance"],
    subjects: ({ payment }) => [`payment ${payment}`],
  },
  readFacts: async (db, fields) => factsOf(db, fields, await findPaymentByNumber(db, Number(fields.payment))),
  async carryOut(database, { fields }) {
    const merchantId = parseMerchantId(String(fields.merchant));
    assert(merchantId !== null, "a request names its merchant");
    const { transfer, credited, ...payment } = unmatched(
      await findPaymentByNumber(database, Number(fields.payment)),
      Number(fields.payment),
    );
    const credit = { walletId: merchantId, transfer, credited, reason: reasonFor(transfer), isDue: false };
    const booking = { ...payment, ...credit };
    const [outcome] = await insertBookings(database, [booking]);
    if (outcome !== "booked") {
      throw refuse("VALIDATION_ERROR", { message: "Its wallet is in use, or the bank has news of it: try again." });
    }
    return `₦${groupedNaira(credited)} of ${formatPaymentNumber(payment.number)} credited to ${formatMerchantId(merchantId)}.`;
  },
};

async function factsOf(db: Queryable, { merchant }: Fields, payment: StoredPayment | null): Promise<Facts> {
  const merchantId = parseMerchantId(String(merchant));
  if (payment === null || merchantId === null) return { Payment: "none" };
  const { name, status } = await findExistingMerchant(db, merchantId);
  const { sender, amount, accountNumber } = payment.transfer ?? { sender: null, amount: null, accountNumber: null };
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
  const { credited, number } = unmatched(await findPaymentByNumber(db, given.number), given.number);
  const merchantId = parseMerchantId(given.merchant);
  if (merchantId === null) throw refuse("NOT_FOUND", { message: "There is no such merchant." });
  const { name } = await findExistingMerchant(db, merchantId);
  const merchant = formatMerchantId(merchantId);
  return {
    fields: { payment: number, merchant, reason: statementReason(given.reason) },
    summary: `Credit ₦${groupedNaira(credited)} of ${formatPaymentNumber(number)} to ${name} (${merchant})`,
  };
}

type UnmatchedPayment = StoredPayment & {
  readonly transfer: NonNullable<StoredPayment["transfer"]>;
  readonly credited: NonNullable<StoredPayment["credited"]>;
};

function unmatched(payment: StoredPayment | null, number: number): UnmatchedPayment {
  const named = formatPaymentNumber(number);
  if (payment === null) throw refuse("NOT_FOUND", { message: `There is no payment ${named}.` });
  const { state, takenBack, transfer, credited } = payment;
  if (state === "credited")
    throw refuse("VALIDATION_ERROR", { message: `${named} is credited to a merchant already.` });
  if (state !== "unmatched" || transfer === null || credited === null) {
    throw refuse("VALIDATION_ERROR", { message: `${named} is not verified: it can’t be credited yet.` });
  }
  if (takenBack > 0n) throw refuse("VALIDATION_ERROR", { message: `${named} was taken back by the bank.` });
  return { ...payment, transfer, credited };
}
