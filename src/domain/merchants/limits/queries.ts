import type { Instant } from "../../../kernel/clock.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { SpendingLimits } from "./limits.ts";

interface LimitTierRow extends SpendingLimits {
  readonly tier: number;
  readonly merchants: bigint;
  readonly updatedAt: Instant;
}

const listTiers = statement(
  "list_limit_tiers",
  `select t.tier,
          t.per_transaction as "perTransaction",
          t.per_day as "perDay",
          (select count(*) from merchants m where m.limit_tier = t.tier) as merchants,
          t.updated_at as "updatedAt"
     from limit_tiers t
    order by t.tier`,
);

/** Every tier, with how many merchants are in it. Reads all merchants. */
export function listLimitTiers(db: Queryable): Promise<LimitTierRow[]> {
  return db.query<LimitTierRow>(listTiers);
}

const updateTier = statement(
  "update_limit_tier",
  `update limit_tiers
      set per_transaction = coalesce($2, per_transaction),
          per_day = coalesce($3, per_day),
          updated_at = now()
    where tier = $1
   returning per_transaction as "perTransaction", per_day as "perDay"`,
);

/** Null where there is no such tier; what is null stays as it is. */
export async function updateLimitTier(
  tx: Tx,
  tier: number,
  limits: { readonly perTransaction: Kobo | null; readonly perDay: Kobo | null },
): Promise<SpendingLimits | null> {
  const [row] = await tx.query<SpendingLimits>(updateTier, [tier, limits.perTransaction, limits.perDay]);
  return row ?? null;
}
