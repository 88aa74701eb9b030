import type { ComponentProps } from "preact";
import { categoryOf, categorySlugs } from "../../../categories/category-slugs.ts";
import { changeVisibility } from "../../../domain/catalogue/changes/administration.ts";
import { readReason, reasonMax, resumeMerchant, suspendMerchant } from "../../../domain/members/company-changes.ts";
import { setPriceTier } from "../../../domain/members/new-merchants/create-merchants.ts";
import {
  duplicateGuardRange,
  readAllowlist,
  setAllowlist,
  setDuplicateGuard,
  setLegacySettings,
  setMerchantLimitTier,
} from "../../../domain/merchants/administration.ts";
import {
  formatNetworkNumbers,
  type LegacySettings,
  parseNetworkNumbers,
  usualLegacySettings,
  usualNetworkNumbers,
} from "../../../domain/merchants/legacy-settings.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { findLegacySettings, listAllowlist, type MerchantRow } from "../../../domain/merchants/queries.ts";
import { recoverSince } from "../../../domain/webhooks/log/recover.ts";
import { type Mode, modes } from "../../../kernel/mode.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import type { Read } from "../../kit/change.tsx";
import { box, choice, list, optional, readOr, typed as typedField, whole } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { deedIn, type Typed, wrong } from "../../kit/form.ts";
import { Sheet } from "../../kit/parts/layout.tsx";
import { countText, momentText, spoken } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { type Alone, changeAlone } from "../approvals/change.ts";
import { momentIn } from "../prices/start-moment.ts";
import type { OperatorServices } from "../services.ts";
import { merchantAt, merchantCrumbs } from "./found-merchant.ts";
import { ownersEmailed } from "./owners-emailed.ts";
import { revocation } from "./revoke-key.tsx";
import { limitTierField, priceTierField, readTiers, type Tiers } from "./tiers.ts";

const path = "/operator/merchants/:id";

/** What the company changes about a merchant: each by the function that its command calls, and with an entry of its own. */
export function merchantChangePages(routes: StaffRoutes, services: OperatorServices): void {
  const show = async (visit: StaffVisit, typed: Typed) => changePage(visit, await readMerchant(services, visit), typed);
  routes.page(`${path}/change`, { capability: "change_merchants", show });
  for (const { addTo } of forms) addTo(routes, services, show);
  routes.both(`${path}/keys/:key/revoke`, revocation(services));
}

type Slug = (typeof categorySlugs)[number];

interface Found extends Tiers {
  readonly merchant: MerchantRow;
  readonly ranges: readonly string[];
  readonly legacy: LegacySettings;
  /** Categories that are sold, and those of them that the merchant sees. */
  readonly sold: readonly Slug[];
  readonly shown: readonly Slug[];
}

async function readMerchant(services: OperatorServices, visit: StaffVisit): Promise<Found> {
  const { reads, catalogue } = services;
  const merchant = await merchantAt(services, visit);
  const [tiers, ranges, legacy, present] = await Promise.all([
    readTiers(reads),
    listAllowlist(reads, merchant.id),
    findLegacySettings(reads, merchant.id),
    catalogue.current(),
  ]);
  const all = new Set<string>(present.products.map(({ biller }) => biller.category));
  const buyer = { merchantId: merchant.id, priceTier: merchant.price_tier };
  const shown = new Set<string>(present.billers(buyer).map(({ biller }) => biller.category));
  const sold = categorySlugs.filter((slug) => all.has(slug));
  const found = { merchant, ranges, legacy: legacy ?? usualLegacySettings, sold };
  return { ...tiers, ...found, shown: sold.filter((slug) => shown.has(slug)) };
}

interface Sheeted<Values>
  extends Omit<Alone<Found, Values>, "at" | "may" | "doneAt" | "find" | "looks">,
    Partial<Pick<Alone<Found, Values>, "looks">> {
  readonly sheet: Omit<ComponentProps<typeof Sheet>, "children">;
  readonly submit: string;
}

/** One form of the page, below `change/`. */
function ofMerchant<Values>(name: string, { sheet, submit, ...change }: Sheeted<Values>) {
  const form = changeAlone<Found, Values>({
    at: `${path}/change/${name}`,
    may: "change_merchants",
    doneAt: (visit) => `/operator/merchants/${visit.param("id")}`,
    find: readMerchant,
    looks: () => ({ submit }),
    about: ({ merchant }) => ({ merchant: formatMerchantId(merchant.id) }),
    ...change,
  });
  return { ...form, sheet };
}

const limits = ofMerchant("limits", {
  sheet: { title: "Limits" },
  submit: "Change limit tier",
  fields: (found) => fields({ limit_tier: limitTierField(found) }),
  stored: ({ merchant: { limit_tier } }) => ({ limit_tier }),
  command: "console merchant limit-tier",
  async run({ people }, { found: { merchant }, values: { limit_tier } }) {
    await setMerchantLimitTier(people, merchant.id, limit_tier);
    return `${merchant.name} is in limit tier ${limit_tier}.`;
  },
});

const pricesHint = "The merchant gets an event about the products that cost something else.";
const prices = ofMerchant("prices", {
  sheet: { title: "Prices" },
  submit: "Change price tier",
  fields: (found) => fields({ price_tier: priceTierField(found, undefined, pricesHint) }),
  stored: ({ merchant: { price_tier } }) => ({ price_tier }),
  command: "console merchant price-tier",
  async run({ database }, { found: { merchant }, values: { price_tier } }) {
    await setPriceTier(database, merchant.id, price_tier);
    return `${merchant.name} pays the prices of tier ${price_tier}.`;
  },
});

const rangesHint = "One on each line, such as 192.0.2.0/24. Empty: any address.";
const readRanges = (typed: readonly string[]) => readAllowlist(typed).map(({ text }) => text);
const addresses = ofMerchant("addresses", {
  sheet: { title: "Addresses" },
  submit: "Change addresses",
  fields: fields({ ranges: list("Addresses that may call", readRanges, { hint: rangesHint, isCode: true }) }),
  stored: ({ ranges }) => ({ ranges }),
  command: "console merchant addresses",
  details: ({ values: { ranges } }) => ({ ranges }),
  async run({ people }, { found: { merchant }, values }) {
    const stored = await setAllowlist(people, merchant.id, values.ranges);
    return `${merchant.name} may call from ${stored.length === 0 ? "any address" : stored.join(", ")}.`;
  },
});

const categories = ofMerchant("categories", {
  sheet: { title: "Categories", note: "What isn’t ticked is gone from its lists, and can’t be bought" },
  submit: "Change categories",
  fields: ({ sold }) => fields(Object.fromEntries(sold.map((slug) => [slug, box(titleOf(slug))]))),
  stored: ({ sold, shown }) => Object.fromEntries(sold.map((slug) => [slug, shown.includes(slug)])),
  command: "console merchant categories",
  details: visibility,
  async run({ database }, read) {
    const { merchant } = read.found;
    const { hide, show } = visibility(read);
    await changeVisibility(database, merchant.id, { hide, show });
    const hidden = hide.map(titleOf).join(", ");
    return hidden === "" ? `${merchant.name} sees all categories.` : `${merchant.name} can’t see ${hidden}.`;
  },
});

function visibility({ found: { sold }, values }: Read<Found, Readonly<Record<string, boolean>>>) {
  return { hide: sold.filter((slug) => values[slug] !== true), show: sold.filter((slug) => values[slug] === true) };
}

function titleOf(slug: Slug): string {
  return categoryOf(slug).title;
}

const { min, max } = duplicateGuardRange;
const guardTexts = {
  hint: "5 to 86,400: a second one is refused, but in bulk orders. Empty: no guard.",
  unread: `Must be ${min} to ${max} seconds.`,
};
const guard = ofMerchant("guard", {
  sheet: { title: "Duplicate guard" },
  submit: "Change duplicate guard",
  fields: fields({ seconds: optional(whole("Seconds between equal sales", [min, max], guardTexts)) }),
  stored: ({ merchant }) => ({ seconds: merchant.duplicate_guard_seconds }),
  command: "console merchant duplicate-guard",
  async run({ people }, { found: { merchant }, values: { seconds } }) {
    await setDuplicateGuard(people, merchant.id, seconds);
    return `${merchant.name} ${seconds === null ? "has no duplicate guard" : `sells the same once in ${seconds} s`}.`;
  },
});

const usualNumbers = formatNetworkNumbers(usualNetworkNumbers);
const numbers = (label: string) =>
  typedField(
    label,
    {
      read: readOr(parseNetworkNumbers, `Number all four networks, such as ${usualNumbers}.`),
      show: formatNetworkNumbers,
    },
    { hint: `Usual: ${usualNumbers}.`, isCode: true },
  );
const legacyClients = ofMerchant("legacy", {
  sheet: { title: "Older clients", note: "Those that call the API of an older script" },
  submit: "Change older clients",
  fields: fields({
    data_networks: numbers("Networks by number, for data"),
    airtime_networks: numbers("Networks by number, for airtime"),
    checks_prefixes: box("Refuse airtime to a number of another network’s prefix"),
  }),
  stored: ({ legacy: { networks, checksPrefixes } }) => ({
    ...{ data_networks: networks.data, airtime_networks: networks.airtime, checks_prefixes: checksPrefixes },
  }),
  command: "console merchant legacy",
  async run({ database }, { found: { merchant }, values }) {
    const networks = { data: values.data_networks, airtime: values.airtime_networks };
    await setLegacySettings({ database }, merchant.id, { networks, checksPrefixes: values.checks_prefixes });
    return `Older clients of ${merchant.name} are changed.`;
  },
});

const modeChoices = modes.map((value) => ({ value, label: spoken(value) }));
const recovery = ofMerchant("recovery", {
  sheet: { title: "Resend webhooks", id: "recovery" },
  submit: "Resend what never arrived",
  fields: fields({
    since: typedField("Events since", { read: String }, { type: "datetime-local", hint: "Each is tried once more." }),
    mode: choice<Mode>("Mode", modeChoices, { initial: "live", unread: "Choose a mode." }),
  }),
  check({ since }, _found, { wallTime }) {
    if (momentIn(since, wallTime) === null) throw wrong("since", "Choose a day and a time.");
  },
  command: "console merchant webhooks-recover",
  details: ({ values: { mode, since } }, { wallTime }) => ({
    ...{ mode, since: wallTime.format(momentIn(since, wallTime) ?? 0) },
  }),
  async run({ database, wallTime, format }, { found: { merchant }, values: { mode, since } }) {
    const from = { since: momentIn(since, wallTime) ?? 0, endpointNumber: null };
    const { recovered, nextSince } = await recoverSince(database, { merchantId: merchant.id, mode }, from);
    const more = nextSince === null ? "" : ` Go on from ${momentText(format, nextSince)}: there may be more.`;
    return `${countText(recovered, `${mode} webhook`)} of ${merchant.name} will be sent again.${more}`;
  },
});

const deeds = ["resume", "suspend"] as const;
const deedTexts = {
  resume: { label: "Reason for resuming", hint: "Its owners are emailed this. Its keys work again." },
  suspend: {
    label: "Reason for suspending",
    hint: "Its owners are emailed this, and read it in their dashboard. All its requests are refused at once.",
  },
} as const;
const status = ofMerchant("status", {
  sheet: { id: "status" },
  submit: "",
  fields: fields({ reason: typedField("Reason", { read: readReason }, { lengthMax: reasonMax }) }),
  check(_values, { merchant }, _services, form) {
    refuseStale(form, merchant.status);
    deedIn(form, deeds);
  },
  looks({ merchant: { name, status } }) {
    const deed = status === "suspended" ? "resume" : "suspend";
    const button = { submit: `${spoken(deed)} ${name}`, kind: deed === "resume" ? "main" : "danger" } as const;
    return { ...button, hidden: { do: deed, ...seen(status) }, more: { reason: deedTexts[deed] } };
  },
  command: "console merchant suspend",
  commandOf: ({ form }) => `console merchant ${deedIn(form, deeds)}`,
  async run({ people }, { found: { merchant }, values: { reason }, form }) {
    const isResumed = deedIn(form, deeds) === "resume";
    await (isResumed ? resumeMerchant : suspendMerchant)(people, merchant.id, reason);
    const emailed = await ownersEmailed(people, merchant.id, "why");
    return `${merchant.name} ${isResumed ? "can sell again" : "is suspended and sells nothing"}.${emailed}`;
  },
});

const forms = [limits, prices, addresses, categories, guard, legacyClients, recovery, status];

function changePage(visit: StaffVisit, found: Found, typed: Typed): PageAnswer {
  const { merchant } = found;
  const note = `${merchant.name}. Changes act within a second.`;
  const head = { title: `Change ${merchant.name}`, heading: "Change", crumbs: merchantCrumbs(merchant), note };
  const statusTitle = merchant.status === "suspended" ? "Resume" : "Suspend";
  return page(
    head,
    forms.map(({ sheet, draw }) => (
      <Sheet key={sheet.title} title={statusTitle} {...sheet}>
        {draw(visit, typed, found)}
      </Sheet>
    )),
  );
}
