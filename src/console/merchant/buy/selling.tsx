import type { TObject } from "typebox";
import type { Category } from "../../../categories/category.ts";
import { sellingGate } from "../../../domain/members/membership.ts";
import { purchaseBody } from "../../../domain/purchases/buying/purchase-request.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { problems } from "../../../kernel/problem-catalogue.ts";
import { type FieldErrors, type ProblemCode, type Refusal, refuse } from "../../../kernel/problems.ts";
import { refusalOf } from "../../../platform/validation/faults.ts";
import { buildValidator, type Validator, validatorCompiler } from "../../../platform/validation/validator.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";

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
  const isUnapproved = code === "API_ACCESS_NOT_APPROVED";
  const mayAsk = isUnapproved && visit.may("run_business");
  const toSandbox = isUnapproved ? <ButtonLink href="/test/buy">Buy in the sandbox</ButtonLink> : null;
  return page(
    title,
    <Sheet>
      <Empty
        title={isUnapproved ? "Live selling is not approved yet" : problems[code].title}
        action={mayAsk ? <ButtonLink href="/account/business">Ask for live access</ButtonLink> : toSandbox}
      >
        {isUnapproved
          ? `${mayAsk ? "Fill in the business details and ask for it" : "An owner asks for it under Business"}. Until the operator approves, everything can be tried in the sandbox.`
          : `${problems[code].next}`}
      </Empty>
    </Sheet>,
  );
}

/** The same for what a form wants to change. @throws Refusal */
export function refuseWhenClosed({ member, mode }: ModeVisit): void {
  const code = sellingGate(member, mode);
  if (code !== null) throw refuse(code);
}

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

/** The same for whoever may not see what the wallet holds. */
export const tooLow = "The shop’s balance is too low. Ask the owner.";

/** What was refused and what to do, in a sentence or two, for the top of a form. */
export function refusalSentence({ code, message, detail }: Refusal, { mode, may }: ModeVisit): string {
  if (code === "INSUFFICIENT_BALANCE") {
    if (!may("see_balance")) return tooLow;
    const { required, balance } = detail.meta ?? {};
    return `This costs ${moneyText(String(required))}, and the wallet holds ${moneyText(String(balance))}. ${moreMoney[mode]}, then try again. Nothing was charged.`;
  }
  const next = advice[code] ?? (problems[code].status === 400 ? "" : problems[code].next);
  return [message, next].filter(Boolean).join(" ");
}

/** What stands at the top of a form: why it was refused, or what is wrong with fields that it does not show. */
export function topOf({ refusal, errors }: Typed, shown: readonly string[], visit: ModeVisit): string | null {
  if (refusal === null) return null;
  if (Object.keys(errors).length === 0) return refusalSentence(refusal, visit);
  return unshown(errors, shown).join(" ") || null;
}

function unshown(errors: FieldErrors, shown: readonly string[]): readonly string[] {
  return Object.entries(errors)
    .filter(([field]) => !shown.includes(field))
    .flatMap(([field, messages]) => messages.map((message) => `${field.replaceAll("_", " ")}: ${message}`));
}

/** As a page that sells is answered: what was typed is wrong, or stands against something. */
export function sellingStatus({ refusal }: Typed): number {
  if (refusal === null) return 200;
  const isAgainst = ["REFERENCE_CONFLICT", "PRICE_CHANGED", "DUPLICATE_TRANSACTION"].includes(refusal.code);
  return isAgainst ? 409 : 400;
}
