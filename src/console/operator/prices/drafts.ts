import { draftPriceChange } from "../../../domain/catalogue/price-changes/price-change.ts";
import { auditName } from "../../../domain/identity/people/person.ts";
import { findExistingMerchant } from "../../../domain/merchants/queries.ts";
import { applyRule, type NoPrice } from "../../../domain/suppliers/selling-prices/price-rule.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { refused, type Form as SentForm } from "../../kit/form.ts";
import { grouped } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { pricesIn, ruleIn } from "./bulk-form.tsx";
import { editedLines } from "./edit-cells.tsx";
import { type PriceTable, readPriceQuery } from "./price-query.ts";
import { changesPath } from "./price-words.tsx";

interface Sent {
  readonly form: SentForm;
  readonly table: PriceTable;
}

/** Keeps what was typed in the table, or what a rule comes to, as a draft, and leads to its preview. Changes no price. */
export async function sendDraft(services: OperatorServices, visit: StaffVisit, sent: Sent): Promise<Answer> {
  const madeBy = auditName(visit.session.person);
  if (sent.form.text("do") === "edit") {
    const lines = editedLines(sent.form, sent.table);
    if (lines.length === 0) throw refused("No price was typed over.");
    const [first] = lines.flatMap(({ scope }) => (scope.of === "merchant" ? [scope.merchantId] : []));
    if (first !== undefined) await findExistingMerchant(services.reads, first);
    return goTo(`${changesPath}/${await draftPriceChange(services.database, { madeBy, lines })}`);
  }
  const prices = pricesIn(sent.form, readPriceQuery(visit, sent.table), sent.table);
  const { lines, skipped, same } = applyRule(sent.table, prices, ruleIn(sent.form));
  const left = [...skipped].map(([why, count]) => `${grouped(count)} ${skippedWords[why]}`);
  if (lines.length === 0) throw refused(`No price would change: ${[...left, sameWords(same)].join("; ")}.`);
  const id = await draftPriceChange(services.database, { madeBy, lines });
  return goTo(`${changesPath}/${id}`, left.length === 0 ? undefined : `Not in this change: ${left.join("; ")}.`);
}

const skippedWords: Readonly<Record<NoPrice, string>> = {
  "no route": "without a supplier’s cost",
  "a share of the amount": "whose price is a share of the amount, which this can’t change",
  "not possible": "whose price can’t be so low or high",
};

function sameWords(same: number): string {
  return same === 1 ? "1 is so already" : `${grouped(same)} are so already`;
}
