import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";

/** A price tier: there are as many as merchants.price_tier may name. */
export interface PriceTier {
  readonly tier: number;
  /** Null: it is called by its number. */
  readonly name: string | null;
  readonly merchants: number;
}

const list = statement(
  "list_price_tiers",
  `select t.tier,
          n.name,
          (select count(*)::integer from merchants m where m.price_tier = t.tier) as merchants
     from generate_series(1, 9) as t (tier)
     left join price_tier_names n on n.tier = t.tier
    order by t.tier`,
);

/** Every price tier, with how many merchants pay by it. Reads all merchants. */
export function listPriceTiers(db: Queryable): Promise<PriceTier[]> {
  return db.query<PriceTier>(list);
}

const insert = statement(
  "insert_price_tier_name",
  `insert into price_tier_names (tier, name)
   values ($1, $2)
       on conflict (tier) do update set name = excluded.name`,
);
const remove = statement("delete_price_tier_name", "delete from price_tier_names where tier = $1");

/** Names a tier; null: it is called by its number. */
export async function insertPriceTierName(tx: Tx, tier: number, name: string | null): Promise<void> {
  if (name === null) await tx.query(remove, [tier]);
  else await tx.query(insert, [tier, name]);
}
