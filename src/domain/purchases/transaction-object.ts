import type { WallTime } from "../../kernel/clock.ts";
import { failureCodes } from "../../kernel/failure-codes.ts";
import { formatTransactionId } from "../../kernel/ids.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { formatNaira, subtract } from "../../kernel/money.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { Product } from "../categories/product.ts";
import type { Goods } from "./goods.ts";
import type { Purchase } from "./purchase.ts";
import { amountOf, discountOf, totalDeductedOf } from "./purchase.ts";
import { openFulfilment } from "./sealed-fulfilment.ts";
import { vendRequestOf } from "./vend-request.ts";

/** The transaction object's fields that every answer has. */
export type TransactionObject = { readonly [field: string]: Json };

/**
 * The purchase as its buyer reads it, with its secrets (token, PINs, codes): the answer of the purchase itself and of
 * a requery, and of nothing else. A fresh object, which its caller may complete.
 * @throws Unopenable when what was vended is sealed under a key that is not ours
 */
export function transactionObject(
  purchase: Purchase,
  goods: Goods,
  { wallTime, secretBox }: { readonly wallTime: WallTime; readonly secretBox: SecretBox },
): Record<string, Json> {
  const wire = fieldsOf(purchase, goods, wallTime);
  const fulfilment = openFulfilment(secretBox, purchase);
  wire.delivery = purchase.status === "successful" ? (fulfilment ?? topUp) : unfulfilledOf(purchase, goods);
  const tokenOf = goods.category.token;
  if (tokenOf !== undefined) wire.token = fulfilment === null ? null : tokenOf(fulfilment);
  return wire;
}

/** The purchase as lists and webhooks show it: what was delivered is only hinted at. */
export function transactionSummary(purchase: Purchase, goods: Goods, zone: WallTime): TransactionObject {
  const wire = fieldsOf(purchase, goods, zone);
  const vended = purchase.status === "successful" ? (purchase.fulfilment ?? topUp) : unfulfilledOf(purchase, goods);
  wire.delivery = vended === null ? null : { kind: vended.kind ?? null, has_delivery: true };
  return wire;
}

/** Where a success hands nothing over. */
const topUp: JsonObject = { kind: "topup" };

/** `delivery` is null until there is something to say. */
function unfulfilledOf(purchase: Purchase, { product, category }: Goods): JsonObject | null {
  if (purchase.status === "successful" || category.unfulfilled === undefined) return null;
  return category.unfulfilled(vendRequestOf(purchase, product, purchase), purchase.status);
}

/** One literal of one shape, completed by assignment: spreads of this many fields cost kilobytes each. */
function fieldsOf(purchase: Purchase, { product }: Goods, zone: WallTime): Record<string, Json> {
  const { wallet } = purchase;
  const deducted = totalDeductedOf(purchase);
  const wire: Record<string, Json> = {
    status: purchase.status,
    reference: purchase.reference,
    channel: purchase.channel,
    transaction_id: formatTransactionId(purchase.id, wallet.mode),
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
    metadata: purchase.metadata,
    delivery: null,
  };
  if (wallet.mode === "test") wire.sandbox = true;
  return wire;
}

/** The result in words. */
export function messageOf(purchase: Purchase, product: Product): string {
  const bought = purchase.customerRef === null ? product.name : `${product.name} for ${purchase.customerRef}`;
  switch (purchase.status) {
    case "successful":
      return `${bought}: successful.`;
    case "pending":
      return `${bought}: in progress. Wait for the webhook or requery; do not buy again.`;
    case "failed":
      return `${bought}: failed and refunded. ${failureCodes[purchase.errorCode ?? "PROVIDER_DECLINED"]}`;
  }
}
