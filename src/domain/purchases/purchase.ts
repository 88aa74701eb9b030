import { assert } from "../../kernel/assert.ts";
import type { Instant } from "../../kernel/clock.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { ProductId, PurchaseId, Reference, WalletKey } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { add, multiply, subtract, zeroKobo } from "../../kernel/money.ts";
import type { Fulfilment } from "./sealed-fulfilment.ts";

export const purchaseStatuses = ["successful", "pending", "failed"] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

export const channels = ["api", "dashboard", "bulk", "legacy"] as const;
export type Channel = (typeof channels)[number];

/** What the wallet is charged for and why: fixed when the purchase is accepted, never changed. */
export interface PurchaseTerms {
  readonly wallet: WalletKey;
  readonly id: PurchaseId;
  readonly reference: Reference;
  /** Of the request's purchase fields, as a UUID. */
  readonly fingerprint: string;
  readonly channel: Channel;
  readonly productId: ProductId;
  readonly customerRef: string | null;
  readonly phone: string | null;
  readonly quantity: number;
  readonly unitAmount: Kobo;
  readonly faceAmount: Kobo;
  readonly fee: Kobo;
  /** amount - discount + fee: what the wallet pays. */
  readonly total: Kobo;
  /** Null in sandbox, where no supplier is asked. */
  readonly supplier: string | null;
  /** What the supplier calls the product. Null with it. */
  readonly supplierCode: string | null;
  readonly details: JsonObject;
  readonly metadata: JsonObject | null;
  /** The bulk order that it is a line of, and its position there from 0; null for a single purchase. */
  readonly bulk: { readonly reference: Reference; readonly line: number } | null;
}

export interface Purchase extends PurchaseTerms {
  /** Counts the wallet's purchases from 1. */
  readonly number: bigint;
  readonly status: PurchaseStatus;
  readonly balanceBefore: Kobo;
  readonly attempt: number;
  readonly providerReference: string | null;
  readonly errorCode: FailureCode | null;
  readonly fulfilment: Fulfilment | null;
  readonly purchasedAt: Instant;
  readonly completedAt: Instant | null;
  readonly refundedAt: Instant | null;
}

/** What the database adds when it accepts a purchase. `vended` where its success was certain beforehand. */
export interface Acceptance {
  readonly number: bigint;
  readonly balanceBefore: Kobo;
  readonly purchasedAt: Instant;
  readonly vended: { readonly providerReference: string | null; readonly fulfilment: JsonObject | null } | null;
}

/**
 * The purchase as it is right after it was accepted. Every field is written out: spreading the terms would cost seven
 * kilobytes of garbage a purchase (measured: a fifth of all that a purchase allocates).
 */
export function acceptedPurchase(terms: PurchaseTerms, acceptance: Acceptance): Purchase {
  const { number, balanceBefore, purchasedAt, vended } = acceptance;
  return {
    wallet: terms.wallet,
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
    details: terms.details,
    metadata: terms.metadata,
    bulk: terms.bulk,
    number,
    status: vended === null ? "pending" : "successful",
    balanceBefore,
    attempt: 1,
    providerReference: vended === null ? null : vended.providerReference,
    errorCode: null,
    fulfilment: vended === null ? null : vended.fulfilment,
    purchasedAt,
    completedAt: vended === null ? null : purchasedAt,
    refundedAt: null,
  };
}

/** How a pending purchase ended. Only an explicit word of the supplier makes one of these. */
export type FinalOutcome =
  | { readonly status: "successful"; readonly providerReference: string | null; readonly fulfilment: JsonObject | null }
  | { readonly status: "failed"; readonly errorCode: FailureCode; readonly providerReference?: string | null };

export type EndedPurchase = Purchase & {
  readonly status: FinalOutcome["status"];
  readonly completedAt: Instant;
};

/**
 * The purchase as it is after it ended. What an earlier answer called it stays, where the last one tells nothing. Every
 * field is written out, as in `acceptedPurchase`.
 */
export function ended(purchase: Purchase, outcome: FinalOutcome, at: Instant): EndedPurchase {
  assert(purchase.status === "pending", "only a pending purchase ends");
  const isFailed = outcome.status === "failed";
  return {
    wallet: purchase.wallet,
    id: purchase.id,
    reference: purchase.reference,
    fingerprint: purchase.fingerprint,
    channel: purchase.channel,
    productId: purchase.productId,
    customerRef: purchase.customerRef,
    phone: purchase.phone,
    quantity: purchase.quantity,
    unitAmount: purchase.unitAmount,
    faceAmount: purchase.faceAmount,
    fee: purchase.fee,
    total: purchase.total,
    supplier: purchase.supplier,
    supplierCode: purchase.supplierCode,
    details: purchase.details,
    metadata: purchase.metadata,
    bulk: purchase.bulk,
    number: purchase.number,
    status: outcome.status,
    balanceBefore: purchase.balanceBefore,
    attempt: purchase.attempt,
    providerReference: outcome.providerReference ?? purchase.providerReference,
    errorCode: isFailed ? outcome.errorCode : null,
    fulfilment: isFailed ? null : outcome.fulfilment,
    purchasedAt: purchase.purchasedAt,
    completedAt: at,
    refundedAt: isFailed ? at : null,
  };
}

/** Nominal price of the whole: `unit_amount × quantity`. */
export function amountOf(purchase: PurchaseTerms): Kobo {
  return multiply(purchase.unitAmount, purchase.quantity);
}

/** What the merchant's price lies below the nominal one. */
export function discountOf(purchase: PurchaseTerms): Kobo {
  return subtract(add(amountOf(purchase), purchase.fee), purchase.total);
}

/** What the purchase costs after all: nothing once it failed and was refunded. */
export function totalDeductedOf(purchase: Purchase): Kobo {
  return purchase.status === "failed" ? zeroKobo : purchase.total;
}
