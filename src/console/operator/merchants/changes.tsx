import { categoryOf, categorySlugs } from "../../../categories/category-slugs.ts";
import { changeVisibility } from "../../../domain/catalogue/changes/administration.ts";
import { readReason, reasonMax, resumeMerchant, suspendMerchant } from "../../../domain/members/company-changes.ts";
import { setPriceTier } from "../../../domain/members/new-merchants/create-merchants.ts";
import { setAllowlist, setDuplicateGuard, setMerchantLimitTier } from "../../../domain/merchants/administration.ts";
import { listAllowlist, type MerchantRow } from "../../../domain/merchants/queries.ts";
import { recoverSince } from "../../../domain/webhooks/log/recover.ts";
import { modes } from "../../../kernel/mode.ts";
import { ungrouped, wholeNumber } from "../../../kernel/typed-text.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { deedIn, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { CheckField, SelectField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { countText, momentText, spoken } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { momentIn } from "../prices/start-moment.ts";
import type { OperatorServices } from "../services.ts";
import { changingMerchant, merchantAt, merchantCrumbs, merchantPath } from "./found-merchant.ts";
import { revocation } from "./revoke-key.tsx";
import { limitChoices, priceChoices, tierIn } from "./tiers.ts";

/** What the company changes about a merchant: each by the function that its command calls, and with an entry of its own. */
export function merchantChangePages(routes: StaffRoutes, services: OperatorServices): void {
  const path = "/operator/merchants/:id";
  const atIt = (visit: StaffVisit) => `/operator/merchants/${visit.param("id")}`;
  const show = async (visit: StaffVisit, typed: Typed) =>
    changePage(services, await merchantAt(services, visit), typed);

  routes.page(`${path}/change`, { capability: "change_merchants", show });
  for (const [name, change] of Object.entries(changes)) {
    routes.form(`${path}/change/${name}`, {
      capability: "change_merchants",
      doneAt: atIt,
      show,
      async send(visit, form) {
        const merchant = await merchantAt(services, visit);
        const done = await change(services, visit, { merchant, form });
        return goTo(merchantPath(merchant.id), done);
      },
    });
  }

  routes.both(`${path}/keys/:key/revoke`, revocation(services));
}

interface Given {
  readonly merchant: MerchantRow;
  readonly form: SentForm;
}

type Change = (services: OperatorServices, visit: StaffVisit, given: Given) => Promise<string>;

const changes: Readonly<Record<string, Change>> = {
  async status(services, visit, { merchant, form }) {
    const { people } = services;
    const reason = readReason(form.text("reason"));
    refuseStale(form, merchant.status);
    const isResumed = deedIn(form, ["resume", "suspend"]) === "resume";
    const command = isResumed ? "console merchant resume" : "console merchant suspend";
    const database = changingMerchant(services, visit, merchant, command, { reason });
    const change = isResumed ? resumeMerchant : suspendMerchant;
    await change({ ...people, database }, merchant.id, reason);
    return isResumed
      ? `${merchant.name} can sell again. Its owners were emailed why.`
      : `${merchant.name} is suspended and sells nothing. Its owners were emailed why.`;
  },
  async limits(services, visit, { merchant, form }) {
    const tier = tierIn(form, "limit_tier", await limitChoices(services.reads));
    refuseStale(form, String(merchant.limit_tier));
    const details = { from: merchant.limit_tier, to: tier };
    const database = changingMerchant(services, visit, merchant, "console merchant limit-tier", details);
    await setMerchantLimitTier({ ...services.people, database }, merchant.id, tier);
    return `${merchant.name} is in limit tier ${tier}.`;
  },
  async prices(services, visit, { merchant, form }) {
    const tier = tierIn(form, "price_tier", await priceChoices(services.reads));
    refuseStale(form, String(merchant.price_tier));
    const details = { from: merchant.price_tier, to: tier };
    const database = changingMerchant(services, visit, merchant, "console merchant price-tier", details);
    await setPriceTier(database, merchant.id, tier);
    return `${merchant.name} pays the prices of tier ${tier}.`;
  },
  async addresses(services, visit, { merchant, form }) {
    const ranges = form
      .raw("ranges")
      .split(/[\s,]+/)
      .filter((text) => text !== "");
    refuseStale(form, (await listAllowlist(services.reads, merchant.id)).join(", "));
    const database = changingMerchant(services, visit, merchant, "console merchant addresses", { ranges });
    const stored = await setAllowlist({ ...services.people, database }, merchant.id, ranges);
    return `${merchant.name} may call from ${stored.length === 0 ? "any address" : stored.join(", ")}.`;
  },
  async categories(services, visit, { merchant, form }) {
    const { sold, shown } = await categoriesOf(services, merchant);
    refuseStale(form, shown.join(", "));
    const show = sold.filter((slug) => form.has(slug));
    const hide = sold.filter((slug) => !form.has(slug));
    const database = changingMerchant(services, visit, merchant, "console merchant categories", { hide, show });
    await changeVisibility(database, merchant.id, { hide, show });
    const hidden = hide.map((slug) => categoryOf(slug).title).join(", ");
    return hidden === "" ? `${merchant.name} sees all categories.` : `${merchant.name} can’t see ${hidden}.`;
  },
  async guard(services, visit, { merchant, form }) {
    const typed = ungrouped(form.text("seconds"));
    const seconds = typed === "" ? null : (wholeNumber(typed) ?? 0);
    refuseStale(form, String(merchant.duplicate_guard_seconds ?? ""));
    const details = { from: merchant.duplicate_guard_seconds, to: seconds };
    const database = changingMerchant(services, visit, merchant, "console merchant duplicate-guard", details);
    await setDuplicateGuard({ ...services.people, database }, merchant.id, seconds);
    return `${merchant.name} ${seconds === null ? "has no duplicate guard" : `sells the same once in ${seconds} s`}.`;
  },
  async recovery(services, visit, { merchant, form }) {
    const { wallTime } = services;
    const since = momentIn(form.text("since"), wallTime);
    if (since === null) throw wrong("since", "Choose a day and a time.");
    const wallet = { merchantId: merchant.id, mode: form.text("mode") === "test" ? "test" : "live" } as const;
    const details = { mode: wallet.mode, since: wallTime.format(since) };
    const database = changingMerchant(services, visit, merchant, "console merchant webhooks-recover", details);
    const { recovered, nextSince } = await recoverSince(database, wallet, { since, endpointNumber: null });
    const more = nextSince === null ? "" : ` Go on from ${momentText(services.format, nextSince)}: there may be more.`;
    return `${countText(recovered, `${wallet.mode} webhook`)} of ${merchant.name} will be sent again.${more}`;
  },
};

/** Categories that are sold, and those of them that the merchant sees. */
async function categoriesOf({ catalogue }: OperatorServices, { id, price_tier: priceTier }: MerchantRow) {
  const present = await catalogue.current();
  const all = new Set(present.products.map(({ biller }) => biller.category));
  const seen = new Set(present.billers({ merchantId: id, priceTier }).map(({ biller }) => biller.category));
  const sold = categorySlugs.filter((slug) => all.has(slug));
  return { sold, shown: sold.filter((slug) => seen.has(slug)) };
}

async function changePage(services: OperatorServices, merchant: MerchantRow, typed: Typed): Promise<PageAnswer> {
  const { reads } = services;
  const [limits, prices, ranges, { sold, shown }] = await Promise.all([
    limitChoices(reads),
    priceChoices(reads),
    listAllowlist(reads, merchant.id),
    categoriesOf(services, merchant),
  ]);
  const at = merchantPath(merchant.id);
  const isSuspended = merchant.status === "suspended";
  return page(
    {
      title: `Change ${merchant.name}`,
      heading: "Change",
      crumbs: merchantCrumbs(merchant),
      note: `${merchant.name}. Changes act within a second.`,
    },
    <>
      <Sheet title="Limits">
        <Form action={`${at}/change/limits`} submit="Change limit tier" hidden={seen(String(merchant.limit_tier))}>
          <SelectField
            {...typed.field("limit_tier", String(merchant.limit_tier))}
            label="Limit tier"
            choices={limits}
          />
        </Form>
      </Sheet>
      <Sheet title="Prices">
        <Form action={`${at}/change/prices`} submit="Change price tier" hidden={seen(String(merchant.price_tier))}>
          <SelectField
            {...typed.field("price_tier", String(merchant.price_tier))}
            label="Price tier"
            hint="The merchant gets an event about the products that cost something else."
            choices={prices}
          />
        </Form>
      </Sheet>
      <Sheet title="Addresses">
        <Form action={`${at}/change/addresses`} submit="Change addresses" hidden={seen(ranges.join(", "))}>
          <TextAreaField
            {...typed.field("ranges", ranges.join("\n"))}
            label="Addresses that may call"
            hint="One on each line, such as 192.0.2.0/24. Empty: any address."
            isRequired={false}
            isCode
          />
        </Form>
      </Sheet>
      <SellingForms {...{ at, merchant, typed, sold, shown }} />
      <Sheet title={isSuspended ? "Resume" : "Suspend"} id="status">
        <Form
          action={`${at}/change/status`}
          submit={isSuspended ? `Resume ${merchant.name}` : `Suspend ${merchant.name}`}
          kind={isSuspended ? "main" : "danger"}
          hidden={{ do: isSuspended ? "resume" : "suspend", ...seen(merchant.status) }}
        >
          <TextField
            {...typed.field("reason")}
            label={isSuspended ? "Reason for resuming" : "Reason for suspending"}
            hint={
              isSuspended
                ? "Its owners are emailed this. Its keys work again."
                : "Its owners are emailed this, and read it in their dashboard. All its requests are refused at once."
            }
            lengthMax={reasonMax}
          />
        </Form>
      </Sheet>
    </>,
  );
}

interface SellingProps extends Awaited<ReturnType<typeof categoriesOf>> {
  readonly at: string;
  readonly merchant: MerchantRow;
  readonly typed: Typed;
}

function SellingForms({ at, merchant, typed, sold, shown }: SellingProps) {
  const guard = String(merchant.duplicate_guard_seconds ?? "");
  return (
    <>
      <Sheet title="Categories" note="What isn’t ticked is gone from its lists, and can’t be bought">
        <Form
          action={`${at}/change/categories`}
          submit="Change categories"
          hidden={{ ...seen(shown.join(", ")), sent: "all" }}
        >
          {sold.map((slug) => (
            <CheckField
              key={slug}
              name={slug}
              label={categoryOf(slug).title}
              isChecked={typed.form.has("sent") ? typed.form.has(slug) : shown.includes(slug)}
            />
          ))}
        </Form>
      </Sheet>
      <Sheet title="Duplicate guard">
        <Form action={`${at}/change/guard`} submit="Change duplicate guard" hidden={seen(guard)}>
          <TextField
            {...typed.field("seconds", guard)}
            label="Seconds between equal sales"
            hint="5 to 86,400: a second one is refused, but in bulk orders. Empty: no guard."
            keys="numeric"
            isRequired={false}
          />
        </Form>
      </Sheet>
      <Sheet title="Resend webhooks" id="recovery">
        <Form action={`${at}/change/recovery`} submit="Resend what never arrived">
          <TextField
            {...typed.field("since")}
            label="Events since"
            type="datetime-local"
            hint="Each is tried once more."
          />
          <SelectField
            {...typed.field("mode", "live")}
            label="Mode"
            choices={modes.map((value) => ({ value, label: spoken(value) }))}
          />
        </Form>
      </Sheet>
    </>
  );
}
