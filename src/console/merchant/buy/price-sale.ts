import { createHash } from "node:crypto";
import type { Category } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import { selectionOf } from "../../../categories/product/product-shape.ts";
import { listSoldBefore } from "../../../domain/bulk-orders/queries.ts";
import type { PricedIntent } from "../../../domain/purchases/buying/prepare-purchase.ts";
import { previewPurchase } from "../../../domain/purchases/buying/preview.ts";
import { readPurchaseRequest } from "../../../domain/purchases/buying/purchase-request.ts";
import { nothingSent } from "../../../domain/purchases/purchase.ts";
import type { Verified } from "../../../domain/purchases/verification/verify.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { PurchaseId, Reference } from "../../../kernel/ids.ts";
import type { Json } from "../../../kernel/json.ts";
import { type FieldErrors, Refusal, refuse } from "../../../kernel/problems.ts";
import type { Form } from "../../kit/form.ts";
import type { ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { isNumberOf, readTypedNumber } from "./customers.ts";
import { bodyOf, buyFields, faultsOf } from "./fields.tsx";
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
export function referenceOf(form: Form, visit: ModeVisit, body: Body): Reference {
  const { merchantId, mode } = visit.wallet;
  const facts = JSON.stringify([form.text(saleField), merchantId, mode, visit.session.person.id, body]);
  return `web-${createHash("sha256").update(facts).digest("hex").slice(0, 24)}` as Reference;
}

/** Whether everything is typed that a price needs. */
export function isFilled(form: Form, { category, product }: Chosen): boolean {
  return buyFields(category, product).every(({ name, isRequired }) => !isRequired || form.text(name) !== "");
}

type Body = Readonly<Record<string, unknown>>;

/** Any that the check of a body accepts: the sale's own is made of what was checked. */
const checkedAs = "web-0";

/** The body that buys what was typed. @throws Refusal with the faults of all fields that are wrong */
export async function readBody(services: SellServices, visit: ModeVisit, chosen: Chosen, form: Form): Promise<Body> {
  const { category, product } = chosen;
  const { body, faults } = bodyOf(form, category, product);
  const found = { ...faultsOf(() => services.checkBody(category, { reference: checkedAs, ...body })), ...faults };
  if (Object.keys(found).length === 0) return body;
  const errors = { ...(await faultsBeside(services, visit, category, { body, found })), ...found };
  throw refuse("VALIDATION_ERROR", { message: "Some fields are wrong.", errors });
}

/** What only pricing finds wrong in the fields that could be read: the category's own example stands for the others. */
async function faultsBeside(
  services: SellServices,
  { buyer: principal }: ModeVisit,
  category: Category,
  { body, found }: { readonly body: Body; readonly found: FieldErrors },
): Promise<FieldErrors> {
  const [example = {}] = Object.values(category.examples) as Body[];
  const wrong = Object.keys(found);
  if (!wrong.every((name) => name in example)) return {};
  const filled = { reference: checkedAs, ...body, ...Object.fromEntries(wrong.map((name) => [name, example[name]])) };
  try {
    const { requested } = readPurchaseRequest(category, filled, nothingSent);
    await previewPurchase(services, { principal, category, requested });
    return {};
  } catch (error) {
    if (error instanceof Refusal) return error.detail.errors ?? {};
    throw error;
  }
}

/** For so long the same sale to the same number is more likely a mistake, or a customer who pressed twice, than the next one. */
const soonMs = 5 * 60_000;

/** The newest sale of the same to the same number in the last minutes; null where there is none, or no number. */
export async function findSoldBefore(
  { database, clock }: SellServices,
  { wallet }: ModeVisit,
  { reference, preview: { requested, soldProduct, price } }: Priced,
): Promise<PurchaseId | null> {
  const { customerRef } = requested;
  if (customerRef === null) return null;
  const now = clock.now();
  const sale = { customerRef, productId: soldProduct.product.id, amount: price.amount };
  const period = { since: (now - soonMs) as Instant, now: (now + 60_000) as Instant };
  return (await listSoldBefore(database, { wallet, reference }, [sale], period)).get(0) ?? null;
}

/** Prices what was typed. Charges and stores nothing. @throws Refusal as the purchase would, but for the balance */
export async function priceSale(services: SellServices, visit: ModeVisit, chosen: Chosen, form: Form): Promise<Priced> {
  const { category } = chosen;
  const body = await readBody(services, visit, chosen, form);
  const reference = referenceOf(form, visit, body);
  const { requested } = readPurchaseRequest(category, { reference, ...body }, nothingSent);
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
