import { categoryOf } from "../../../categories/category-slugs.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { faultsIn } from "../../../platform/validation/faults.ts";
import { type BillerRow, listBillers, listProducts, type ProductRow, updateProductAttributes } from "../queries.ts";
import { changeCatalogue } from "./change.ts";

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
    const product = (await tx.query<ProductRow>(listProducts)).find((row) => row.id === id);
    if (product === undefined) throw refuse("PRODUCT_NOT_FOUND", { message: `There is no product ${id}.` });
    const biller = (await tx.query<BillerRow>(listBillers)).find(({ slug }) => slug === product.billerSlug);
    const shape = biller === undefined ? null : categoryOf(biller.category).sells.attributes;
    if (shape === null || !("pin_digits" in shape.properties)) {
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
