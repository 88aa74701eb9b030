import type { Clock } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Purchase } from "../purchases/purchase.ts";
import { supplierReferenceOf } from "../purchases/settle.ts";
import { insertGivenBack, lockWallets } from "../wallet/queries.ts";
import { type Incident, insertIncident, updateRefunded } from "./incident-queries.ts";
import { insertUnread, unreadIdentity } from "./review/unread-queries.ts";
import { evidenceOf, type Verdict } from "./verdict.ts";

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
  const now = services.clock.now();
  const isNew = await services.database.transaction(async (tx) => {
    const { wallet, id, total } = purchase;
    await lockWallets(tx, [wallet]);
    if (kind === "late_reversal") {
      const given = {
        kind: "reversal",
        wallet,
        purchaseId: id,
        amount: total,
        reason: "reversed by its supplier",
      } as const;
      if (await insertGivenBack(tx, given)) await updateRefunded(tx, purchase);
    }
    if (verdict.kind === "vended" && verdict.fulfilment !== null) {
      const sealed = services.secretBox.seal(JSON.stringify(verdict.fulfilment), unreadIdentity(wallet.merchantId, id));
      // Of no lease: there is one such answer of an attempt.
      await insertUnread(tx, [{ wallet, id, attempt, epoch: -1, supplier, sealed, isForPerson: true }], now);
    }
    return insertIncident(tx, purchase, { kind, attempt, supplier, source, evidence }, now);
  });
  if (isNew) services.log.error({ event: `purchase.${kind}`, supplier, supplierReference, source });
  return kind;
}

/** What a supplier's word about a purchase is kept and told with. */
export interface ForeignAnswerServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly transactionIds: TransactionIds;
  readonly secretBox: SecretBox;
}

/** An answer about another purchase: the supplier and attempt that it came from, who said it, and what, redacted. */
type ForeignAnswer = Omit<Incident, "kind" | "supplier"> & { readonly supplier: string };

/**
 * Keeps, as an incident for a person, that a supplier answered about another purchase than this one. Moves nothing:
 * such an answer says nothing about this purchase. Locks the wallet. Safe to repeat. Never throws: a database that is
 * away must not keep the purchase from being rescheduled, and the log line has the same facts.
 */
export async function recordForeignAnswer(
  services: ForeignAnswerServices,
  purchase: Purchase,
  answer: ForeignAnswer,
): Promise<void> {
  const { database, clock, log, transactionIds } = services;
  const { attempt, supplier, source, evidence } = answer;
  const reported = {
    supplier,
    supplierReference: supplierReferenceOf(transactionIds, { ...purchase, attempt }),
    source,
  };
  try {
    const isNew = await database.transaction(async (tx) => {
      await lockWallets(tx, [purchase.wallet]);
      return insertIncident(tx, purchase, { kind: "another_purchase", ...answer }, clock.now());
    });
    if (isNew) log.error({ event: "purchase.another_purchase", ...reported });
  } catch (error) {
    log.error({ event: "purchase.another_purchase", ...reported, evidence, error: String(error) });
  }
}
