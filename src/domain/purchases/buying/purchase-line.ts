import type { WideLine } from "../../../platform/telemetry/wide-log.ts";
import { formatApiKeyId, formatMerchantId } from "../../merchants/merchant.ts";
import type { Bought, BuyCommand } from "./buy.ts";

/**
 * The wide line of a request to buy something: these facts, and who asked and for what. Completed by assignment, as a
 * spread of so many facts takes long.
 */
export function buyingLine(
  { principal, category }: Pick<BuyCommand, "principal" | "category">,
  facts: WideLine,
): WideLine {
  return Object.assign(facts, {
    merchantId: formatMerchantId(principal.merchantId),
    // Null: a member bought it in the console.
    keyId: principal.keyId === null ? null : formatApiKeyId(principal.keyId),
    mode: principal.mode,
    category: category.slug,
  });
}

/** The wide line of a request that has a purchase for its answer. */
export function boughtLine(
  command: Pick<BuyCommand, "principal" | "category">,
  { purchase, took }: Bought,
  facts: { readonly outcome: string; readonly transactionId: string; readonly tookMs: number },
): WideLine {
  return buyingLine(command, {
    event: "purchase",
    outcome: facts.outcome,
    errorCode: purchase.errorCode,
    transactionId: facts.transactionId,
    productId: purchase.productId,
    channel: purchase.channel,
    supplier: purchase.supplier,
    attempts: purchase.attempt,
    prepareMs: took?.prepareMs ?? null,
    chargeMs: took?.chargeMs ?? null,
    supplyMs: took?.supplyMs ?? null,
    tookMs: facts.tookMs,
  });
}
