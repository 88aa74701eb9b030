import { type CountedDay, listPurchaseDays } from "../../domain/history/lists/count-queries.ts";
import { listPage, noFilter } from "../../domain/history/lists/list.ts";
import { listApiKeys, type UsedApiKeyRow } from "../../domain/merchants/key-queries.ts";
import { soldProductOf } from "../../domain/purchases/purchase.ts";
import { findWallet, type Wallet } from "../../domain/wallet/queries.ts";
import { endpointName } from "../../domain/webhooks/endpoints/endpoint.ts";
import { listSetEndpoints } from "../../domain/webhooks/endpoints/endpoints.ts";
import { type EndpointState, listEndpointStates } from "../../domain/webhooks/endpoints/failing/failing-queries.ts";
import type { Instant } from "../../kernel/clock.ts";
import { type Kobo, zeroKobo } from "../../kernel/money.ts";
import { type PageAnswer, page } from "../kit/answer.tsx";
import { Chart, shortNumber } from "../kit/parts/chart.tsx";
import { type Alert, Alerts, Figures } from "../kit/parts/data.tsx";
import { Live } from "../kit/parts/form.tsx";
import { ButtonLink, Columns, Empty, Sheet } from "../kit/parts/layout.tsx";
import { Table } from "../kit/parts/list.tsx";
import { useSurroundings } from "../kit/parts/surroundings.ts";
import { dayText, grouped, momentText, moneyText } from "../kit/parts/text.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "./access.ts";
import type { MerchantServices } from "./services.ts";
import { purchaseColumns, purchasePath } from "./transactions/purchase.tsx";

const daysShown = 30;
const rowsShown = 8;
const dayMs = 86_400_000;
/** A live key that was not used for so long is better revoked. */
const unusedDays = 60;

/** Am I selling, how much money is left, what is broken now? */
export function overviewPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/overview", { capability: "look", show: (visit) => overviewPage(services, visit) });
}

async function overviewPage(services: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const { reads, format, clock, catalogue } = services;
  const { wallet } = visit;
  const now = clock.now();
  const [balance, days, last, pending, alerts, products] = await Promise.all([
    findWallet(reads, wallet),
    listPurchaseDays(reads, wallet, { now, days: daysShown }),
    listPage(reads, wallet, noFilter, { page: 1, perPage: rowsShown }),
    listPage(reads, wallet, { ...noFilter, status: "pending" }, { page: 1, perPage: 1 }),
    alertsFor(services, visit),
    catalogue.current(),
  ]);
  const rows = last.purchases.map((purchase) => ({ purchase, product: soldProductOf(products, purchase).product }));
  const shownAlerts = [...lowBalance(visit, balance), ...alerts];
  return page(
    { title: "Overview", note: momentText(format, now, "full"), barActions: <FirstActions /> },
    <>
      <Figures figures={figuresOf(visit, { balance, days, pending: pending.meta.total })} />
      {rows.length === 0 ? <FirstSteps /> : null}
      <Columns>
        <Sales days={days} />
        <Sheet title="Needs you" note={String(shownAlerts.length)} isPadded={false}>
          <Alerts alerts={shownAlerts} />
        </Sheet>
      </Columns>
      <Live tableId="last-transactions">
        <Sheet title="Last transactions" isPadded={false} note={<a href={visit.to("transactions")}>All</a>}>
          <Table
            id="last-transactions"
            caption="Last transactions"
            rows={rows}
            columns={purchaseColumns()}
            href={({ purchase }) => purchasePath(visit, purchase.reference)}
            empty={<Empty title="No sales yet">The first purchase stands here the moment it is made.</Empty>}
          />
        </Sheet>
      </Live>
    </>,
  );
}

function FirstActions() {
  const visit = useVisit();
  return (
    <>
      {visit.may("see_money") ? <ButtonLink href={visit.to("wallet")}>Top up</ButtonLink> : null}
      {visit.may("buy") ? (
        <ButtonLink href={visit.to("buy")} kind="main">
          Buy
        </ButtonLink>
      ) : null}
    </>
  );
}

interface Counted {
  readonly balance: Wallet | null;
  readonly days: readonly CountedDay[];
  readonly pending: number;
}

const noDay = { successful: 0, failed: 0, sold: 0n };

function figuresOf(visit: ModeVisit, { balance, days, pending }: Counted) {
  const today = days.at(-1) ?? noDay;
  const yesterday = days.at(-2) ?? noDay;
  const ended = today.successful + today.failed;
  const list = visit.to("transactions");
  const from = days.at(-1)?.date ?? "";
  return [
    {
      label: "Balance",
      value: moneyText(balance?.balance ?? zeroKobo),
      note: visit.may("see_money") ? <a href={visit.to("wallet")}>Statement</a> : "of this mode's wallet",
    },
    {
      label: "Sold today",
      value: moneyText(today.sold),
      href: `${list}?status=successful&from=${from}`,
      note: `${grouped(today.successful)} delivered; ${moneyText(yesterday.sold)} yesterday`,
    },
    {
      label: "Successful",
      value:
        ended === 0
          ? "–"
          : `${((today.successful / ended) * 100).toLocaleString("en-NG", { maximumFractionDigits: 1 })} %`,
      href: `${list}?status=failed&from=${from}`,
      note: `${grouped(today.failed)} failed today`,
    },
    {
      label: "Pending",
      value: grouped(pending),
      href: `${list}?status=pending`,
      note: pending === 0 ? "nothing waits" : "asked about until they end",
    },
  ];
}

/** The way from an empty account to the first sale. */
function FirstSteps() {
  const { member, may } = useVisit();
  const steps = [
    { href: "/test/keys", title: "Make a sandbox key", isFor: may("develop") },
    { href: "/test/buy", title: "Buy something in the sandbox", isFor: may("buy") },
    { href: "/docs", title: "Read how to buy by the API", isFor: true },
    { href: "/test/webhooks", title: "Have your server told by a webhook", isFor: may("develop") },
    { href: "/account/business", title: "Ask for live access", isFor: may("run_business") && !member.apiApproved },
  ];
  return (
    <Sheet title="First steps">
      <ol class="steps">
        {steps
          .filter(({ isFor }) => isFor)
          .map(({ href, title }) => (
            <li key={href}>
              <a href={href}>{title}</a>
            </li>
          ))}
      </ol>
    </Sheet>
  );
}

function lowBalance(visit: ModeVisit, wallet: Wallet | null): Alert[] {
  const threshold = wallet?.lowBalanceThreshold ?? null;
  if (wallet === null || threshold === null || wallet.balance >= threshold) return [];
  const text = `It is below ${moneyText(threshold)}, where you wanted to be told.`;
  return [{ title: "The balance is low", text, href: visit.to("wallet"), action: "Top up" }];
}

/** Endpoints that fail or are switched off, and live keys that nobody uses: for those who can do something about it. */
async function alertsFor(services: MerchantServices, visit: ModeVisit): Promise<Alert[]> {
  if (!visit.may("develop")) return [];
  const { database } = services;
  const [endpoints, keys] = await Promise.all([
    listSetEndpoints(database, visit.wallet),
    listApiKeys(database, visit.member.merchantId),
  ]);
  const numbers = endpoints.map(({ endpointNumber }) => endpointNumber);
  const states = numbers.length === 0 ? [] : await listEndpointStates(database, visit.wallet, numbers);
  const failing = endpoints.flatMap((endpoint, at) => endpointAlert(services, visit, endpoint, states[at]) ?? []);
  const unused = keys.flatMap((key) => unusedAlert(visit, key, services.clock.now()) ?? []);
  return [...failing, ...unused];
}

function endpointAlert(
  { format }: MerchantServices,
  visit: ModeVisit,
  { url, disabledAt, disabledReason, endpointNumber }: Awaited<ReturnType<typeof listSetEndpoints>>[number],
  state: EndpointState | undefined,
): Alert | null {
  const name = endpointName({ merchantId: visit.member.merchantId, endpointNumber });
  const look = { href: visit.to("webhooks"), action: "Look" };
  if (disabledAt !== null && disabledReason !== "merchant") {
    return { title: "A webhook is switched off", text: `${name}: ${url} failed for too long.`, ...look };
  }
  if (state?.failingSince == null) return null;
  const title = `A webhook has failed since ${momentText(format, state.failingSince)}`;
  return { title, text: `${name}: ${grouped(state.waiting)} events wait.`, ...look };
}

function unusedAlert(visit: ModeVisit, key: UsedApiKeyRow, now: Instant): Alert | null {
  const unusedMs = now - (key.used_at ?? key.created_at);
  if (key.mode !== visit.mode || key.revoked_at !== null || unusedMs <= unusedDays * dayMs) return null;
  return {
    title: `A key was not used for ${Math.floor(unusedMs / dayMs)} days`,
    text: `${key.first_characters}…${key.last_characters}, ${key.label}.`,
    href: visit.to("keys"),
    action: "Revoke",
    kind: "waiting",
  };
}

/** What was sold and what failed, by day: in naira, or as how many. */
export function Sales({ days }: { readonly days: readonly CountedDay[] }) {
  const visit = useVisit();
  const { format } = useSurroundings();
  // Money is what a merchant looks for; the number of purchases stands behind a link.
  const isMoney = visit.query.get("sales") !== "number";
  const here = visit.to("overview");
  const choice = (
    <span class="switch">
      <a href={here} aria-current={isMoney ? "true" : undefined}>
        Naira
      </a>
      <a href={`${here}?sales=number`} aria-current={isMoney ? undefined : "true"}>
        Number
      </a>
    </span>
  );
  const lines = (delivered: (day: CountedDay) => number, failed: (day: CountedDay) => number) =>
    [
      { name: "delivered", look: "area", values: days.map(delivered) },
      { name: "failed and refunded", look: "bad", values: days.map(failed) },
    ] as const;
  const shown = isMoney
    ? {
        series: lines(
          ({ sold }) => nairaOf(sold),
          ({ refunded }) => nairaOf(refunded),
        ),
        format: (naira: number) => moneyText(naira.toFixed(2)),
        formatTick: (naira: number) => `₦${shortNumber(naira)}`,
      }
    : {
        series: lines(
          ({ successful }) => successful,
          ({ failed }) => failed,
        ),
        format: grouped,
      };
  return (
    <Sheet title="Sales a day" note={choice}>
      <Chart
        title={`${isMoney ? "Naira" : "Purchases"} a day over ${days.length} days`}
        labels={days.map(({ date }) => dayText(format, date))}
        {...shown}
      />
    </Sheet>
  );
}

/** For drawing; a double has every kobo of it. */
function nairaOf(amount: Kobo): number {
  return Number(amount) / 100;
}
