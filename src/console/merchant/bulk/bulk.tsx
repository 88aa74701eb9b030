import { categoryOf } from "../../../categories/category-slugs.ts";
import { lineBody } from "../../../domain/bulk-orders/bulk-order.ts";
import { findBulkOrder, listBulkOrders, streamBulkOrders } from "../../../domain/bulk-orders/queries.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { goTo } from "../../kit/answer.tsx";
import { list } from "../../kit/list.tsx";
import { findFilter } from "../../kit/list-page.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import { grouped, Status } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { openBodyCheck } from "../buy/selling.tsx";
import type { MerchantServices } from "../services.ts";
import { newOrderPages } from "./new-order.tsx";
import { orderPages } from "./order.tsx";

export function orderPath(visit: ModeVisit, reference: string): string {
  return visit.to(`bulk/${encodeURIComponent(reference)}`);
}

/** Bulk orders: the list, a new one from a pasted list, and how far each is. */
export function bulkPages(routes: ModeRoutes, services: MerchantServices): void {
  const { reads } = services;
  const named = ({ wallet }: ModeVisit, name: string) => {
    const reference = parseStoredReference(name);
    return reference === null ? null : findBulkOrder(reads, wallet, reference);
  };
  list(routes, {
    at: "/bulk",
    may: "buy_in_bulk",
    title: "Bulk orders",
    filters: { q: findFilter("Order reference") },
    async read({ visit, values: { q }, before: beforeId, limit }) {
      // A reference that is searched for leads to its order.
      const found = q === null ? null : await named(visit, q);
      if (found !== null) return goTo(orderPath(visit, found.reference));
      return {
        rows: q === null ? await listBulkOrders(reads, visit.wallet, { beforeId, limit }) : [],
        empty: q === null ? noOrders : noSuchOrder,
      };
    },
    place: ({ id }) => id,
    href: ({ reference }, { visit }) => orderPath(visit, reference),
    csv: {
      ...{ from: services, may: "see_money", what: "bulk-orders" },
      async rows({ visit, values: { q } }) {
        if (q === null) return streamBulkOrders(reads, visit.wallet);
        const order = await named(visit, q);
        return order === null ? [] : [[order]];
      },
    },
    caption: "Bulk orders, newest first",
    columns: ({ lead, sub, count, amount, status, when, inFile }) => [
      { ...when("Started", ({ createdAt }) => createdAt, { style: "minute", heading: "started_at" }), place: "more" },
      lead("Reference", ({ reference }) => <code>{reference}</code>, { reference: ({ reference }) => reference }),
      sub("What", ({ category }) => categoryOf(category).title, { category: ({ category }) => category }),
      count("Lines", ({ lines }) => lines, "lines"),
      inFile({ pending_lines: ({ openLines }) => openLines }),
      amount("Charged", ({ total }) => total, "charged"),
      status("Status", ({ openLines }) => (
        <Status>{openLines === 0 ? "Done" : `Pending: ${grouped(openLines)}`}</Status>
      )),
    ],
    actions: (visit) => (
      <ButtonLink href={visit.to("bulk/new")} kind="main">
        New bulk order
      </ButtonLink>
    ),
  });
  newOrderPages(routes, { ...services, checkLine: openBodyCheck(lineBody) });
  orderPages(routes, services);
}

const noOrders = (
  <Empty title="No bulk orders yet">
    Upload a file to sell up to 10,000 lines at once. Orders from the API appear here too.
  </Empty>
);

const noSuchOrder = (
  <Empty title="No bulk order has this reference">
    Check the spelling, or switch the mode. A line is found under Transactions.
  </Empty>
);
