import type { VendRequest, VerifyRequest } from "../categories/supplier-request.ts";
import type { FailureCode } from "../kernel/failure-codes.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Kobo } from "../kernel/money.ts";
import type { Callbacks, ListedProduct } from "./contract.ts";
import type { Reply } from "./reply.ts";

/** One request of a supplier's API. All of it may become evidence: credentials travel as `Access` alone. */
export interface Question {
  readonly method: "GET" | "POST";
  /** Below the base URL, with its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: JsonObject;
  /** Sent as a form, instead of `body`. */
  readonly form?: Readonly<Record<string, string>>;
  /** Where this request goes elsewhere than to the dialect's base URL. Without a slash at its end. */
  readonly baseUrl?: string;
  /** Instead of `application/json`. */
  readonly accept?: string;
  /** The access token that it needs, where the dialect has several. */
  readonly audience?: string;
  /** The answer may be a JSON list: it is then `reply.list`. Without this a list is no answer. */
  readonly isListed?: true;
  /** A refusal, an answer in the 400s, may be a plain text: it is then `reply.text`. Without this it is no answer. */
  readonly refusesInText?: true;
  /** Fields of it and of its answer that are no evidence: what merchants write to customers, people behind plain names. */
  readonly hides?: readonly string[];
}

/** How our credentials travel with a question. Never part of the evidence. */
export interface Access {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Added to the body, or to the form. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** For a supplier that wants a token, sent as `Authorization: Bearer …`. */
export interface TokenSource {
  /** Our account there, as a token belongs to one. No secret. */
  readonly account: string;
  ask(audience: string): { readonly question: Question; readonly access: Access };
  /** The token and for how many seconds it is good; null where the answer holds none. */
  read(reply: Reply): { readonly token: string; readonly goodForSeconds: number } | null;
}

/** `missing`: nothing, or fewer than were bought; they may follow. `unclear`: nobody can tell what they are. */
export type Lacking = "missing" | "unclear";

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
  | {
      readonly kind: "unknown";
      readonly providerReference?: string;
      /** It says that it vended, and the goods are not there yet, or a person must make them out. */
      readonly lacking?: Lacking;
    }
  /** It has, or tells of, another purchase under our reference; `what` says how that shows. For a person. */
  | { readonly kind: "another"; readonly what: string }
  /** Asked again, it says that it never received this attempt. */
  | { readonly kind: "absent" }
  /**
   * What decides, or the fulfilment, is told by another question, which follows within the same deadline. Where that one
   * is not answered, the outcome is unknown.
   */
  | {
      readonly kind: "next";
      readonly question: Question;
      /** Milliseconds to wait before it is asked; none where absent. */
      readonly afterMs?: number;
      readonly providerReference?: string;
      read(reply: Reply): Reading;
    };

export type VerifyReading =
  | { readonly kind: "verified"; readonly findings: JsonObject }
  | { readonly kind: "unverifiable" }
  | { readonly kind: "unavailable" };

/** One list of what a supplier sells. It covers its category whole: what is not in it is gone. */
export interface CatalogueList {
  readonly category: string;
  readonly question: Question;
  /** Null where `reply` is no such list, or not the page that was asked for. `next`: null after the last page. */
  read(
    reply: Reply,
    requested: Question,
  ): { readonly products: readonly ListedProduct[]; readonly next: Question | null } | null;
}

/**
 * How one supplier speaks: transformers from our words to its requests and from its answers to ours, without I/O.
 * Readers are given JSON objects of answers in the 200s and 400s only, and lists where the question says so; all else
 * is `unknown` before they see it.
 */
export interface Dialect {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  accessFor(method: Question["method"]): Access;
  readonly tokens?: TokenSource;
  askToVend(request: VendRequest): Question | Unsendable;
  readVend(reply: Reply, request: VendRequest): Reading;
  /** Null where there is nothing to ask by: then a person must. */
  requery(request: VendRequest): Question | null;
  readAgain(reply: Reply, request: VendRequest): Reading;
  /**
   * For how many milliseconds it must say that it never received an attempt before that counts as a no, where the usual
   * two minutes are too few: it may list a purchase only when that is done.
   */
  readonly quietMs?: number;
  readonly verification?: {
    ask(request: VerifyRequest): Question | Unsendable;
    read(reply: Reply, request: VerifyRequest): VerifyReading;
  };
  /** `read`: in hundredths of the account's currency, which is naira where nothing else is said. */
  readonly balance?: { readonly question: Question; readonly currency?: string; read(reply: Reply): bigint | null };
  readonly callbacks?: Callbacks;
  /** In the order in which they are asked. */
  readonly catalogue?: readonly CatalogueList[];
}

/** A value of the answer and the one that was asked about. Null where one of them has none: these are not compared. */
interface Pair {
  readonly theirs: string | null;
  readonly ours: string | null;
}

interface Comparison {
  /** Our name for the attempt. */
  readonly reference: Pair;
  readonly products: readonly Pair[];
  /** The number that is bought for; where the supplier may mean another of ours by it, one of these. */
  readonly number: { readonly theirs: string | null; readonly ours: readonly (string | null)[] };
  /** Where it tells several amounts, one of them must be ours. */
  readonly amount: { readonly theirs: readonly (Kobo | null)[]; readonly ours: Kobo | null };
}

/**
 * How an answer shows that it is about another purchase than the one that was asked about; null where it does not. Two
 * deployments that share an account there may have sent one reference for different purchases.
 */
export function differenceIn({ reference, products, number, amount }: Comparison): string | null {
  if (differs(reference)) return "another reference";
  if (products.some(differs)) return "another product";
  const numbers = number.ours.flatMap((ours) => (ours === null ? [] : [plain(ours)]));
  if (number.theirs !== null && numbers.length > 0 && !numbers.includes(plain(number.theirs))) return "another number";
  const amounts = amount.theirs.filter((theirs) => theirs !== null);
  if (amount.ours !== null && amounts.length > 0 && !amounts.includes(amount.ours)) return "another amount";
  return null;
}

function differs({ theirs, ours }: Pair): boolean {
  return theirs !== null && ours !== null && theirs !== ours;
}

/** A phone number in any form, and a number that lost its leading zeros in JSON. */
function plain(number: string): string {
  const bare = number.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  return bare.replace(/^234(?=\d{10}$)/, "").replace(/^0+/, "");
}
