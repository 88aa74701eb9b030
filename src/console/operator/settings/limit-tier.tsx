import { setLimitTier } from "../../../domain/merchants/administration.ts";
import { type LimitTierRow, listLimitTiers } from "../../../domain/merchants/limits/queries.ts";
import { createLimitTier, refuseShortDay, tierTitle } from "../../../domain/merchants/tiers/tiers.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { naira } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { wrong } from "../../kit/form.ts";
import { countText, moneyText } from "../../kit/parts/text.tsx";
import { changeOfTwo } from "../approvals/change.ts";
import { tierName } from "./price-tier.tsx";

const settings = "/operator/settings";

const unread = "Enter an amount, such as 50,000.";

const form = fields(
  {
    name: tierName(),
    per_sale: naira("One sale", { hint: "The most that one sale, or one line of a bulk order, may cost.", unread }),
    per_day: naira("A day", { hint: "The most that a merchant may spend in a day.", unread }),
  },
  ({ name, per_sale, per_day }) => `${name ?? "no name"}, ${moneyText(per_sale)} a sale, ${moneyText(per_day)} a day`,
);

/** What merchants of a tier may spend; the name is what the company calls it. `tier` is null for one that is made. */
export const limitTier = changeOfTwo({
  at: `${settings}/limit-tiers/:tier`,
  may: "change_settings",
  doneAt: () => settings,
  find: async ({ reads }, visit) => (visit.param("tier") === "new" ? "new" : findTier(reads, visit.param("tier"))),
  fields: form,
  stored: (tier) => (tier === "new" ? null : valuesOf(tier)),
  check({ name, ...limits }, tier) {
    if (tier === "new" && name === null) throw wrong("name", "Give the new tier a name.");
    refuseShortDay({ perTransaction: limits.per_sale, perDay: limits.per_day });
  },
  head: (tier) => ({
    title: tier === "new" ? "New limit tier" : `Limits: ${tierTitle(tier)}`,
    crumbs: [["Settings", settings]],
    note: `${tier === "new" ? "A" : `${countText(Number(tier.merchants), "merchant")}; a`} second person approves`,
  }),
  looks: (tier) => ({
    submit: tier === "new" ? "Add limit tier" : "Change limit tier",
    cancelHref: settings,
    more: { name: { isRequired: tier === "new" } },
  }),
  kind: "limit tier",
  approve: ["admin"],
  subjects: ({ tier, name }) => [typeof tier === "number" ? `limit tier ${tier}` : `limit tier named ${name}`],
  async facts(_services, db, { tier }) {
    if (typeof tier !== "number") return null;
    const present = await findTier(db, String(tier));
    return { [`Tier ${tier}`]: present === null ? "none" : form.wordsOf(valuesOf(present)) };
  },
  summary: ({ found, values }) => tierRequest(found === "new" ? null : found.tier, values).summary,
  freeze: ({ found, values }) => tierRequest(found === "new" ? null : found.tier, values).fields,
  async run({ database }, { name, per_sale, per_day }, { tier }) {
    const limits = { perTransaction: per_sale, perDay: per_day };
    if (typeof tier !== "number")
      return `Limit tier ${await createLimitTier(database, { ...limits, name: name ?? "" })} added.`;
    await setLimitTier(database, tier, { ...limits, name });
    return `Saved: ${tierTitle({ tier, name })}.`;
  },
});

/** `tier` is null for one that is made. */
export function tierRequest(tier: number | null, values: ReturnType<typeof valuesOf>) {
  const words = form.wordsOf(values);
  return {
    summary: tier === null ? `Add limit tier ${words}` : `Change limit tier ${tier} to ${words}`,
    fields: { tier, ...form.freeze(values) },
  };
}

async function findTier(reads: Queryable, named: string): Promise<LimitTierRow | null> {
  return (await listLimitTiers(reads)).find(({ tier }) => String(tier) === named) ?? null;
}

function valuesOf({ name, perTransaction, perDay }: LimitTierRow) {
  return { name, per_sale: perTransaction, per_day: perDay };
}
