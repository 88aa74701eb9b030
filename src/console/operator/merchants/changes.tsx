import { setPriceTier } from "../../../domain/members/new-merchants/create-merchants.ts";
import {
  setAllowlist,
  setMerchantLimitTier,
  setMerchantStatus,
  withdrawApproval,
} from "../../../domain/merchants/administration.ts";
import { listLimitTiers } from "../../../domain/merchants/limits/queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { listAllowlist, type MerchantRow } from "../../../domain/merchants/queries.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { lettersFrom } from "../../kit/account/letters-from.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { SelectField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { askForTwo } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { liveAccess } from "./access-change.ts";
import { changing, merchantAt, merchantPath } from "./found-merchant.ts";
import { revocation } from "./revoke-key.tsx";

const priceTierMax = 9;
const reasonMax = 200;

/** What the company changes about a merchant: each by the function that its command calls, and with an entry of its own. */
export function merchantChangePages(routes: StaffRoutes, services: OperatorServices): void {
  const path = "/operator/merchants/:id";
  const atIt = (visit: StaffVisit) => `/operator/merchants/${visit.param("id")}`;
  const show = async (visit: StaffVisit, typed: Typed) =>
    changePage(services, await merchantAt(services, visit), typed);

  routes.form(`${path}/access`, {
    capability: "propose_access",
    doneAt: atIt,
    show: (visit) => goTo(atIt(visit)),
    send: async (visit) => askForAccess(services, visit, await merchantAt(services, visit)),
  });

  routes.page(`${path}/change`, { capability: "change_merchants", show });
  for (const [name, change] of Object.entries(changes)) {
    routes.form(`${path}/change/${name}`, {
      capability: "change_merchants",
      doneAt: atIt,
      show,
      async send(visit, form) {
        const merchant = await merchantAt(services, visit);
        const done = await change(services, visit, { merchant, form });
        return goTo(merchantPath(merchant), done);
      },
    });
  }

  routes.both(`${path}/keys/:key/revoke`, revocation(services));
}

async function askForAccess(services: OperatorServices, visit: StaffVisit, merchant: MerchantRow): Promise<Answer> {
  const at = merchantPath(merchant);
  if (merchant.api_approved_at !== null) return goBack(at, `${merchant.name} can sell live already.`);
  const id = formatMerchantId(merchant.id);
  const payload = { merchant: id, name: merchant.name, publicUrl: lettersFrom(services, visit) };
  return askForTwo(services, visit, liveAccess, {
    summary: `Let ${merchant.name} (${id}) sell live`,
    payload,
    doneAt: at,
  });
}

interface Given {
  readonly merchant: MerchantRow;
  readonly form: SentForm;
}

type Change = (services: OperatorServices, visit: StaffVisit, given: Given) => Promise<string>;

const changes: Readonly<Record<string, Change>> = {
  async status(services, visit, { merchant, form }) {
    const { people } = services;
    const reason = reasonIn(form);
    const status = form.text("do") === "resume" ? "active" : "suspended";
    const command = status === "active" ? "console merchant resume" : "console merchant suspend";
    const database = changing(services, visit, merchant, { command, details: { reason } });
    await setMerchantStatus({ ...people, database }, merchant.id, status);
    return status === "active"
      ? `${merchant.name} can sell again.`
      : `${merchant.name} is suspended and sells nothing.`;
  },
  async withdraw(services, visit, { merchant, form }) {
    const details = { reason: reasonIn(form) };
    const database = changing(services, visit, merchant, { command: "console merchant withdraw-access", details });
    await withdrawApproval({ ...services.people, database }, merchant.id);
    return `${merchant.name} has the sandbox only: live keys are refused.`;
  },
  async limits(services, visit, { merchant, form }) {
    const tier = tierIn(
      form,
      "limit_tier",
      (await listLimitTiers(services.reads)).map((each) => each.tier),
    );
    const details = { from: merchant.limit_tier, to: tier };
    const database = changing(services, visit, merchant, { command: "console merchant limit-tier", details });
    await setMerchantLimitTier({ ...services.people, database }, merchant.id, tier);
    return `${merchant.name} is in limit tier ${tier}.`;
  },
  async prices(services, visit, { merchant, form }) {
    const tier = tierIn(form, "price_tier", priceTiers);
    const details = { from: merchant.price_tier, to: tier };
    const database = changing(services, visit, merchant, { command: "console merchant price-tier", details });
    await setPriceTier(database, merchant.id, tier);
    return `${merchant.name} pays the prices of tier ${tier}.`;
  },
  async addresses(services, visit, { merchant, form }) {
    const ranges = form
      .raw("ranges")
      .split(/[\s,]+/)
      .filter((text) => text !== "");
    const database = changing(services, visit, merchant, {
      command: "console merchant addresses",
      details: { ranges },
    });
    const stored = await setAllowlist({ ...services.people, database }, merchant.id, ranges);
    return `${merchant.name} may call from ${stored.length === 0 ? "any address" : stored.join(", ")}.`;
  },
};

const priceTiers = Array.from({ length: priceTierMax }, (_, before) => before + 1);

function reasonIn(form: SentForm): string {
  const reason = form.text("reason");
  if (reason !== "" && reason.length <= reasonMax) return reason;
  throw refuseField("VALIDATION_ERROR", "reason", `Say why, in up to ${reasonMax} characters.`);
}

function tierIn(form: SentForm, name: string, tiers: readonly number[]): number {
  const tier = tiers.find((each) => String(each) === form.text(name));
  if (tier === undefined) throw refuseField("VALIDATION_ERROR", name, "Choose a tier.");
  return tier;
}

async function changePage({ reads }: OperatorServices, merchant: MerchantRow, typed: Typed): Promise<PageAnswer> {
  const [tiers, ranges] = await Promise.all([listLimitTiers(reads), listAllowlist(reads, merchant.id)]);
  const at = merchantPath(merchant);
  const isSuspended = merchant.status === "suspended";
  const limitChoices = tiers.map(({ tier, perTransaction, perDay }) => ({
    value: String(tier),
    label: `${tier}: ${moneyText(perTransaction)} a sale, ${moneyText(perDay)} a day`,
  }));
  const priceChoices = priceTiers.map((tier) => ({ value: String(tier), label: `Tier ${tier}` }));
  const wrongPart = typed.form.text("part");
  const own = (part: string, name: string, stored?: string) =>
    wrongPart === part ? typed.field(name, stored) : { name, value: stored ?? "", error: null };
  return page(
    {
      title: `Change ${merchant.name}`,
      heading: "Change",
      crumbs: [
        ["Merchants", "/operator/merchants"],
        [merchant.name, at],
      ],
      note: `${merchant.name}. Changes act within a second.`,
      ...{ problem: typed.whole, status: typed.status },
    },
    <>
      <Sheet title="Limits">
        <Form action={`${at}/change/limits`} submit="Change limit tier" hidden={{ part: "limits" }}>
          <SelectField
            {...own("limits", "limit_tier", String(merchant.limit_tier))}
            label="Limit tier"
            choices={limitChoices}
          />
        </Form>
      </Sheet>
      <Sheet title="Prices">
        <Form action={`${at}/change/prices`} submit="Change price tier" hidden={{ part: "prices" }}>
          <SelectField
            {...own("prices", "price_tier", String(merchant.price_tier))}
            label="Price tier"
            hint="The merchant gets an event about the products that cost something else."
            choices={priceChoices}
          />
        </Form>
      </Sheet>
      <Sheet title="Addresses">
        <Form action={`${at}/change/addresses`} submit="Change addresses" hidden={{ part: "addresses" }}>
          <TextAreaField
            {...own("addresses", "ranges", ranges.join("\n"))}
            label="Addresses that may call"
            hint="One on each line, such as 192.0.2.0/24. Empty: any address."
            isRequired={false}
            isCode
          />
        </Form>
      </Sheet>
      <Sheet title={isSuspended ? "Resume" : "Suspend"}>
        <Form
          action={`${at}/change/status`}
          submit={isSuspended ? `Resume ${merchant.name}` : `Suspend ${merchant.name}`}
          kind={isSuspended ? "main" : "danger"}
          hidden={{ part: "status", do: isSuspended ? "resume" : "suspend" }}
        >
          <TextField
            {...own("status", "reason")}
            label={isSuspended ? "Reason for resuming" : "Reason for suspending"}
            hint={isSuspended ? "Its keys work again." : "All its requests are refused at once. Its money stays."}
            lengthMax={reasonMax}
          />
        </Form>
      </Sheet>
      {merchant.api_approved_at === null ? null : <WithdrawForm {...{ at, typed }} />}
    </>,
  );
}

/** On the same page as the form to suspend, so that its field has an id of its own. */
function WithdrawForm({ at, typed }: { readonly at: string; readonly typed: Typed }) {
  const isThis = typed.form.text("part") === "withdraw";
  return (
    <Sheet title="Live access">
      <p>Live keys are refused at once. The sandbox goes on.</p>
      <Form
        action={`${at}/change/withdraw`}
        submit="Withdraw live access"
        kind="danger"
        hidden={{ part: "withdraw" }}
        isInline
        error={isThis ? typed.error("reason") : null}
      >
        <input
          name="reason"
          aria-label="Reason for withdrawing live access"
          placeholder="Reason"
          maxLength={reasonMax}
          value={isThis ? typed.value("reason") : ""}
          required
        />
      </Form>
    </Sheet>
  );
}
