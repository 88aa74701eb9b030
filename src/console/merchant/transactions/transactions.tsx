import { findBulkOrder } from "../../../domain/bulk-orders/queries.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { listPage as listPurchases, noFilter, streamPurchases } from "../../../domain/history/lists/list.ts";
import type { AmountRange, PurchaseFilter } from "../../../domain/history/lists/list-queries.ts";
import { purchaseCsvHeading, writePurchaseCsv } from "../../../domain/history/lists/purchase-csv.ts";
import { partOf, partsAmong, seek } from "../../../domain/history/lists/seek.ts";
import { channels, purchaseStatuses } from "../../../domain/purchases/purchase.ts";
import { firstPurchaseIdAt, parseStoredReference } from "../../../kernel/ids.ts";
import { kobo } from "../../../kernel/money.ts";
import { readNumber } from "../../../kernel/phone.ts";
import type { FileAnswer, PageAnswer } from "../../kit/answer.tsx";
import {
  choiceFilter,
  findFilter,
  listPage,
  periodFilters,
  readList,
  refuseUnread,
  textFilter,
} from "../../kit/list-page.tsx";
import { otherModeNames } from "../../kit/page.tsx";
import { ButtonLink, CloseLink, Detail, Empty } from "../../kit/parts/layout.tsx";
import { countText, grouped } from "../../kit/parts/text.tsx";
import { channelNames, statusNames } from "../../kit/sale.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { categoryChoices } from "../buy/offer.ts";
import { savedViews } from "../find/saved-views.tsx";
import type { MerchantServices } from "../services.ts";
import { purchaseColumns, purchaseRows } from "./purchase.tsx";
import { type OpenedTransaction, readTransaction, TransactionView, transactionPages } from "./transaction.tsx";

const rowsPerPage = 50;
/**
 * The last page that the list shows: 10,000 rows down. A page costs reading the rows before it on its day (a hundred
 * thousand took 0.6 s out of ten million); who looks for something older says when it was.
 */
const lastListPage = 200;
/** A customer's purchases are counted as far as they are listed: some have a hundred thousand. */
const countMax = lastListPage * rowsPerPage;

/** What happened to this reference or phone? The list, and one of it opened beside or on its own. */
export function transactionListPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/transactions", { capability: "look", show: (visit) => transactionsPage(services, visit) });
  routes.file("/transactions.csv", { capability: "see_money", show: (visit) => transactionsFile(services, visit) });
  transactionPages(routes, services);
}

function readQuery(services: MerchantServices, visit: ModeVisit) {
  const filters = {
    q: findFilter("Reference, phone, any ID"),
    ...periodFilters(services, firstPurchaseIdAt),
    status: choiceFilter(
      "Status",
      purchaseStatuses.map((value) => ({ value, label: statusNames[value] })),
    ),
    category: choiceFilter("Category", categoryChoices),
    network: { ...choiceFilter("Network", ["MTN", "GLO", "AIRTEL", "9MOBILE"]), isMore: true },
    channel: {
      ...choiceFilter(
        "Channel",
        channels.map((value) => ({ value, label: channelNames[value] })),
      ),
      isMore: true,
    },
    amount: { ...choiceFilter("Amount", amountPresets, readAmounts), isMore: true },
    product: { ...textFilter("Product", "Its number", readProduct), isRare: true },
    bulk: { ...textFilter("Bulk order", "Its reference"), isRare: true },
  };
  return readList(visit, visit.to("transactions"), filters, lastListPage);
}

function readProduct(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** In naira, both ends within. */
const amountPresets = [
  { value: "-1000", label: "Up to ₦1,000" },
  { value: "1000-10000", label: "₦1,000 to ₦10,000" },
  { value: "10000-", label: "₦10,000 and more" },
];

/** `500-2500`, `-1000`, `10000-`: from and to, in whole naira; one number is that very amount. */
function readAmounts(text: string): AmountRange | null {
  const { from, dash, to } = /^(?<from>\d{0,9})(?<dash>-?)(?<to>\d{0,9})$/.exec(text)?.groups ?? {};
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const naira = (digits: string) => (digits === "" ? null : kobo(BigInt(digits) * 100n));
  return dash === "" ? { from: naira(from), to: naira(from) } : { from: naira(from), to: naira(to) };
}

type TransactionQuery = ReturnType<typeof readQuery>;

async function purchaseFilter(
  services: Pick<MerchantServices, "database" | "transactionIds">,
  visit: ModeVisit,
  { values }: TransactionQuery,
  products: CatalogueSnapshot,
): Promise<PurchaseFilter> {
  const { q, status, channel, bulk, days, from, to, amount } = values;
  const time = { fromId: from ?? days, beforeId: to };
  return {
    ...noFilter,
    ...{ ...time, status, channel, amount, bulkReference: bulk, productIds: productsOf(values, products) },
    // Of one order, only the number is looked for.
    ...(q === null ? {} : bulk === null ? await seek(services, visit.wallet, q, time) : { customerRef: readNumber(q) }),
  };
}

/** Category and network are facts of the product, so they become a list of products. */
function productsOf({ category, network, product }: TransactionQuery["values"], { products }: CatalogueSnapshot) {
  if (category === null && network === null && product === null) return null;
  return products
    .filter(({ biller }) => (category ?? biller.category) === biller.category)
    .filter(({ biller }) => (network ?? biller.network) === biller.network)
    .filter(({ id }) => (product ?? id) === id)
    .map(({ id }) => id);
}

/** Gives out every transaction that the list's address asks for, as a file. */
async function transactionsFile(services: MerchantServices, visit: ModeVisit): Promise<FileAnswer> {
  const { reads, catalogue } = services;
  const query = readQuery(services, visit);
  refuseUnread(query);
  const products = await catalogue.current();
  const filter = await purchaseFilter({ ...services, database: reads }, visit, query, products);
  async function* pieces() {
    yield purchaseCsvHeading;
    for await (const purchases of streamPurchases(reads, visit.wallet, filter))
      yield writePurchaseCsv(purchases, { ...services, products });
  }
  return services.exportFile(visit, { what: "transactions", format: "csv", pieces });
}

/** The list as its address asks for it, with the transaction that is open beside it. */
async function transactionsPage(services: MerchantServices, visit: ModeVisit): Promise<PageAnswer> {
  const reading = { ...services, database: services.reads };
  const products = await services.catalogue.current();
  const query = readQuery(services, visit);
  const filter = await purchaseFilter(reading, visit, query, products);
  const requested = { page: query.page, perPage: rowsPerPage, countMax };
  const { purchases, meta, isTotalLeast } = await listPurchases(reading.database, visit.wallet, filter, requested);
  const name = visit.query.get("open");
  const opened = name === undefined ? null : await readTransaction(reading, visit, name);
  const { total } = meta;
  const isCut = query.page === lastListPage && (isTotalLeast || query.page < meta.last_page);
  return listPage(query, {
    title: "Transactions",
    note: salesText(total, { isTotalLeast, isFiltered: query.isFiltered }),
    csv:
      total > 0 && visit.may("see_money")
        ? { path: visit.to("transactions.csv"), count: isTotalLeast ? "all" : total }
        : null,
    above: await hintsFor(services, visit, query),
    detail: opened === null ? null : <OpenDetail query={query} opened={opened} />,
    liveId: "transactions",
    caption: "Transactions, newest first",
    columns: purchaseColumns(),
    rows: purchaseRows(purchases, products),
    href: ({ purchase }) => query.href({ open: purchase.reference }),
    isCurrent: ({ purchase }) => purchase.id === opened?.purchase.id,
    empty: (
      <Empty
        title="No sales yet"
        icon="list"
        action={
          visit.may("buy") ? (
            <ButtonLink href={visit.to("buy")} kind="main">
              Make a sale
            </ButtonLink>
          ) : null
        }
      >
        Sales from the API, the console and bulk orders appear here at once.
      </Empty>
    ),
    noneFits: {
      title: "No transactions match these filters",
      text: `Clear a filter, or switch to ${otherModeNames[visit.mode]}. Part of a number needs 4 digits or more.`,
    },
    pages: { perPage: rowsPerPage, total, isTotalLeast, lastShown: Math.min(lastListPage, meta.last_page) },
    below: isCut ? <p class="hint">Choose a period to see older sales.</p> : null,
  });
}

/** `1,861 sales`; `10,000+ sales match`. */
function salesText(total: number, { isTotalLeast, isFiltered }: { isTotalLeast: boolean; isFiltered: boolean }) {
  const sales = `${grouped(total)}${isTotalLeast ? "+" : ""} ${total === 1 ? "sale" : "sales"}`;
  return isFiltered ? `${sales} match${total === 1 ? "es" : ""}` : sales;
}

/** What else was found by what was typed, and how far it was looked for. */
async function hintsFor(services: MerchantServices, visit: ModeVisit, query: TransactionQuery) {
  const { q, bulk } = query.values;
  const searched = [
    ...(q !== null && bulk === null && partOf(q) !== null ? ["Part of a number is"] : []),
    ...(query.values.amount === null ? [] : ["Amounts are"]),
  ];
  const named = q !== null && visit.may("buy_in_bulk") ? parseStoredReference(q) : null;
  const order = named === null ? null : await findBulkOrder(services.reads, visit.wallet, named);
  return (
    <>
      {await savedViews(services, visit, query)}
      {searched.map((what) => (
        <p key={what} class="hint">
          {what} searched in your newest {grouped(partsAmong)} sales. Choose a period to search older ones.
        </p>
      ))}
      {order === null ? null : (
        <p class="hint">
          Bulk order <a href={visit.to(`bulk/${order.reference}`)}>{order.reference}</a>:{" "}
          {countText(order.lines, "line")}
        </p>
      )}
    </>
  );
}

function OpenDetail({ query, opened }: { query: TransactionQuery; opened: OpenedTransaction }) {
  const { reference } = opened.purchase;
  return (
    <Detail label={reference} closeHref={query.href()} listName="Transactions">
      <TransactionView opened={opened} closeLink={<CloseLink href={query.href()} label={reference} />} />
    </Detail>
  );
}
