import { formatNaira, kobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import { findExistingMerchant } from "../merchants/queries.ts";
import type { CarriedOut, Facts, Fields, Request } from "../staff/change-kinds.ts";
import { findCredit, findCreditForUpdate, updateCreditUndone, type WalletCredit } from "./credit-queries.ts";
import { creditWallet, statementReason } from "./wallet.ts";

/** A credit that was booked by mistake is taken back, once: one person asks, another one agrees. */
export const undoingCredit: CarriedOut = {
  rules: {
    kind: "take back credit",
    ask: ["admin", "finance"],
    approve: ["admin", "finance"],
    subjects: ({ credit }) => [`credit ${credit}`],
  },
  readFacts: async (db, { credit }) => factsOf(db, await findCredit(db, Number(credit))),
  async carryOut(database, { fields }) {
    const { amount, merchantId, balance } = await undoCredit(database, {
      id: Number(fields.credit),
      reason: String(fields.reason),
    });
    const whose = formatMerchantId(merchantId);
    return `₦${formatNaira(amount)} taken back from ${whose}, which holds ₦${formatNaira(balance)} now. The bank reference is free again.`;
  },
};

async function factsOf(db: Queryable, credit: WalletCredit | null): Promise<Facts> {
  if (credit === null) return { Credit: "none" };
  const { name } = await findExistingMerchant(db, credit.merchantId);
  return {
    Merchant: `${name} (${formatMerchantId(credit.merchantId)})`,
    Amount: `₦${formatNaira(credit.amount)}`,
    "Bank reference": credit.bankReference,
    "Booked by": [credit.requestedBy, credit.approvedBy]
      .flatMap((by) => by?.replace(/^staff:/, "") ?? [])
      .join(" and "),
    "Reason then": credit.reason,
    State: credit.wasUndone ? "taken back" : "booked",
  };
}

/** What is asked for. @throws Refusal VALIDATION_ERROR where it can't be taken back, before anybody is asked to agree */
export async function requestUndo(
  db: Queryable,
  { id, reason }: { readonly id: number; readonly reason: string },
): Promise<Request> {
  const { amount, merchantId } = standing(await findCredit(db, id), id);
  const fields: Fields = { credit: id, merchant: formatMerchantId(merchantId), reason: statementReason(reason) };
  return { fields, summary: `Take credit ${id} back: ₦${formatNaira(amount)} from ${formatMerchantId(merchantId)}` };
}

/**
 * Takes a booked credit back by an adjustment of its wallet, once; its bank reference is free again. Locks the credit, then the
 * wallet. @throws Refusal NOT_FOUND, VALIDATION_ERROR where it was taken back or the wallet holds less
 */
export function undoCredit(database: Database, { id, reason }: { readonly id: number; readonly reason: string }) {
  return database.transaction(async (tx) => {
    const { merchantId, amount } = standing(await findCreditForUpdate(tx, id), id);
    const wallet = { merchantId, mode: "live" } as const;
    const booking = { wallet, amount: kobo(-amount), kind: "adjustment", reason: statementReason(reason) } as const;
    const { balance, seq } = await creditWallet(tx, booking);
    await updateCreditUndone(tx, id, seq);
    return { merchantId, amount, balance };
  });
}

function standing(credit: WalletCredit | null, id: number): WalletCredit {
  if (credit === null) throw refuse("NOT_FOUND", { message: `There is no credit ${id}.` });
  if (credit.wasUndone) throw refuse("VALIDATION_ERROR", { message: `Credit ${id} was taken back before.` });
  return credit;
}
