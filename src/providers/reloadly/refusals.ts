import type { FailureCode } from "../../kernel/failure-codes.ts";
import type { Reading } from "../dialect.ts";
import { firstText, givenReference, type Reply, textAt } from "../reply.ts";

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
