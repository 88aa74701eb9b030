import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import { statement, type Tx } from "../../platform/database.ts";

const listRepriced = statement(
  "list_repriced_products",
  `select p.id
     from products p
     left join tier_prices a on a.product_id = p.id and a.tier = $2
     left join tier_prices b on b.product_id = p.id and b.tier = $3
    where (a.price, a.price_basis_points, a.fee, a.fee_basis_points, a.fee_cap)
          is distinct from (b.price, b.price_basis_points, b.fee, b.fee_basis_points, b.fee_cap)
      and not exists (select 1 from merchant_prices m where m.merchant_id = $1 and m.product_id = p.id)
    order by p.id`,
);

/** What has another price in the one tier than in the other, but for the merchant's own prices, which it keeps. */
export async function listRepricedProducts(
  tx: Tx,
  merchantId: MerchantId,
  tiers: { readonly from: number; readonly to: number },
): Promise<ProductId[]> {
  const rows = await tx.query<{ id: ProductId }>(listRepriced, [merchantId, tiers.from, tiers.to]);
  return rows.map(({ id }) => id);
}
