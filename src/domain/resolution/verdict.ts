import type { VendOutcome } from "../../providers/contract.ts";
import type { FinalOutcome } from "../purchases/purchase.ts";

/** An explicit word of a supplier. */
export type Verdict = Exclude<VendOutcome, { kind: "unknown" }>;

export type Declined = Extract<Verdict, { kind: "declined" }>;

/** The end that a supplier's word makes. */
export function endOf(verdict: Verdict): FinalOutcome {
  const providerReference = verdict.providerReference ?? null;
  if (verdict.kind === "declined") return { status: "failed", errorCode: verdict.errorCode, providerReference };
  return { status: "successful", providerReference, fulfilment: verdict.fulfilment };
}

export function evidenceOf(verdict: Verdict): string {
  return verdict.evidence ?? "vended";
}
