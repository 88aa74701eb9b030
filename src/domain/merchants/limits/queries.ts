import type { Instant } from "../../../kernel/clock.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { SpendingLimits } from "./limits.ts";

export interface LimitTierRow extends SpendingLimits {
  readonly tier: number;
  /** Null: it is called by its number. */
  readonly name: string | null;
  readonly merchants: bigint;
  readonly updatedAt: Instant;
}

const listTiers = statement(
  "list_limit_tiers",
  `select t.tier,
          t.name,
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

const insertTier = statement(
  "insert_limit_tier",
  `insert into limit_tiers (tier, name, per_transaction, per_day)
   select max(tier) + 1, $1, $2, $3
     from limit_tiers
   having max(tier) < $4
   returning tier`,
);

/** Adds a tier after the last one. @returns its number; null where there are as many as there may be */
export async function insertLimitTier(
  tx: Tx,
  tier: SpendingLimits & { readonly name: string; readonly tierMax: number },
): Promise<number | null> {
  const values = [tier.name, tier.perTransaction, tier.perDay, tier.tierMax];
  const [row] = await tx.query<{ tier: number }>(insertTier, values);
  return row?.tier ?? null;
}

const updateName = statement("update_limit_tier_name", "update limit_tiers set name = $2 where tier = $1");

export async function updateLimitTierName(tx: Tx, tier: number, name: string | null): Promise<void> {
  await tx.query(updateName, [tier, name]);
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
