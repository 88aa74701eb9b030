import { type Product, vendAttributes } from "../../categories/product/product.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import { purchaseTime, type TransactionIds } from "../../kernel/ids.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import type { PurchaseTerms } from "./purchase.ts";

/** When nobody settled a purchase by then, the due-work loop asks what became of it. Twice the vend deadline. */
export const dispatchDueSeconds = 60;

/** What a supplier is asked with, beside the purchase. */
export interface VendOrder {
  readonly product: Product;
  /** The simulator's outcome where it is known already. */
  readonly predicted: VendOutcome | null;
  /** Whether the client still waits for the response. */
  readonly isAwaited: (() => boolean) | undefined;
}

/** The request to a supplier: everything about the product, nothing about the merchant. */
export function vendRequestOf(
  transactionIds: TransactionIds,
  terms: PurchaseTerms,
  product: Product,
  requested: {
    readonly attempt: number;
    readonly providerReference: string | null;
    readonly notReceivedMs?: number | null;
  },
): VendRequest {
  const { attempt, providerReference, notReceivedMs = null } = requested;
  const transactionId = transactionIds.format(terms.id, terms.wallet.mode);
  return {
    transactionId,
    attempt,
    supplierReference: `${transactionId}-${attempt}`,
    supplierCode: terms.supplierCode,
    providerReference,
    notReceivedMs,
    mode: terms.wallet.mode,
    at: purchaseTime(terms.id),
    category: product.biller.category,
    productId: product.id,
    productCode: product.code,
    productName: product.name,
    plan: product.plan,
    billerSlug: product.biller.slug,
    billerName: product.biller.name,
    network: product.biller.network,
    attributes: vendAttributes(product),
    customerRef: terms.customerRef,
    phone: terms.phone,
    quantity: terms.quantity,
    unitAmount: terms.unitAmount,
    faceAmount: terms.faceAmount,
    details: terms.details,
  };
}
