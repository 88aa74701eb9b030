import type { Instant } from "../../kernel/clock.ts";
import type { Kobo } from "../../kernel/money.ts";
import type { Transfer } from "../../providers/payments/contract.ts";

/** What names a transfer: the provider, and the provider's own id of it. */
export interface PaymentKey {
  readonly provider: string;
  readonly paymentId: string;
}

/** A key as one text: the same for the same transfer. */
export function paymentKeyText({ provider, paymentId }: PaymentKey): string {
  return `${provider} ${paymentId}`;
}

export type PaymentState = "heard" | "credited" | "unmatched" | "refused";

/** How a person ended what a provider said against what is booked. */
export const contradictionEnds = ["ours", "theirs", "written_off"] as const;
export type ContradictionEnd = (typeof contradictionEnds)[number];

/** A payment that a process asks its provider about, under a lease. */
export interface PaymentQuestion extends PaymentKey {
  readonly state: PaymentState;
  /** Proves the lease: every later claim, and every event, raises it. */
  readonly epoch: number;
  /** How often it was asked since the last event, this time included. */
  readonly tries: number;
  readonly receivedAt: Instant;
}

/** What one claim leases at most, and of which providers nothing. */
export interface ProviderClaims {
  readonly exceptOf: readonly string[];
  readonly limit: number;
  readonly leaseSeconds: number;
}

/** Says who bears what a provider keeps of a transfer. */
export type FeeBearer = "company" | "merchant";

/** What a wallet is credited of a transfer. */
export function creditOf({ amount, fee }: { readonly amount: Kobo; readonly fee: Kobo }, bearer: FeeBearer): Kobo {
  return bearer === "company" ? amount : ((amount - fee) as Kobo);
}

/** Names a payment wherever people see it. */
export function formatPaymentNumber(number: number): string {
  return `pay_${number}`;
}

/** Told to the merchant in its statement: who sent it, from which bank, and the number that both banks know it by. */
export function reasonFor({ sender }: Pick<Transfer, "sender">): string {
  const { name, bank, sessionId } = sender;
  const from = [name, bank].filter((part) => part !== null).join(", ");
  const words = [
    `Transfer${from === "" ? "" : ` from ${from}`}`,
    ...(sessionId === null ? [] : [`session ${sessionId}`]),
  ];
  return words.join(" · ").slice(0, 200);
}
