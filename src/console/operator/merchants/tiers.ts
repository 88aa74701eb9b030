import { listLimitTiers } from "../../../domain/merchants/limits/queries.ts";
import { listPriceTiers } from "../../../domain/merchants/tiers/queries.ts";
import { tierTitle } from "../../../domain/merchants/tiers/tiers.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type Form, wrong } from "../../kit/form.ts";
import type { Choice } from "../../kit/parts/fields.tsx";
import { moneyText } from "../../kit/parts/text.tsx";

export async function limitChoices(db: Queryable): Promise<Choice[]> {
  return (await listLimitTiers(db)).map((row) => ({
    value: String(row.tier),
    label: `${tierTitle(row)}: ${moneyText(row.perTransaction)} a sale, ${moneyText(row.perDay)} a day`,
  }));
}

export async function priceChoices(db: Queryable): Promise<Choice[]> {
  return (await listPriceTiers(db)).map((row) => ({ value: String(row.tier), label: tierTitle(row) }));
}

/** The tier that a form chose. @throws Refusal VALIDATION_ERROR */
export function tierIn(form: Form, name: string, choices: readonly Choice[]): number {
  const chosen = choices.find(({ value }) => value === form.text(name));
  if (chosen === undefined) throw wrong(name, "Choose a tier.");
  return Number(chosen.value);
}
