import type { VendRequest } from "../../categories/supplier-request.ts";
import type { WideLog } from "../../platform/telemetry/log.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import type { FinalOutcome, Purchase } from "../purchases/purchase.ts";

/** A supplier's explicit answer: vended or declined. */
export type Verdict = Exclude<VendOutcome, { kind: "unknown" }>;

export type Declined = Extract<Verdict, { kind: "declined" }>;

/** The final outcome that follows from a supplier's answer. */
export function endOf(verdict: Verdict): FinalOutcome {
  const providerReference = verdict.providerReference ?? null;
  if (verdict.kind === "declined") return { status: "failed", errorCode: verdict.errorCode, providerReference };
  return { status: "successful", providerReference, fulfilment: verdict.fulfilment };
}

export function evidenceOf(verdict: Verdict): string {
  return verdict.evidence ?? "vended";
}

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
