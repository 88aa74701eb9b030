import { findProviderComplaint } from "../../../domain/funding/change-provider.ts";
import { listProviderStandings, type ProviderStanding } from "../../../domain/funding/payment-risk-queries.ts";
import { listPaymentProviders, type PaymentProvider } from "../../../domain/funding/provider-queries.ts";
import { findPaymentProvider, setPaymentProviderState } from "../../../domain/funding/providers.ts";
import { findProviderClearing } from "../../../domain/funding/statements/settlement-queries.ts";
import { assert } from "../../../kernel/assert.ts";
import { paymentKinds } from "../../../providers/payments/registry.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { detail } from "../../kit/detail.ts";
import { deedIn, type Typed } from "../../kit/form.ts";
import { CodeBlock, Facts } from "../../kit/parts/data.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { grouped, Moment, MomentOrNever, Money, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import { linePath } from "../money/bank-rows.tsx";
import type { OperatorServices } from "../services.ts";
import { AddProvider, ProviderForm, providerAddition, saveProvider } from "./provider-account.tsx";
import { paymentsPath, providerPath, providersPath } from "./words.ts";

/** The providers that receive merchants' transfers: does each tell of them, and where are its settings changed? */
export function paymentProviderPages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads } = services;
  routes.page(providersPath, { capability: "see_payments", show: (visit) => listOfProviders(services, visit) });
  providerAddition(routes, services);
  detail(routes, {
    at: `${providersPath}/:provider`,
    may: "see_payments",
    find: ({ param }) => findPaymentProvider(reads, param("provider")),
    show: (visit, provider, typed) => providerPage(services, visit, { provider, typed }),
    actions: {
      account: ["change_payment_providers", (visit, provider, form) => saveProvider(services, visit, provider, form)],
      state: [
        "change_payment_providers",
        (visit, { name }, form) => setState(services, visit, name, deedIn(form, ["enable", "disable"])),
      ],
    },
  });
}

type Listed = PaymentProvider & ProviderStanding & { readonly complaint: string | null };

async function readProviders(services: OperatorServices): Promise<Listed[]> {
  const [providers, standings] = await Promise.all([
    listPaymentProviders(services.reads),
    listProviderStandings(services.reads),
  ]);
  return providers.flatMap((provider) => {
    const standing = standings.find((each) => each.provider === provider.name);
    return standing === undefined
      ? []
      : [{ ...provider, ...standing, complaint: findProviderComplaint(services, provider) }];
  });
}

async function listOfProviders(services: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  return page(
    {
      title: "Payment providers",
      crumbs: [["Payments", paymentsPath]],
      note: "Who receives merchants’ transfers for us",
    },
    <>
      <TableSheet
        caption="Payment providers"
        rows={await readProviders(services)}
        href={({ name }) => providerPath(name)}
        columns={[
          { title: "Provider", cell: ({ name }) => name, place: "lead" },
          { title: "Kind", cell: ({ connector }) => titleOf(connector), place: "sub" },
          { title: "Last event", cell: ({ lastEventAt: at }) => <MomentOrNever at={at} />, place: "sub" },
          { title: "Fee", cell: ({ feeBearer }) => bearerWords[feeBearer], isExtra: true },
          { title: "Accounts", cell: ({ accounts }) => grouped(accounts), align: "end" },
          { title: "State", cell: StateOf, place: "state" },
        ]}
        empty={
          <Empty title="No payment providers yet" icon="wallet">
            Add the first. Merchants then get accounts to send to, and their transfers credit themselves.
          </Empty>
        }
      />
      {visit.may("change_payment_providers") ? <AddProvider /> : null}
    </>,
  );
}

function titleOf(connector: string): string {
  return paymentKinds.find((kind) => kind.connector === connector)?.title ?? connector;
}

const bearerWords = { company: "We bear it", merchant: "The merchant bears it" } as const;

function StateOf({ state, complaint }: Pick<Listed, "state" | "complaint">) {
  if (complaint !== null) return <Status kind="bad">Can’t be asked</Status>;
  return state === "enabled" ? <Status kind="good">On</Status> : <Status kind="stop">No new accounts</Status>;
}

async function setState(
  services: OperatorServices,
  visit: StaffVisit,
  name: string,
  deed: "enable" | "disable",
): Promise<Answer> {
  const database = changing(services, visit, `console payment provider ${deed}`, { provider: name });
  await setPaymentProviderState(database, name, `${deed}d`);
  return goTo(
    providerPath(name),
    deed === "enable"
      ? `${name} opens accounts for merchants.`
      : `${name} opens no new accounts. What is sent to those it has is credited as before.`,
  );
}

interface Shown {
  readonly provider: PaymentProvider;
  readonly typed: Typed;
}

async function providerPage(
  services: OperatorServices,
  visit: StaffVisit,
  { provider, typed }: Shown,
): Promise<PageAnswer> {
  const { name, connector, feeBearer, state } = provider;
  const [all, { holding, last }] = await Promise.all([
    readProviders(services),
    findProviderClearing(services.reads, name),
  ]);
  const listed = all.find((each) => each.name === name);
  const kind = paymentKinds.find((each) => each.connector === connector);
  assert(listed !== undefined, "a provider is never deleted");
  const isOn = state === "enabled";
  const at = providerPath(name);
  const mayChange = visit.may("change_payment_providers");
  return page(
    {
      title: name,
      state: <StateOf {...listed} />,
      crumbs: [
        ["Payments", paymentsPath],
        ["Payment providers", providersPath],
      ],
      note: titleOf(connector),
      actions: (
        <>
          <ButtonLink href={`${paymentsPath}?provider=${encodeURIComponent(name)}`}>Payments</ButtonLink>
          {mayChange ? (
            <Form
              action={`${at}/state`}
              submit={`${isOn ? "Stop" : "Start"} new accounts`}
              kind={isOn ? "danger" : "main"}
              hidden={{ do: isOn ? "disable" : "enable" }}
              isInline
            />
          ) : null}
        </>
      ),
    },
    <>
      {listed.complaint === null ? null : (
        <Flash kind="bad">{`Nothing is asked of ${name}, because ${listed.complaint}. Transfers wait until that’s mended.`}</Flash>
      )}
      <Columns>
        <div>
          {mayChange && kind !== undefined ? (
            <Sheet title="Settings and keys" note="A second person approves changes">
              <ProviderForm {...{ kind, typed, provider, action: `${at}/account` }} />
            </Sheet>
          ) : null}
        </div>
        <div>
          <Sheet title="In its dashboard">
            <p>Enter this address for webhooks, so that it tells of each transfer at once:</p>
            <CodeBlock code={callbackAddress(services, visit, name)} label="Webhook address" />
          </Sheet>
          <Sheet title="How it does">
            <Facts
              facts={{
                "Last event": <MomentOrNever at={listed.lastEventAt} />,
                "Its list read until": <Moment at={listed.listedTo} />,
                "Merchants’ accounts": grouped(listed.accounts),
                "Accounts it refused": listed.refused === 0 ? null : grouped(listed.refused),
                Fee: bearerWords[feeBearer],
                "Still to pay to our bank": holding < 0n ? null : <Money amount={holding} />,
                "Paid beyond our books": holding < 0n ? <Money amount={-holding} /> : null,
                "Last settlement": last && (
                  <a href={linePath(last.number)}>
                    <Money amount={last.amount} /> on <Moment at={`${last.paidOn}T12:00:00Z`} style="day" />
                  </a>
                ),
              }}
            />
          </Sheet>
        </div>
      </Columns>
    </>,
  );
}

/** Where the provider reaches us: PUBLIC_URL, else as this browser did. */
function callbackAddress({ publicUrl }: OperatorServices, { place }: StaffVisit, name: string): string {
  return `${publicUrl ?? place.origin}/funding/callbacks/${name}`;
}
