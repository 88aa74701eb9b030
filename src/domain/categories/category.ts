import type { Static, TLiteral, TObject } from "typebox";
import { assert } from "../../kernel/assert.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { formatNaira, kobo, parseNaira } from "../../kernel/money.ts";
import type { Network, Phone } from "../../kernel/phone.ts";
import { parseNetwork, parsePhone } from "../../kernel/phone.ts";
import type { Refusal } from "../../kernel/problems.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { VendRequest, VerifyRequest } from "../../providers/contract.ts";
import type { CategorySlug, Product } from "./product.ts";
import type { ProductShape } from "./product-shape.ts";

/** What the client says of the product it selects, and the field in which it says so. */
export interface Claim {
  readonly field: string;
  readonly holds: (product: Product) => boolean;
}

/**
 * How the client says what to buy. Resolved against the catalogue later, after the replay check. Except for `product`,
 * it means the one product of the biller, of the network, or of the whole category (SMS: its route) that fits every
 * claim; another count than one is refused on `field`. A product id wins over what else was sent, which must then agree
 * (`checkClaims`).
 */
export type ProductSelector =
  | { readonly by: "product"; readonly productId: ProductId; readonly claims: readonly Claim[] }
  | { readonly by: "biller"; readonly biller: string; readonly field: string; readonly claims: readonly Claim[] }
  | { readonly by: "network"; readonly network: Network; readonly field: string; readonly claims: readonly Claim[] }
  | { readonly by: "category"; readonly field: string; readonly claims: readonly Claim[] };

/** The selectors that name a biller, by itself or by one of its products. */
export type BillerSelector = Extract<ProductSelector, { readonly by: "product" | "biller" }>;

/** Where the columns say it all. One for all purchases: an order of ten thousand lines compares them. */
export const noDetails: JsonObject = {};

/** What a purchase request asks for, free of everything that can change: no catalogue, no price, no balance. */
export interface Wish {
  readonly selector: ProductSelector;
  /** The number that is bought for; its last four digits choose the result in sandbox. */
  readonly customerRef: string | null;
  readonly phone: Phone | null;
  readonly quantity: number;
  /** The amount the client named, in hundredths of the product's face currency; null when the product fixes it. */
  readonly amount: bigint | null;
  /** False when the client vouches that the number was never ported: then its prefix must fit the product. */
  readonly ported: boolean | null;
  /** Stored with the purchase; all that a supplier needs beyond the columns. */
  readonly details: JsonObject;
  /** The purchase fields as sent, canonicalised: two requests with one reference and different intents conflict. */
  readonly intent: JsonObject;
}

/** What a verify request asks about, free of everything that can change. */
export interface Inquiry {
  readonly selector: BillerSelector;
  /** The number that is to be verified; in sandbox, 0009 at its end fails. */
  readonly customerRef: string;
  /** All that a supplier needs beyond the number: `meter_type`. */
  readonly details: JsonObject;
}

/** How a customer's number is checked before a purchase. Route, validation, OpenAPI and simulator derive from it. */
export interface Verification<Body extends TObject = TObject, Findings extends TObject = TObject> {
  /** Below `/api/v1/merchant`. */
  readonly path: string;
  /** As the category's own `operation` and `examples`. */
  readonly operation: { readonly id: string; readonly summary: string; readonly description: string };
  readonly examples: Readonly<Record<string, Static<Body>>>;
  readonly body: Body;
  /** What a supplier is to find out. */
  readonly findings: Findings;
  /** The answer's own fields; what every verification answers (`verified`, …) is added by the route. */
  readonly answer: TObject;
  /** Reads a body that its schema has accepted. @throws Refusal for what a schema cannot say */
  readonly read: (body: Static<Body>) => Inquiry;
  /** The answer's own fields, from what was asked, what was found out and which products it is about. */
  readonly tell: (inquiry: Inquiry, findings: Static<Findings>, products: readonly Product[]) => JsonObject;
  /** The sandbox's findings: made up from the request alone, and as a purchase for the number tells them. */
  readonly simulate: (request: VerifyRequest, zone: WallTime) => Static<Findings>;
}

/** One kind of product: data and small pure functions. Routes, validation, OpenAPI and simulator derive from it. */
export interface Category<Body extends TObject = TObject> {
  readonly slug: CategorySlug;
  readonly title: string;
  /** Below `/api/v1/merchant`. */
  readonly paths: { readonly purchase: string /** Where many are bought at once. */; readonly bulk?: string };
  /** What the API's reference says of buying it. The id is an SDK's method and never changes. */
  readonly operation: { readonly id: string; readonly summary: string; readonly description: string };
  /** Complete requests but for their reference, by name, that the sandbox carries out as they stand. The usual one first. */
  readonly examples: Readonly<Record<string, Static<Body>>>;
  /** The category's own request fields; the common ones (`reference`, …) are added by the route. */
  readonly body: Body;
  readonly sells: ProductShape;
  /** The request field that holds the customer's number, which a `beneficiary_id` may fill instead. */
  readonly customerField: string;
  /** The request field that decides the quantity, under which its refusals are reported; null where it is always 1. */
  readonly quantityField: string | null;
  /** Shape of the wire's `delivery`. */
  readonly fulfilment: TObject<{ kind: TLiteral<string> }>;
  /** Its fulfilment's top-level fields that are worth money: answered to the buyer alone, never listed, logged or sent. */
  readonly secrets: readonly string[];
  /** Reads a body that its schema has accepted. @throws Refusal for what a schema cannot say */
  readonly read: (body: Static<Body>) => Wish;
  /** Rules of the product beyond amount and quantity ranges. @throws Refusal */
  readonly check?: (wish: Wish, product: Product) => void;
  /** The sandbox's goods: made up from the request alone, the same each time it is asked. */
  readonly simulate: (request: VendRequest, zone: WallTime) => JsonObject | Promise<JsonObject>;
  /**
   * Which of its biller's products the sandbox vends for one that means what the customer has (a renewal: the
   * smartcard's bouquet), as verify tells it; null for one that means itself.
   */
  readonly standsFor?: (request: VendRequest, products: readonly Product[]) => Product | null;
  /** What `delivery` says before success, where it says something (SMS: its results). */
  readonly unfulfilled?: (request: VendRequest, status: "pending" | "failed") => JsonObject;
  /** The fulfilment's token, where the wire also answers one at top level (electricity). */
  readonly token?: (fulfilment: JsonObject) => string | null;
  /** Where the customer's number can be verified before a purchase. */
  readonly verify?: Verification;
}

/** Ties a category's functions to its body's type, then forgets it: the registry holds categories of all bodies. */
export function defineCategory<Body extends TObject>(category: Category<Body>): Category {
  return category as unknown as Category;
}

/** Ties a verification's functions to its types, then forgets them, as `defineCategory` does. */
export function defineVerification<Body extends TObject, Findings extends TObject>(
  verification: Verification<Body, Findings>,
): Verification {
  return verification as unknown as Verification;
}

/** Reads an `integerField` that its schema has accepted. */
export function integerOf(value: number | string): number {
  const integer = Number(value);
  assert(Number.isSafeInteger(integer), "the schema let only integers through");
  return integer;
}

/** Reads a `nairaField` that its schema has accepted. */
export function nairaOf(value: number | string): Kobo {
  const amount = parseNaira(value);
  assert(amount !== null, "the schema let only amounts through");
  return amount;
}

/** Reads a `phoneField` that its schema has accepted. */
export function phoneOf(value: string): Phone {
  const phone = parsePhone(value);
  assert(phone !== null, "the schema let only phone numbers through");
  return phone;
}

/** @throws Refusal VALIDATION_ERROR for a network that the catalogue does not know */
export function networkOf(value: string, field = "network"): Network {
  const network = parseNetwork(value);
  if (network === null) throw refuseField("VALIDATION_ERROR", field, "Must be MTN, GLO, 9MOBILE or AIRTEL.");
  return network;
}

/** Selects by id. `claims` are what else the client said of the product; they must hold (`checkClaims`). */
export function byProduct(productId: number | string, claims: readonly Claim[] = []): BillerSelector {
  return { by: "product", productId: integerOf(productId) as ProductId, claims };
}

export function claimBiller(slug: string): Claim {
  return { field: "biller", holds: (product) => product.biller.slug === slug };
}

export function claimNetwork(network: Network): Claim {
  return { field: "network", holds: (product) => product.biller.network === network };
}

/** Refuses a product id that comes with a biller, network or type of another product. @throws Refusal VALIDATION_ERROR */
export function checkClaims(wish: Wish, product: Product): void {
  const broken = wish.selector.claims.find((claim) => !claim.holds(product));
  if (broken === undefined) return;
  throw refuseField("VALIDATION_ERROR", broken.field, `Does not fit the product ${product.id}, "${product.name}".`);
}

/**
 * A variable product needs an amount; a fixed one takes none but its own. Ranges are the buyer's to check.
 * @throws Refusal VALIDATION_ERROR where it is missing, AMOUNT_OUT_OF_RANGE where it differs
 */
export function checkAmount(wish: Wish, product: Product): void {
  if (product.amountType === "variable") {
    if (wish.amount === null) throw refuseField("VALIDATION_ERROR", "amount", "Is required for this product.");
    return;
  }
  const fixed = product.foreignFace ?? product.face;
  if (wish.amount === null || wish.amount === fixed) return;
  if (fixed === null) throw refuseField("VALIDATION_ERROR", "amount", "This product has a fixed price; leave it out.");
  const only = formatNaira(kobo(fixed));
  throw refuseField("AMOUNT_OUT_OF_RANGE", "amount", `Must be ${only} for this product, or left out.`, {
    min_amount: only,
    max_amount: only,
  });
}

/** What a customer may name as amount, over products of one currency; nulls where their prices are fixed. */
export function amountRange(products: readonly Product[]): {
  readonly min_amount: string | null;
  readonly max_amount: string | null;
} {
  const least = products.flatMap(({ minAmount }) => (minAmount === null ? [] : [minAmount]));
  const most = products.flatMap(({ maxAmount }) => (maxAmount === null ? [] : [maxAmount]));
  const [min, max] = [least.sort(ascending)[0], most.sort(ascending).at(-1)];
  return {
    min_amount: min === undefined ? null : formatNaira(kobo(min)),
    max_amount: max === undefined ? null : formatNaira(kobo(max)),
  };
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : 1;
}

/** The refusal of a request in which nothing says what to buy. */
export function refuseNothingSelected(alternative: string): Refusal {
  return refuseField("VALIDATION_ERROR", "product_id", `Send product_id, or ${alternative}.`);
}

/** Money in an `intent`: one spelling whatever the client wrote (`100`, `"100.0"`). */
export function intentAmount(amount: bigint | null): string | null {
  return amount === null ? null : kobo(amount).toString();
}
