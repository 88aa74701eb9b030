import { refuse } from "../../kernel/problems.ts";
import type { Queryable, Tx } from "../../platform/database/database.ts";
import { claimShelf, findShelf, type Shelf } from "./queries.ts";

/** Categories that hand over vouchers (`voucherStock` in src/providers). */
const voucherCategories = new Set(["recharge_pin", "education", "giftcard", "internet"]);

/**
 * The shelf of a product that can be sold from stock, locked against imports until the transaction ends.
 * @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR where the product's category hands over no vouchers
 */
export async function claimVoucherShelf(tx: Tx, productId: number): Promise<Shelf> {
  return checked(await claimShelf(tx, productId), productId);
}

/** The same shelf, to read. @throws Refusal as `claimVoucherShelf` does */
export async function findVoucherShelf(db: Queryable, productId: number): Promise<Shelf> {
  return checked(await findShelf(db, productId), productId);
}

function checked(shelf: Shelf | null, productId: number): Shelf {
  if (shelf === null) throw refuse("PRODUCT_NOT_FOUND", { message: `There is no product ${productId}.` });
  if (!voucherCategories.has(shelf.category)) {
    throw refuse("VALIDATION_ERROR", {
      message: `Products of ${shelf.category} are not sold from a stock of vouchers.`,
    });
  }
  return shelf;
}
