import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { PriceRow } from "./queries.ts";

export interface FxRateRow {
  readonly currency: string;
  /** Kobo for one whole unit. */
  readonly rate: Kobo;
  readonly products: bigint;
}

const listRates = statement(
  "list_fx_rates",
  `select r.currency, r.rate, sum(r.products)::bigint as products
     from (
            select face_currency as currency, fx_rate as rate, 1 as products
              from products
             where fx_rate is not null
             union all
            select currency, rate, 0
              from fx_rates
          ) r
    group by r.currency, r.rate
    order by r.currency, r.rate`,
);

/** Every currency of foreign cards and of suppliers' costs; twice where its products have different rates. */
export function listFxRates(db: Queryable): Promise<FxRateRow[]> {
  return db.query<FxRateRow>(listRates);
}

/** The rates of one currency among all of them. */
export function ratesOf(rows: readonly FxRateRow[], currency: string): Kobo[] {
  return rows.filter((row) => row.currency === currency).map(({ rate }) => rate);
}

const updateRates = statement(
  "update_fx_rates",
  `update products
      set fx_rate = $2,
          updated_at = now()
    where face_currency = $1
      and fx_rate <> $2
   returning id`,
);

/** The products that had another rate. */
export async function updateFxRates(tx: Tx, currency: string, rate: Kobo): Promise<ProductId[]> {
  return (await tx.query<{ id: ProductId }>(updateRates, [currency, rate])).map(({ id }) => id);
}

const insertRate = statement(
  "insert_fx_rate",
  `insert into fx_rates (currency, rate)
   values ($1, $2)
   on conflict (currency) do update
      set rate = excluded.rate`,
);

/** Keeps the rate for suppliers' costs in the currency, whether products are in it or not. */
export async function insertFxRate(tx: Tx, currency: string, rate: Kobo): Promise<void> {
  await tx.query(insertRate, [currency, rate]);
}

const updateStatus = statement(
  "update_biller_status",
  `update billers
      set status = $2
    where slug = $1
      and status <> $2
   returning slug`,
);

/** Whether the status changed; false when it was that already, or there is no such biller. */
export async function updateBillerStatus(tx: Tx, slug: string, status: "available" | "unavailable"): Promise<boolean> {
  return (await tx.query(updateStatus, [slug, status])).length === 1;
}

const listProductIds = statement(
  "list_product_ids_of_biller",
  `select p.id
     from billers b
     left join products p on p.biller_slug = b.slug
    where b.slug = $1
    order by p.id`,
);

/** Null where there is no such biller. */
export async function listProductIdsOfBiller(tx: Tx, slug: string): Promise<ProductId[] | null> {
  const rows = await tx.query<{ id: ProductId | null }>(listProductIds, [slug]);
  return rows.length === 0 ? null : rows.flatMap(({ id }) => id ?? []);
}

/** One of a product's prices: the base price, unless it is a tier's or a merchant's. */
export interface SellingPriceRow extends PriceRow {
  readonly productId: ProductId;
  readonly tier: number | null;
  readonly merchantId: MerchantId | null;
}

const listSellingPrices = statement(
  "list_selling_prices",
  `select id as "productId",
          null::smallint as tier,
          null::integer as "merchantId",
          price,
          price_basis_points,
          fee,
          fee_basis_points,
          fee_cap
     from products
    where id = any($1::integer[])
    union all
   select product_id, tier, null, price, price_basis_points, fee, fee_basis_points, fee_cap
     from tier_prices
    where product_id = any($1::integer[])
    union all
   select product_id, null, merchant_id, price, price_basis_points, fee, fee_basis_points, fee_cap
     from merchant_prices
    where product_id = any($1::integer[])`,
);

/** Every price of these products, whoever pays it. Reads merchants' own prices whole: for an operator, not a purchase. */
export function listPricesOf(db: Queryable, productIds: readonly ProductId[]): Promise<SellingPriceRow[]> {
  return db.query<SellingPriceRow>(listSellingPrices, [arrayOf(productIds)]);
}
