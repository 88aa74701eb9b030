import type { Clock } from "../../../kernel/clock.ts";
import type { Database } from "../../../platform/database/database.ts";
import { retryOnConnectionLoss } from "../../../platform/keep-trying.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { persistRetryMs } from "../../purchases/settle.ts";
import { lockWallets } from "../../wallet/queries.ts";
import { type ContradictedAttempt, findContradictedAttempt } from "../attempt-queries.ts";
import { insertIncident } from "../incident-queries.ts";
import type { ForeignAnswerServices } from "../mixed-up-answer.ts";
import { updateTakenBack } from "./reroute-queries.ts";

/** The attempt before the present one whose supplier has taken its no back; null for none. */
export async function findContradicted(
  database: Database,
  { attempt, wallet, id }: Purchase,
): Promise<ContradictedAttempt | null> {
  if (attempt === 1) return null;
  return retryOnConnectionLoss(() => findContradictedAttempt(database, wallet, id), persistRetryMs);
}

/**
 * A supplier that declined may have taken it back since: the next one, which is queued, would vend the same again. Then
 * the purchase goes back to the attempt whose supplier said so, and waits for a person: whatever that person finds out is
 * booked there, at its name and its cost. Only for who claimed the purchase from the queue: nobody was asked to vend the
 * attempt that is given up. What the supplier had said before is kept as an incident. Locks the inflight row, then the
 * wallet. @returns whether it must not be sent
 */
export async function declineWasRetracted(
  services: ForeignAnswerServices & { readonly clock: Clock },
  purchase: Purchase,
  epoch: number,
): Promise<boolean> {
  const { database, clock, log, transactionIds } = services;
  const { wallet, id, attempt, supplier, purchasedAt } = purchase;
  const contradicted = await findContradicted(database, purchase);
  if (contradicted === null) return false;
  const before = `declined (${contradicted.evidence}), and has said something else since`;
  const revertToAttempt = () =>
    database.transaction(async (tx) => {
      if (!(await updateTakenBack(tx, purchase, { epoch, to: contradicted.attempt, evidence: before }))) return false;
      await lockWallets(tx, [wallet]);
      await insertIncident(tx, purchase, {
        kind: "contradiction",
        attempt,
        supplier,
        source: `answer of ${contradicted.supplier}`,
        evidence: `not sent: ${contradicted.supplier} ${before}`,
      });
      return true;
    });
  // Whatever is not held comes due again, and would be asked about as if it had been sent.
  if (await retryOnConnectionLoss(revertToAttempt, persistRetryMs)) {
    const transactionId = transactionIds.format(id, wallet.mode);
    const ageMs = clock.now() - purchasedAt;
    log.warn({ event: "purchase.in_review", transactionId, supplier: contradicted.supplier, ageMs });
  }
  return true;
}
