import { categoryOf } from "../../../categories/category-slugs.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { faultsIn } from "../../../platform/validation/faults.ts";
import { listProducts, type ProductRow, updateProductAttributes, updateProductNames } from "../queries.ts";
import { changeCatalogue, refuseForeignTo } from "./change.ts";
import { findBiller, refuseTaken } from "./new-product.ts";

/** What people and older clients call a product; what it is stays the same. Absent, it stays. */
export interface ProductNames {
  readonly name?: string;
  /** Only for a product that has none: such a number means one product, for ever. */
  readonly legacyPlan?: number;
}

/**
 * Spells a product's name anew, or gives it a number for older clients. Safe to repeat.
 * @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR for what can't be, or a number that is taken
 */
export function renameProduct(database: Database, id: ProductId, names: ProductNames): Promise<void> {
  return changeCatalogue(database, async (tx) => {
    const products = await tx.query<ProductRow>(listProducts);
    const product = productAmong(products, id);
    const { name = product.name, legacyPlan = product.legacyPlanId } = names;
    if (legacyPlan !== null && legacyPlan !== product.legacyPlanId) {
      await checkLegacyPlan(tx, { product, legacyPlan, products });
    }
    await tx.query(updateProductNames, [id, name, legacyPlan]);
  });
}

async function checkLegacyPlan(
  tx: Tx,
  given: { readonly product: ProductRow; readonly legacyPlan: number; readonly products: readonly ProductRow[] },
): Promise<void> {
  const { product, legacyPlan, products } = given;
  const { category } = await findBiller(tx, product.billerSlug);
  if (category !== "data") throw refuseForeignTo(categoryOf(category), "legacy_plan");
  if (product.legacyPlanId !== null) {
    throw refuseField(
      "VALIDATION_ERROR",
      "legacy_plan",
      `It is ${product.legacyPlanId}, and stays so: clients know it.`,
    );
  }
  refuseTaken(products, "legacy_plan", legacyPlan, (row) => row.legacyPlanId);
}

/** The facts of a product (`pinAttributes`) that say what its PINs look like. Null takes a fact away; absent, it stays. */
export interface PinFormatChange {
  readonly pin_digits?: number | null;
  readonly serial_prefix?: string | null;
  readonly serial_digits?: number | null;
}

/**
 * Says what a product's PINs and serials look like: imports of vouchers are held to it, and the sandbox makes up such
 * ones. Safe to repeat. @returns all of the product's facts
 * @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR where its category has no such PINs
 */
export function setPinFormat(database: Database, id: ProductId, change: PinFormatChange): Promise<JsonObject> {
  return changeCatalogue(database, async (tx) => {
    const product = productAmong(await tx.query<ProductRow>(listProducts), id);
    const shape = categoryOf((await findBiller(tx, product.billerSlug)).category).sells.attributes;
    if (!("pin_digits" in shape.properties)) {
      throw refuse("VALIDATION_ERROR", { message: `Product ${id} has no PINs whose digits could be said.` });
    }
    const facts = Object.entries({ ...product.attributes, ...change }).filter(([, fact]) => fact !== null);
    const attributes = Object.fromEntries(facts) as JsonObject;
    const faults = faultsIn({ part: "attributes", shape, value: attributes });
    if (faults.length > 0) throw refuse("VALIDATION_ERROR", { message: `${faults.join("; ")}.` });
    await tx.query(updateProductAttributes, [id, JSON.stringify(attributes)]);
    return attributes;
  });
}

function productAmong(products: readonly ProductRow[], id: ProductId): ProductRow {
  const product = products.find((row) => row.id === id);
  if (product === undefined) throw refuse("PRODUCT_NOT_FOUND", { message: `There is no product ${id}.` });
  return product;
}
