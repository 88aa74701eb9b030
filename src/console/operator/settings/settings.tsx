import type { SignUpPolicy } from "../../../domain/identity/people/send-notice.ts";
import { readSignUpPolicy, setSignUpPolicy } from "../../../domain/members/sign-up.ts";
import { type LimitTierRow, listLimitTiers } from "../../../domain/merchants/limits/queries.ts";
import { listPriceTiers, type PriceTier } from "../../../domain/merchants/tiers/queries.ts";
import { tierMax, tierTitle } from "../../../domain/merchants/tiers/tiers.ts";
import { type Answer, goBack, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { RadioField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { grouped, Moment, Money } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import { matrix, type StaffRoutes, type StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import { limitTierPages } from "./limit-tier.tsx";
import { priceTierPages } from "./price-tier.tsx";

const here = "/operator/settings";

const policies: Readonly<Record<SignUpPolicy, readonly [name: string, hint: string]>> = {
  open: ["Open", "Everyone signs up. They have the sandbox until you open live selling."],
  confirm: ["One by one", "Everyone signs up, and begins suspended until you resume them."],
  closed: ["By invitation", "Nobody signs up. You create merchants and invite their owners."],
};
const policyNames = Object.keys(policies) as SignUpPolicy[];

/** Sign-up is opened to strangers, or closed: a second person approves. */
export const signUpChange: TwoPeople = {
  kind: "change sign-up",
  subjects: () => ["sign-up"],
  async readFacts({ people }, database) {
    return { "Sign-up": policies[await readSignUpPolicy({ ...people, database })][0] };
  },
  ask: matrix.change_settings.roles,
  approve: ["admin"],
  async carryOut({ people }, database, payload) {
    const policy = policyNames.find((each) => each === payload.policy) ?? "closed";
    await setSignUpPolicy({ ...people, database }, policy);
    return `Sign-up is ${policies[policy][0].toLowerCase()} now.`;
  },
};

/** Settings that are no secrets of a process, each changed by two admins; a price tier's name by one. */
export function settingPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (_visit: StaffVisit, typed: Typed) => settingsPage(services, typed);
  const change = { capability: "change_settings", doneAt: () => here, show } as const;
  routes.page(here, { capability: "change_settings", show });
  routes.form(`${here}/sign-up`, { ...change, send: (visit, form) => changeSignUp(services, visit, form) });
  limitTierPages(routes, services);
  priceTierPages(routes, services);
}

async function changeSignUp(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const present = await readSignUpPolicy(services.people);
  const policy = policyNames.find((each) => each === form.text("policy"));
  if (policy === undefined) throw wrong("policy", "Choose who may sign up.");
  if (policy === present) return goBack(here, "Nothing was changed.");
  refuseStale(form, present);
  const summary = `Change sign-up from ${policies[present][0].toLowerCase()} to ${policies[policy][0].toLowerCase()}`;
  return askForTwo(services, visit, signUpChange, { summary, payload: { policy }, doneAt: here });
}

async function settingsPage({ reads, people }: OperatorServices, typed: Typed): Promise<PageAnswer> {
  const [policy, limits, prices] = await Promise.all([
    readSignUpPolicy(people),
    listLimitTiers(reads),
    listPriceTiers(reads),
  ]);
  return page(
    {
      title: "Settings",
      note: "Changes act within a second, once a second person approved them",
    },
    <>
      <Sheet title="Sign-up">
        <Form action={`${here}/sign-up`} submit="Change sign-up" hidden={seen(policy)}>
          <RadioField
            {...typed.field("policy", policy)}
            label="Who may sign up"
            choices={policyNames.map((value) => ({ value, label: policies[value][0], hint: policies[value][1] }))}
          />
        </Form>
      </Sheet>
      <LimitTiers limits={limits} />
      <PriceTiers prices={prices} />
    </>,
  );
}

function LimitTiers({ limits }: { readonly limits: readonly LimitTierRow[] }) {
  return (
    <TableSheet
      title="Limit tiers"
      note="New merchants begin in tier 1"
      caption="What live merchants of a tier may spend"
      rows={limits}
      href={({ tier }) => `${here}/limit-tiers/${tier}`}
      columns={[
        { title: "Tier", cell: tierTitle, place: "lead" },
        { title: "Merchants", cell: ({ merchants }) => grouped(Number(merchants)), place: "sub" },
        { title: "Changed", cell: ({ updatedAt }) => <Moment at={updatedAt} style="day" />, isExtra: true },
        { title: "A day", cell: ({ perDay }) => <Money amount={perDay} />, align: "end" },
        { title: "One sale", cell: ({ perTransaction }) => <Money amount={perTransaction} />, place: "amount" },
      ]}
    >
      {limits.length < tierMax ? (
        <footer>
          <a href={`${here}/limit-tiers/new`}>Add limit tier</a>
        </footer>
      ) : null}
    </TableSheet>
  );
}

function PriceTiers({ prices }: { readonly prices: readonly PriceTier[] }) {
  return (
    <TableSheet
      title="Price tiers"
      note="New merchants begin in tier 1"
      caption="What merchants pay by"
      rows={prices}
      href={({ tier }) => `${here}/price-tiers/${tier}`}
      columns={[
        { title: "Tier", cell: tierTitle, place: "lead" },
        { title: "Merchants", cell: ({ merchants }) => grouped(merchants), place: "amount" },
      ]}
    />
  );
}
