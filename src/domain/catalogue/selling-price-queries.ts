import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import { arrayOf, type Queryable, statement } from "../../platform/database/database.ts";
import type { PriceRow } from "./queries.ts";

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
