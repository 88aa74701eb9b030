import type { Mode } from "../../../kernel/mode.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import type { FieldErrors, ProblemCode, Refusal } from "../../../kernel/problems.ts";
import { moneyText } from "../../kit/parts/text.tsx";

/** What a person does next, where it is another thing than a program does. */
const advice: Partial<Record<ProblemCode, string>> = {
  PRICE_CHANGED: "The new price stands below: buy again if it is right.",
  DUPLICATE_TRANSACTION: "Look under Transactions whether that was it, or wait and buy again.",
  TRANSACTION_LIMIT_EXCEEDED: "Buy less at once, or ask the operator for a higher limit.",
  DAILY_LIMIT_EXCEEDED: "Go on tomorrow, or ask the operator for a higher limit.",
  PRODUCT_UNAVAILABLE: "Choose another product, or try again later.",
  BILLER_UNAVAILABLE: "Choose another one, or try again later.",
  PRODUCT_NOT_FOUND: "Choose another product.",
  VERIFICATION_EXPIRED: "It was verified again just now: look at the name below, and buy again.",
  REFERENCE_CONFLICT: "Something else was bought under it. Begin anew.",
  API_ACCESS_NOT_APPROVED: "An owner asks for live access under Business.",
};

/** How a wallet gets more, by its mode. */
export const moreMoney: Readonly<Record<Mode, string>> = {
  live: "Pay into the wallet first",
  test: "Reset the sandbox first, which fills the wallet up",
};

/** What was refused and what to do, in a sentence or two, for the top of a form. */
export function refusalSentence({ code, message, detail }: Refusal, mode: Mode): string {
  if (code === "INSUFFICIENT_BALANCE") {
    const { required, balance } = detail.meta ?? {};
    return `This costs ${moneyText(String(required))}, and the wallet holds ${moneyText(String(balance))}. ${moreMoney[mode]}, then try again. Nothing was charged.`;
  }
  const next = advice[code] ?? (problems[code].status === 400 ? "" : problems[code].next);
  return [message, next].filter(Boolean).join(" ");
}

/** The messages for fields that a page does not show, which stand at its top. */
export function unshownMessages(errors: FieldErrors, shown: readonly string[]): readonly string[] {
  return Object.entries(errors)
    .filter(([field]) => !shown.includes(field))
    .flatMap(([field, messages]) => messages.map((message) => `${field.replaceAll("_", " ")}: ${message}`));
}
