import type { Category } from "../../categories/category.ts";
import { categoryOf } from "../../categories/category-slugs.ts";
import type { Product } from "../../categories/product/product.ts";
import { assert } from "../../kernel/assert.ts";
import type { Instant } from "../../kernel/clock.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { ProductId, PurchaseId, Reference, WalletKey } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { add, type Kobo, multiply, subtract, zeroKobo } from "../../kernel/money.ts";
import type { CatalogueSnapshot } from "../catalogue/snapshot.ts";
import type { Fulfilment } from "./fulfilment/sealed-fulfilment.ts";

export const purchaseStatuses = ["successful", "pending", "failed"] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

export const channels = ["api", "dashboard", "bulk", "legacy"] as const;
export type Channel = (typeof channels)[number];

/** A column of `purchases`, with the type that its field has here. */
interface Column<Value> {
  readonly name: string;
  /** Never there: it carries the type alone. */
  readonly value?: Value;
}

/**
 * A column whose value is known before the charge. `line`: each line of a bulk order has its own. `kind`: its lines
 * mostly share it. `sent`: as `kind`, but the merchant sends it, and gets it back to the letter and by the same name.
 */
interface TermColumn<Value, Source extends TermSource> extends Column<Value> {
  readonly source: Source;
}
export type TermSource = "line" | "kind" | "sent";

const line = <Value>(name: string): TermColumn<Value, "line"> => ({ name, source: "line" });
const kind = <Value>(name: string): TermColumn<Value, "kind"> => ({ name, source: "kind" });
const sent = <Value>(name: string): TermColumn<Value | null, "sent"> => ({ name, source: "sent" });
const later = <Value>(name: string): Column<Value> => ({ name });

// The one definition of a purchase's stored fields: these and the next ones. From it follow the types of a purchase and
// of its row, the columns that are selected, the rows of the type `new_purchase`, what lines of a bulk order share, and by
// `npm run generate` the lists in accept_purchases.sql, place_bulk_order.sql and below. CONTRIBUTING says how to add one.
/** These columns stand in the same order at the end of the type `new_purchase`. */
export const termColumns = {
  id: line<PurchaseId>("id"),
  reference: line<Reference>("reference"),
  /** The hash of the request's purchase fields, as a UUID. */
  fingerprint: line<string>("fingerprint"),
  channel: kind<Channel>("channel"),
  productId: kind<ProductId>("product_id"),
  customerRef: line<string | null>("customer_ref"),
  phone: line<string | null>("phone"),
  quantity: kind<number>("quantity"),
  unitAmount: kind<Kobo>("unit_amount"),
  faceAmount: kind<Kobo>("face_amount"),
  fee: kind<Kobo>("fee"),
  /** amount - discount + fee: what the wallet pays. */
  total: kind<Kobo>("total"),
  /** Null in sandbox, where no supplier is asked. */
  supplier: kind<string | null>("supplier"),
  /** The supplier's code for the product. Null where the supplier is null. */
  supplierCode: kind<string | null>("supplier_code"),
  details: kind<JsonObject>("details"),
  metadata: sent<JsonObject>("metadata"),
};

/** What the charge adds to a purchase, and its outcome. */
export const laterColumns = {
  /** Counts the wallet's purchases from 1. */
  number: later<bigint>("number"),
  status: later<PurchaseStatus>("status"),
  balanceBefore: later<Kobo>("balance_before"),
  attempt: later<number>("attempt"),
  providerReference: later<string | null>("provider_reference"),
  errorCode: later<FailureCode | null>("error_code"),
  fulfilment: later<Fulfilment | null>("fulfilment"),
  purchasedAt: later<Instant>("purchased_at"),
  completedAt: later<Instant | null>("completed_at"),
  refundedAt: later<Instant | null>("refunded_at"),
};

type ValuesOf<Columns> = {
  readonly [Field in keyof Columns]: Columns[Field] extends Column<infer Value> ? Value : never;
};
type TermField = keyof typeof termColumns;
type SentField = {
  [Field in TermField]: (typeof termColumns)[Field] extends TermColumn<unknown, "sent"> ? Field : never;
}[TermField];

export const termFields = Object.keys(termColumns) as TermField[];
export const sentFields = termFields.filter((field): field is SentField => termColumns[field].source === "sent");

/** What the wallet is charged for and why: fixed when the purchase is accepted, never changed. */
export interface PurchaseTerms extends ValuesOf<typeof termColumns> {
  readonly wallet: WalletKey;
  /** The bulk order that it is a line of, and its position there from 0; null for a single purchase. */
  readonly bulk: { readonly reference: Reference; readonly line: number } | null;
}

/** Fields that the merchant sends with a purchase only to get them back. */
export type SentTerms = Pick<PurchaseTerms, SentField>;
export const nothingSent = Object.fromEntries(sentFields.map((field) => [field, null])) as SentTerms;

export interface Purchase extends PurchaseTerms, ValuesOf<typeof laterColumns> {}

/** What a row has in another form. */
type MadeField = "wallet" | "bulk" | "details" | "fulfilment";

/**
 * Puts a purchase together. Every field is written out: a spread takes 3 µs longer and leaves two kilobytes of garbage
 * (measured on Node.js 20).
 */
export function purchaseWith(
  made: Pick<Purchase, MadeField>,
  terms: Omit<PurchaseTerms, MadeField>,
  progress: Omit<ValuesOf<typeof laterColumns>, MadeField>,
): Purchase {
  return {
    wallet: made.wallet,
    bulk: made.bulk,
    details: made.details,
    fulfilment: made.fulfilment,
    // Generated by `npm run generate`: the fields of a purchase.
    id: terms.id,
    reference: terms.reference,
    fingerprint: terms.fingerprint,
    channel: terms.channel,
    productId: terms.productId,
    customerRef: terms.customerRef,
    phone: terms.phone,
    quantity: terms.quantity,
    unitAmount: terms.unitAmount,
    faceAmount: terms.faceAmount,
    fee: terms.fee,
    total: terms.total,
    supplier: terms.supplier,
    supplierCode: terms.supplierCode,
    metadata: terms.metadata,
    number: progress.number,
    status: progress.status,
    balanceBefore: progress.balanceBefore,
    attempt: progress.attempt,
    providerReference: progress.providerReference,
    errorCode: progress.errorCode,
    purchasedAt: progress.purchasedAt,
    completedAt: progress.completedAt,
    refundedAt: progress.refundedAt,
    // End.
  };
}

/** The purchase as it is right after it was accepted. `vended` where its success was stored with the charge. */
export function acceptedPurchase(
  terms: PurchaseTerms,
  accepted: Pick<Purchase, "number" | "balanceBefore" | "purchasedAt"> & {
    readonly vended: { readonly providerReference: string | null; readonly fulfilment: JsonObject | null } | null;
  },
): Purchase {
  const { number, balanceBefore, purchasedAt, vended } = accepted;
  const fulfilment = vended === null ? null : vended.fulfilment;
  return purchaseWith({ wallet: terms.wallet, bulk: terms.bulk, details: terms.details, fulfilment }, terms, {
    number,
    status: vended === null ? "pending" : "successful",
    balanceBefore,
    attempt: 1,
    providerReference: vended === null ? null : vended.providerReference,
    errorCode: null,
    purchasedAt,
    completedAt: vended === null ? null : purchasedAt,
    refundedAt: null,
  });
}

/** How a pending purchase ended. Only an explicit word of the supplier makes one of these. */
export type FinalOutcome =
  | { readonly status: "successful"; readonly providerReference: string | null; readonly fulfilment: JsonObject | null }
  | { readonly status: "failed"; readonly errorCode: FailureCode; readonly providerReference?: string | null };

export type EndedPurchase = Purchase & {
  readonly status: FinalOutcome["status"];
  readonly completedAt: Instant;
};

/** The purchase as it is after it ended. What an earlier answer called it stays, where the last one tells nothing. */
export function ended(purchase: Purchase, outcome: FinalOutcome, at: Instant): EndedPurchase {
  assert(purchase.status === "pending", "only a pending purchase ends");
  const isFailed = outcome.status === "failed";
  const { wallet, bulk, details } = purchase;
  return purchaseWith({ wallet, bulk, details, fulfilment: isFailed ? null : outcome.fulfilment }, purchase, {
    number: purchase.number,
    status: outcome.status,
    balanceBefore: purchase.balanceBefore,
    attempt: purchase.attempt,
    providerReference: outcome.providerReference ?? purchase.providerReference,
    errorCode: isFailed ? outcome.errorCode : null,
    purchasedAt: purchase.purchasedAt,
    completedAt: at,
    refundedAt: isFailed ? at : null,
  }) as EndedPurchase;
}

/** Nominal price of the whole: `unit_amount × quantity`. */
export function amountOf(purchase: PurchaseTerms): Kobo {
  return multiply(purchase.unitAmount, purchase.quantity);
}

/** The difference between the nominal price and the merchant's. */
export function discountOf(purchase: PurchaseTerms): Kobo {
  return subtract(add(amountOf(purchase), purchase.fee), purchase.total);
}

/** What the purchase costs after all: nothing once it failed and was refunded. */
export function totalDeductedOf(purchase: Purchase): Kobo {
  return purchase.status === "failed" ? zeroKobo : purchase.total;
}

/** The product that was bought. It never changes meaning and is never deleted: it is read from memory, not copied. */
export interface SoldProduct {
  readonly product: Product;
  readonly category: Category;
}

export function soldProductOf(catalogue: CatalogueSnapshot, purchase: Pick<PurchaseTerms, "productId">): SoldProduct {
  const product = catalogue.findProduct(purchase.productId);
  assert(product !== null, "a product that was sold stays in the catalogue");
  return { product, category: categoryOf(product.biller.category) };
}
