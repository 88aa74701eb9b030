import { findBulkOrder } from "../../../domain/bulk-orders/queries.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { listPage as listPurchases, noFilter, streamPurchases } from "../../../domain/history/lists/list.ts";
import type { AmountRange, PurchaseFilter } from "../../../domain/history/lists/list-queries.ts";
import { purchaseCsvHeading, writePurchaseCsv } from "../../../domain/history/lists/purchase-csv.ts";
import { partOf, partsAmong, seek } from "../../../domain/history/lists/seek.ts";
import { listSellers } from "../../../domain/history/sales-by-person/queries.ts";
import type { Purchase } from "../../../domain/purchases/purchase.ts";
import { firstPurchaseIdAt, parseStoredReference } from "../../../kernel/ids.ts";
import { kobo } from "../../../kernel/money.ts";
import { readNumber } from "../../../kernel/phone.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter, findFilter, type ListQuery, periodFilters, textFilter } from "../../kit/list-page.tsx";
import { categoryChoices, optionsOf } from "../../kit/offer-filters.ts";
import { otherModeNames } from "../../kit/page.tsx";
import { ButtonLink, CloseLink, Detail, Empty } from "../../kit/parts/layout.tsx";
import { countText, grouped } from "../../kit/parts/text.tsx";
import { channelNames, saleStates } from "../../kit/sale.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { savedViews } from "../find/saved-views.tsx";
import type { MerchantServices } from "../services.ts";
import { type PurchaseRow, purchaseColumns, purchaseRows } from "./purchase.tsx";
import { type OpenedTransaction, readTransaction, TransactionView, transactionPages } from "./transaction.tsx";

/**
 * The last page that the list shows: 10,000 rows down. A page costs reading the rows before it on its day (a hundred
 * thousand took 0.6 s out of ten million); who looks for something older says when it was.
 */
const lastListPage = 200;
/** A customer's purchases are counted as far as they are listed: some have a hundred thousand. */
const countMax = lastListPage * 50;

/** What happened to this reference or phone? The list, and one of it opened beside or on its own. */
export function transactionListPages(routes: ModeRoutes, services: MerchantServices): void {
  const { reads, catalogue } = services;
  const reading = { ...services, database: reads };
  const filters = filtersOf(services);
  list(routes, {
    at: "/transactions",
    may: "look",
    title: "Transactions",
    filters,
    pageMax: lastListPage,
    async read({ visit, query, values, page, limit: perPage }) {
      const products = await catalogue.current();
      const filter = await purchaseFilter(reading, visit, values, products);
      const found = await listPurchases(reads, visit.wallet, filter, { page, perPage, countMax });
      const { purchases, meta, isTotalLeast } = found;
      const name = visit.query.get("open");
      const opened = name === undefined ? null : await readTransaction(reading, visit, name);
      const sellers = await listSellers(reads, visit.wallet, purchases);
      const isCut = page === lastListPage && (isTotalLeast || page < meta.last_page);
      return {
        rows: purchaseRows(purchases, products, sellers),
        ...{ total: meta.total, isTotalLeast, lastShown: Math.min(lastListPage, meta.last_page) },
        columns: purchaseColumns({ hasSellers: sellers.size > 0 }),
        note: salesText(meta.total, { isTotalLeast, isFiltered: query.isFiltered }),
        above: await hintsFor(services, visit, query),
        detail: opened === null ? null : <OpenDetail href={query.href()} opened={opened} />,
        isCurrent: ({ purchase }: PurchaseRow) => purchase.id === opened?.purchase.id,
        empty: noSalesYet(visit),
        noneFits: {
          title: "No transactions match these filters",
          text: `Clear a filter, or switch to ${otherModeNames[visit.mode]}. Part of a number needs 4 digits or more.`,
        },
        below: isCut ? <p class="hint">Choose a period to see older sales.</p> : null,
      };
    },
    href: ({ purchase }, { query }) => query.href({ open: purchase.reference }),
    csv: {
      ...{ from: services, may: "see_money", what: "transactions" },
      async pieces({ visit, values }) {
        const products = await catalogue.current();
        return transactionsCsv(services, visit, {
          products,
          filter: await purchaseFilter(reading, visit, values, products),
        });
      },
    },
    liveId: "transactions",
    caption: "Transactions, newest first",
  });
  transactionPages(routes, services);
}

function noSalesYet(visit: ModeVisit) {
  const sell = (
    <ButtonLink href={visit.to("buy")} kind="main">
      Make a sale
    </ButtonLink>
  );
  return (
    <Empty title="No sales yet" icon="list" action={visit.may("buy") ? sell : null}>
      Sales from the API, the console and bulk orders appear here at once.
    </Empty>
  );
}

function filtersOf(services: MerchantServices) {
  return {
    q: findFilter("Reference, phone, any ID"),
    ...periodFilters(services, firstPurchaseIdAt),
    status: saleStates.filter("Status"),
    category: choiceFilter("Category", categoryChoices),
    network: { ...choiceFilter("Network", ["MTN", "GLO", "AIRTEL", "9MOBILE"]), isMore: true },
    channel: { ...choiceFilter("Channel", optionsOf(channelNames)), isMore: true },
    amount: { ...choiceFilter("Amount", amountPresets, readAmounts), isMore: true },
    product: { ...textFilter("Product", "Its number", readProduct), isRare: true },
    bulk: { ...textFilter("Bulk order", "Its reference"), isRare: true },
  };
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

type TransactionQuery = ListQuery<ReturnType<typeof filtersOf>>;

async function purchaseFilter(
  services: Pick<MerchantServices, "database" | "transactionIds">,
  visit: ModeVisit,
  values: TransactionQuery["values"],
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

/** Every transaction that the list's address asks for. */
async function* transactionsCsv(
  services: MerchantServices,
  { wallet }: ModeVisit,
  { products, filter }: { readonly products: CatalogueSnapshot; readonly filter: PurchaseFilter },
) {
  const { reads } = services;
  yield purchaseCsvHeading(["sold_by"]);
  for await (const purchases of streamPurchases(reads, wallet, filter)) {
    const sellers = await listSellers(reads, wallet, purchases);
    const more = [["sold_by", ({ id }: Purchase) => sellers.get(id) ?? null]] as const;
    yield writePurchaseCsv(purchases, { ...services, products, more });
  }
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

function OpenDetail({ href, opened }: { href: string; opened: OpenedTransaction }) {
  const { reference } = opened.purchase;
  return (
    <Detail label={reference} closeHref={href} listName="Transactions">
      <TransactionView opened={opened} closeLink={<CloseLink href={href} label={reference} />} />
    </Detail>
  );
}
