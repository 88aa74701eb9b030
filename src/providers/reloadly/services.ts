import type { VendRequest } from "../../categories/supplier-request.ts";
import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import type { Question, Reading } from "../dialect.ts";
import { firstText, givenReference, type Reply, textAt } from "../reply.ts";

/** One of Reloadly's services, each at an address and with an access token of its own. */
export interface Service {
  question(method: Question["method"], path: string, more?: Pick<Question, "accept" | "body" | "isListed">): Question;
  /** Where its transactions are listed. */
  readonly reports: string;
  /** How a purchase is another purchase than ours; null where it is ours. */
  differenceIn(purchase: JsonObject, request: VendRequest): string | null;
  readVended(purchase: JsonObject, request: VendRequest, id: string): Reading;
  /** Its list knows no purchase of our reference. */
  readAbsent(request: VendRequest): Reading;
}

export function openService(url: string, version: string, rest: Omit<Service, "question">): Service {
  return {
    question: (method, path, more = {}) => ({
      method,
      path,
      baseUrl: url,
      audience: url,
      accept: `application/com.reloadly.${version}+json`,
      ...more,
    }),
    ...rest,
  };
}

/** `status`, in capitals. All else is `unknown`: `PENDING`, `PROCESSING`, and what is new. */
const verdicts: Readonly<Record<string, "vended" | "failed" | "refunded">> = {
  SUCCESSFUL: "vended",
  FAILED: "failed",
  REFUNDED: "refunded",
};

export function verdictOf(status: Json | undefined): "vended" | "failed" | "refunded" | null {
  const word = textAt(status)?.toUpperCase() ?? "";
  return Object.hasOwn(verdicts, word) ? (verdicts[word] ?? null) : null;
}

/** What they have on record of a purchase: the same in the answer to an order and in their reports. */
export function readPurchase(purchase: JsonObject, request: VendRequest, service: Service): Reading {
  const what = service.differenceIn(purchase, request);
  if (what !== null) return { kind: "another", what };
  const id = textAt(purchase, "transactionId");
  const verdict = verdictOf(purchase.status);
  if (verdict === "vended" && id !== null) return service.readVended(purchase, request, id);
  return verdict === null || verdict === "vended" ? { kind: "unknown", ...givenReference(id) } : readEnd(verdict, id);
}

export function readEnd(verdict: "failed" | "refunded", id: string | null): Reading {
  const declined = { kind: "declined", errorCode: "PROVIDER_DECLINED", ...givenReference(id) } as const;
  // After a success only this word gives money back: that it failed contradicts the success, for a person to look into.
  return verdict === "refunded" ? { ...declined, reversed: true } : declined;
}

/** Their `errorCode`s whose meaning is more than a plain no. */
const codes: Readonly<Record<string, FailureCode | "used" | "open">> = {
  CUSTOM_IDENTIFIER_ALREADY_USED: "used",
  // It comes with 400 as well, after their 50 seconds with an operator: nobody says what that operator did.
  TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT: "open",
  INVALID_TOKEN: "OPERATOR_UNAVAILABLE",
  MISSING_TOKEN: "OPERATOR_UNAVAILABLE",
  INVALID_CREDENTIALS: "OPERATOR_UNAVAILABLE",
  INSUFFICIENT_BALANCE: "OPERATOR_UNAVAILABLE",
  MAX_DAILY_TRANSACTION_COUNT_REACHED: "OPERATOR_UNAVAILABLE",
  MAX_DAILY_TRANSACTION_AMOUNT_REACHED: "OPERATOR_UNAVAILABLE",
  OPERATOR_NOT_IN_SERVICE: "OPERATOR_UNAVAILABLE",
  INVALID_PRODUCT: "OUT_OF_STOCK",
  INVALID_RECIPIENT_PHONE: "RECIPIENT_INVALID",
  OPERATOR_AND_RECIPIENT_PHONE_MISMATCH: "RECIPIENT_INVALID",
  PHONE_RECENTLY_RECHARGED: "PROVIDER_DECLINED",
  WRONG_PRODUCT_PRICE: "PROVIDER_DECLINED",
  INVALID_AMOUNT: "PROVIDER_DECLINED",
  INVALID_INPUT_PROVIDED: "PROVIDER_DECLINED",
};

/** Refusals without a code that we know, by their status. Of any other nobody says that it came before the purchase. */
const statuses: Readonly<Record<number, FailureCode>> = {
  400: "PROVIDER_DECLINED",
  401: "OPERATOR_UNAVAILABLE",
  403: "OPERATOR_UNAVAILABLE",
  // Products that are sold out disappear.
  404: "OUT_OF_STOCK",
  422: "PROVIDER_DECLINED",
  // Not `notNow`: nothing is ever sent there twice under one reference.
  429: "OPERATOR_UNAVAILABLE",
};

/** The refusal of a purchase, which it is only in their own words. Their gift cards often give no code. */
export function readRefusal({ status, json }: Reply): Reading {
  const id = textAt(json, "transactionId");
  const code = textAt(json, "errorCode")?.toUpperCase() ?? "";
  const message = firstText(json, ["message", "error_description", "error"]) ?? "";
  if (id !== null || (code === "" && message === "")) return { kind: "unknown", ...givenReference(id) };
  const meaning = (Object.hasOwn(codes, code) ? codes[code] : undefined) ?? meaningOf(message, status);
  if (meaning === "used") return { kind: "another", what: "our reference was used before" };
  return meaning === "open" ? { kind: "unknown" } : { kind: "declined", errorCode: meaning };
}

function meaningOf(message: string, status: number): FailureCode | "used" | "open" {
  if ((status === 400 || status === 409) && /identifier/i.test(message)) return "used";
  if (status === 400 && /insufficient/i.test(message)) return "OPERATOR_UNAVAILABLE";
  return statuses[status] ?? "open";
}

/** It says itself that it knows no such transaction; a proxy's page or another path's 404 does not. */
export function isNotFound({ status, json }: Reply): boolean {
  return status === 404 && firstText(json, ["errorCode", "message"]) !== null;
}
