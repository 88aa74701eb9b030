import type { MerchantId, ProductId } from "../../../kernel/ids.ts";
import { statement, type Tx } from "../../../platform/database/database.ts";

// A tier's row takes the place of the base price as a whole; where there is none, the base price is what is paid.
const listRepriced = statement(
  "list_repriced_products",
  `select p.id
     from products p
     left join tier_prices a on a.product_id = p.id and a.tier = $2
     left join tier_prices b on b.product_id = p.id and b.tier = $3
    where case
            when a.tier is null then (p.price, p.price_basis_points, p.fee, p.fee_basis_points, p.fee_cap)
            else (a.price, a.price_basis_points, a.fee, a.fee_basis_points, a.fee_cap)
          end is distinct from case
            when b.tier is null then (p.price, p.price_basis_points, p.fee, p.fee_basis_points, p.fee_cap)
            else (b.price, b.price_basis_points, b.fee, b.fee_basis_points, b.fee_cap)
          end
      and not exists (select 1 from merchant_prices m where m.merchant_id = $1 and m.product_id = p.id)
    order by p.id`,
);

/** Products with another price in the one tier than in the other, except where the merchant has a price of its own. */
export async function listRepricedProducts(
  tx: Tx,
  merchantId: MerchantId,
  tiers: { readonly from: number; readonly to: number },
): Promise<ProductId[]> {
  const rows = await tx.query<{ id: ProductId }>(listRepriced, [merchantId, tiers.from, tiers.to]);
  return rows.map(({ id }) => id);
}
