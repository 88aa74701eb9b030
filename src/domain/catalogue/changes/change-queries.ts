import type { CategorySlug } from "../../../categories/category-slugs.ts";
import type { MerchantId, ProductId } from "../../../kernel/ids.ts";
import { arrayOf, statement, type Tx } from "../../../platform/database/database.ts";
import type { StoredLine } from "../price-changes/price-lines.ts";
import type { PriceScope } from "../pricing.ts";

// Marks are numbered in the order of their commits: whoever writes one has raised the revision before, whose row lock
// lets one change of the catalogue happen at a time. So no mark is ever committed behind one that was told.

const insertProductChangesOf = statement(
  "insert_catalogue_product_changes",
  `insert into catalogue_changes (kind, biller_slug, product_id, tier, merchant_id)
   select $1, p.biller_slug, p.id, $3, $4
     from products p
    where p.id = any ($2::integer[])
    order by p.id`,
);

/**
 * Marks products whose price, rate or availability this transaction changes: prices for those who pay them, the others for
 * all who see the product. The caller has raised the revision.
 */
export async function insertProductChanges(
  tx: Tx,
  kind: "price" | "rate" | "availability",
  ids: readonly ProductId[],
  scope: PriceScope = { of: "everyone" },
): Promise<void> {
  const tier = scope.of === "tier" ? scope.tier : null;
  const merchantId = scope.of === "merchant" ? scope.merchantId : null;
  await tx.query(insertProductChangesOf, [kind, arrayOf(ids), tier, merchantId]);
}

const insertChangesOfPrices = statement(
  "insert_catalogue_changes_of_prices",
  `with marked as (
     update products
        set updated_at = now()
      where id in (select l.product from jsonb_to_recordset($1::jsonb) as l (product integer))
   )
   insert into catalogue_changes (kind, biller_slug, product_id, tier, merchant_id)
   select 'price', p.biller_slug, p.id, l.tier, l.merchant
     from rows from (
            jsonb_to_recordset($1::jsonb) as (product integer, tier smallint, merchant integer)
          ) with ordinality as l (product, tier, merchant, nth)
     join products p
       on p.id = l.product
    order by l.nth`,
);

/** Marks all these prices, as `insertProductChanges` does each. The caller has raised the revision. */
export async function insertPriceChanges(tx: Tx, lines: readonly StoredLine[]): Promise<void> {
  await tx.query(insertChangesOfPrices, [JSON.stringify(lines)]);
}

const insertVisibilityChangeOf = statement(
  "insert_catalogue_visibility_change",
  `insert into catalogue_changes (kind, biller_slug, merchant_id)
   select 'visibility', b.slug, $2
     from billers b
    where b.category = $1
    order by b.slug`,
);

/** Marks a category that this transaction hides from a merchant or shows to it. The caller has raised the revision. */
export async function insertVisibilityChange(tx: Tx, category: CategorySlug, merchantId: MerchantId): Promise<void> {
  await tx.query(insertVisibilityChangeOf, [category, merchantId]);
}

const deleteChangesUpTo = statement(
  "delete_catalogue_changes",
  `delete from catalogue_changes
    where id <= $1`,
);

/** Takes away the marks of changes that everybody was told, in the transaction that tells the last. */
export async function deleteChanges(tx: Tx, upToId: bigint): Promise<void> {
  await tx.query(deleteChangesUpTo, [upToId]);
}
