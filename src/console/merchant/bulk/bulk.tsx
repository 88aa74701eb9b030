import { categoryOf } from "../../../categories/category-slugs.ts";
import { lineBody } from "../../../domain/bulk-orders/bulk-order.ts";
import {
  findBulkOrder,
  type ListedOrder,
  listBulkOrders,
  streamBulkOrders,
} from "../../../domain/bulk-orders/queries.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { type Answer, goTo } from "../../kit/answer.tsx";
import { findFilter, listPage, pageOf, readList } from "../../kit/list-page.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import { grouped, Moment, Money, Status } from "../../kit/parts/text.tsx";
import { numberIn } from "../../kit/visit.ts";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { openBodyCheck } from "../buy/selling.tsx";
import { type CsvColumns, csvFile } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import { newOrderPages } from "./new-order.tsx";
import { orderPages } from "./order.tsx";

const rowsPerPage = 50;

export function orderPath(visit: ModeVisit, reference: string): string {
  return visit.to(`bulk/${encodeURIComponent(reference)}`);
}

/** Bulk orders: the list, a new one from a pasted list, and how far each is. */
export function bulkPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/bulk", { capability: "buy_in_bulk", show: (visit) => ordersPage(services, visit) });
  routes.file("/bulk.csv", { capability: "see_money", show: (visit) => ordersFile(services, visit) });
  newOrderPages(routes, { ...services, checkLine: openBodyCheck(lineBody) });
  orderPages(routes, services);
}

function readQuery(visit: ModeVisit) {
  return readList(visit, visit.to("bulk"), { q: findFilter("Order reference") });
}

function findOrder({ reads }: MerchantServices, { wallet }: ModeVisit, name: string) {
  const reference = parseStoredReference(name);
  return reference === null ? null : findBulkOrder(reads, wallet, reference);
}

/** Gives out the orders that the list's address asks for: all, or the one whose reference is sought. */
function ordersFile(services: MerchantServices, visit: ModeVisit) {
  const { q } = readQuery(visit).values;
  async function* found(name: string) {
    const order = await findOrder(services, visit, name);
    if (order !== null) yield [order];
  }
  const columns: CsvColumns<ListedOrder> = [
    ["started_at", ({ createdAt }) => services.wallTime.format(createdAt)],
    ["reference", ({ reference }) => reference],
    ["category", ({ category }) => category],
    ["lines", ({ lines }) => lines],
    ["pending_lines", ({ openLines }) => openLines],
    ["charged", ({ total }) => total],
  ];
  const rows = () => (q === null ? streamBulkOrders(services.reads, visit.wallet) : found(q));
  return csvFile(services, visit, "bulk-orders", columns, rows);
}

/** Every order, newest first; a reference that is searched for leads to its order. */
async function ordersPage(services: MerchantServices, visit: ModeVisit): Promise<Answer> {
  const query = readQuery(visit);
  const { q } = query.values;
  const found = q === null ? null : await findOrder(services, visit, q);
  if (found !== null) return goTo(orderPath(visit, found.reference));
  const beforeId = numberIn(visit, "before");
  const requested = { beforeId, limit: rowsPerPage + 1 };
  const read = q === null ? await listBulkOrders(services.reads, visit.wallet, requested) : [];
  const { rows: orders, older } = pageOf(read, rowsPerPage, ({ id }) => id);
  return listPage(query, {
    title: "Bulk orders",
    actions: (
      <ButtonLink href={visit.to("bulk/new")} kind="main">
        New bulk order
      </ButtonLink>
    ),
    csv: orders.length > 0 && visit.may("see_money") ? { path: visit.to("bulk.csv"), count: null } : null,
    caption: "Bulk orders, newest first",
    rows: orders,
    href: ({ reference }) => orderPath(visit, reference),
    columns: [
      { title: "Started", cell: ({ createdAt }) => <Moment at={createdAt} /> },
      { title: "Reference", cell: ({ reference }) => <code>{reference}</code>, place: "lead" },
      { title: "What", cell: ({ category }) => categoryOf(category).title, place: "sub" },
      { title: "Lines", cell: ({ lines }) => grouped(lines), align: "end" },
      { title: "Charged", cell: ({ total }) => <Money amount={total} />, align: "end", place: "amount" },
      {
        title: "Status",
        cell: ({ openLines }) => <Status>{openLines === 0 ? "Done" : `Pending: ${grouped(openLines)}`}</Status>,
        place: "state",
      },
    ],
    empty: query.isFiltered ? (
      <Empty title="No bulk order has this reference">
        Check the spelling, or switch the mode. A line is found under Transactions.
      </Empty>
    ) : (
      <Empty title="No bulk orders yet">
        Upload a file to sell up to 10,000 lines at once. Orders from the API appear here too.
      </Empty>
    ),
    older,
  });
}
