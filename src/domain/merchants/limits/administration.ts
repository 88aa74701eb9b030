import type { Kobo } from "../../../kernel/money.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { violatedConstraint } from "../../../platform/database/database-errors.ts";
import { bumpRevision } from "../../../platform/revisions.ts";
import type { SpendingLimits } from "./limits.ts";
import { updateLimitTier } from "./queries.ts";

/**
 * Sets what live merchants of a tier may spend, in kobo; null leaves a limit as it is. Every process goes by it within a
 * second; purchases that were accepted stay so. Returns the limits as they are now. Safe to repeat.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR when the day would allow less than one transaction
 */
export async function setLimitTier(
  database: Database,
  tier: number,
  limits: { readonly perTransaction: Kobo | null; readonly perDay: Kobo | null },
): Promise<SpendingLimits> {
  try {
    return await database.transaction(async (tx) => {
      // Accounts are remembered with their limits.
      await bumpRevision(tx, "merchants");
      const stored = await updateLimitTier(tx, tier, limits);
      if (stored === null) throw refuse("NOT_FOUND", { message: `There is no limit tier ${tier}.` });
      return stored;
    });
  } catch (error) {
    if (violatedConstraint(error) !== "limit_tiers_day_holds_a_transaction") throw error;
    throw refuseField("VALIDATION_ERROR", "per_day", "The day's limit must be at least that of one transaction.");
  }
}
