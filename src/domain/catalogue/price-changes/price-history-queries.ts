import type { Instant } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { ChangeId } from "../../staff/change-queries.ts";
import { priceChangeKind } from "./price-change-queries.ts";
import type { StoredLine } from "./price-lines.ts";

/** Lines as they are given to statements: one JSON array. */
const given = `jsonb_to_recordset($1::jsonb) as l (product integer, tier smallint, merchant integer, before jsonb, after jsonb)`;
const prices = "a.price, a.price_basis_points, a.fee, a.fee_basis_points, a.fee_cap";

const listMoved = statement(
  "list_moved_price_lines",
  `select l.nth::integer as nth
     from rows from (
            jsonb_to_recordset($1::jsonb) as (product integer, tier smallint, merchant integer, before jsonb)
          ) with ordinality as l (product, tier, merchant, before, nth)
     left join lateral (
            select p.price, p.price_basis_points, p.fee, p.fee_basis_points, p.fee_cap
              from products p
             where p.id = l.product and l.tier is null and l.merchant is null
             union all
            select t.price, t.price_basis_points, t.fee, t.fee_basis_points, t.fee_cap
              from tier_prices t
             where t.tier = l.tier and t.product_id = l.product
             union all
            select m.price, m.price_basis_points, m.fee, m.fee_basis_points, m.fee_cap
              from merchant_prices m
             where m.merchant_id = l.merchant and m.product_id = l.product
          ) present
       on true
    where l.before is distinct from jsonb_strip_nulls(to_jsonb(present))
    order by l.nth`,
);

/** Which of these lines have other prices now than before them: their places in the list. */
export async function listMovedLines(db: Queryable, lines: readonly StoredLine[]): Promise<number[]> {
  const rows = await db.query<{ nth: number }>(listMoved, [JSON.stringify(lines)]);
  return rows.map(({ nth }) => nth - 1);
}

const updateBase = statement(
  "update_base_prices_of_lines",
  `update products p
      set price = a.price,
          price_basis_points = a.price_basis_points,
          fee = a.fee,
          fee_basis_points = a.fee_basis_points,
          fee_cap = a.fee_cap
     from ${given}
    cross join lateral jsonb_populate_record(null::tier_prices, l.after) a
    where l.tier is null
      and l.merchant is null
      and p.id = l.product`,
);

const insertTiers = statement(
  "insert_tier_prices_of_lines",
  `insert into tier_prices (product_id, tier, price, price_basis_points, fee, fee_basis_points, fee_cap)
   select l.product, l.tier, ${prices}
     from ${given}
    cross join lateral jsonb_populate_record(null::tier_prices, l.after) a
    where l.tier is not null
      and l.after is not null
   on conflict (tier, product_id) do update
      set price = excluded.price,
          price_basis_points = excluded.price_basis_points,
          fee = excluded.fee,
          fee_basis_points = excluded.fee_basis_points,
          fee_cap = excluded.fee_cap`,
);

const deleteTiers = statement(
  "delete_tier_prices_of_lines",
  `delete from tier_prices t
    using ${given}
    where l.tier = t.tier
      and l.product = t.product_id
      and l.after is null`,
);

const insertMerchants = statement(
  "insert_merchant_prices_of_lines",
  `insert into merchant_prices (product_id, merchant_id, price, price_basis_points, fee, fee_basis_points, fee_cap)
   select l.product, l.merchant, ${prices}
     from ${given}
    cross join lateral jsonb_populate_record(null::tier_prices, l.after) a
    where l.merchant is not null
      and l.after is not null
   on conflict (merchant_id, product_id) do update
      set price = excluded.price,
          price_basis_points = excluded.price_basis_points,
          fee = excluded.fee,
          fee_basis_points = excluded.fee_basis_points,
          fee_cap = excluded.fee_cap`,
);

const deleteMerchants = statement(
  "delete_merchant_prices_of_lines",
  `delete from merchant_prices m
    using ${given}
    where l.merchant = m.merchant_id
      and l.product = m.product_id
      and l.after is null`,
);

const insertHistory = statement(
  "insert_price_history",
  `insert into price_history (change_id, product_id, tier, merchant_id, before, after, made_by, reason)
   select $2, l.product, l.tier, l.merchant, l.before, l.after, $3, $4
     from ${given}`,
);

/** The change by which prices are set; nobody made it where it was a command. */
export interface SettingChange {
  readonly id: ChangeId;
  readonly madeBy: string | null;
  readonly reason: string;
}

/**
 * Stores prices, base prices first, then tiers' and merchants' own, and enters them in the history. The caller has raised
 * the catalogue's revision.
 */
export async function storePrices(
  tx: Tx,
  lines: readonly StoredLine[],
  { id, madeBy, reason }: SettingChange,
): Promise<void> {
  const stored = JSON.stringify(lines);
  for (const store of [updateBase, insertTiers, deleteTiers, insertMerchants, deleteMerchants]) {
    await tx.query(store, [stored]);
  }
  await tx.query(insertHistory, [stored, id, madeBy, reason]);
}

const lineColumns = "h.product_id as product, h.tier, h.merchant_id as merchant, h.before, h.after";

const listOfChange = statement(
  "list_prices_set_by_change",
  `select ${lineColumns}
     from price_history h
    where h.change_id = $1
    order by h.id`,
);

/** What a change set. */
export function listPricesSet(db: Queryable, id: ChangeId): Promise<StoredLine[]> {
  return db.query<StoredLine>(listOfChange, [id]);
}

const listFirst = statement(
  "list_first_prices_of_day",
  `select distinct on (h.product_id, h.tier, h.merchant_id) ${lineColumns}
     from price_history h
    where h.product_id = any ($1::integer[])
      and h.set_at > now() - interval '1 day'
    order by h.product_id, h.tier, h.merchant_id, h.id`,
);

/** The first change of each price of these products in the last 24 hours: before it stands the price of a day ago. */
export function listFirstOfDay(db: Queryable, products: readonly ProductId[]): Promise<StoredLine[]> {
  return db.query<StoredLine>(listFirst, [arrayOf(products)]);
}

/** A price of a product, as it was set or is to be. */
export interface HistoryRow extends StoredLine {
  /** Null once the change is purged. */
  readonly changeId: ChangeId | null;
  readonly isScheduled: boolean;
  readonly madeBy: string | null;
  readonly reason: string;
  readonly at: Instant;
}

const listHistory = statement(
  "list_price_history",
  `select ${lineColumns}, h.change_id as "changeId", h.made_by as "madeBy", h.reason, h.set_at as at, false as "isScheduled"
     from price_history h
    where h.product_id = $1
    order by h.set_at desc, h.id desc
    limit $2`,
);

const listScheduled = statement(
  "list_scheduled_prices_of_product",
  `select l.product, l.tier, l.merchant, l.before, l.after,
          c.id as "changeId",
          c.fields::json ->> 'made_by' as "madeBy",
          c.fields::json ->> 'reason' as reason,
          c.due_at as at,
          true as "isScheduled"
     from changes c
    cross join lateral json_to_recordset(c.lines::json) as l (
            product integer, tier smallint, merchant integer, before jsonb, after jsonb
          )
    where c.kind = $1
      and c.state = 'agreed'
      and c.due_at > now()
      and l.product = $2
    order by c.due_at desc`,
);

/** What a product's prices were changed to, the newest first, after what is scheduled. */
export async function listPriceHistory(db: Queryable, productId: ProductId, limit: number): Promise<HistoryRow[]> {
  const scheduled = await db.query<HistoryRow>(listScheduled, [priceChangeKind, productId]);
  return [...scheduled, ...(await db.query<HistoryRow>(listHistory, [productId, limit]))];
}
