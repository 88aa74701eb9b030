import {
  findLastRequestAt,
  findMerchantHealth,
  listErrorCodes,
} from "../../../domain/history/merchants/merchant-health-queries.ts";
import type { ListedMerchant } from "../../../domain/history/merchants/merchant-list-queries.ts";
import type { StoredDetails } from "../../../domain/members/live-access-queries.ts";
import type { Member } from "../../../domain/members/queries.ts";
import type { MerchantRow } from "../../../domain/merchants/queries.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { listSetEndpoints } from "../../../domain/webhooks/endpoints/endpoints.ts";
import { listEndpointStates } from "../../../domain/webhooks/endpoints/failing/failing-queries.ts";
import { dayMs } from "../../../kernel/clock.ts";
import { type Alert, Alerts, Facts, type Figure } from "../../kit/parts/data.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { grouped, Moment, MomentOrNever, Money } from "../../kit/parts/text.tsx";
import type { OperatorServices } from "../services.ts";
import { merchantPath } from "./found-merchant.ts";

/** Fewer sales than these say nothing about how many fail. */
const salesLeast = 10;

export type Health = Awaited<ReturnType<typeof readHealth>>;

/** How the merchant's live calls, sales and webhooks went in a day: bounded, however busy it is. */
export async function readHealth({ reads, people }: OperatorServices, { id }: MerchantRow) {
  const wallet = { merchantId: id, mode: "live" } as const;
  const since = people.clock.now() - dayMs;
  const [health, codes, lastRequestAt, endpoints, live] = await Promise.all([
    findMerchantHealth(reads, id, since),
    listErrorCodes(reads, id, since),
    findLastRequestAt(reads, id),
    listSetEndpoints(reads, wallet),
    findWallet(reads, wallet),
  ]);
  const numbers = endpoints.map(({ endpointNumber }) => endpointNumber);
  const states = await listEndpointStates(reads, wallet, numbers);
  const webhooks = endpoints.map((endpoint, place) => ({ endpoint, state: states[place] }));
  return {
    health,
    codes,
    lastRequestAt,
    webhooks,
    lowBalance: live?.lowBalanceThreshold ?? null,
    debt: live?.debt ?? 0n,
    since,
  };
}

/** The first glance: how much is left, does it sell, does it arrive? */
export function figuresOf(
  { balance, lastSaleAt }: ListedMerchant,
  { health, lowBalance }: Health,
  sales: string,
): Figure[] {
  const { delivered = 0, failed = 0, pending = 0 } = health ?? {};
  const ended = delivered + failed;
  return [
    {
      label: "Balance",
      value: <Money amount={balance} />,
      note:
        lowBalance === null ? undefined : (
          <>
            alert below <Money amount={lowBalance} />
          </>
        ),
      isAlarm: lowBalance !== null && balance < lowBalance,
    },
    {
      label: "Sold in 24 hours",
      value: <Money amount={health?.sales ?? 0n} />,
      href: sales,
      note:
        delivered === 0 ? (
          <>
            last sale <MomentOrNever at={lastSaleAt} />
          </>
        ) : (
          `${grouped(delivered)} sales`
        ),
    },
    {
      label: "Delivered",
      value: ended === 0 ? "–" : `${((100 * delivered) / ended).toFixed(1)}%`,
      note: failed === 0 ? "None failed" : `${grouped(failed)} failed, refunded`,
      isAlarm: isFailing(delivered, failed),
    },
    { label: "Pending", value: grouped(pending) },
  ];
}

function isFailing(delivered: number, failed: number): boolean {
  return delivered + failed >= salesLeast && failed > delivered;
}

interface Known {
  readonly merchant: MerchantRow;
  readonly listed: ListedMerchant;
  readonly people: readonly Member[];
  readonly details: StoredDetails | null;
  readonly mayChange: boolean;
}

/** What is broken, or waits for the company; a merchant without any has no such sheet. */
export function NeedsAttention({ seen, known }: { readonly seen: Health; readonly known: Known }) {
  const alerts = alertsOf(seen, known);
  if (alerts.length === 0) return null;
  return (
    <Sheet title="Needs attention" note={String(alerts.length)} isPadded={false}>
      <Alerts alerts={alerts} />
    </Sheet>
  );
}

function alertsOf({ health, webhooks }: Health, { merchant, listed, people, details, mayChange }: Known): Alert[] {
  const at = merchantPath(merchant.id);
  const alerts: Alert[] = [];
  if (merchant.status === "suspended") {
    const text = merchant.suspended_because ?? "Nobody wrote down why.";
    const way = mayChange
      ? { href: `${at}/change#status`, action: "Resume" }
      : { href: "#log", action: "See who did it" };
    alerts.push({ title: "Suspended: it sells nothing", text, ...way });
  }
  if (listed.state === "waiting") {
    const text = `${details?.businessName ?? "It"} sent its business details.`;
    alerts.push({ title: "Asks for live access", text, href: "#access", action: "See details", kind: "waiting" });
  }
  const { delivered = 0, failed = 0 } = health ?? {};
  if (isFailing(delivered, failed)) {
    const text = `${grouped(failed)} of ${grouped(delivered + failed)} sales in 24 hours, all refunded.`;
    alerts.push({ title: "Most sales fail", text, href: "#health", action: "See errors" });
  }
  for (const { endpoint, state } of webhooks) {
    const text = webhookText(endpoint, state);
    const name = `Webhook ${endpoint.endpointNumber}`;
    if (endpoint.disabledAt !== null)
      alerts.push({ title: `${name} is off`, text, href: "#health", action: "See health" });
    else if (state?.failingSince != null)
      alerts.push({ title: `${name} fails`, text, href: "#health", action: "See health" });
  }
  if (!people.some(({ role }) => role === "owner")) {
    const way = { href: "#people", action: mayChange ? "Invite owner" : "See people" };
    alerts.push({
      title: "No owner has joined",
      text: "Nobody can make keys or invite others.",
      ...way,
      kind: "waiting",
    });
  }
  return alerts;
}

export function HealthSheet({ seen: { health, codes, lastRequestAt, webhooks } }: { readonly seen: Health }) {
  const { requests = 0, refused = 0, p50Ms = null, p95Ms = null } = health ?? {};
  return (
    <Sheet title="Health" note="Live, last 24 hours" id="health">
      <Facts
        facts={[
          ["Last request", <MomentOrNever key="last" at={lastRequestAt} />],
          ["Requests", requests === 0 ? "None" : `${grouped(requests)}, ${grouped(refused)} of them refused`],
          ["Half answered within", p50Ms === null ? null : `${grouped(p50Ms)} ms`],
          ["95 of 100 within", p95Ms === null ? null : `${grouped(p95Ms)} ms`],
          ...codes.map(({ code, count }) => [code, grouped(count)] as const),
          ...(webhooks.length === 0 ? [["Webhook", "Not set up"] as const] : []),
          ...webhooks.map(
            ({ endpoint, state }) => [`Webhook ${endpoint.endpointNumber}`, webhookText(endpoint, state)] as const,
          ),
        ]}
      />
    </Sheet>
  );
}

function webhookText(endpoint: Health["webhooks"][number]["endpoint"], state: Health["webhooks"][number]["state"]) {
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
