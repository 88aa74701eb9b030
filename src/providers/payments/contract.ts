import type { Instant } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import type { CallbackMessage } from "../contract.ts";

/** What is known of who sent a transfer; each null where the provider does not tell it. At most 200 characters each. */
export interface Sender {
  readonly name: string | null;
  readonly bank: string | null;
  readonly accountNumber: string | null;
  /** The number that both banks know the transfer by (NIP). */
  readonly sessionId: string | null;
  readonly narration: string | null;
}

/** A transfer that arrived at one of the receiving accounts, as its provider's verify endpoint tells of it. */
export interface Transfer {
  /** What the sender sent. Above zero. */
  readonly amount: Kobo;
  /** What the provider keeps of it. */
  readonly fee: Kobo;
  /** What of it went back to the sender since: refunds, lost disputes, reversals. At most the amount. */
  readonly takenBack: Kobo;
  /** The receiving account; null where the provider tells only whose it is. */
  readonly accountNumber: string | null;
  /** What the provider calls the holder of the receiving account. */
  readonly accountReference: string | null;
  readonly sender: Sender;
  readonly paidAt: Instant;
}

/**
 * What an event is about. It is `forged` unless it proves where it came from. An event only rings the bell: what the
 * verify endpoint says is credited, so repeated, late, reordered and truncated events do no harm.
 */
export type EventReading =
  | { readonly kind: "forged"; readonly evidence: string }
  /** Genuine, and about no transfer to a receiving account: a payout, a card, an account that was made. */
  | { readonly kind: "other"; readonly evidence: string }
  /**
   * `paymentId`: the provider's own id of the transfer, by which it is verified, at most 100 characters. `isRefund`: some
   * of it goes back to the sender, or may.
   */
  | { readonly kind: "payment"; readonly paymentId: string; readonly isRefund: boolean; readonly evidence: string };

/** What the verify endpoint says. All that is neither an explicit yes nor an explicit no is `unknown`, and asked again. */
export type PaymentReading =
  | { readonly kind: "paid"; readonly transfer: Transfer }
  /** It says in so many words that this never became money: failed, abandoned, expired; or paid by other means. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unknown" };

export type PaymentAnswer = PaymentReading & {
  /** The question and the answer, redacted. */
  readonly evidence: string;
};

export interface AccountRequest {
  /** Ours, the same each time that it is asked for: the provider makes one account of it. */
  readonly reference: string;
  readonly businessName: string;
  readonly email: string;
  readonly phone: string | null;
  /** Passed through to the provider; never stored, never logged, in no evidence. */
  readonly identity: { readonly kind: "bvn" | "nin"; readonly number: string } | null;
}

export interface ReceivingAccount {
  readonly accountNumber: string;
  readonly bankName: string;
  readonly accountName: string;
  /** What the provider calls its holder: some events name only that. */
  readonly accountReference: string;
}

export type AccountAnswer =
  | { readonly kind: "opened"; readonly account: ReceivingAccount; readonly evidence: string }
  /** It will not make one: `reason` in the provider's words, for the operator. */
  | { readonly kind: "refused"; readonly reason: string; readonly evidence: string }
  | { readonly kind: "unknown"; readonly evidence: string };

/** One page of what a provider says arrived in a time. */
export type ListAnswer =
  | {
      readonly kind: "told";
      readonly paymentIds: readonly string[];
      /** The page to ask for next; null after the last one. */
      readonly nextPage: number | null;
    }
  | { readonly kind: "failed"; readonly evidence: string };

/** Money that went back to a sender. */
export interface Refund {
  readonly paymentId: string;
  readonly amount: Kobo;
}

/** One page of what a provider says went back in a time. */
export type RefundsAnswer =
  | {
      readonly kind: "told";
      /** Refunds that are done: several may be of one transfer, and some of transfers that are none of ours. */
      readonly refunds: readonly Refund[];
      readonly nextPage: number | null;
    }
  | { readonly kind: "failed"; readonly evidence: string };

/** One account at a payment provider: its questions are bounded by a deadline and never throw. */
export interface PaymentConnector {
  readonly name: string;
  readEvent(message: CallbackMessage): EventReading;
  /** The response body by which the provider knows that we received its event. */
  readonly received: JsonObject;
  /**
   * Asks what the transfer is. `withRefunds`: and whether any of it went back since, which is asked in any case where
   * the transfer itself shows that.
   */
  verify(paymentId: string, options: { readonly withRefunds: boolean }): Promise<PaymentAnswer>;
  /** Transfers to receiving accounts from `from` on and before `to`; pages count from 1. */
  list(range: { readonly from: Instant; readonly to: Instant; readonly page: number }): Promise<ListAnswer>;
  /** Refunds that were requested from `from` on and before `to`, where it has such a list; pages count from 1. */
  listRefunds?(range: { readonly from: Instant; readonly to: Instant; readonly page: number }): Promise<RefundsAnswer>;
  openAccount(request: AccountRequest): Promise<AccountAnswer>;
}
