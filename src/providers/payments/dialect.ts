import type { Instant } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import type { CallbackMessage } from "../contract.ts";
import type { Dialect, Question } from "../dialect.ts";
import type { Reply } from "../reply.ts";
import type { AccountRequest, EventReading, PaymentReading, ReceivingAccount } from "./contract.ts";

export type AccountReading =
  | { readonly kind: "opened"; readonly account: ReceivingAccount }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unknown" }
  /** The account is told by another question, which follows. */
  | { readonly kind: "next"; readonly question: Question; read(reply: Reply): AccountReading };

export interface TimeRange {
  readonly from: Instant;
  readonly to: Instant;
}

/** A refund as it stands in a provider's list. */
export interface StatedRefund {
  /** The refund's own: a newer one moves others to a page that is still to be read. Null where it can't be read. */
  readonly id: string | null;
  /** What it names the transfer by. */
  readonly name: string | null;
  /** Null where it can't be read. */
  readonly amount: Kobo | null;
}

/**
 * How one payment provider speaks: transformers from our words to its requests and from its answers to ours, without I/O.
 * Readers of answers are given JSON objects of answers in the 200s and 400s only: all else is unknown before they see it.
 */
export interface PaymentDialect extends Pick<Dialect, "name" | "baseUrl" | "accessFor" | "tokens"> {
  /** Of the bytes as they came. Never throws. */
  readEvent(message: CallbackMessage): EventReading;
  readonly received: JsonObject;
  verify(paymentId: string): Question;
  /** A transfer under another id than the one asked about is unknown. */
  readVerified(reply: Reply, paymentId: string): PaymentReading;
  /** What went back to senders, which no verify endpoint tells. */
  readonly refunds: {
    /** Of a time. */
    ask(page: number, range: TimeRange): Question;
    /** Of one transfer alone, as its verify endpoint told of it, where it can be asked so. */
    readonly askOfOne?: (page: number, verified: Reply) => Question;
    /** The refunds of this page that are done. Null where it is no such page. */
    read(
      reply: Reply,
      page: number,
    ): { readonly refunds: readonly StatedRefund[]; readonly nextPage: number | null } | null;
    /** How refunds name a transfer that was verified. */
    nameIn(verified: Reply): string | null;
    /** How its id is found, where refunds name it otherwise. Null: it is none. */
    readonly idOf?: { ask(name: string): Question; read(reply: Reply, name: string): string | null };
  };
  list(range: { readonly from: Instant; readonly to: Instant; readonly page: number }): Question;
  /** Null where it is no such list. */
  readList(
    reply: Reply,
    range: { readonly from: Instant; readonly page: number },
  ): { readonly paymentIds: readonly string[]; readonly nextPage: number | null } | null;
  askForAccount(request: AccountRequest): Question;
  readAccount(reply: Reply, request: AccountRequest): AccountReading;
}
