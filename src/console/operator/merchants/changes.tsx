import { readReason, reasonMax, resumeMerchant, suspendMerchant } from "../../../domain/members/company-changes.ts";
import { setPriceTier } from "../../../domain/members/new-merchants/create-merchants.ts";
import { setAllowlist, setMerchantLimitTier } from "../../../domain/merchants/administration.ts";
import { listAllowlist, type MerchantRow } from "../../../domain/merchants/queries.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { deedIn, type Form as SentForm, type Typed } from "../../kit/form.ts";
import { SelectField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
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
};

async function changePage({ reads }: OperatorServices, merchant: MerchantRow, typed: Typed): Promise<PageAnswer> {
  const [limits, prices, ranges] = await Promise.all([
    limitChoices(reads),
    priceChoices(reads),
    listAllowlist(reads, merchant.id),
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
      <Sheet title={isSuspended ? "Resume" : "Suspend"} id="suspension">
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
