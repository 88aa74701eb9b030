import type { TransactionIds } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import type { Purchase } from "../purchases/purchase.ts";
import { supplierReferenceOf } from "../purchases/settle.ts";
import { lockWallets } from "../wallet/queries.ts";
import { reverseCharge } from "../wallet/wallet.ts";
import { insertIncident } from "./incident-queries.ts";
import { evidenceOf, type Verdict } from "./verdict.ts";

/** What a word that came late meant. */
export type LateResult = "agrees" | "late_reversal" | "contradiction";

/** An attempt that is over, and how it ended. */
export interface PastAttempt {
  readonly attempt: number;
  readonly supplier: string;
  readonly verdict: "vended" | "declined";
}

/**
 * Hears what a supplier says about an attempt that is over. A final status never changes: where the supplier took back
 * what it had vended, the wallet is credited with an entry of its own; whatever else does not agree is for a person.
 * Both are recorded as incidents and logged. After a no that was none, what waits for the next supplier is not sent any
 * more, and goes back to the one that said so (`declineWasRetracted`). Locks the wallet. Safe to repeat.
 */
export async function recordLateResult(
  services: { readonly database: Database; readonly log: Logger; readonly transactionIds: TransactionIds },
  purchase: Purchase,
  past: PastAttempt,
  word: { readonly verdict: Verdict; readonly saidBy: string },
): Promise<LateResult> {
  const { verdict, saidBy } = word;
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
      await reverseCharge(tx, { wallet, purchaseId: id, amount: total, reason: `reversed by its supplier` });
    }
    return insertIncident(tx, purchase, { kind, attempt, supplier, saidBy, evidence });
  });
  if (isNew) services.log.error({ event: `purchase.${kind}`, supplier, supplierReference, saidBy });
  return kind;
}
