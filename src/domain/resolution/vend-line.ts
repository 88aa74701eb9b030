import type { VendRequest } from "../../categories/supplier-request.ts";
import type { WideLog } from "../../platform/telemetry/wide-log.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import type { Purchase } from "../purchases/purchase.ts";

/** What is done after a supplier's answer, or its silence. */
export type NextStep = "end" | "ask_again" | "next_supplier" | "queue" | "late_result";

/** A supplier that was asked, and what it answered. */
export interface SupplierExchange {
  readonly question: "vend" | "requery";
  readonly purchase: Purchase;
  readonly request: VendRequest;
  readonly outcome: VendOutcome;
  readonly tookMs: number;
}

/** Writes one line for a supplier that was asked. The simulator is left out. */
export function writeVendLine(wide: WideLog | undefined, exchange: SupplierExchange, next: NextStep): void {
  const { purchase, request, outcome, question } = exchange;
  if (wide === undefined || purchase.supplier === null || !wide.takes(outcome.kind !== "vended")) return;
  wide.write({
    event: question,
    outcome: outcome.kind,
    errorCode: outcome.kind === "declined" ? outcome.errorCode : null,
    next,
    transactionId: request.transactionId,
    attempt: request.attempt,
    merchantId: formatMerchantId(purchase.wallet.merchantId),
    mode: request.mode,
    category: request.category,
    productId: purchase.productId,
    supplier: purchase.supplier,
    channel: purchase.channel,
    tookMs: exchange.tookMs,
  });
}
