import { listPriceTiers, type PriceTier } from "../../../domain/merchants/tiers/queries.ts";
import { namePriceTier, readTierName, tierTitle } from "../../../domain/merchants/tiers/tiers.ts";
import { goTo, page } from "../../kit/answer.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

const settings = "/operator/settings";
const here = `${settings}/price-tiers`;

/** What the company calls a price tier. A name changes no price: one person gives it. */
export function priceTierPages(routes: StaffRoutes, services: OperatorServices): void {
  const tierAt = async (visit: StaffVisit): Promise<PriceTier | null> =>
    (await listPriceTiers(services.reads)).find(({ tier }) => String(tier) === visit.param("tier")) ?? null;
  routes.both(`${here}/:tier`, {
    capability: "change_settings",
    doneAt: () => settings,
    async show(visit, typed) {
      const row = await tierAt(visit);
      if (row === null) return null;
      const head = { title: `Prices: ${tierTitle(row)}`, crumbs: [["Settings", settings]] as const };
      return page(
        { ...head, note: "Prices of a tier stay as they are" },
        <Sheet>
          <Form action={`${here}/${row.tier}`} submit="Rename tier" cancelHref={settings} hidden={seen(row.name ?? "")}>
            <TextField
              {...typed.field("name", row.name)}
              label="Name"
              hint="Empty: it’s called by its number."
              lengthMax={40}
              isRequired={false}
            />
          </Form>
        </Sheet>,
      );
    },
    async send(visit, form) {
      const row = await tierAt(visit);
      if (row === null) return null;
      const name = readTierName(form.text("name"));
      refuseStale(form, row.name ?? "");
      const details = { tier: row.tier, from: row.name, to: name };
      const database = changing(services, visit, "console settings price-tier-name", details);
      await namePriceTier(database, row.tier, name);
      return goTo(settings, `Saved: ${tierTitle({ tier: row.tier, name })}.`);
    },
  });
}
