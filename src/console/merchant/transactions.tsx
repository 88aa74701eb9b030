import { categorySlugs } from "../../categories/category-slugs.ts";
import { findBulkOrder } from "../../domain/bulk-orders/queries.ts";
import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import type { Company } from "../../domain/company/company.ts";
import { type FindByReference, findNamed } from "../../domain/purchases/find.ts";
import { channels, purchaseStatuses } from "../../domain/purchases/purchase.ts";
import { soldProductOf } from "../../domain/purchases/sold-product.ts";
import { listPage } from "../../domain/transaction-lists/list.ts";
import { partOf, partsAmong } from "../../domain/transaction-lists/seek.ts";
import type { WallTime } from "../../kernel/clock.ts";
import { parseStoredReference, type TransactionIds } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { forReaders } from "../../platform/database/database.ts";
import { may } from "../access.ts";
import { goTo, type PageAnswer, page } from "../answer.ts";
import { notFoundPage } from "../gate-pages.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Filters } from "../parts/filters.tsx";
import { Live } from "../parts/live.tsx";
import { type MomentFormat, momentFormat } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { grouped, Pager } from "../parts/pager.tsx";
import { Drawer, Sheet, Split } from "../parts/sheet.tsx";
import { Table } from "../parts/table.tsx";
import type { Routes } from "../routes.ts";
import { type ModeVisit, modePath } from "../visit.ts";
import { statusOf } from "./purchase-words.tsx";
import { receiptPage } from "./receipt.tsx";
import { holdsSecrets, type RevealServices, reveal, revealOwn } from "./reveal.ts";
import { columnsOf } from "./transaction-columns.tsx";
import { openTransactionExport } from "./transaction-file.ts";
import { lastListPage, readListQuery, type TransactionQuery } from "./transaction-query.ts";
import { type OpenedTransaction, readTransaction, TransactionView } from "./transaction-view.tsx";

export interface TransactionPageServices extends RevealServices {
  readonly catalogue: Catalogue;
  readonly findByReference: FindByReference;
  readonly transactionIds: TransactionIds;
  readonly wallTime: WallTime;
  readonly people: RevealServices["people"] & { readonly company: () => Promise<Company> };
  /** The name of the deployment's time zone. */
  readonly timeZone: string;
}

const rowsPerPage = 50;
/** A customer's purchases are counted as far as they are listed: some have a hundred thousand. */
const countMax = lastListPage * rowsPerPage;

/** What happened to this reference or phone? The list, and one of it opened beside or on its own. */
export function transactionPages(routes: Routes<ModeVisit>, services: TransactionPageServices): void {
  const reads = { ...services, database: forReaders(services.database) };
  const format = momentFormat(services.timeZone);

  routes.page("/transactions", { capability: "look", show: (visit) => listOf(reads, visit, format) });

  routes.page("/transactions.csv", { capability: "see_money", show: openTransactionExport(services) });

  routes.page("/transactions/:name", {
    capability: "look",
    async show(visit) {
      const opened = await openedOf(reads, visit);
      if (opened === null) return notFoundPage();
      return transactionPage(visit, opened, format, await revealOwn(services, visit, opened));
    },
  });

  routes.form("/transactions/:name/reveal", {
    capability: "reveal",
    doneAt: (visit) => modePath(visit, `transactions/${encodeURIComponent(nameIn(visit))}`),
    refused: () => notFoundPage(),
    async send(visit) {
      const opened = await openedOf(services, visit);
      if (opened === null || !holdsSecrets(opened.purchase, opened.sold)) return notFoundPage();
      return transactionPage(visit, opened, format, await reveal(services, visit, opened.purchase));
    },
  });

  routes.page("/transactions/:name/receipt", {
    capability: "look",
    async show(visit) {
      const opened = await openedOf(reads, visit);
      if (opened === null) return notFoundPage();
      const revealed = await revealOwn(services, visit, opened);
      return receiptPage(visit, opened, { company: await services.people.company(), format, revealed });
    },
  });

  routes.form("/transactions/:name/receipt", {
    capability: "reveal",
    doneAt: (visit) => modePath(visit, `transactions/${encodeURIComponent(nameIn(visit))}/receipt`),
    refused: () => notFoundPage(),
    async send(visit) {
      const opened = await openedOf(services, visit);
      if (opened === null || !holdsSecrets(opened.purchase, opened.sold)) return notFoundPage();
      const revealed = await reveal(services, visit, opened.purchase);
      return receiptPage(visit, opened, { company: await services.people.company(), format, revealed });
    },
  });

  routes.page("/search", {
    capability: "look",
    async show(visit) {
      const text = (visit.query.get("q") ?? "").trim();
      const found = text === "" ? null : await findNamed(reads, visit.wallet, text);
      // Where it is a number as well, its purchases are listed beside the one of that reference.
      const query =
        found === null ? { q: text } : { ...(partOf(text) === null ? {} : { q: text }), open: found.reference };
      return goTo(`${modePath(visit, "transactions")}?${new URLSearchParams(query)}`);
    },
  });
}

function nameIn({ request }: ModeVisit): string {
  return (request.params as { readonly name: string }).name;
}

/** The transaction that the address names; null where it is none of this wallet. */
function openedOf(services: TransactionPageServices, visit: ModeVisit): Promise<OpenedTransaction | null> {
  return readTransaction(services, visit.wallet, nameIn(visit));
}

/** One transaction on its own. */
function transactionPage(
  visit: ModeVisit,
  opened: OpenedTransaction,
  format: MomentFormat,
  revealed: JsonObject | null,
): PageAnswer {
  const { purchase } = opened;
  return page(
    purchase.reference,
    <>
      <PageHead
        title={purchase.reference}
        actions={<ButtonLink href={modePath(visit, "transactions")}>All transactions</ButtonLink>}
      >
        {statusOf(purchase)}
      </PageHead>
      <Sheet>
        <TransactionView {...{ visit, opened, format, revealed }} />
      </Sheet>
    </>,
  );
}

/** The list as its address asks for it, with the transaction that is open beside it. */
async function listOf(services: TransactionPageServices, visit: ModeVisit, format: MomentFormat): Promise<PageAnswer> {
  const products = await services.catalogue.current();
  const query = await readListQuery(visit, { ...services, products });
  const asked = { page: query.page, perPage: rowsPerPage, countMax };
  const { purchases, meta, isTotalLeast } = await listPage(services.database, visit.wallet, query.filter, asked);
  const named = may(visit.member.role, "buy") ? parseStoredReference(query.values.get("q") ?? "") : null;
  const order = named === null ? null : await findBulkOrder(services.database, visit.wallet, named);
  const name = visit.query.get("open");
  const opened = name === undefined ? null : await readTransaction(services, visit.wallet, name);
  const rows = purchases.map((purchase) => ({ purchase, product: soldProductOf(products, purchase).product }));
  const before = (query.page - 1) * rowsPerPage;
  const isEnd = query.page === lastListPage;
  const isCut = isEnd && (isTotalLeast || query.page < meta.last_page);
  const { total } = meta;
  return page(
    "Transactions",
    <>
      <PageHead title="Transactions" actions={<ExportButton {...{ visit, query, total, isTotalLeast }} />}>
        {summary(total, isTotalLeast, query)}
      </PageHead>
      <TransactionFilters visit={visit} query={query} />
      {query.isPart ? (
        <p class="hint">
          Part of a number is looked for in the newest {grouped(partsAmong)} sales. For older ones, say From and To.
        </p>
      ) : null}
      {order === null ? null : (
        <p class="hint">
          Bulk order <a href={modePath(visit, `bulk/${order.reference}`)}>{order.reference}</a>: {grouped(order.lines)}{" "}
          {order.lines === 1 ? "line" : "lines"}
        </p>
      )}
      <Split drawer={opened === null ? null : <OpenedDrawer {...{ visit, query, opened, format }} />}>
        <Live tableId="transactions">
          <Sheet isPadded={false}>
            <Table
              id="transactions"
              caption="Transactions, newest first"
              columns={columnsOf(format, { isNarrow: opened !== null })}
              rows={rows}
              href={({ purchase }) => query.href({ open: purchase.reference })}
              isCurrent={({ purchase }) => purchase.id === opened?.purchase.id}
              empty={emptyList(visit, query)}
            />
          </Sheet>
        </Live>
        <Pager
          previousHref={query.page > 1 ? query.href({ page: String(query.page - 1) }) : null}
          nextHref={!isEnd && query.page < meta.last_page ? query.href({ page: String(query.page + 1) }) : null}
          from={rows.length === 0 ? null : before + 1}
          to={before + rows.length}
          total={total}
          isTotalLeast={isTotalLeast}
        />
        {isCut ? <p class="hint">For older ones, say From and To.</p> : null}
      </Split>
    </>,
  );
}

function OpenedDrawer(props: {
  visit: ModeVisit;
  query: TransactionQuery;
  opened: OpenedTransaction;
  format: MomentFormat;
}) {
  const { visit, query, opened, format } = props;
  return (
    <Drawer label={opened.purchase.reference} closeHref={query.href({})} status={statusOf(opened.purchase)}>
      <TransactionView visit={visit} opened={opened} format={format} />
    </Drawer>
  );
}

/** The whole list as a file, for those who may see the money in it. */
function ExportButton(props: {
  readonly visit: ModeVisit;
  readonly query: TransactionQuery;
  readonly total: number;
  readonly isTotalLeast: boolean;
}) {
  const { visit, query, total, isTotalLeast } = props;
  if (total === 0 || !may(visit.member.role, "see_money")) return null;
  return (
    <ButtonLink href={query.href({}, "/transactions.csv")} isDownload>
      Download {isTotalLeast ? "all" : total.toLocaleString("en-NG")} as CSV
    </ButtonLink>
  );
}

function summary(total: number, isTotalLeast: boolean, { isFiltered }: TransactionQuery): string {
  const count = `${total.toLocaleString("en-NG")}${isTotalLeast ? "+" : ""}`;
  return isFiltered ? `${count} that fit` : `${count} in all`;
}

function TransactionFilters({ visit, query }: { readonly visit: ModeVisit; readonly query: TransactionQuery }) {
  const { values } = query;
  const choice = (name: string, label: string, options: readonly string[]) => ({
    ...({ kind: "choice", name, label, value: values.get(name) ?? "" } as const),
    options: options.map((value) => ({ value, label: value.replaceAll("_", " ") })),
  });
  const date = (name: string, label: string) => ({ kind: "date", name, label, value: values.get(name) ?? "" }) as const;
  return (
    <Filters
      action={modePath(visit, "transactions")}
      filters={[
        { kind: "text", name: "q", label: "Find", value: values.get("q") ?? "", hint: "number or part, any id" },
        choice("status", "Status", purchaseStatuses),
        choice("category", "Category", categorySlugs),
        choice("network", "Network", ["MTN", "GLO", "AIRTEL", "9MOBILE"]),
        choice("channel", "Channel", channels),
        date("from", "From"),
        date("to", "To"),
      ]}
    />
  );
}

function emptyList(visit: ModeVisit, { isFiltered }: TransactionQuery) {
  if (isFiltered) {
    return (
      <Empty
        title="Nothing fits these filters"
        action={<ButtonLink href={modePath(visit, "transactions")}>Show all</ButtonLink>}
      >
        Clear a filter, or look in the other mode. Part of a number needs at least 4 digits.
      </Empty>
    );
  }
  return (
    <Empty
      title="No sales yet"
      action={may(visit.member.role, "buy") ? <ButtonLink href={modePath(visit, "buy")}>Buy one</ButtonLink> : null}
    >
      Every purchase is listed here the moment it is made, by the API or by hand.
    </Empty>
  );
}
