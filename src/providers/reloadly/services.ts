import type { VendRequest } from "../../categories/supplier-request.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import type { Question, Reading } from "../dialect.ts";
import { givenReference, textAt } from "../reply.ts";

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
