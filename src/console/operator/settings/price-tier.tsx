import { listPriceTiers } from "../../../domain/merchants/tiers/queries.ts";
import { namePriceTier, readTierName, tierTitle } from "../../../domain/merchants/tiers/tiers.ts";
import { typed } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { changeAlone } from "../approvals/change.ts";

const settings = "/operator/settings";

/** Null: a tier is called by its number. */
export function tierName(props: { readonly hint?: string } = {}) {
  const reading = { read: readTierName, show: (name: string | null) => name ?? "" };
  return typed("Name", { ...reading, freeze: (name) => name }, { ...props, lengthMax: 40, isRequired: false });
}

/** What the company calls a price tier. A name changes no price: one person gives it. */
export const priceTier = changeAlone({
  at: `${settings}/price-tiers/:tier`,
  may: "change_settings",
  doneAt: () => settings,
  find: async ({ reads }, visit) =>
    (await listPriceTiers(reads)).find(({ tier }) => String(tier) === visit.param("tier")) ?? null,
  fields: fields({ name: tierName({ hint: "Empty: it’s called by its number." }) }),
  stored: ({ name }) => ({ name }),
  head: (tier) => ({
    title: `Prices: ${tierTitle(tier)}`,
    crumbs: [["Settings", settings]],
    note: "Prices of a tier stay as they are",
  }),
  looks: () => ({ submit: "Rename tier", cancelHref: settings }),
  command: "console settings price-tier-name",
  about: ({ tier }) => ({ tier }),
  async run({ database }, { found: { tier }, values: { name } }) {
    await namePriceTier(database, tier, name);
    return `Saved: ${tierTitle({ tier, name })}.`;
  },
});
