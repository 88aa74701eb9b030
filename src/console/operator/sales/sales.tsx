import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { purchaseCsvHeading, writePurchaseCsv } from "../../../domain/history/lists/purchase-csv.ts";
import {
  daysMax,
  type Search,
  searchPurchases,
  streamSearch,
  sumPurchases,
  usualDays,
} from "../../../domain/history/search/search.ts";
import type { SearchSums } from "../../../domain/history/search/search-sum-queries.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { type Purchase, soldProductOf } from "../../../domain/purchases/purchase.ts";
import { readSuppliers } from "../../../domain/suppliers/routing/route-table.ts";
import type { PurchaseId } from "../../../kernel/ids.ts";
import { type Mode, modes } from "../../../kernel/mode.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { columnsOf } from "../../kit/columns.tsx";
import { list } from "../../kit/list.tsx";
import { choiceFilter, type ListQuery, periodFilters, textFilter } from "../../kit/list-page.tsx";
import { optionsOf } from "../../kit/offer-filters.ts";
import { Flash } from "../../kit/parts/form.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { countText, grouped, moneyText } from "../../kit/parts/text.tsx";
import { ProductName, saleStates, saleStatus } from "../../kit/sale.tsx";
import { lastDigits } from "../../kit/visit.ts";
import type { StaffRoutes } from "../access.ts";
import { enterLook } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { type MerchantNames, merchantNames, salePath, shortNumber } from "./words.ts";

const column = columnsOf<Purchase>();

const shownMax = 50;
/** The list counts on each look so many at most. */
const summedMax = 10_000;
/** A spreadsheet takes about a million lines. */
const fileMax = 500_000;
/** For whom a pending sale waits. */
const waits = [
  { value: "supplier", label: "Its supplier" },
  { value: "person", label: "A person" },
] as const;
const modeNotes: Readonly<Record<Mode, string>> = { live: "", test: "Sandbox" };

/** Sales of every merchant, by what a caller or a number on another page asks for. */
export function saleListPages(routes: StaffRoutes, services: OperatorServices): void {
  const { transactionIds, catalogue } = services;
  list(routes, {
    at: "/operator/sales",
    may: "look",
    title: "Transactions",
    filters: () => readFilters(services),
    perPage: shownMax,
    async read({ visit, values, before }) {
      if (values.customer !== null)
        await enterLook(services, visit, "console search", { customer: lastDigits(values.customer) });
      const search = searchOf(values);
      const [{ purchases, hasMore, searchedFrom, problem }, sums] = await Promise.all([
        searchPurchases(reading(services), { ...search, beforeId: before as PurchaseId | null }, shownMax).then(
          (found) => ({ ...found, problem: null }),
          notFound,
        ),
        sumPurchases(reading(services), search, summedMax).catch(() => null),
      ]);
      const [products, names] = await Promise.all([catalogue.current(), merchantNames(services.reads, purchases)]);
      return {
        rows: purchases,
        older: hasMore ? (purchases.at(-1)?.id ?? null) : null,
        columns: saleColumns(products, names),
        note: sums === null ? null : sumsText(sums),
        above: problem === null ? null : <Flash kind="waiting">{problem}</Flash>,
        below: searchedFrom === null ? null : howFarBack,
      };
    },
    place: ({ id }) => id,
    href: (purchase) => salePath(transactionIds, purchase),
    csv: {
      ...{ from: services, may: "see_money", what: "transactions" },
      pieces: async ({ values }) => salesCsv(services, searchOf(values), await catalogue.current()),
    },
    liveId: "sales",
    caption: "Transactions, newest first",
    empty: (
      <Empty title="No sales in the last 7 days" icon="list">
        Sales of all merchants appear here at once. Choose a period to see older ones.
      </Empty>
    ),
    noneFits: { title: "No transactions match these filters", text: "Clear a filter, or choose a longer period." },
  });
}

const howFarBack = (
  <p class="hint">
    Sales of the last {usualDays} days. Choose a period of up to {daysMax} days to see older ones.
  </p>
);

export function saleColumns(products: CatalogueSnapshot, names: MerchantNames): readonly Column<Purchase>[] {
  return [
    column.when("Time", ({ purchasedAt }) => purchasedAt),
    column.lead("Product", (purchase) => <ProductName {...soldProductOf(products, purchase)} />),
    column.sub("Merchant", ({ wallet }) => names.get(wallet.merchantId)),
    column.sub("For", ({ customerRef }) => <span class="phone">{shortNumber(customerRef)}</span>),
    column.extra("Reference", ({ reference }) => <span class="id">{reference}</span>),
    column.extra("Supplier", ({ supplier }) => supplier),
    column.amount("Charged", ({ total }) => total),
    column.status("Status", (purchase) => (
      <>
        {modeNotes[purchase.wallet.mode]} {saleStatus(purchase)}
      </>
    )),
  ];
}

async function readFilters({ reads, people, wallTime }: OperatorServices) {
  const suppliers = await readSuppliers(reads);
  return {
    customer: textFilter("For", "Phone, meter, smartcard"),
    reference: textFilter("Reference", "The merchant’s, whole"),
    merchant: textFilter("Merchant", "mer_17", parseMerchantId),
    ...periodFilters({ wallTime, clock: people.clock }, (instant) => instant),
    status: saleStates.filter("Status"),
    supplier: choiceFilter("Supplier", optionsOf(suppliers.map(({ name }) => name))),
    waits: { ...choiceFilter("Waits for", waits), isMore: true },
    mode: { ...choiceFilter("Mode", modes), isMore: true },
  };
}

type SalesValues = ListQuery<Awaited<ReturnType<typeof readFilters>>>["values"];

function searchOf(values: SalesValues): Search {
  const { customer, reference, merchant, days, from, to, status, supplier, waits: waitsFor, mode } = values;
  return {
    waitsFor,
    ...{ mode: mode ?? ("live" as const), customer, reference, status, supplier, merchantId: merchant },
    ...{ from: from ?? days, before: to, transactionId: null, supplierReference: null, amount: null },
  };
}

function reading({ reads, transactionIds, people }: OperatorServices) {
  return { database: reads, transactionIds, clock: people.clock };
}

/** `436 sales, ₦1,234,000.00 charged, ₦640.00 of it refunded`; of the newest alone, where there are more. */
function sumsText({ count, charged, refunded }: SearchSums): string {
  const isCut = count === summedMax;
  const sales = isCut
    ? `More than ${grouped(count - 1)} sales. The newest ${grouped(count)}:`
    : `${countText(count, "sale")},`;
  const back = refunded === 0n ? "" : `, ${moneyText(refunded)} of it refunded`;
  return `${sales} ${moneyText(charged)} charged${back}`;
}

/** The newest sales of a search for a spreadsheet, as many as one reads. */
async function* salesCsv(services: OperatorServices, search: Search, products: CatalogueSnapshot) {
  const { reads } = await services.readings.salesFile();
  yield purchaseCsvHeading(["merchant", "merchant_name", "supplier", "supplier_reference"]);
  for await (const purchases of streamSearch({ ...reading(services), database: reads }, search, fileMax)) {
    const names = await merchantNames(reads, purchases);
    const more = [
      ["merchant", ({ wallet }: Purchase) => formatMerchantId(wallet.merchantId)],
      ["merchant_name", ({ wallet }: Purchase) => names.get(wallet.merchantId) ?? null],
      ["supplier", ({ supplier }: Purchase) => supplier],
      ["supplier_reference", ({ providerReference }: Purchase) => providerReference],
    ] as const;
    yield writePurchaseCsv(purchases, { ...services, products, more });
  }
}

/** A period that is too long is said over an empty list, with the filters as they are. */
function notFound(error: unknown) {
  if (!(error instanceof Refusal)) throw error;
  return { purchases: [] as readonly Purchase[], hasMore: false, searchedFrom: null, problem: error.message };
}
