import type { Clock } from "../../kernel/clock.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Purchase } from "../purchases/purchase.ts";
import { insertGivenBack, lockWallets } from "../wallet/queries.ts";
import { insertIncident, updateRefunded } from "./incident-queries.ts";

/**
 * Refunds a sale that was taken for fulfilled, as a person found out that its supplier neither fulfilled nor charged it: the
 * same entry as where the supplier reverses it. Once. Locks the wallet.
 * @throws Refusal VALIDATION_ERROR where there is nothing to give back
 */
export async function reverseAsFound(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  purchase: Purchase,
  found: { readonly by: string; readonly evidence: string },
): Promise<void> {
  const { wallet, id, attempt, supplier, status, total } = purchase;
  const isGiven = await database.transaction(async (tx) => {
    await lockWallets(tx, [wallet]);
    if (supplier === null || status !== "successful") return false;
    const reason = "not fulfilled by its supplier";
    if (!(await insertGivenBack(tx, { kind: "reversal", wallet, purchaseId: id, amount: total, reason }))) return false;
    await updateRefunded(tx, purchase);
    const incident = { kind: "late_reversal", attempt, supplier, source: found.by, evidence: found.evidence } as const;
    await insertIncident(tx, purchase, incident, clock.now());
    return true;
  });
  if (!isGiven) throw refuse("VALIDATION_ERROR", { message: "This sale was refunded already. Nothing was moved." });
}
