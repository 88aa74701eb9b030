import type { ComponentChildren } from "preact";
import type { TObject } from "typebox";
import type { Category } from "../../../categories/category.ts";
import { sellingGate } from "../../../domain/members/membership.ts";
import { purchaseBody } from "../../../domain/purchases/buying/purchase-request.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import { type ProblemCode, type Refusal, refuse } from "../../../kernel/problems.ts";
import { refusalOf } from "../../../platform/validation/faults.ts";
import { buildValidator, type Validator, validatorCompiler } from "../../../platform/validation/validator.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import { type ModeVisit, useVisit } from "../access.ts";

/** @throws Refusal with the faults of a body, by field */
export type CheckBody = (category: Category, body: unknown) => void;

/** Holds bodies against each category's schema, as the API does: unless told, against what its purchases take. */
export function openBodyCheck(schemaOf: (category: Category) => TObject = purchaseBody): CheckBody {
  const compile = validatorCompiler(buildValidator());
  const validators = new Map<string, Validator>();
  return (category, body) => {
    const validator = validators.get(category.slug) ?? compile({ schema: schemaOf(category) });
    validators.set(category.slug, validator);
    if (!validator(body)) throw refusalOf(validator.errors ?? []);
  };
}

/** The page instead of one that sells, where the merchant can't buy in this mode; null where it can. */
export function closedPage(visit: ModeVisit, title: string): PageAnswer | null {
  const code = sellingGate(visit.member, visit.mode);
  if (code === null) return null;
  const sandbox = <ButtonLink href="/test/buy">Try in the sandbox</ButtonLink>;
  return page(
    title,
    <Sheet>
      {code === "API_ACCESS_NOT_APPROVED" ? (
        <NotApproved action={sandbox}>Until it’s approved, you can try everything in the sandbox.</NotApproved>
      ) : (
        <Empty title={problems[code].title}>{problems[code].next}</Empty>
      )}
    </Sheet>,
  );
}

/** How live selling gets approved, and what can be done until then. `action` is for whoever can't ask for it. */
export function NotApproved({ action, children }: { action?: ComponentChildren; children: ComponentChildren }) {
  const mayAsk = useVisit().may("run_business");
  return (
    <Empty
      title="Live selling isn’t approved yet"
      action={mayAsk ? <ButtonLink href="/account/business">Ask for live access</ButtonLink> : action}
    >
      {mayAsk ? "Fill in your business details and ask for it. " : "An owner asks for it under Business. "}
      {children}
    </Empty>
  );
}

/** The same for what a form wants to change. @throws Refusal */
export function refuseWhenClosed({ member, mode }: ModeVisit): void {
  const code = sellingGate(member, mode);
  if (code !== null) throw refuse(code);
}

/** What happened and what a person does next, where a program would be answered another thing. */
const refusalSentences: Partial<Record<ProblemCode, (meta: JsonObject, companyName: string) => string>> = {
  PRICE_CHANGED: ({ price }) => `The price changed to ${moneyText(String(price))}. Pay the new price?`,
  DUPLICATE_TRANSACTION: () => "The same sale was made a moment ago. Check Transactions before you sell it again.",
  TRANSACTION_LIMIT_EXCEEDED: ({ limit }, companyName) =>
    `One sale can’t be over ${moneyText(String(limit))}. Split it, or ask ${companyName} for a higher limit.`,
  DAILY_LIMIT_EXCEEDED: ({ limit, used }, companyName) =>
    `Today’s limit is ${moneyText(String(limit))}, and ${moneyText(String(used))} is used. Sell it tomorrow, or ask ${companyName} for a higher limit.`,
  PRODUCT_UNAVAILABLE: () => "This product isn’t available right now. Choose another product.",
  BILLER_UNAVAILABLE: () => "This can’t be sold right now. Choose another one, or try again later.",
  PRODUCT_NOT_FOUND: () => "We don’t sell this product. Choose another product.",
  VERIFICATION_EXPIRED: () => "The name may have changed. Check it, then pay.",
  REFERENCE_CONFLICT: () => "That reference belongs to another sale. Start a new one.",
  PROVIDER_UNAVAILABLE: () => "We couldn’t reach the supplier. You were not charged. Try again.",
  API_ACCESS_NOT_APPROVED: () => "Live selling isn’t approved yet. An owner asks for it under Business.",
};

/** Where a wallet gets more, and who may open that page. */
export const moreMoney = {
  live: { page: "wallet", action: "Add money", capability: "see_money" },
  test: { page: "sandbox", action: "Reset the sandbox", capability: "develop" },
} as const;

/** The same for whoever may not see what the wallet holds. */
export const tooLow = "The shop’s balance is too low. Ask the owner.";

/** A wallet that owes sells nothing, whatever it holds. */
export function debtSentence(debt: Kobo | string): string {
  return `Your wallet owes ${moneyText(debt)} of a transfer that was taken back. Add money first: it pays that, and sales go on.`;
}

/** What was refused and what to do, in a sentence or two, for the top of a form. */
export function refusalSentence(
  { code, message, detail }: Refusal,
  { mode, may }: ModeVisit,
  companyName = "the company",
): string {
  const { meta = {} } = detail;
  if (code === "INSUFFICIENT_BALANCE") {
    if (!may("see_balance")) return tooLow;
    const { required, balance, debt } = meta;
    if (typeof debt === "string") return `${debtSentence(debt)} You haven’t been charged.`;
    return `This costs ${moneyText(String(required))}, and your wallet holds ${moneyText(String(balance))}. ${moreMoney[mode].action} first, then try again. You haven’t been charged.`;
  }
  // What these have beside the sentence is the shop's own business.
  if (code === "PRICE_CHANGED" && !may("see_costs")) return "The price changed. Check it, then sell again.";
  if (code === "DAILY_LIMIT_EXCEEDED" && !may("see_costs")) return "The shop’s limit for today is used. Ask the owner.";
  const sentence = refusalSentences[code];
  if (sentence !== undefined) return sentence(meta, companyName);
  return [message, problems[code].status === 400 ? "" : problems[code].next].filter(Boolean).join(" ");
}

/** What stands at the top of a form: why it was refused, or what is wrong with fields that it does not show. */
export function topOf(
  { refusal, errors }: Typed,
  shown: readonly string[],
  visit: ModeVisit,
  companyName?: string,
): string | null {
  if (refusal === null) return null;
  if (Object.keys(errors).length === 0) return refusalSentence(refusal, visit, companyName);
  const unshown = Object.entries(errors).filter(([field]) => !shown.includes(field));
  const sentences = unshown.map(([field, messages]) => `${field.replaceAll("_", " ")}: ${messages.join(" ")}`);
  return sentences.join(" ") || null;
}

/** As a page that sells is answered: what was typed is wrong, or stands against something. */
export function sellingStatus({ refusal }: Typed): number {
  if (refusal === null) return 200;
  const isAgainst = ["REFERENCE_CONFLICT", "PRICE_CHANGED", "DUPLICATE_TRANSACTION"].includes(refusal.code);
  return isAgainst ? 409 : 400;
}
