import type { IncomingHttpHeaders } from "node:http";

/** What a stub supplier does with a request to vend, and what it lets its customer know. */
export const plays = [
  "vended",
  "declined",
  "pending_then_vended",
  "pending_then_declined",
  "vended_answer_dropped",
  "never_received",
  "duplicate_reference",
  "garbage",
  "error_after_vending",
  "slow",
  "undocumented_code",
  "endless_answer",
  "dripping_answer",
] as const;
export type Play = (typeof plays)[number];

/** A question as a dialect understood it. */
export interface Requested {
  /**
   * `collect` asks for the fulfilment of a purchase that was vended. `list` asks for all purchases of a time. `token`,
   * `catalogue` and `denied` are about none.
   */
  readonly question: "vend" | "requery" | "collect" | "list" | "verify" | "balance" | "token" | "catalogue" | "denied";
  /** Our name for the attempt; of a requery where only theirs is known, theirs. */
  readonly reference: string;
  /** The number that is bought for or asked about. */
  readonly number: string;
  /** What was sent: the JSON body, else the form, else the query. */
  readonly body: Record<string, unknown>;
}

/** A body is JSON, or a text that is sent as it is, as HTML. */
export interface StubAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A callback as the supplier sends it: by GET, with everything in the query, where there is one. */
export interface SentCallback {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly query?: string;
}

/** Something that this supplier does and others do not, with what the connector must make of it. */
export interface Trap {
  /** One sentence: what the supplier does. */
  readonly does: string;
  /** How it ends at the supplier, and how often goods went out. */
  readonly supplier: "vended" | "declined" | "pending";
  /** The answer to the purchase; null: the connection is cut. Where absent, the usual one for how it ends. */
  readonly answer?: (calls: Requested, record: StubRecord) => StubAnswer | null;
  /** The answer to the nth question about it, from 1; null: the usual one. */
  readonly again?: (calls: Requested, record: StubRecord, nth: number) => StubAnswer | null;
  /** What kind of product; the usual one where absent. */
  readonly wish?: string;
  /** What the vend, and asking until all is told, must come to. */
  readonly vend: "vended" | "declined" | "unknown";
  readonly end: "vended" | "declined" | "unknown";
}

/** How one request to vend goes, where not all of them go alike. */
export type Conduct =
  | {
      readonly play: Play;
      /** Instead of the play. */
      readonly trap: Trap | null;
      /** The connection is cut at once, and the request arrives so much later; absent: it arrives as it was sent. */
      readonly lateMs?: number;
    }
  /** Turned away with this answer: nothing was done. */
  | { readonly refused: StubAnswer };

/** What the stub did with one reference. */
export interface StubRecord {
  readonly reference: string;
  readonly number: string;
  /** The stub's own name for it. */
  readonly id: string;
  readonly calls: Requested;
  /** `reversed`: it went out, and was taken back. */
  state: "vended" | "declined" | "pending" | "reversed";
  /** How it ends, once it was asked about often enough. */
  end: "vended" | "declined";
  requeries: number;
  /** How often it was asked about since, in any way. */
  questions: number;
  readonly trap: Trap | null;
  /** When it arrived. */
  readonly at: number;
}

export type Saying =
  | StubRecord["state"]
  | "absent"
  | "duplicate"
  | "undocumented"
  | "verified"
  | "unverifiable"
  | "balance"
  | "token"
  | "catalogue"
  /** The fulfilment of a purchase that went out, and that it is not ready yet. */
  | "collected"
  | "not_collected"
  | "denied";

/** How one supplier speaks, from its own side of the wire. */
export interface StubDialect {
  /** Null for an address that this supplier does not have. */
  readonly receive: (request: {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
    readonly headers: IncomingHttpHeaders;
    readonly body: Record<string, unknown>;
  }) => Requested | null;
  readonly say: (saying: Saying, calls: Requested, record: StubRecord | null) => StubAnswer;
  /** All that it received, for a supplier that can be asked for a list of it. */
  readonly list?: (records: readonly StubRecord[], calls: Requested) => StubAnswer;
  /** A callback about a record, as the supplier would send it. */
  readonly call?: (record: StubRecord, status: "vended" | "declined" | "pending") => SentCallback;
  readonly traps?: Readonly<Record<string, Trap>>;
  /** Its refusal of a purchase for which our money there is not enough; absent: as any decline. */
  readonly outOfMoney?: StubAnswer;
}
