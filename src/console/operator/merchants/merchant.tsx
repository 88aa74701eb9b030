import { listCompanyEntries, type StoredEntry } from "../../../domain/audit/audit-queries.ts";
import { findLastRequestAt, findMerchantHealth } from "../../../domain/history/merchants/merchant-health-queries.ts";
import { listCompanyMerchants } from "../../../domain/history/merchants/merchant-list-queries.ts";
import { listLastEntries } from "../../../domain/history/reports/queries.ts";
import { findBusinessDetails, type StoredDetails } from "../../../domain/members/live-access-queries.ts";
import { listMembers } from "../../../domain/members/queries.ts";
import { listApiKeys } from "../../../domain/merchants/key-queries.ts";
import { listLimitTiers } from "../../../domain/merchants/limits/queries.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { listAllowlist, type MerchantRow } from "../../../domain/merchants/queries.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { listEndpointStates } from "../../../domain/webhooks/endpoints/failing/failing-queries.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Facts, Figures } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { grouped, Moment, MomentOrNever, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { enterLook, merchantAt, merchantPath } from "./found-merchant.ts";
import { CompanyLog, EntryTable, KeyTable, PeopleTable } from "./merchant-tables.tsx";
import { MerchantStatus } from "./merchants.tsx";

const dayMs = 86_400_000;
const entriesShown = 10;
const logShown = 20;

/** One merchant, its whole life on one page. */
export function merchantPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page("/operator/merchants/:id", {
    capability: "look",
    async show(visit) {
      const merchant = await merchantAt(services, visit);
      // Before it is shown: no look of support is unknown.
      if (visit.staff.role === "support")
        await enterLook(services, visit, merchant, { command: "console merchant look" });
      return merchantPage(services, visit, merchant);
    },
  });
}

async function merchantPage(
  services: OperatorServices,
  visit: StaffVisit,
  merchant: MerchantRow,
): Promise<PageAnswer | null> {
  const { reads } = services;
  const { id } = merchant;
  const sought = { text: null, id: null, state: null, before: (id + 1) as MerchantId, limit: 1 };
  const [[listed], seen, people, keys, details, entries, log] = await Promise.all([
    listCompanyMerchants(reads, sought),
    readHealth(services, merchant),
    listMembers(reads, id),
    listApiKeys(reads, id),
    findBusinessDetails(reads, id),
    listLastEntries(reads, { merchantId: id, mode: "live" }, entriesShown),
    listCompanyEntries(reads, formatMerchantId(id), logShown),
  ]);
  if (listed === undefined || listed.id !== id) return null;
  const at = merchantPath(merchant);
  return page(
    {
      title: merchant.name,
      state: <MerchantStatus state={listed.state} />,
      crumbs: [["Merchants", "/operator/merchants"]],
      note: (
        <>
          {formatMerchantId(id)} · {merchant.email} · joined <Moment at={merchant.created_at} style="day" />
        </>
      ),
      actions: <Actions {...{ visit, at, merchant }} />,
    },
    <>
      <Figures figures={figuresOf(listed.balance, seen)} />
      <Columns>
        <div>
          <Health seen={seen} />
          <Sheet title="Live wallet" note={`Last ${entriesShown} entries`} isPadded={false}>
            <EntryTable entries={entries} transactionIds={services.transactionIds} />
          </Sheet>
          <Sheet title="People" isPadded={false}>
            <PeopleTable people={people} />
          </Sheet>
          <Sheet title="Keys" note="Only their ends are kept" isPadded={false}>
            <KeyTable {...{ keys, at }} now={services.people.clock.now()} mayRevoke={visit.may("change_merchants")} />
          </Sheet>
          <Log log={log} />
        </div>
        <div>
          <Access {...{ visit, at, merchant, details }} />
          <Rules seen={seen} merchant={merchant} />
        </div>
      </Columns>
    </>,
  );
}

function Actions({ visit, at, merchant }: { visit: StaffVisit; at: string; merchant: MerchantRow }) {
  return (
    <>
      {visit.may("move_money") ? (
        <ButtonLink href={`/operator/money/credit?merchant=${formatMerchantId(merchant.id)}`} kind="main">
          Credit wallet
        </ButtonLink>
      ) : null}
      <ButtonLink href={`/operator/sales?merchant=${formatMerchantId(merchant.id)}`}>Sales</ButtonLink>
      {visit.may("see_money") ? <ButtonLink href={`${at}/statement`}>Statement</ButtonLink> : null}
      {visit.may("view_as_merchant") ? (
        <Form action={`${at}/view`} submit="See as the merchant" kind="plain" isInline />
      ) : null}
      {visit.may("change_merchants") ? <ButtonLink href={`${at}/change`}>Change merchant</ButtonLink> : null}
    </>
  );
}

type Seen = Awaited<ReturnType<typeof readHealth>>;

async function readHealth({ reads, people }: OperatorServices, { id, limit_tier: tier }: MerchantRow) {
  const wallet = { merchantId: id, mode: "live" } as const;
  const [health, lastRequestAt, endpoints, tiers, allowlist, sandbox] = await Promise.all([
    findMerchantHealth(reads, id, people.clock.now() - dayMs),
    findLastRequestAt(reads, id),
    listSetEndpoints(reads, wallet),
    listLimitTiers(reads),
    listAllowlist(reads, id),
    findWallet(reads, { merchantId: id, mode: "test" }),
  ]);
  const numbers = endpoints.map(({ endpointNumber }) => endpointNumber);
  const states = await listEndpointStates(reads, wallet, numbers);
  const webhooks = endpoints.map((endpoint, place) => ({ endpoint, state: states[place] }));
  return { health, lastRequestAt, webhooks, allowlist, sandbox, limits: tiers.find((each) => each.tier === tier) };
}

function figuresOf(balance: Kobo, { health }: Seen) {
  const { delivered = 0, failed = 0, pending = 0 } = health ?? {};
  const ended = delivered + failed;
  return [
    { label: "Balance", value: <Money amount={balance} /> },
    { label: "Sold in 24 hours", value: <Money amount={health?.sales ?? 0n} />, note: `${grouped(delivered)} sales` },
    {
      label: "Delivered",
      value: ended === 0 ? "–" : `${((100 * delivered) / ended).toFixed(1)}%`,
      note: failed === 0 ? "None failed" : `${grouped(failed)} failed, refunded`,
      isAlarm: ended >= 10 && failed * 2 > ended,
    },
    { label: "Pending", value: grouped(pending) },
  ];
}

function Health({ seen: { health, lastRequestAt, webhooks } }: { readonly seen: Seen }) {
  const { requests = 0, refused = 0, p95Ms = null } = health ?? {};
  return (
    <Sheet title="Health" note="Live, last 24 hours">
      <Facts
        facts={[
          ["Last request", <MomentOrNever key="last" at={lastRequestAt} />],
          ["Requests", requests === 0 ? "None" : `${grouped(requests)}, ${grouped(refused)} of them refused`],
          ["Answered within", p95Ms === null ? null : `${grouped(p95Ms)} ms (95 of 100)`],
          ...(webhooks.length === 0 ? [["Webhook", "Not set up"] as const] : []),
          ...webhooks.map(
            ({ endpoint, state }) => [`Webhook ${endpoint.endpointNumber}`, webhookText(endpoint, state)] as const,
          ),
        ]}
      />
    </Sheet>
  );
}

function webhookText(endpoint: Seen["webhooks"][number]["endpoint"], state: Seen["webhooks"][number]["state"]) {
  const waiting = `${grouped(state?.waiting ?? 0)} events waiting`;
  if (endpoint.disabledAt !== null) {
    return (
      <>
        Off since <Moment at={endpoint.disabledAt} /> ({endpoint.disabledReason})
      </>
    );
  }
  if (state?.failingSince == null) return `Working, ${waiting}`;
  return (
    <>
      Failing since <Moment at={state.failingSince} />, {waiting}
    </>
  );
}

function Rules({ seen, merchant }: { readonly seen: Seen; readonly merchant: MerchantRow }) {
  const { limits, allowlist, sandbox } = seen;
  return (
    <Sheet title="Limits and prices">
      <Facts
        facts={{
          "Limit tier": merchant.limit_tier,
          "One sale": limits === undefined ? null : <Money amount={limits.perTransaction} />,
          "A day": limits === undefined ? null : <Money amount={limits.perDay} />,
          "Price tier": merchant.price_tier,
          "Calls from": allowlist.length === 0 ? "Any address" : allowlist.join(", "),
          "Sandbox balance": sandbox === null ? null : <Money amount={sandbox.balance} />,
        }}
      />
    </Sheet>
  );
}

interface AccessProps {
  readonly visit: StaffVisit;
  readonly at: string;
  readonly merchant: MerchantRow;
  readonly details: StoredDetails | null;
}

function Access({ visit, at, merchant, details }: AccessProps) {
  const approvedAt = merchant.api_approved_at;
  return (
    <Sheet title="Live access">
      <Facts
        facts={{
          Approved: approvedAt === null ? "No" : <Moment at={approvedAt} style="full" />,
          Requested: details?.requestedAt == null ? null : <Moment at={details.requestedAt} style="full" />,
          "Requested by": details?.requestedBy,
          Business: details?.businessName,
          "Registered as": details?.registrationNumber,
          Address: details?.address,
          Phone: details?.phone,
          Website: details?.website,
          Sells: details?.sells,
        }}
      />
      {details === null ? <p class="quiet">No business details were sent in.</p> : null}
      {approvedAt === null && visit.may("propose_access") ? (
        <Form action={`${at}/access`} submit="Ask for live access" isInline />
      ) : null}
    </Sheet>
  );
}

function Log({ log }: { readonly log: readonly StoredEntry[] }) {
  return (
    <Sheet title="What we did here" note={`Last ${logShown} entries of the audit log`} isPadded={false}>
      <CompanyLog log={log} />
    </Sheet>
  );
}
