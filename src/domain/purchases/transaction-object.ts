import type { Product } from "../../categories/product/product.ts";
import type { WallTime } from "../../kernel/clock.ts";
import { failureCodes } from "../../kernel/failure-codes.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import { type Json, type JsonObject, type JsonText, writeJson } from "../../kernel/json.ts";
import { formatNaira, subtract } from "../../kernel/money.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import { type Fulfilment, openFulfilment } from "./fulfilment/sealed-fulfilment.ts";
import {
  amountOf,
  discountOf,
  type Purchase,
  type SoldProduct,
  sentFields,
  termColumns,
  totalDeductedOf,
} from "./purchase.ts";
import { vendRequestOf } from "./vend-request.ts";

interface SummaryServices {
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
}

interface WriteServices extends SummaryServices {
  readonly secretBox: SecretBox;
}

/**
 * The purchase as its buyer reads it, with its secrets (token, PINs, codes): the answer of the purchase itself and of
 * a requery, and of nothing else. `more` stands behind it.
 * @throws Unopenable when what was vended is sealed under a key that is not ours
 */
export function purchaseJson(
  purchase: Purchase,
  soldProduct: SoldProduct,
  services: WriteServices,
  more?: JsonObject,
): JsonText {
  const fulfilment = openFulfilment(services.secretBox, purchase);
  const last: Record<string, Json> = {
    delivery: openedFulfilment(services.transactionIds, purchase, soldProduct, fulfilment),
  };
  const tokenOf = soldProduct.category.token;
  if (tokenOf !== undefined) last.token = fulfilment === null ? null : tokenOf(fulfilment);
  if (more !== undefined) Object.assign(last, more);
  return writeJson(Object.assign(fieldsOf(purchase, soldProduct, services), last));
}

/** The purchase as lists and webhooks show it: what was delivered is only hinted at. */
export function purchaseSummaryJson(purchase: Purchase, soldProduct: SoldProduct, services: SummaryServices): JsonText {
  const vended = openedFulfilment(services.transactionIds, purchase, soldProduct, purchase.fulfilment);
  const hint = vended === null ? null : { kind: vended.kind ?? null, has_delivery: true };
  return writeJson(Object.assign(fieldsOf(purchase, soldProduct, services), { delivery: hint }));
}

/** The `delivery` of a success without a fulfilment. */
const topUp: JsonObject = { kind: "topup" };

/** The wire's `delivery`, with the fulfilment as the caller has it: open or sealed. Null until there is one. */
function openedFulfilment<Taken extends Fulfilment>(
  transactionIds: TransactionIds,
  purchase: Purchase,
  { product, category }: SoldProduct,
  fulfilment: Taken | null,
): Taken | JsonObject | null {
  const { status, errorCode } = purchase;
  if (status === "successful") return fulfilment ?? topUp;
  if (category.unfulfilled === undefined) return null;
  return category.unfulfilled(vendRequestOf(transactionIds, purchase, product, purchase), { status, errorCode });
}

/** The fields of all answers. One literal of one shape, completed by assignment: spreading so many costs kilobytes. */
function fieldsOf(
  purchase: Purchase,
  { product }: SoldProduct,
  { wallTime: zone, transactionIds }: SummaryServices,
): Record<string, Json> {
  const { wallet } = purchase;
  const deducted = totalDeductedOf(purchase);
  const wire: Record<string, Json> = {
    status: purchase.status,
    reference: purchase.reference,
    channel: purchase.channel,
    transaction_id: transactionIds.format(purchase.id, wallet.mode),
    category: product.biller.category,
    message: messageOf(purchase, product),
    network: product.biller.network,
    biller: product.biller.name,
    biller_slug: product.biller.slug,
    product_id: product.id,
    product: product.name,
    plan: product.plan,
    phone: purchase.phone,
    customer_ref: purchase.customerRef,
    quantity: purchase.quantity,
    unit_amount: formatNaira(purchase.unitAmount),
    amount: formatNaira(amountOf(purchase)),
    face_amount: formatNaira(purchase.faceAmount),
    fee: formatNaira(purchase.fee),
    discount: formatNaira(discountOf(purchase)),
    total_deducted: formatNaira(deducted),
    balance_before: formatNaira(purchase.balanceBefore),
    balance_after: formatNaira(subtract(purchase.balanceBefore, deducted)),
    provider_reference: purchase.providerReference,
    purchased_at: zone.format(purchase.purchasedAt),
    error_code: purchase.errorCode,
    refunded: purchase.refundedAt !== null,
    refunded_at: purchase.refundedAt === null ? null : zone.format(purchase.refundedAt),
    completed_at: purchase.completedAt === null ? null : zone.format(purchase.completedAt),
    bulk_reference: purchase.bulk?.reference ?? null,
  };
  for (const field of sentFields) wire[termColumns[field].name] = purchase[field];
  if (wallet.mode === "test") wire.sandbox = true;
  return wire;
}

/** The result in words. */
export function messageOf(purchase: Purchase, product: Product): string {
  const bought = purchase.customerRef === null ? product.name : `${product.name} for ${purchase.customerRef}`;
  switch (purchase.status) {
    case "successful":
      if (purchase.refundedAt === null) return `${bought}: successful.`;
      return `${bought}: delivered, then taken back by its supplier and refunded later.`;
    case "pending":
      return `${bought}: in progress. Wait for the webhook or requery; do not buy again.`;
    case "failed":
      return `${bought}: failed and refunded. ${failureCodes[purchase.errorCode ?? "PROVIDER_DECLINED"]}`;
  }
}
