import { categoryOf } from "../../../categories/category-slugs.ts";
import { writeEntry } from "../../../domain/audit/audit-log.ts";
import { lineBody } from "../../../domain/bulk-orders/bulk-order.ts";
import { findBulkOrder, listBulkOrders } from "../../../domain/bulk-orders/queries.ts";
import { auditName } from "../../../domain/people/person.ts";
import { assert } from "../../../kernel/assert.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { type Refusal, refuse } from "../../../kernel/problems.ts";
import { forReaders } from "../../../platform/database/database.ts";
import { may } from "../../access.ts";
import { goTo, type PageAnswer, page } from "../../answer.ts";
import { bulkFormBytesMax, emptyForm, type Form } from "../../form.ts";
import { notFoundPage } from "../../gate-pages.tsx";
import { ButtonLink, Buttons } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Filters } from "../../parts/filters.tsx";
import { Moment, momentFormat } from "../../parts/moment.tsx";
import { Money } from "../../parts/money.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { grouped, Pager } from "../../parts/pager.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Status } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import type { Routes } from "../../routes.ts";
import { type ModeVisit, modePath } from "../../visit.ts";
import { type CheckBody, openBodyCheck } from "../buy/buy-services.ts";
import { buyerOf, closedPage, refuseWhenClosed } from "../buy/selling-gate.tsx";
import { openExport } from "../exports.ts";
import { orderPieces, resultPieces } from "./bulk-files.ts";
import type { BulkPageServices } from "./bulk-services.ts";
import { checkOrder, faultsByLine, isSound, refuseUnticked } from "./order-form.ts";
import { checkedOrderPage, newOrderPage } from "./order-pages.tsx";
import { orderPage } from "./order-results.tsx";

type Services = BulkPageServices & { readonly checkLine: CheckBody };

const rowsPerPage = 50;

/** Bulk orders: the list, a new one from a pasted list, and how far each is. */
export function bulkPages(routes: Routes<ModeVisit>, given: BulkPageServices): void {
  const services = { ...given, checkLine: openBodyCheck(lineBody) };
  const reads = { ...services, database: forReaders(services.database) };

  const exportOrders = openExport(services);
  const exportResults = openExport(services);

  routes.page("/bulk", { capability: "buy", show: (visit) => listOf(reads, visit) });

  routes.page("/bulk.csv", {
    capability: "see_money",
    show: (visit) =>
      exportOrders(visit, { what: "bulk-orders", format: "csv", pieces: () => orderPieces(reads, visit) }),
  });

  routes.page("/bulk/new", {
    capability: "buy",
    show: (visit) => closedPage(visit, "New bulk order") ?? newOrderPage(visit, emptyForm, null),
  });

  routes.form("/bulk/check", {
    capability: "buy",
    isHarmless: true,
    bytesMax: bulkFormBytesMax,
    async send(visit, form) {
      refuseWhenClosed(visit);
      return checkedOrderPage(services, visit, await checkOrder(services, visit, form), null);
    },
    refused: (visit, form, refusal) => closedPage(visit, "New bulk order") ?? newOrderPage(visit, form, refusal),
    doneAt: (visit) => modePath(visit, "bulk"),
  });

  routes.form("/bulk/start/:reference", {
    capability: "buy",
    bytesMax: bulkFormBytesMax,
    send: (visit, form) => start(services, visit, form),
    refused: (visit, form, refusal) => checkAgain(services, visit, form, refusal),
    doneAt: (visit) => modePath(visit, `bulk/${encodeURIComponent(referenceIn(visit))}`),
  });

  routes.page("/bulk/:reference", {
    capability: "buy",
    async show(visit) {
      const order = await orderIn(reads, visit);
      return order === null ? notFoundPage() : orderPage(reads, visit, order);
    },
  });

  routes.page("/bulk/:reference/results.csv", {
    capability: "buy",
    async show(visit) {
      const order = await orderIn(reads, visit);
      if (order === null) return notFoundPage();
      const pieces = () => resultPieces(reads, order);
      return exportResults(visit, { what: `bulk-${order.reference}`, format: "csv", pieces });
    },
  });
}

function referenceIn({ request }: ModeVisit): string {
  return (request.params as { readonly reference: string }).reference;
}

async function orderIn({ database }: BulkPageServices, visit: ModeVisit) {
  const reference = parseStoredReference(referenceIn(visit));
  return reference === null ? null : findBulkOrder(database, visit.wallet, reference);
}

/** Places the order that was checked. @throws Refusal where nothing was charged */
async function start(services: Services, visit: ModeVisit, form: Form) {
  refuseWhenClosed(visit);
  const order = await checkOrder(services, visit, form);
  const { category, reference } = order;
  if (reference !== referenceIn(visit)) throw refuse("REFERENCE_CONFLICT");
  const lines = order.lines.filter(isSound);
  if (order.faults.size > 0)
    throw refuse("VALIDATION_ERROR", { message: "Some lines are wrong now: look at them again." });
  assert(lines.length === order.lines.length, "a line without a fault was read");
  refuseUnticked(order, form);
  const details = { merchant: visit.member.merchantId, mode: visit.mode, reference, lines: lines.length };
  const entry = { who: auditName(visit.session.person), command: "console bulk", details: JSON.stringify(details) };
  await writeEntry(services.database, entry);
  const placed = await services.placeBulkOrder({ principal: buyerOf(visit), category, reference, lines });
  const done = placed.replayed ? "This order was started before, and charged once." : "The order is started.";
  return goTo(modePath(visit, `bulk/${reference}`), done);
}

/** The check again, with the faults that only placing it found; the list itself where it can't be read. */
async function checkAgain(services: Services, visit: ModeVisit, form: Form, refusal: Refusal): Promise<PageAnswer> {
  const closed = closedPage(visit, "New bulk order");
  if (closed !== null) return closed;
  if (refusal.code === "RATE_LIMITED" || refusal.detail.errors?.lines !== undefined) {
    return newOrderPage(visit, form, refusal);
  }
  const order = await checkOrder(services, visit, form);
  const faults = new Map([...order.faults, ...faultsByLine(refusal.detail.errors ?? {})]);
  return checkedOrderPage(services, visit, { ...order, faults }, refusal);
}

/** Every order, newest first; a reference that is searched for leads to its order. */
async function listOf(services: BulkPageServices, visit: ModeVisit): Promise<PageAnswer | ReturnType<typeof goTo>> {
  const sought = (visit.query.get("q") ?? "").trim();
  const reference = sought === "" ? null : parseStoredReference(sought);
  const found = reference === null ? null : await findBulkOrder(services.database, visit.wallet, reference);
  if (found !== null) return goTo(modePath(visit, `bulk/${encodeURIComponent(found.reference)}`));
  const before = visit.query.get("before") ?? "";
  const beforeId = /^[0-9]{1,18}$/.test(before) ? BigInt(before) : null;
  const asked = { beforeId, limit: rowsPerPage + 1 };
  const read = sought === "" ? await listBulkOrders(services.database, visit.wallet, asked) : [];
  const orders = read.slice(0, rowsPerPage);
  const last = orders.at(-1);
  const format = momentFormat(services.timeZone);
  return page(
    "Bulk orders",
    <>
      <PageHead
        title="Bulk orders"
        actions={
          <Buttons>
            {orders.length > 0 && may(visit.member.role, "see_money") ? (
              <ButtonLink href={modePath(visit, "bulk.csv")} isDownload>
                Download as CSV
              </ButtonLink>
            ) : null}
            <ButtonLink href={modePath(visit, "bulk/new")} kind="main">
              New bulk order
            </ButtonLink>
          </Buttons>
        }
      />
      <Filters
        action={modePath(visit, "bulk")}
        filters={[{ kind: "text", name: "q", label: "Find", value: sought, hint: "an order's reference" }]}
      />
      <Sheet isPadded={false}>
        <Table
          caption="Bulk orders, newest first"
          rows={orders}
          href={(order) => modePath(visit, `bulk/${encodeURIComponent(order.reference)}`)}
          columns={[
            {
              title: "Started",
              cell: ({ createdAt }) => <Moment at={createdAt} format={format} />,
              isQuiet: true,
              place: "line",
            },
            { title: "Reference", cell: ({ reference: name }) => <code>{name}</code>, place: "lead" },
            { title: "What", cell: ({ category }) => categoryOf(category).title, place: "under" },
            { title: "Lines", cell: ({ lines }) => grouped(lines), align: "end", place: "line" },
            { title: "Charged", cell: ({ total }) => <Money amount={total} />, align: "end", place: "amount" },
            {
              title: "Status",
              cell: ({ openLines }) =>
                openLines === 0 ? (
                  <Status kind="good">completed</Status>
                ) : (
                  <Status>{`pending: ${grouped(openLines)}`}</Status>
                ),
              place: "state",
            },
          ]}
          empty={
            sought === "" ? (
              <Empty title="No bulk orders yet">
                Each one is listed here from its start, whether it came by hand or by the API.
              </Empty>
            ) : (
              <Empty title="No order has this reference">
                Look in the other mode, or search for a line under Transactions.
              </Empty>
            )
          }
        />
      </Sheet>
      <Pager
        previousHref={beforeId === null ? null : modePath(visit, "bulk")}
        nextHref={read.length > rowsPerPage && last !== undefined ? modePath(visit, `bulk?before=${last.id}`) : null}
      />
    </>,
  );
}
