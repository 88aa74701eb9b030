import type { Purchase } from "../purchases/purchase.ts";
import { supplierReferenceOf } from "../purchases/settle.ts";
import { insertReversal, lockWallets } from "../wallet/queries.ts";
import { insertIncident, updateRefunded } from "./incident-queries.ts";
import type { ForeignAnswerServices } from "./mixed-up-answer.ts";
import { insertUnread, unreadIdentity } from "./review/unread-queries.ts";
import { evidenceOf, type Verdict } from "./verdict.ts";

/** The meaning of an answer that came late. */
export type LateResult = "agrees" | "late_reversal" | "contradiction";

/** An attempt that is over, and how it ended. */
export interface PastAttempt {
  readonly attempt: number;
  readonly supplier: string;
  readonly verdict: "vended" | "declined";
}

/**
 * Records a supplier's answer about an attempt that is over. A final status never changes: where the supplier reversed
 * what it had vended, the wallet is credited with an entry of its own; any other contradiction is for a person. Both
 * are recorded as incidents and logged. Where a supplier retracts its decline, the purchase is no longer sent to the
 * next supplier and goes back to that one (`declineWasRetracted`). Goods that came too late are kept, sealed: the supplier
 * took our money for them. Locks the wallet. Safe to repeat.
 */
export async function recordLateResult(
  services: ForeignAnswerServices,
  purchase: Purchase,
  past: PastAttempt,
  answer: { readonly verdict: Verdict; readonly source: string },
): Promise<LateResult> {
  const { verdict, source } = answer;
  if (verdict.kind === past.verdict) return "agrees";
  const isReversal = past.verdict === "vended" && verdict.kind === "declined" && verdict.reversed === true;
  const kind = isReversal && purchase.status === "successful" ? "late_reversal" : "contradiction";
  const { attempt, supplier } = past;
  const evidence = evidenceOf(verdict);
  const supplierReference = supplierReferenceOf(services.transactionIds, { ...purchase, attempt });
  const isNew = await services.database.transaction(async (tx) => {
    const { wallet, id, total } = purchase;
    await lockWallets(tx, [wallet]);
    if (kind === "late_reversal") {
      const reversal = { wallet, purchaseId: id, amount: total, reason: `reversed by its supplier` };
      if (await insertReversal(tx, reversal)) await updateRefunded(tx, purchase);
    }
    if (verdict.kind === "vended" && verdict.fulfilment !== null) {
      const sealed = services.secretBox.seal(JSON.stringify(verdict.fulfilment), unreadIdentity(wallet.merchantId, id));
      // Of no lease: there is one such answer of an attempt.
      await insertUnread(tx, [{ wallet, id, attempt, epoch: -1, supplier, sealed, isForPerson: true }]);
    }
    return insertIncident(tx, purchase, { kind, attempt, supplier, source, evidence });
  });
  if (isNew) services.log.error({ event: `purchase.${kind}`, supplier, supplierReference, source });
  return kind;
}
