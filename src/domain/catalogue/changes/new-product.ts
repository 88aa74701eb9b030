import type { Category } from "../../../categories/category.ts";
import { categoryOf } from "../../../categories/category-slugs.ts";
import { hasMeterTypes } from "../../../categories/customer-number.ts";
import { meterTypes, type Product } from "../../../categories/product/product.ts";
import { assert } from "../../../kernel/assert.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { formatNaira, type Kobo, kobo } from "../../../kernel/money.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { withLastStep } from "../../../platform/database/joined-database.ts";
import { faultsIn, unknownIn } from "../../../platform/validation/faults.ts";
import type { Fee, UnitPrice } from "../pricing.ts";
import { addedProduct, rowOfProduct } from "../product-row.ts";
import {
  type BillerRow,
  insertBillers,
  insertProducts,
  listBillers,
  listProducts,
  type ProductRow,
} from "../queries.ts";
import type { StartingBiller, StartingProduct } from "../starting-product.ts";
import { assertUniquelySelectable, changeCatalogue, refuseForeignTo } from "./change.ts";
import { insertProductChanges } from "./change-queries.ts";

/**
 * Amounts are in hundredths of `currency`. `fxRate` is given for a currency in which nothing is sold yet, `maxQuantity`
 * where it is not the category's.
 */
export interface NewProduct
  extends Omit<StartingProduct, "id" | "legacyPlanId" | "face" | "range" | "foreignFace" | "price" | "description"> {
  readonly price: UnitPrice;
  readonly fee: Fee | null;
  /** Unless given, the next free one. */
  readonly id?: ProductId;
  /** The product's number for clients of the legacy endpoints. */
  readonly legacyPlan?: number;
  /** Nominal value of one unit. */
  readonly face?: bigint;
  /** Between which the client names the amount. */
  readonly min?: bigint;
  readonly max?: bigint;
}

/** The starting catalogue's ids, of later versions as well, are below. */
const ownIdsFrom = 100_000;

/**
 * Adds a product and puts it on offer; merchants are told. Live purchases are refused until it has a route.
 * @throws Refusal BILLER_NOT_FOUND, VALIDATION_ERROR for one that its category does not sell, or that is there already
 */
export function addProduct(database: Database, requested: NewProduct): Promise<Product> {
  return changeCatalogue(database, async (tx) => {
    const biller = await findBiller(tx, requested.biller);
    const category = categoryOf(biller.category);
    const products = await tx.query<ProductRow>(listProducts);
    checkNew(requested, products);
    checkShape(requested, { category, biller });
    const product = productFor(requested, { category, products });
    const added = addedProduct(product);
    checkPrice(requested.price, { ...added, face: added.faceAmount });
    checkFee(requested.fee);
    const [inserted] = await tx.query<{ id: ProductId }>(insertProducts, [JSON.stringify([rowOfProduct(product)])]);
    assert(inserted !== undefined, "changes of the catalogue happen one at a time");
    await insertProductChanges(tx, "availability", [inserted.id]);
    return assertUniquelySelectable(tx, inserted.id);
  });
}

const undo = Symbol("tried, and undone");

/** Adds a product and takes it back: whether it can be, before a second person is asked. @throws as `addProduct` does */
export async function tryProduct(database: Database, requested: NewProduct): Promise<void> {
  const untaken = withLastStep(database, () => Promise.reject(undo));
  await addProduct(untaken, requested).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
}

export async function findBiller(tx: Tx, slug: string): Promise<BillerRow> {
  const biller = (await tx.query<BillerRow>(listBillers)).find((row) => row.slug === slug);
  if (biller !== undefined) return biller;
  throw refuse("BILLER_NOT_FOUND", {
    message: `There is no biller ${slug}. Choose one that is there, or add it first.`,
  });
}

/** An id, a code and a legacy plan's number mean one product, for ever. */
function checkNew(requested: NewProduct, products: readonly ProductRow[]): void {
  if (requested.id !== undefined && requested.id < ownIdsFrom) {
    throw refuseField("VALIDATION_ERROR", "id", `Must be at least ${ownIdsFrom}, or left out.`);
  }
  for (const [field, expected, of] of [
    ["id", requested.id, (row: ProductRow) => row.id],
    ["code", requested.code, (row: ProductRow) => row.code],
    ["legacy_plan", requested.legacyPlan, (row: ProductRow) => row.legacyPlanId],
  ] as const) {
    if (expected !== undefined) refuseTaken(products, field, expected, of);
  }
}

/** @throws Refusal VALIDATION_ERROR where a product has it: an id, a code and a number of older clients stay with it */
export function refuseTaken(
  products: readonly ProductRow[],
  field: string,
  expected: string | number,
  of: (row: ProductRow) => string | number | null,
): void {
  const taken = products.find((row) => of(row) === expected);
  if (taken === undefined) return;
  throw refuseField("VALIDATION_ERROR", field, `Product ${taken.id}, "${taken.name}", has it and keeps it.`);
}

function productFor(
  requested: NewProduct,
  { category, products }: { readonly category: Category; readonly products: readonly ProductRow[] },
): StartingProduct {
  const { id, face, min, max, legacyPlan, currency = "NGN", ...rest } = requested;
  const largest = Math.max(ownIdsFrom - 1, ...products.map((row) => row.id));
  const isForeign = currency !== "NGN";
  return {
    ...rest,
    id: id ?? largest + 1,
    currency,
    maxQuantity: requested.maxQuantity ?? category.sells.quantityMax,
    price: { ...requested.price, fee: requested.fee },
    ...(legacyPlan === undefined ? {} : { legacyPlanId: legacyPlan }),
    ...(min === undefined || max === undefined ? {} : { range: [min, max] as const }),
    ...(face === undefined ? {} : isForeign ? { foreignFace: face } : { face: kobo(face) }),
    ...(isForeign ? { fxRate: rateFor(currency, requested.fxRate, products) } : {}),
  };
}

/** All that is sold in one currency has one rate, which fx-rate changes. */
function rateFor(currency: string, reported: Kobo | undefined, products: readonly ProductRow[]): Kobo {
  const known = products.find((row) => row.faceCurrency === currency)?.fxRate ?? null;
  if (known !== null) {
    if (reported === undefined || reported === known) return kobo(known);
    throw refuseField("VALIDATION_ERROR", "fx_rate", `${currency} has a rate already; change that first.`);
  }
  if (reported !== undefined) return reported;
  throw refuseField("VALIDATION_ERROR", "fx_rate", `Is required: nothing is sold in ${currency} yet.`);
}

/** Checks that the product is one that the category sells. */
function checkShape(
  requested: NewProduct,
  { category, biller }: { readonly category: Category; readonly biller: BillerRow },
): void {
  const { sells, slug } = category;
  checkAmounts(requested, category);
  const { currency = "NGN", fxRate, maxQuantity = 1 } = requested;
  if (currency !== "NGN" && !sells.takesForeign) throw refuseForeignTo(category, "currency");
  if (currency === "NGN" && fxRate !== undefined) {
    throw refuseField("VALIDATION_ERROR", "fx_rate", "Belongs to another currency than naira.");
  }
  if (maxQuantity < 1 || maxQuantity > sells.quantityMax) {
    throw refuseField("VALIDATION_ERROR", "max_quantity", `Must be from 1 to ${sells.quantityMax} for ${slug}.`);
  }
  if (requested.legacyPlan !== undefined && slug !== "data") throw refuseForeignTo(category, "legacy_plan");
  checkMeterType(requested, category, biller);
  const attributes = { part: "attributes", shape: sells.attributes, value: requested.attributes ?? {} };
  const faults = [...faultsIn(attributes), ...unknownIn(attributes, slug)];
  if (faults.length > 0) throw refuse("VALIDATION_ERROR", { message: `${faults.join("; ")}.` });
}

function checkAmounts({ face, min, max }: NewProduct, category: Category): void {
  const { amountTypes, needsFace } = category.sells;
  if ((min === undefined) !== (max === undefined)) {
    throw refuseField("VALIDATION_ERROR", "min", "Goes with max: give both, or neither.");
  }
  if (min === undefined || max === undefined) {
    if (!amountTypes.includes("fixed")) {
      throw refuseField(
        "VALIDATION_ERROR",
        "min",
        `Is required with max: the client names the amount of ${category.slug}.`,
      );
    }
    if (needsFace && face === undefined) {
      throw refuseField("VALIDATION_ERROR", "face", `Is required for ${category.slug}.`);
    }
    return;
  }
  if (!amountTypes.includes("variable")) throw refuseForeignTo(category, "min");
  if (face !== undefined) throw refuseField("VALIDATION_ERROR", "face", "Is the client's to say between min and max.");
  if (max < min) throw refuseField("VALIDATION_ERROR", "max", "Must not be below min.");
}

function checkMeterType({ meterType }: NewProduct, category: Category, biller: BillerRow): void {
  if (!hasMeterTypes(category)) {
    if (meterType !== undefined) throw refuseForeignTo(category, "meter_type");
    return;
  }
  const there = biller.meterTypes ?? [];
  if (meterType !== undefined && there.includes(meterType)) return;
  throw refuseField("VALIDATION_ERROR", "meter_type", `Must be ${there.join(" or ")}.`);
}

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
    const added: StartingBiller = {
      ...biller,
      customerField,
      customerLabel: biller.customerLabel ?? sells.customerLabel,
      requiresVerification: biller.requiresVerification ?? verify !== undefined,
      supportsBulk: paths.bulk !== undefined,
      ...(hasMeterTypes(category) ? { meterTypes: biller.meterTypes ?? meterTypes } : {}),
    };
    if ((await tx.query(insertBillers, [JSON.stringify([added])])).length === 1) return;
    throw refuseField("VALIDATION_ERROR", "slug", "There is such a biller already.");
  });
}

/** A product's nominal value, and how much of it is bought at once: a price must fit them. */
interface NominalValue extends Pick<Product, "amountType" | "maxQuantity" | "foreignFace"> {
  readonly face: bigint | null;
}

/** The least percentage that the tables take, in hundredths of a percent: no price rounds to nothing. */
const basisPointsMin = 100n;
/** In kobo, as the tables bound them: of one price or fee, and of one purchase, so that the wire writes exact sums. */
const priceMax = 1_000_000_000_000n;
const purchaseMax = 1_000n * priceMax;

/**
 * Why a price can't be this product's; null where it can. A share needs something to be a share of, a variable amount has no
 * fixed price, and no price is nothing.
 */
export function priceFault(price: UnitPrice, product: NominalValue): string | null {
  if (price.kind === "percent") {
    if (product.amountType === "fixed" && product.face === null && product.foreignFace === null) {
      return "This product has no face value: set an amount, not a percentage.";
    }
    return price.basisPoints < basisPointsMin ? "Must be at least 1 %." : null;
  }
  if (product.amountType === "variable") return "The client names this product's amount: set a percentage.";
  const bySum = purchaseMax / BigInt(product.maxQuantity);
  const most = bySum < priceMax ? bySum : priceMax;
  if (price.kobo > 0n && price.kobo <= most) return null;
  return `Must be above 0.00 and at most ${formatNaira(kobo(most))}.`;
}

/** @throws Refusal VALIDATION_ERROR */
export function checkPrice(price: UnitPrice, product: NominalValue): void {
  const fault = priceFault(price, product);
  if (fault !== null) throw refuseField("VALIDATION_ERROR", "price", fault);
}

/** A fee is something, and none that the tables could not hold. @throws Refusal VALIDATION_ERROR */
export function checkFee(fee: Fee | null): void {
  if (fee === null) return;
  const amounts = fee.kind === "flat" ? [fee.kobo] : [fee.basisPoints, fee.cap ?? 1n];
  if (amounts.every((amount) => amount > 0n && amount <= priceMax)) return;
  throw refuseField("VALIDATION_ERROR", "fee", "Must be above zero, or left out.");
}
