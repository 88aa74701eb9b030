import { setLimitTier } from "../../../domain/merchants/administration.ts";
import type { SpendingLimits } from "../../../domain/merchants/limits/limits.ts";
import { type LimitTierRow, listLimitTiers } from "../../../domain/merchants/limits/queries.ts";
import { createLimitTier, readTierName, refuseShortDay, tierTitle } from "../../../domain/merchants/tiers/tiers.ts";
import { formatNaira, type Kobo, readAmount } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type Answer, goBack, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { countText, moneyText } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";

const settings = "/operator/settings";
const here = `${settings}/limit-tiers`;
const nothingYet = "new";

/** What merchants may spend; the name is what the company calls the tier. `tier` is null for one that is made. */
export const limitTierChange: TwoPeople = {
  kind: "limit tier",
  subjects: ({ tier, name }) => [typeof tier === "number" ? `limit tier ${tier}` : `limit tier named ${name}`],
  async readFacts(_services, db, { tier }) {
    if (typeof tier !== "number") return null;
    const present = await findTier(db, String(tier));
    return { [`Tier ${tier}`]: present === null ? "none" : wordsOf(present) };
  },
  ask: matrix.change_settings.roles,
  approve: ["admin"],
  async carryOut(_services, database, payload) {
    const limits = limitsIn((field) => String(payload[field]));
    const name = typeof payload.name === "string" ? payload.name : null;
    const { tier } = payload;
    if (typeof tier !== "number")
      return `Limit tier ${await createLimitTier(database, { ...limits, name: name ?? "" })} added.`;
    await setLimitTier(database, tier, { ...limits, name });
    return `Saved: ${tierTitle({ tier, name })}.`;
  },
};

/** One limit tier: its name, and what its merchants may spend. */
export function limitTierPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.both(`${here}/:tier`, {
    capability: "change_settings",
    doneAt: () => settings,
    show: async (visit, typed) => {
      const tier = await findTier(services.reads, visit.param("tier"));
      return tier === null && visit.param("tier") !== nothingYet ? null : tierPage(tier, typed);
    },
    send: (visit, form) => change(services, visit, form),
  });
}

async function findTier(reads: Queryable, named: string): Promise<LimitTierRow | null> {
  return (await listLimitTiers(reads)).find(({ tier }) => String(tier) === named) ?? null;
}

/** A tier as one line: what a stale page showed, and what the second person sees. */
function wordsOf({ name, perTransaction, perDay }: SpendingLimits & { readonly name: string | null }): string {
  return `${name ?? "no name"}, ${moneyText(perTransaction)} a sale, ${moneyText(perDay)} a day`;
}

async function change(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer | null> {
  const present = await findTier(services.reads, visit.param("tier"));
  if (present === null && visit.param("tier") !== nothingYet) return null;
  const name = readTierName(form.text("name"));
  if (present === null && name === null) throw wrong("name", "Give the new tier a name.");
  const limits = limitsIn((field) => form.text(field));
  refuseShortDay(limits);
  const words = wordsOf({ ...limits, name });
  const from = present === null ? null : wordsOf(present);
  if (words === from) return goBack(settings, "Nothing was changed.");
  if (from !== null) refuseStale(form, from);
  const amounts = { per_sale: formatNaira(limits.perTransaction), per_day: formatNaira(limits.perDay) };
  const summary = present === null ? `Add limit tier ${words}` : `Change limit tier ${present.tier} to ${words}`;
  const payload = { tier: present?.tier ?? null, name, ...amounts };
  return askForTwo(services, visit, limitTierChange, { summary, payload, doneAt: settings });
}

/** @throws Refusal VALIDATION_ERROR at the field */
function limitsIn(text: (field: string) => string): SpendingLimits {
  const read = (field: string) => {
    const amount = readAmount(text(field));
    if (amount !== null && amount > 0n) return amount;
    throw wrong(field, "Enter an amount, such as 50,000.");
  };
  return { perTransaction: read("per_sale"), perDay: read("per_day") };
}

function tierPage(tier: LimitTierRow | null, typed: Typed): PageAnswer {
  const stored = (amount: Kobo | undefined) => (amount === undefined ? "" : formatNaira(amount));
  const title = tier === null ? "New limit tier" : `Limits: ${tierTitle(tier)}`;
  return page(
    {
      title,
      crumbs: [["Settings", settings]],
      note:
        tier === null
          ? "A second person approves"
          : `${countText(Number(tier.merchants), "merchant")}; a second person approves`,
    },
    <Sheet>
      <Form
        action={`${here}/${tier?.tier ?? nothingYet}`}
        submit={tier === null ? "Add limit tier" : "Change limit tier"}
        cancelHref={settings}
        hidden={tier === null ? {} : seen(wordsOf(tier))}
      >
        <TextField {...typed.field("name", tier?.name)} label="Name" lengthMax={40} isRequired={tier === null} />
        <TextField
          {...typed.field("per_sale", stored(tier?.perTransaction))}
          label="One sale"
          hint="The most that one sale, or one line of a bulk order, may cost."
          unit="₦"
          keys="decimal"
        />
        <TextField
          {...typed.field("per_day", stored(tier?.perDay))}
          label="A day"
          hint="The most that a merchant may spend in a day."
          unit="₦"
          keys="decimal"
        />
      </Form>
    </Sheet>,
  );
}
