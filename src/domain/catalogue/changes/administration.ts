import type { CategorySlug } from "../../../categories/category-slugs.ts";
import type { MerchantId, ProductId } from "../../../kernel/ids.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { readCatalogue } from "../catalogue.ts";
import { isSamePrice, type PriceLine } from "../price-changes/price-lines.ts";
import { setPricesWithin } from "../price-changes/set-prices.ts";
import type { Fee, Price, PriceScope, UnitPrice } from "../pricing.ts";
import { deleteHiddenCategory, insertHiddenCategory, updateAvailability } from "../queries.ts";
import type { CatalogueSnapshot } from "../snapshot.ts";
import { assertUniquelySelectable, changeCatalogue } from "./change.ts";
import { insertProductChanges, insertVisibilityChange } from "./change-queries.ts";
import { checkFee, checkPrice } from "./new-product.ts";

export interface PriceOrder {
  readonly productId: ProductId;
  readonly scope: PriceScope;
  readonly price: UnitPrice;
  /** The fee on top, null for none. Absent: the fee that this scope has now, else the base price's. */
  readonly fee?: Fee | null;
}

const tierMax = 9;
/** The audit log has who did it. */
const byCommand = { madeBy: null, reason: "", undoes: null };

/**
 * Sets a product's price for everyone, a tier or a merchant, and returns it with the fee that now goes with it. Safe to
 * repeat.
 * @throws Refusal PRODUCT_NOT_FOUND, NOT_FOUND for an unknown merchant, VALIDATION_ERROR for a price that cannot be
 */
export function setPrice(database: Database, order: PriceOrder): Promise<Price> {
  return changeCatalogue(database, async (tx) => {
    const { price, line } = planPrice(await readCatalogue(tx), order);
    if (line !== null) await setPricesWithin(tx, [line], byCommand);
    return price;
  });
}

/** What a price would be, with its fee; without a line where it is so already. @throws Refusal as `setPrice` */
export function planPrice(
  { findProduct, ownPrice }: CatalogueSnapshot,
  order: PriceOrder,
): { readonly price: Price; readonly line: PriceLine | null } {
  const { productId, scope, fee: given } = order;
  const product = findProduct(productId);
  if (product === null) throw refuse("PRODUCT_NOT_FOUND");
  checkPrice(order.price, product);
  checkFee(given ?? null);
  checkScope(scope);
  const before = ownPrice(productId, scope);
  const fee = given === undefined ? ((before ?? ownPrice(productId, { of: "everyone" }))?.fee ?? null) : given;
  const price: Price = { ...order.price, fee };
  return { price, line: isSamePrice(before, price) ? null : { productId, scope, before, after: price } };
}

/** Takes a tier's or a merchant's own price away, so that the next one in order counts. False when there was none. */
export function clearPrice(
  database: Database,
  order: { readonly productId: ProductId; readonly scope: Exclude<PriceScope, { of: "everyone" }> },
): Promise<boolean> {
  return changeCatalogue(database, async (tx) => {
    const before = (await readCatalogue(tx)).ownPrice(order.productId, order.scope);
    if (before === null) return false;
    await setPricesWithin(tx, [{ ...order, before, after: null }], byCommand);
    return true;
  });
}

/** Hides a category from a merchant: gone from its billers, refused in purchases. False when it was hidden already. */
export function hideCategory(database: Database, merchantId: MerchantId, category: CategorySlug): Promise<boolean> {
  return changeVisibility(database, merchantId, { hide: [category] });
}

/** Shows a hidden category again. False when it was not hidden. */
export function showCategory(database: Database, merchantId: MerchantId, category: CategorySlug): Promise<boolean> {
  return changeVisibility(database, merchantId, { show: [category] });
}

/** Stops selling a product; it stays listed as not available, and points to its successor where there is one. */
export function withdrawProduct(database: Database, productId: ProductId, replacedBy: ProductId | null): Promise<void> {
  return setAvailability(database, { productId, available: false, replacedBy });
}

/** Sells a product again. @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR where requests could mean another too */
export function offerProduct(database: Database, productId: ProductId): Promise<void> {
  return setAvailability(database, { productId, available: true, replacedBy: null });
}

/** Hides categories from a merchant and shows it others, at once. False where nothing had to be changed. */
export function changeVisibility(
  database: Database,
  merchantId: MerchantId,
  { hide = [], show = [] }: { readonly hide?: readonly CategorySlug[]; readonly show?: readonly CategorySlug[] },
): Promise<boolean> {
  return changeCatalogue(database, async (tx) => {
    let isChanged = false;
    for (const category of [...hide, ...show]) {
      const by = hide.includes(category) ? insertHiddenCategory : deleteHiddenCategory;
      if ((await tx.query(by, [merchantId, category])).length === 0) continue;
      await insertVisibilityChange(tx, category, merchantId);
      isChanged = true;
    }
    return isChanged;
  });
}

function setAvailability(
  database: Database,
  to: { readonly productId: ProductId; readonly available: boolean; readonly replacedBy: ProductId | null },
): Promise<void> {
  const { productId, available, replacedBy } = to;
  return changeCatalogue(database, async (tx) => {
    const values = [productId, available, replacedBy];
    const [updated] = await tx.query<{ isChanged: boolean }>(updateAvailability, values);
    if (updated === undefined) throw refuse("PRODUCT_NOT_FOUND");
    if (!updated.isChanged) return;
    if (available) await assertUniquelySelectable(tx, productId);
    await insertProductChanges(tx, "availability", [productId]);
  });
}

function checkScope(scope: PriceScope): void {
  if (scope.of !== "tier") return;
  const { tier } = scope;
  if (Number.isInteger(tier) && tier >= 1 && tier <= tierMax) return;
  throw refuseField("VALIDATION_ERROR", "tier", `Must be a whole number from 1 to ${tierMax}.`);
}
