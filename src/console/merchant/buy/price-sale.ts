import { createHash } from "node:crypto";
import type { Category } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import { selectionOf } from "../../../categories/product/product-shape.ts";
import type { PricedIntent } from "../../../domain/purchases/buying/prepare-purchase.ts";
import { previewPurchase } from "../../../domain/purchases/buying/preview.ts";
import { readPurchaseRequest } from "../../../domain/purchases/buying/purchase-request.ts";
import { nothingSent } from "../../../domain/purchases/purchase.ts";
import type { Verified } from "../../../domain/purchases/verification/verify.ts";
import type { Reference } from "../../../kernel/ids.ts";
import type { Json } from "../../../kernel/json.ts";
import { Refusal } from "../../../kernel/problems.ts";
import type { Form } from "../../kit/form.ts";
import type { ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { isNumberOf, readTypedNumber } from "./customers.ts";
import { bodyOf, buyFields } from "./fields.tsx";
import type { CheckBody } from "./selling.tsx";

export type SellServices = MerchantServices & { readonly checkBody: CheckBody };

/** What is being sold, as far as it is chosen. */
export interface Chosen {
  readonly category: Category;
  readonly product: Product;
}

/** The field that names a sale from its first page on, whatever is typed into it later. */
export const saleField = "sale";

/** What the sale costs now, and the reference under which it would be charged. */
export interface Priced {
  readonly preview: PricedIntent;
  readonly reference: Reference;
}

/**
 * The purchase's reference, made here: of one sale and what was typed into it. A reload, the back button, a second click or
 * a network that dropped names the same purchase, which is charged once; another number, or a new sale, names another.
 */
export function referenceOf(form: Form, visit: ModeVisit, chosen: Chosen): Reference {
  const { merchantId, mode } = visit.wallet;
  const body = bodyOf(form, chosen.category, chosen.product);
  const facts = JSON.stringify([form.text(saleField), merchantId, mode, visit.session.person.id, body]);
  return `web-${createHash("sha256").update(facts).digest("hex").slice(0, 24)}` as Reference;
}

/** Whether everything is typed that a price needs. */
export function isFilled(form: Form, { category, product }: Chosen): boolean {
  return buyFields(category, product).every(({ name, isRequired }) => !isRequired || form.text(name) !== "");
}

/** Prices what was typed. Charges and stores nothing. @throws Refusal as the purchase would, but for the balance */
export async function priceSale(services: SellServices, visit: ModeVisit, chosen: Chosen, form: Form): Promise<Priced> {
  const { category, product } = chosen;
  const reference = referenceOf(form, visit, chosen);
  const body = { reference, ...bodyOf(form, category, product) };
  services.checkBody(category, body);
  const { requested } = readPurchaseRequest(category, body, nothingSent);
  return { preview: await previewPurchase(services, { principal: visit.buyer, category, requested }), reference };
}

/** The owner of the customer's number; `unknown` where nobody can tell now, null where there is nothing to tell. */
export type Holder = { readonly kind: "verified"; readonly verified: Verified } | { readonly kind: "unknown" } | null;

/** Finds out whose number it is. @throws Refusal VERIFICATION_FAILED where it is nobody's */
export async function findHolder(
  services: SellServices,
  visit: ModeVisit,
  { category, product }: Chosen,
  form: Form,
): Promise<Holder> {
  const { verify, customerField, sells } = category;
  const number = readTypedNumber(form.text(customerField));
  if (verify === undefined || number === "" || !isNumberOf(category, number)) return null;
  const known: Record<string, Json> = {
    product_id: product.id,
    biller: product.biller.slug,
    ...selectionOf(sells, product),
    [customerField]: number,
  };
  const body = Object.fromEntries(Object.keys(verify.body.properties).map((name) => [name, known[name]]));
  try {
    const inquiry = verify.read(body as never);
    return { kind: "verified", verified: await services.verify({ principal: visit.buyer, category, inquiry }) };
  } catch (error) {
    const isUnanswered = error instanceof Refusal && error.code !== "VERIFICATION_FAILED";
    if (!isUnanswered) throw error;
    return { kind: "unknown" };
  }
}
