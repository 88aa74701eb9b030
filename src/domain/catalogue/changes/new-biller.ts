import { categoryOf } from "../../../categories/category-slugs.ts";
import { hasMeterTypes } from "../../../categories/customer-number.ts";
import { meterTypes } from "../../../categories/product/product.ts";
import { refuseField } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { rowOfBiller } from "../product-row.ts";
import { insertBillers } from "../queries.ts";
import type { StartingBiller } from "../starting-product.ts";
import { changeCatalogue, refuseForeignTo } from "./change.ts";

export interface NewBiller
  extends Omit<
    StartingBiller,
    "customerField" | "customerLabel" | "requiresVerification" | "supportsBulk" | "description"
  > {
  /** A form's label for the customer's number, where it is not the category's usual one. */
  readonly customerLabel?: string;
  /** Whether a number should be verified before a purchase; unless said, where the category can. */
  readonly requiresVerification?: boolean;
}

/** Adds a biller, on offer and without products. @throws Refusal VALIDATION_ERROR for one that cannot be */
export function addBiller(database: Database, biller: NewBiller): Promise<void> {
  return changeCatalogue(database, async (tx) => {
    const category = categoryOf(biller.category);
    const { sells, verify, paths, customerField } = category;
    if (biller.network === undefined && sells.network === "always") {
      throw refuseField("VALIDATION_ERROR", "network", `Is required for ${category.slug}.`);
    }
    if (biller.network !== undefined && sells.network === undefined) throw refuseForeignTo(category, "network");
    if (biller.meterTypes !== undefined && !hasMeterTypes(category)) throw refuseForeignTo(category, "meter_types");
    const row = rowOfBiller({
      ...biller,
      customerField,
      customerLabel: biller.customerLabel ?? sells.customerLabel,
      requiresVerification: biller.requiresVerification ?? verify !== undefined,
      supportsBulk: paths.bulk !== undefined,
      ...(hasMeterTypes(category) ? { meterTypes: biller.meterTypes ?? meterTypes } : {}),
    });
    if ((await tx.query(insertBillers, [JSON.stringify([row])])).length === 1) return;
    throw refuseField("VALIDATION_ERROR", "slug", "There is such a biller already; biller list tells of it.");
  });
}
