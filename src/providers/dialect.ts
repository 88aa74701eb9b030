import type { FailureCode } from "../kernel/failure-codes.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Kobo } from "../kernel/money.ts";
import type { Callbacks, VendRequest, VerifyRequest } from "./contract.ts";
import type { Reply } from "./reply.ts";

/** One request of a supplier's API, below its base URL. */
export interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: JsonObject;
}

/** A request that the supplier's API cannot express: not a byte leaves. */
export interface Unsendable {
  readonly unsendable: string;
}

/** The meaning of an answer. Undocumented codes are `unknown`. */
export type Reading =
  | { readonly kind: "vended"; readonly providerReference: string | null; readonly fulfilment: JsonObject | null }
  | {
      readonly kind: "declined";
      readonly errorCode: FailureCode;
      readonly providerReference?: string;
      /** It says in so many words that it had vended and took it back. */
      readonly reversed?: true;
      /** It takes no more at this moment, and takes the same reference later. */
      readonly notNow?: true;
    }
  | { readonly kind: "unknown"; readonly providerReference?: string }
  /** It has, or tells of, another purchase under our reference; `what` says how that shows. For a person. */
  | { readonly kind: "another"; readonly what: string }
  /** Asked again, it says that it never received this attempt. */
  | { readonly kind: "absent" };

export type VerifyReading =
  | { readonly kind: "verified"; readonly findings: JsonObject }
  | { readonly kind: "unverifiable" }
  | { readonly kind: "unavailable" };

/**
 * How one supplier speaks: transformers from our words to its requests and from its answers to ours, without I/O.
 * Readers are given JSON objects of answers in the 200s and 400s only; all else is `unknown` before they see it.
 */
export interface Dialect {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Credentials and their like. */
  headersFor(method: Question["method"]): Readonly<Record<string, string>>;
  askToVend(request: VendRequest): Question | Unsendable;
  readVend(reply: Reply, request: VendRequest): Reading;
  /** Null where there is nothing to ask by: then a person must. */
  requery(request: VendRequest): Question | null;
  readAgain(reply: Reply, request: VendRequest): Reading;
  readonly verification?: {
    ask(request: VerifyRequest): Question | Unsendable;
    read(reply: Reply, request: VerifyRequest): VerifyReading;
  };
  readonly balance?: { readonly question: Question; read(reply: Reply): Kobo | null };
  readonly callbacks?: Callbacks;
}
