import type { ProblemCode } from "../../kernel/problems.ts";
import type { WideLine } from "../../platform/wide-log.ts";
import { formatApiKeyId, formatMerchantId } from "../merchants/merchant.ts";
import type { Bought, BuyCommand } from "./buy.ts";

/** The wide line of a request that has a purchase for its answer. */
export function boughtLine(
  { principal, category }: BuyCommand,
  { purchase, took }: Bought,
  facts: { readonly outcome: string; readonly transactionId: string; readonly tookMs: number },
): WideLine {
  return {
    event: "purchase",
    outcome: facts.outcome,
    errorCode: purchase.errorCode,
    transactionId: facts.transactionId,
    merchantId: formatMerchantId(principal.merchantId),
    keyId: formatApiKeyId(principal.keyId),
    mode: principal.mode,
    category: category.slug,
    productId: purchase.productId,
    channel: purchase.channel,
    supplier: purchase.supplier,
    attempts: purchase.attempt,
    prepareMs: took?.prepareMs ?? null,
    chargeMs: took?.chargeMs ?? null,
    supplyMs: took?.supplyMs ?? null,
    tookMs: facts.tookMs,
  };
}

/** The wide line of a request that created nothing, or of which nobody knows. `code`: null for a fault of ours. */
export function unboughtLine(
  { principal, category, channel }: BuyCommand,
  facts: { readonly outcome: string; readonly code: ProblemCode | null; readonly tookMs: number },
): WideLine {
  return {
    event: "purchase",
    outcome: facts.outcome,
    errorCode: facts.code,
    merchantId: formatMerchantId(principal.merchantId),
    keyId: formatApiKeyId(principal.keyId),
    mode: principal.mode,
    category: category.slug,
    channel,
    tookMs: facts.tookMs,
  };
}
