import type { VendRequest, VerifyRequest } from "../categories/supplier-request.ts";
import type { Instant } from "../kernel/clock.ts";
import type { FailureCode } from "../kernel/failure-codes.ts";
import type { JsonObject } from "../kernel/json.ts";

/**
 * A supplier's answer. Only an explicit yes is `vended`; only an explicit no, or proof that the bytes never left, is
 * `declined`; everything else is `unknown` and stays pending.
 */
export type VendOutcome =
  | {
      readonly kind: "vended";
      readonly providerReference: string | null;
      /** The category's fulfilment: tokens, PINs, … Null for a top-up, which has none. */
      readonly fulfilment: JsonObject | null;
      /** The request and the answer, redacted: kept with the attempt. */
      readonly evidence?: string;
    }
  | {
      readonly kind: "declined";
      readonly errorCode: FailureCode;
      readonly evidence: string;
      /** The supplier's reference of the attempt, where its refusal told one. */
      readonly providerReference?: string;
      /** Nothing was sent, for a reason of ours: it says nothing about the supplier. */
      readonly ownFault?: true;
      /** It takes no more at this moment, of anything: the same attempt may be sent again, under the same reference. */
      readonly notNow?: true;
      /**
       * The supplier says in so many words that it had vended and took it back. After a success only this books a
       * reversal; any other no (not known there any more) is a contradiction for a person to look into.
       */
      readonly reversed?: true;
    }
  | {
      readonly kind: "unknown";
      readonly evidence: string;
      /** The supplier's reference of the attempt, where it told one: kept, so that it can be asked by it. */
      readonly providerReference?: string;
      /** Asking again can never tell: a person must. */
      readonly askNobody?: true;
      /** No supplier was asked: a person fulfils. It says of nobody that he is in trouble. */
      readonly byHand?: true;
      /** The answer is about another purchase, and this shows it (`another reference`). Kept as an incident. */
      readonly ofAnother?: string;
      /** Whether the supplier says that it received the attempt; absent where it said nothing of it. */
      readonly received?: boolean;
      /**
       * Its answers to the letter, of which `evidence` has no goods left: sealed for the person who has to decide, and
       * never logged.
       */
      readonly unread?: string;
      /** It says that it vended: these answers are kept, though it is asked again. */
      readonly hasVended?: true;
    };

/**
 * A supplier's answer about a number. `unverifiable`: it does not know the number. `unasked`: its API has no such
 * request, and nothing was sent. Everything else that is no answer is `unavailable`. `evidence` is for the operator,
 * never for a merchant.
 */
export type VerifyOutcome =
  /** In the shape of the category's `verify.findings`. */
  | { readonly kind: "verified"; readonly findings: JsonObject }
  | { readonly kind: "unverifiable"; readonly evidence: string }
  | { readonly kind: "unasked"; readonly evidence: string }
  | { readonly kind: "unavailable"; readonly evidence: string };

/** A message that a supplier sent without being asked, as it arrived. */
export interface CallbackMessage {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** The address's query, without its question mark. Some suppliers call by GET and say everything there. */
  readonly query: string;
  /** The part of the address after the supplier's name; null where there was none. */
  readonly addressSecret: string | null;
  /** When it arrived. */
  readonly at: Instant;
}

/**
 * What a callback is about. It is `forged` unless it proves where it came from. A callback only makes us ask: the
 * supplier's answer about the attempt decides, so repeated, late and reordered callbacks do no harm.
 */
export type CallbackReading =
  | { readonly kind: "forged"; readonly evidence: string }
  /** Genuine, and about nothing that we ask: a changed price list, a test. */
  | { readonly kind: "other"; readonly evidence: string }
  | {
      readonly kind: "news";
      /** Our name for the attempt; null where the supplier says only its own, which is then not null. */
      readonly supplierReference: string | null;
      /** The supplier's name for it, where it says one. */
      readonly providerReference: string | null;
      /** The supplier's own word for how it stands, at most 40 characters. */
      readonly status: string;
      readonly evidence: string;
    };

/** How a supplier calls us back without being asked. */
export interface Callbacks {
  /** Never throws. */
  read(message: CallbackMessage): CallbackReading;
  /** The response body by which the supplier knows that we received its callback. */
  readonly received: JsonObject;
}

/** A supplier's answer about our balance there. `evidence` is for the operator, never for a merchant. */
export interface BalanceAnswer {
  /** Our balance, in hundredths of the currency; null when the supplier did not tell. */
  readonly balance: bigint | null;
  /** The currency of our account there: three capital letters. */
  readonly currency: string;
  /** The HTTP status of the answer; null where none came. */
  readonly status: number | null;
  /** The supplier's time, to the second, from the answer's Date header; null where it had none. */
  readonly date: Instant | null;
  readonly tookMs: number;
  /** The request and the answer, redacted. */
  readonly evidence: string;
}

/** One line of a supplier's price list, in our words as far as it says them. */
export interface ListedProduct {
  readonly category: string;
  /** As a route names it. */
  readonly supplierCode: string;
  /** Further codes by which a route may name the same. */
  readonly otherCodes?: readonly string[];
  /** At most 200 characters. */
  readonly name: string;
  /** The brand, network or company, in the supplier's words. */
  readonly biller: string;
  /** Nominal value of one unit; null where the customer chooses it, or the list does not say. */
  readonly face: ListedAmount | null;
  /** What it takes from us for one unit; null where the list does not say. */
  readonly cost: ListedCost | null;
}

/** Hundredths of a currency, which has three capital letters. */
export interface ListedAmount {
  readonly currency: string;
  readonly hundredths: bigint;
}

export type ListedCost =
  | ({ readonly kind: "fixed" } & ListedAmount)
  /** In hundredths of a percent of the nominal value. */
  | { readonly kind: "percent"; readonly basisPoints: number };

export type CatalogueAnswer =
  | {
      readonly kind: "told";
      /** The categories of which it told everything. */
      readonly categories: readonly string[];
      readonly products: readonly ListedProduct[];
    }
  /** One of its lists was not told; `evidence` says which and how. Nothing is known then. */
  | { readonly kind: "failed"; readonly evidence: string };

/** How far a question for a supplier's lists has come. */
export interface CatalogueProgress {
  /** Of `lists`, those that were told whole. */
  readonly received: number;
  readonly lists: number;
  /** In all that was told. */
  readonly products: number;
}

/** One supplier: its questions are bounded by a deadline and safe to give up on. */
export interface Connector {
  readonly name: string;
  /** Asks the supplier to vend, once. Never throws: what went wrong is `declined` or `unknown`. */
  vend(request: VendRequest): Promise<VendOutcome>;
  /**
   * Asks what became of an earlier `vend` under the same supplier reference. That the supplier never received it is
   * `declined` only after a quiet period (`notReceivedMs`): a process that was stopped just before it sent may still wake up
   * and send.
   */
  requery(request: VendRequest): Promise<VendOutcome>;
  /** Asks who a number belongs to. Costs nothing and changes nothing. Absent where the supplier cannot tell. */
  verify?(request: VerifyRequest): Promise<VerifyOutcome>;
  /** Absent where the supplier never calls back. */
  readonly callbacks?: Callbacks;
  /** Asks what is left of our money at the supplier. Never throws. Absent where it has no words for that. */
  balance?(): Promise<BalanceAnswer>;
  /**
   * Asks for everything that the supplier sells. May take minutes; `hear` is called after each page. Never throws. Absent
   * where it has no list.
   */
  catalogue?(onProgress?: (progress: CatalogueProgress) => void): Promise<CatalogueAnswer>;
}
