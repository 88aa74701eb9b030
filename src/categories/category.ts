import type { Static, TLiteral, TObject } from "typebox";
import type { WallTime } from "../kernel/clock.ts";
import type { FailureCode } from "../kernel/failure-codes.ts";
import type { ProductId } from "../kernel/ids.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Network, Phone } from "../kernel/phone.ts";
import type { FulfilmentByHand } from "./fulfilment/fulfilment-by-hand.ts";
import type { Product } from "./product/product.ts";
import type { ProductShape } from "./product/product-shape.ts";
import type { VendRequest, VerifyRequest } from "./supplier-request.ts";

/** A condition that the client's request sets for the product, and the field that sets it. */
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

/**
 * For a request that needs no further details. One object for all of them: a bulk order compares its lines' details,
 * and the same object needs no look inside.
 */
export const noDetails: JsonObject = {};

/** What a purchase request asks for, free of everything that can change: no catalogue, no price, no balance. */
export interface PurchaseIntent {
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
export interface VerificationRequest {
  readonly selector: BillerSelector;
  /** The number that is to be verified; in sandbox, 0009 at its end fails. */
  readonly customerRef: string;
  /** All that a supplier needs beyond the number: `meter_type`. */
  readonly details: JsonObject;
}

/** The status of a purchase without a fulfilment and, once it failed, the reason. */
export interface UnfulfilledState {
  readonly status: "pending" | "failed";
  readonly errorCode: FailureCode | null;
}

/** How a customer's number is checked before a purchase. Route, validation, OpenAPI and simulator derive from it. */
export interface Verification<Body extends TObject = TObject, Findings extends TObject = TObject> {
  /** Below `/api/v1/merchant`. */
  readonly path: string;
  /** As the category's own `operation` and `examples`. */
  readonly operation: { readonly id: string; readonly summary: string; readonly description: string };
  readonly examples: Readonly<Record<string, Static<Body>>>;
  readonly body: Body;
  /** The findings that a supplier must answer. */
  readonly findings: Findings;
  /** The answer's own fields; what every verification answers (`verified`, …) is added by the route. */
  readonly answer: TObject;
  /** Reads a body that its schema has accepted. @throws Refusal for what a schema cannot say */
  readonly read: (body: Static<Body>) => VerificationRequest;
  /** The answer's own fields, from what was asked, what was found out and which products it is about. */
  readonly answerOf: (
    inquiry: VerificationRequest,
    findings: Static<Findings>,
    products: readonly Product[],
  ) => JsonObject;
  /** The sandbox's findings: made up from the request alone, and as a purchase for the number tells them. */
  readonly simulate: (request: VerifyRequest, zone: WallTime) => Static<Findings>;
}

/** What a category hands over: its `kind` names it. */
export type FulfilmentShape = TObject<{ kind: TLiteral<string> }>;

/** Of its shape, where that is known; of any, in the registry. */
type FulfilmentOf<Fulfilment extends FulfilmentShape> = FulfilmentShape extends Fulfilment
  ? JsonObject
  : Static<Fulfilment>;

/** One kind of product: data and small pure functions. Routes, validation, OpenAPI and simulator derive from it. */
export interface Category<
  Body extends TObject = TObject,
  Slug extends string = string,
  Fulfilment extends FulfilmentShape = FulfilmentShape,
> {
  /** Its name in the API and in the database, where it is kept: it never changes. */
  readonly slug: Slug;
  readonly title: string;
  /** Below `/api/v1/merchant`. */
  readonly paths: {
    readonly purchase: string;
    /** Where many are bought at once, one for each of a list of `phones`: only where the customer's number is `phone`. */
    readonly bulk?: string;
  };
  /** The API reference's text about buying it. The id is an SDK's method and never changes. */
  readonly operation: { readonly id: string; readonly summary: string; readonly description: string };
  /**
   * Complete requests but for their reference, by name, that the sandbox carries out as they stand. The usual one first:
   * its customer's number ends in four digits, in whose place tests and samples put those of another outcome.
   */
  readonly examples: Readonly<Record<string, Static<Body>>>;
  /** The category's own request fields; the common ones (`reference`, …) are added by the route. */
  readonly body: Body;
  readonly sells: ProductShape;
  /** The request field that holds the customer's number, which a `beneficiary_id` may fill instead. */
  readonly customerField: string;
  /** The request field that decides the quantity, under which its refusals are reported; null where it is always 1. */
  readonly quantityField: string | null;
  /** Shape of the wire's `delivery`. */
  readonly fulfilment: Fulfilment;
  /** Its fulfilment's top-level fields that are worth money: answered to the buyer alone, never listed, logged or sent. */
  readonly secrets: readonly string[];
  /** How a person fulfils a purchase by hand; null for a top-up, where there is nothing to enter. */
  readonly byHand: FulfilmentByHand | null;
  /** Reads a body that its schema has accepted. @throws Refusal for what a schema cannot say */
  readonly read: (body: Static<Body>) => PurchaseIntent;
  /** Rules of the product beyond those of every product (`checkProductRules`). @throws Refusal */
  readonly check?: (requested: PurchaseIntent, product: Product) => void;
  /** The sandbox's fulfilment: made up from the request alone, the same each time it is asked. */
  readonly simulate: (
    request: VendRequest,
    zone: WallTime,
  ) => FulfilmentOf<Fulfilment> | Promise<FulfilmentOf<Fulfilment>>;
  /**
   * Which of its biller's products the sandbox vends for one that means what the customer has (a renewal: the
   * smartcard's bouquet), as verify tells it; null for one that means itself.
   */
  readonly resolvesTo?: (request: VendRequest, products: readonly Product[]) => Product | null;
  /** The wire's `delivery` before success, where there is any (SMS: its results). */
  readonly unfulfilled?: (request: VendRequest, state: UnfulfilledState) => JsonObject;
  /** The fulfilment's token, where the wire also answers one at top level (electricity). */
  readonly token?: (fulfilment: JsonObject) => string | null;
  /** Where the customer's number can be verified before a purchase. */
  readonly verify?: Verification;
}

/** Ties a category's functions to its body and its fulfilment, then forgets both: the registry holds all of them. */
export function defineCategory<Body extends TObject, Slug extends string, Fulfilment extends FulfilmentShape>(
  category: Category<Body, Slug, Fulfilment>,
): Category<TObject, Slug> {
  return category as unknown as Category<TObject, Slug>;
}

/** Ties a verification's functions to its types, then forgets them, as `defineCategory` does. */
export function defineVerification<Body extends TObject, Findings extends TObject>(
  verification: Verification<Body, Findings>,
): Verification {
  return verification as unknown as Verification;
}
