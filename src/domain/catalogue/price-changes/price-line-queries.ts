import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId, ProductId } from "../../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { PriceChangeId } from "./price-change-queries.ts";

/** A price as lines keep it: its columns as keys, without nulls. */
export type StoredPrice = Readonly<
  Partial<Record<"price" | "price_basis_points" | "fee" | "fee_basis_points" | "fee_cap", number>>
>;

/** A price of a change. Both null: it is the base price. */
export interface LineRow {
  readonly line: number;
  readonly productId: ProductId;
  readonly tier: number | null;
  readonly merchantId: MerchantId | null;
  readonly before: StoredPrice | null;
  readonly after: StoredPrice | null;
}

const insertLines = statement(
  "insert_price_change_lines",
  `insert into price_change_lines (change_id, line, product_id, tier, merchant_id, before, after)
   select $1, l.line, l."productId", l.tier, l."merchantId", l.before, l.after
     from jsonb_to_recordset($2::jsonb) as l (
            line integer, "productId" integer, tier smallint, "merchantId" integer, before jsonb, after jsonb
          )
    order by l.line`,
);

export async function insertPriceLines(tx: Tx, id: PriceChangeId, lines: readonly LineRow[]): Promise<void> {
  await tx.query(insertLines, [id, JSON.stringify(lines)]);
}

const listLines = statement(
  "list_price_change_lines",
  `select line, product_id as "productId", tier, merchant_id as "merchantId", before, after
     from price_change_lines
    where change_id = $1
    order by line`,
);

/** All prices of a change: as many as one may have. */
export function listPriceLines(db: Queryable, id: PriceChangeId): Promise<LineRow[]> {
  return db.query<LineRow>(listLines, [id]);
}

const findHash = statement(
  "find_price_change_hash",
  `select encode(
            sha256(
              convert_to(
                string_agg(
                  format(
                    '%s %s %s %s %s',
                    l.product_id,
                    coalesce(l.tier, 0),
                    coalesce(l.merchant_id, 0),
                    coalesce(l.before::text, 'none'),
                    coalesce(l.after::text, 'none')
                  ),
                  E'\\n'
                  order by l.line
                ),
                'UTF8'
              )
            ),
            'hex'
          ) as hash
     from price_change_lines l
    where l.change_id = $1`,
);

/** SHA-256 of all prices of a change, in hexadecimal: what was approved is what is carried out. Null without any. */
export async function findLinesHash(db: Queryable, id: PriceChangeId): Promise<string | null> {
  return (await db.query<{ hash: string | null }>(findHash, [id]))[0]?.hash ?? null;
}

const listMoved = statement(
  "list_price_change_lines_moved",
  `select l.line, l.product_id as "productId", l.tier, l.merchant_id as "merchantId", l.before, l.after
     from price_change_lines l
     left join lateral (
            select p.price, p.price_basis_points, p.fee, p.fee_basis_points, p.fee_cap
              from products p
             where p.id = l.product_id and l.tier is null and l.merchant_id is null
             union all
            select t.price, t.price_basis_points, t.fee, t.fee_basis_points, t.fee_cap
              from tier_prices t
             where t.tier = l.tier and t.product_id = l.product_id
             union all
            select m.price, m.price_basis_points, m.fee, m.fee_basis_points, m.fee_cap
              from merchant_prices m
             where m.merchant_id = l.merchant_id and m.product_id = l.product_id
          ) present
       on true
    where l.change_id = $1
      and l.before is distinct from jsonb_strip_nulls(to_jsonb(present))
    order by l.line
    limit $2`,
);

/** Prices of a draft or scheduled change that are others by now than when it was previewed. */
export function listMovedLines(db: Queryable, id: PriceChangeId, limit: number): Promise<LineRow[]> {
  return db.query<LineRow>(listMoved, [id, limit]);
}

const listDayAgo = statement(
  "list_price_change_lines_day_ago",
  `select l.line, l.product_id as "productId", l.tier, l.merchant_id as "merchantId",
          coalesce(d.before, l.before) as before, l.after
     from price_change_lines l
     left join lateral (
            select o.before
              from price_change_lines o
              join price_changes c
                on c.id = o.change_id and c.state = 'done' and c.ended_at > now() - interval '1 day'
             where o.product_id = l.product_id
               and o.tier is not distinct from l.tier
               and o.merchant_id is not distinct from l.merchant_id
             order by c.ended_at, c.id
             limit 1
          ) d on true
    where l.change_id = $1
    order by l.line`,
);

/** The prices of a draft, against those of a day ago: of what changed since, the price before the first change. */
export function listDayAgoLines(db: Queryable, id: PriceChangeId): Promise<LineRow[]> {
  return db.query<LineRow>(listDayAgo, [id]);
}

const countOverlapping = statement(
  "count_price_change_lines_scheduled",
  `select count(*)::integer as prices, min(c.id) as "changeId"
     from price_change_lines l
     join price_change_lines o
       on o.product_id = l.product_id
      and o.tier is not distinct from l.tier
      and o.merchant_id is not distinct from l.merchant_id
     join price_changes c
       on c.id = o.change_id
      and c.state = 'scheduled'
    where l.change_id = $1
      and o.change_id <> $1`,
);

/** How many prices of a change another one is scheduled for, and the first such change. */
export async function countScheduledLines(
  db: Queryable,
  id: PriceChangeId,
): Promise<{ readonly prices: number; readonly changeId: PriceChangeId | null }> {
  const rows = await db.query<{ prices: number; changeId: PriceChangeId | null }>(countOverlapping, [id]);
  return rows[0] ?? { prices: 0, changeId: null };
}

const updateBase = statement(
  "update_base_prices_of_change",
  `update products p
      set price = a.price,
          price_basis_points = a.price_basis_points,
          fee = a.fee,
          fee_basis_points = a.fee_basis_points,
          fee_cap = a.fee_cap
     from price_change_lines l
    cross join lateral jsonb_populate_record(null::tier_prices, l.after) a
    where l.change_id = $1
      and l.tier is null
      and l.merchant_id is null
      and p.id = l.product_id`,
);

const insertTiers = statement(
  "insert_tier_prices_of_change",
  `insert into tier_prices (product_id, tier, price, price_basis_points, fee, fee_basis_points, fee_cap)
   select l.product_id, l.tier, a.price, a.price_basis_points, a.fee, a.fee_basis_points, a.fee_cap
     from price_change_lines l
    cross join lateral jsonb_populate_record(null::tier_prices, l.after) a
    where l.change_id = $1
      and l.tier is not null
      and l.after is not null
    order by l.line
   on conflict (tier, product_id) do update
      set price = excluded.price,
          price_basis_points = excluded.price_basis_points,
          fee = excluded.fee,
          fee_basis_points = excluded.fee_basis_points,
          fee_cap = excluded.fee_cap`,
);

const deleteTiers = statement(
  "delete_tier_prices_of_change",
  `delete from tier_prices t
    using price_change_lines l
    where l.change_id = $1
      and l.tier = t.tier
      and l.product_id = t.product_id
      and l.after is null`,
);

const insertMerchants = statement(
  "insert_merchant_prices_of_change",
  `insert into merchant_prices (product_id, merchant_id, price, price_basis_points, fee, fee_basis_points, fee_cap)
   select l.product_id, l.merchant_id, a.price, a.price_basis_points, a.fee, a.fee_basis_points, a.fee_cap
     from price_change_lines l
    cross join lateral jsonb_populate_record(null::tier_prices, l.after) a
    where l.change_id = $1
      and l.merchant_id is not null
      and l.after is not null
    order by l.line
   on conflict (merchant_id, product_id) do update
      set price = excluded.price,
          price_basis_points = excluded.price_basis_points,
          fee = excluded.fee,
          fee_basis_points = excluded.fee_basis_points,
          fee_cap = excluded.fee_cap`,
);

const deleteMerchants = statement(
  "delete_merchant_prices_of_change",
  `delete from merchant_prices m
    using price_change_lines l
    where l.change_id = $1
      and l.merchant_id = m.merchant_id
      and l.product_id = m.product_id
      and l.after is null`,
);

/** Stores the prices of a change: base prices, then tiers', then merchants' own. The caller has raised the catalogue's revision. */
export async function storePrices(tx: Tx, id: PriceChangeId): Promise<void> {
  await tx.query(updateBase, [id]);
  await tx.query(insertTiers, [id]);
  await tx.query(deleteTiers, [id]);
  await tx.query(insertMerchants, [id]);
  await tx.query(deleteMerchants, [id]);
}

/** A price of a product, as a change that was done or is scheduled had it. */
export interface HistoryRow extends Omit<LineRow, "line"> {
  readonly changeId: PriceChangeId;
  readonly state: "done" | "scheduled";
  readonly madeBy: string | null;
  readonly reason: string;
  readonly at: Instant;
}

const listHistory = statement(
  "list_price_history",
  `select l.change_id as "changeId",
          c.state,
          c.made_by as "madeBy",
          c.reason,
          coalesce(c.ended_at, c.starts_at) as at,
          l.product_id as "productId",
          l.tier,
          l.merchant_id as "merchantId",
          l.before,
          l.after
     from price_change_lines l
     join price_changes c
       on c.id = l.change_id
      and c.state in ('done', 'scheduled')
    where l.product_id = $1
    order by l.change_id desc, l.line
    limit $2`,
);

/** What a product's prices were changed to, the newest first, and what is scheduled. */
export function listPriceHistory(db: Queryable, productId: ProductId, limit: number): Promise<HistoryRow[]> {
  return db.query<HistoryRow>(listHistory, [productId, limit]);
}
