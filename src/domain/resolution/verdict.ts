import type { VendOutcome } from "../../providers/contract.ts";
import type { FinalOutcome } from "../purchases/purchase.ts";

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
