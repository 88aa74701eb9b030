import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import { listApiKeys } from "../../domain/merchants/key-queries.ts";
import { soldProductOf } from "../../domain/purchases/sold-product.ts";
import { type CountedDay, listPurchaseDays } from "../../domain/transaction-lists/count-queries.ts";
import { listPage, noFilter } from "../../domain/transaction-lists/list.ts";
import { findWallet, type Wallet } from "../../domain/wallet/queries.ts";
import { endpointName } from "../../domain/webhooks/endpoints/endpoint.ts";
import { listSetEndpoints } from "../../domain/webhooks/endpoints/endpoints.ts";
import { listEndpointStates } from "../../domain/webhooks/endpoints/failing/endpoint-state-queries.ts";
import { formatNaira } from "../../kernel/money.ts";
import { type Database, forReaders } from "../../platform/database/database.ts";
import { type PageAnswer, page } from "../kit/answer.ts";
import type { GateServices } from "../kit/gate.ts";
import { type Alert, Alerts, Figures } from "../kit/parts/data.tsx";
import { Live } from "../kit/parts/form.tsx";
import { ButtonLink, Columns, Empty, PageHead, Sheet } from "../kit/parts/layout.tsx";
import { grouped, Table } from "../kit/parts/list.tsx";
import { type MomentFormat, momentFormat, momentText, moneyText } from "../kit/parts/text.tsx";
import type { Routes } from "../kit/routes.ts";
import { type ModeVisit, modePath } from "../kit/visit.ts";
import { may } from "./access.ts";
import { Sales } from "./sales.tsx";
import { columnsOf } from "./transaction-columns.tsx";

export type OverviewServices = GateServices & {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly timeZone: string;
};

const daysShown = 30;
const rowsShown = 8;
const dayMs = 86_400_000;
/** A live key that was not used for so long is better revoked. */
const unusedDays = 60;

/** Am I selling, how much money is left, what is broken now? */
export function overviewPages(routes: Routes<ModeVisit>, services: OverviewServices): void {
  const format = momentFormat(services.timeZone);
  routes.page("/overview", { capability: "look", show: (visit) => overviewOf(services, visit, format) });
}

async function overviewOf(services: OverviewServices, visit: ModeVisit, format: MomentFormat): Promise<PageAnswer> {
  const database = forReaders(services.database);
  const { wallet } = visit;
  const now = services.people.clock.now();
  const [balance, days, last, pending, alerts, products] = await Promise.all([
    findWallet(database, wallet),
    listPurchaseDays(database, wallet, { now, days: daysShown }),
    listPage(database, wallet, noFilter, { page: 1, perPage: rowsShown }),
    listPage(database, wallet, { ...noFilter, status: "pending" }, { page: 1, perPage: 1 }),
    alertsFor(services, visit, format),
    services.catalogue.current(),
  ]);
  const rows = last.purchases.map((purchase) => ({ purchase, product: soldProductOf(products, purchase).product }));
  const isNew = rows.length === 0;
  const shownAlerts = [...lowBalance(visit, balance), ...alerts];
  return page(
    "Overview",
    <>
      <PageHead title="Overview">{momentText({ at: now, format, style: "full" })}</PageHead>
      <Figures figures={figuresOf(visit, { balance, days, pending: pending.meta.total })} />
      {isNew ? <FirstSteps visit={visit} /> : null}
      <Columns>
        <Sales visit={visit} days={days} format={format} />
        <Sheet title="Needs you" note={String(shownAlerts.length)} isPadded={false}>
          <Alerts alerts={shownAlerts}>Nothing needs you now.</Alerts>
        </Sheet>
      </Columns>
      <Live tableId="last-transactions">
        <Sheet title="Last transactions" isPadded={false} note={<a href={modePath(visit, "transactions")}>All</a>}>
          <Table
            id="last-transactions"
            caption="Last transactions"
            rows={rows}
            columns={columnsOf(format)}
            href={({ purchase }) => `${modePath(visit, "transactions")}/${encodeURIComponent(purchase.reference)}`}
            empty={<Empty title="No sales yet">The first purchase stands here the moment it is made.</Empty>}
          />
        </Sheet>
      </Live>
    </>,
    { actions: actionsOf(visit) },
  );
}

function actionsOf(visit: ModeVisit) {
  const { role } = visit.member;
  return (
    <>
      {may(role, "see_money") ? <ButtonLink href={modePath(visit, "wallet")}>Top up</ButtonLink> : null}
      {may(role, "buy") ? (
        <ButtonLink href={modePath(visit, "buy")} kind="main">
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
  const list = modePath(visit, "transactions");
  const from = days.at(-1)?.date ?? "";
  return [
    {
      label: "Balance",
      value: moneyText(formatNaira(balance?.balance ?? (0n as Wallet["balance"]))),
      note: may(visit.member.role, "see_money") ? (
        <a href={modePath(visit, "wallet")}>Statement</a>
      ) : (
        "of this mode's wallet"
      ),
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
function FirstSteps({ visit }: { readonly visit: ModeVisit }) {
  const { member } = visit;
  const steps = [
    { href: "/test/keys", title: "Make a sandbox key", isFor: may(member.role, "develop") },
    { href: "/test/buy", title: "Buy something in the sandbox", isFor: may(member.role, "buy") },
    { href: "/docs", title: "Read how to buy by the API", isFor: true },
    { href: "/test/webhooks", title: "Have your server told by a webhook", isFor: may(member.role, "develop") },
    {
      href: "/account/business",
      title: "Ask for live access",
      isFor: may(member.role, "run_business") && !member.apiApproved,
    },
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
  const text = `It is below ${moneyText(formatNaira(threshold))}, where you wanted to be told.`;
  return [{ title: "The balance is low", text, href: modePath(visit, "wallet"), action: "Top up" }];
}

/** Endpoints that fail or are switched off, and live keys that nobody uses: for those who can do something about it. */
async function alertsFor({ people }: OverviewServices, visit: ModeVisit, format: MomentFormat): Promise<Alert[]> {
  const { member, wallet, mode } = visit;
  if (!may(member.role, "develop")) return [];
  const [endpoints, keys] = await Promise.all([
    listSetEndpoints(people.database, wallet),
    listApiKeys(people.database, member.merchantId),
  ]);
  const states =
    endpoints.length === 0
      ? []
      : await listEndpointStates(
          people.database,
          wallet,
          endpoints.map(({ endpointNumber }) => endpointNumber),
        );
  const now = people.clock.now();
  const off = endpoints.flatMap((endpoint, at): Alert[] => {
    const name = endpointName({ merchantId: member.merchantId, endpointNumber: endpoint.endpointNumber });
    const href = modePath(visit, "webhooks");
    if (endpoint.disabledAt !== null && endpoint.disabledReason !== "merchant") {
      return [
        {
          title: "A webhook is switched off",
          text: `${name}: ${endpoint.url} failed for too long.`,
          href,
          action: "Look",
        },
      ];
    }
    const state = states[at];
    if (state?.failingSince == null) return [];
    const since = momentText({ at: state.failingSince, format });
    return [
      {
        title: `A webhook has failed since ${since}`,
        text: `${name}: ${grouped(state.waiting)} events wait.`,
        href,
        action: "Look",
      },
    ];
  });
  const unused = keys
    .filter(
      (key) =>
        key.mode === mode && key.revoked_at === null && now - (key.used_at ?? key.created_at) > unusedDays * dayMs,
    )
    .map(
      (key): Alert => ({
        title: `A key was not used for ${Math.floor((now - (key.used_at ?? key.created_at)) / dayMs)} days`,
        text: `${key.first_characters}…${key.last_characters}, ${key.label}.`,
        href: modePath(visit, "keys"),
        action: "Revoke",
        kind: "waiting",
      }),
    );
  return [...off, ...unused];
}
