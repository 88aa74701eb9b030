import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { daysMax, searchPurchases, usualDays } from "../../../domain/history/search/search.ts";
import { listMerchantNames } from "../../../domain/history/today/risk-queries.ts";
import { parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { type Purchase, purchaseStatuses, soldProductOf } from "../../../domain/purchases/purchase.ts";
import { readSuppliers } from "../../../domain/suppliers/routing/route-table.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { type Mode, modes } from "../../../kernel/mode.ts";
import { Refusal } from "../../../kernel/problems.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, listPage, periodFilters, readList, textFilter } from "../../kit/list-page.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { Moment, Money } from "../../kit/parts/text.tsx";
import { ProductName, saleStatus, statusNames } from "../../kit/sale.tsx";
import { lastDigits } from "../../kit/visit.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { enterLook } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { salePath, shortNumber } from "./words.ts";

const here = "/operator/sales";
const shownMax = 50;
/** For whom a pending sale waits. */
const waits = [
  { value: "supplier", label: "Its supplier" },
  { value: "person", label: "A person" },
] as const;
const modeNotes: Readonly<Record<Mode, string>> = { live: "", test: "Sandbox" };

/** Sales of every merchant, by what a caller or a number on another page asks for. */
export function saleListPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(here, { capability: "look", show: (visit) => salesPage(services, visit) });
}

/** The columns of a list of sales of several merchants. */
export function saleColumns(
  products: CatalogueSnapshot,
  names: ReadonlyMap<MerchantId, string>,
): readonly Column<Purchase>[] {
  return [
    { title: "Time", cell: ({ purchasedAt }) => <Moment at={purchasedAt} style="list" />, place: "sub" },
    {
      title: "Product",
      cell: (purchase) => <ProductName {...soldProductOf(products, purchase)} />,
      place: "lead",
    },
    { title: "Merchant", cell: ({ wallet }) => names.get(wallet.merchantId), place: "sub" },
    { title: "For", cell: ({ customerRef }) => <span class="phone">{shortNumber(customerRef)}</span>, place: "sub" },
    { title: "Reference", cell: ({ reference }) => <span class="id">{reference}</span>, place: "sub", isExtra: true },
    { title: "Supplier", cell: ({ supplier }) => supplier, place: "sub", isExtra: true },
    { title: "Charged", cell: ({ total }) => <Money amount={total} />, place: "amount" },
    {
      title: "Status",
      cell: (purchase) => (
        <>
          {modeNotes[purchase.wallet.mode]} {saleStatus(purchase)}
        </>
      ),
      place: "state",
    },
  ];
}

async function salesPage(services: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const { reads, transactionIds, people, wallTime, catalogue } = services;
  const suppliers = await readSuppliers(reads);
  const query = readList(visit, here, {
    customer: textFilter("For", "Phone, meter, smartcard"),
    reference: textFilter("Reference", "The merchant’s, whole"),
    merchant: textFilter("Merchant", "mer_17", parseMerchantId),
    ...periodFilters({ wallTime, clock: people.clock }, (instant) => instant),
    status: choiceFilter(
      "Status",
      purchaseStatuses.map((value) => ({ value, label: statusNames[value] })),
    ),
    supplier: choiceFilter(
      "Supplier",
      suppliers.map(({ name }) => ({ value: name, label: name })),
    ),
    waits: { ...choiceFilter("Waits for", waits), isMore: true },
    mode: { ...choiceFilter("Mode", modes), isMore: true },
  });
  const { customer, reference, merchant, days, from, to, status, supplier, waits: waitsFor, mode } = query.values;
  if (customer !== null) await enterLook(services, visit, "console search", { customer: lastDigits(customer) });
  const search = {
    waitsFor,
    ...{ mode: mode ?? ("live" as const), customer, reference, status, supplier, merchantId: merchant },
    ...{ from: from ?? days, before: to, transactionId: null, supplierReference: null, amount: null },
  };
  const { purchases, hasMore, searchedFrom, problem } = await searchPurchases(
    { database: reads, transactionIds, clock: people.clock },
    search,
    shownMax,
  ).then((found) => ({ ...found, problem: null }), notFound);
  const merchantIds = purchases.map(({ wallet }) => wallet.merchantId);
  const [products, names] = await Promise.all([catalogue.current(), listMerchantNames(reads, merchantIds)]);
  return listPage(query, {
    title: "Transactions",
    note: hasMore ? `The newest ${shownMax}. Filter to see others.` : `${purchases.length} shown`,
    above: problem === null ? null : <Flash kind="waiting">{problem}</Flash>,
    liveId: "sales",
    caption: "Transactions, newest first",
    columns: saleColumns(products, names),
    rows: purchases,
    href: (purchase) => salePath(transactionIds, purchase),
    empty: (
      <Empty title="No sales in the last 7 days" icon="list">
        Sales of all merchants appear here at once. Choose a period to see older ones.
      </Empty>
    ),
    noneFits: { title: "No transactions match these filters", text: "Clear a filter, or choose a longer period." },
    below:
      searchedFrom === null ? null : (
        <p class="hint">
          Sales of the last {usualDays} days. Choose a period of up to {daysMax} days to see older ones.
        </p>
      ),
  });
}

/** A period that is too long is said over an empty list, with the filters as they are. */
function notFound(error: unknown) {
  if (!(error instanceof Refusal)) throw error;
  return { purchases: [] as readonly Purchase[], hasMore: false, searchedFrom: null, problem: error.message };
}
