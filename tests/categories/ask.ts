import type { Category, PurchaseIntent } from "../../src/categories/category.ts";
import { type Biller, type Product, vendAttributes } from "../../src/categories/product/product.ts";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { kobo, multiply } from "../../src/kernel/money.ts";
import { Refusal } from "../../src/kernel/problems.ts";
import { refusalOf } from "../../src/platform/validation/faults.ts";
import { buildValidator, validatorCompiler } from "../../src/platform/validation/validator.ts";

export const lagos = wallTime("Africa/Lagos");
const compile = validatorCompiler(buildValidator());

/** Reads a body as the route does: through the JSON of the wire, the schema, then the category. @throws Refusal */
export function ask(category: Category, body: JsonObject): PurchaseIntent {
  const sent = JSON.parse(JSON.stringify(body));
  const validator = compile({ schema: category.body });
  if (!validator(sent)) throw refusalOf(validator.errors ?? []);
  return category.read(sent);
}

/** The code of the refusal and the fields it names; "accepted" when there is none. */
export function refused(act: () => unknown): string {
  try {
    act();
    return "accepted";
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return [refusal.code, ...Object.keys(refusal.detail.errors ?? {})].join(" ");
  }
}

export function makeProduct(product: Partial<Omit<Product, "biller">> & { biller?: Partial<Biller> } = {}): Product {
  return {
    id: 41 as ProductId,
    code: "sample",
    name: "Sample",
    plan: null,
    planType: null,
    validity: null,
    amountType: "variable",
    face: null,
    minAmount: 5_000n,
    maxAmount: 5_000_000n,
    minQuantity: 1,
    maxQuantity: 100,
    faceCurrency: "NGN",
    foreignFace: null,
    fxRate: null,
    meterType: null,
    attributes: {},
    legacyPlanId: null,
    available: true,
    replacedBy: null,
    updatedAt: 0,
    ...product,
    biller: {
      slug: "sample-biller",
      name: "Sample Biller",
      category: "airtime",
      network: null,
      customerField: "phone",
      customerLabel: "Phone number",
      requiresVerification: false,
      supportsBulk: false,
      meterTypes: null,
      minAmount: null,
      maxAmount: null,
      status: "available",
      ...product.biller,
    },
  };
}

/** What the pipeline asks the supplier for; naira amounts only, as these tests set no exchange rate to work. */
export function vendRequestOf(
  category: Category,
  wish: PurchaseIntent,
  product: Product,
  transactionId: string,
): VendRequest {
  const unitAmount = kobo(product.face ?? wish.amount ?? 600n);
  return {
    transactionId,
    attempt: 1,
    supplierReference: `${transactionId}-1`,
    supplierCode: null,
    providerReference: null,
    notReceivedMs: null,
    at: Date.UTC(2026, 10, 20, 13, 3, 9),
    mode: "test",
    category: category.slug,
    productId: product.id,
    productCode: product.code,
    productName: product.name,
    plan: product.plan,
    billerSlug: product.biller.slug,
    billerName: product.biller.name,
    network: product.biller.network,
    attributes: vendAttributes(product),
    customerRef: wish.customerRef,
    phone: wish.phone,
    quantity: wish.quantity,
    unitAmount,
    faceAmount: multiply(unitAmount, wish.quantity),
    details: wish.details,
  };
}
