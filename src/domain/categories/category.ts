import type { Static, TObject, TSchema } from "typebox";
import type { ProductId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { kobo, parseNaira } from "../../kernel/money.ts";
import { assert } from "../../kernel/assert.ts";
import type { Network, Phone } from "../../kernel/phone.ts";
import { parseNetwork, parsePhone } from "../../kernel/phone.ts";
import { refuseField } from "../../kernel/problems.ts";
import type { VendRequest } from "../../providers/contract.ts";
import type { CategorySlug, Product } from "./product.ts";

/** How the client says what to buy. Resolved against the catalogue later, after the replay check. */
export type ProductSelector =
  | { readonly by: "product"; readonly productId: ProductId }
  /** The biller's one product that `fits`. `field` is where its refusal is reported. */
  | { readonly by: "biller"; readonly biller: string; readonly fits: (product: Product) => boolean }
  | { readonly by: "network"; readonly network: Network; readonly fits: (product: Product) => boolean };

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

/** One kind of product: data and small pure functions. Routes, validation, OpenAPI and simulator derive from it. */
export interface Category<Body extends TObject = TObject> {
  readonly slug: CategorySlug;
  readonly title: string;
  /** Below `/api/v1/merchant`. */
  readonly paths: { readonly purchase: string };
  /** The category's own request fields; the common ones (`reference`, …) are added by the route. */
  readonly body: Body;
  /** Shape of the wire's `delivery`. */
  readonly fulfilment: TSchema;
  /** Which of its fulfilment's fields are worth money: answered to the buyer alone, never listed, logged or sent. */
  readonly secrets: readonly string[];
  /** Reads a body that its schema has accepted. @throws Refusal for what a schema cannot say */
  readonly read: (body: Static<Body>) => Wish;
  /** Rules of the product beyond amount and quantity ranges. @throws Refusal */
  readonly check?: (wish: Wish, product: Product) => void;
  /** The sandbox's goods: made up from the request alone, the same each time it is asked. */
  readonly simulate: (request: VendRequest) => JsonObject | Promise<JsonObject>;
  /** What `delivery` says before success, where it says something (SMS: its results). */
  readonly unfulfilled?: (request: VendRequest, status: "pending" | "failed") => JsonObject;
  /** The fulfilment's token, where the wire also answers one at top level (electricity). */
  readonly token?: (fulfilment: JsonObject) => string | null;
}

/** Ties a category's functions to its body's type, then forgets it: the registry holds categories of all bodies. */
export function defineCategory<Body extends TObject>(category: Category<Body>): Category {
  return category as unknown as Category;
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

export function byProduct(productId: number | string): ProductSelector {
  return { by: "product", productId: integerOf(productId) as ProductId };
}

/** Money in an `intent`: one spelling whatever the client wrote (`100`, `"100.0"`). */
export function intentAmount(amount: bigint | null): string | null {
  return amount === null ? null : kobo(amount).toString();
}
