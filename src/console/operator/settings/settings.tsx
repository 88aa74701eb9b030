import type { SignUpPolicy } from "../../../domain/identity/people/send-notice.ts";
import { readSignUpPolicy, setSignUpPolicy } from "../../../domain/members/sign-up.ts";
import { switchSandbox } from "../../../domain/merchants/administration.ts";
import { type LimitTierRow, listLimitTiers } from "../../../domain/merchants/limits/queries.ts";
import { findSandboxSwitch } from "../../../domain/merchants/queries.ts";
import { listPriceTiers, type PriceTier } from "../../../domain/merchants/tiers/queries.ts";
import { tierMax, tierTitle } from "../../../domain/merchants/tiers/tiers.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { choice } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import type { Typed } from "../../kit/form.ts";
import { Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { grouped, Moment, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeOfTwo } from "../approvals/change.ts";
import type { OperatorServices } from "../services.ts";
import { limitTier } from "./limit-tier.tsx";
import { priceTier } from "./price-tier.tsx";

const here = "/operator/settings";

const policies: Readonly<Record<SignUpPolicy, readonly [name: string, hint: string]>> = {
  open: ["Open", "Everyone signs up. They have the sandbox until you open live selling."],
  confirm: ["One by one", "Everyone signs up, and begins suspended until you resume them."],
  closed: ["By invitation", "Nobody signs up. You create merchants and invite their owners."],
};
const policyNames = Object.keys(policies) as SignUpPolicy[];

const policyField = choice(
  "Who may sign up",
  policyNames.map((value) => ({ value, label: policies[value][0], hint: policies[value][1] })),
  { isRadio: true, unread: "Choose who may sign up." },
);

/** Sign-up is opened to strangers, or closed: a second person approves. */
export const signUp = changeOfTwo({
  at: `${here}/sign-up`,
  may: "change_settings",
  doneAt: () => here,
  find: ({ people }) => readSignUpPolicy(people),
  fields: fields({ policy: policyField }),
  stored: (policy) => ({ policy }),
  looks: () => ({ submit: "Change sign-up" }),
  kind: "change sign-up",
  approve: ["admin"],
  subjects: () => ["sign-up"],
  async facts({ people }, database) {
    return { "Sign-up": policies[await readSignUpPolicy({ ...people, database })][0] };
  },
  summary: ({ found, values: { policy } }) =>
    `Change sign-up from ${policies[found][0].toLowerCase()} to ${policies[policy][0].toLowerCase()}`,
  async run({ people }, { policy }) {
    await setSignUpPolicy(people, policy);
    return `Sign-up is ${policies[policy][0].toLowerCase()} now.`;
  },
});

const switchField = choice(
  "The sandbox",
  [
    { value: "on", label: "On", hint: "Every merchant tries what it builds, without money." },
    { value: "off", label: "Off", hint: "All sandbox keys are refused. What is live goes on." },
  ],
  { isRadio: true, unread: "Choose on or off." },
);
type Position = "on" | "off";
const positionIn = async (db: Queryable): Promise<Position> => ((await findSandboxSwitch(db)) ? "on" : "off");

/** The sandbox of everybody: a second person approves. */
export const sandboxSwitch = changeOfTwo({
  at: `${here}/sandbox`,
  may: "change_settings",
  doneAt: () => here,
  find: ({ reads }) => positionIn(reads),
  fields: fields({ position: switchField }),
  stored: (position) => ({ position }),
  looks: () => ({ submit: "Change sandbox" }),
  kind: "switch sandbox",
  approve: ["admin"],
  subjects: () => ["sandbox"],
  facts: async (_services, database) => ({ Sandbox: await positionIn(database) }),
  summary: ({ values: { position } }) => switchRequest(position).summary,
  async run({ database }, { position }) {
    await switchSandbox({ database }, position === "on");
    return `The sandbox is ${position} now.`;
  },
});

export function switchRequest(position: string) {
  return { summary: `Switch the sandbox ${position} for everybody`, fields: { position } };
}

/** Settings that are no secrets of a process, each changed by two admins; a price tier's name by one. */
export function settingPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => settingsPage(services, visit, typed);
  routes.page(here, { capability: "change_settings", show });
  signUp.addTo(routes, services, show);
  sandboxSwitch.addTo(routes, services, show);
  limitTier.addTo(routes, services);
  priceTier.addTo(routes, services);
}

async function settingsPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const { reads, people } = services;
  const [policy, position, limits, prices] = await Promise.all([
    readSignUpPolicy(people),
    positionIn(reads),
    listLimitTiers(reads),
    listPriceTiers(reads),
  ]);
  return page(
    {
      title: "Settings",
      note: "Changes act within a second, once a second person approved them",
    },
    <>
      <Sheet title="Sign-up">{signUp.draw(visit, typed, policy)}</Sheet>
      <Sheet title="Sandbox">{sandboxSwitch.draw(visit, typed, position)}</Sheet>
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
