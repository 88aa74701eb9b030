import { categoryOf } from "../../../categories/category-slugs.ts";
import { type BulkOrder, bulkStatusOf } from "../../../domain/bulk-orders/bulk-order.ts";
import { countBulkLines, listBulkLines } from "../../../domain/bulk-orders/queries.ts";
import { purchaseStatuses, totalDeductedOf } from "../../../domain/purchases/purchase.ts";
import { soldProductOf } from "../../../domain/purchases/sold-product.ts";
import { subtract } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../answer.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Figures } from "../../parts/figures.tsx";
import { Live } from "../../parts/live.tsx";
import { Money, moneyText } from "../../parts/money.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { grouped, Pager } from "../../parts/pager.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Status } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { type ModeVisit, modePath } from "../../visit.ts";
import { spoken } from "../buy/fields.tsx";
import { statusOf } from "../purchase-words.tsx";
import type { BulkPageServices } from "./bulk-services.ts";

const linesPerPage = 100;

/** How far an order is, and a page of its lines. Looks again while lines are pending. */
export async function orderPage(services: BulkPageServices, visit: ModeVisit, order: BulkOrder): Promise<PageAnswer> {
  const status = purchaseStatuses.find((one) => one === visit.query.get("status")) ?? null;
  const asked = Math.min(1_000, Math.max(1, Math.floor(Number(visit.query.get("page") ?? 1)) || 1));
  const shown = { page: asked, perPage: linesPerPage };
  const [counts, lines, products] = await Promise.all([
    countBulkLines(services.database, order),
    listBulkLines(services.database, order, status, shown),
    services.catalogue.current(),
  ]);
  const path = modePath(visit, `bulk/${encodeURIComponent(order.reference)}`);
  const href = (more: Record<string, string>) =>
    `${path}?${new URLSearchParams({ ...(status === null ? {} : { status }), ...more })}`;
  const total = status === null ? order.lines : counts[status];
  const content = (
    <div id="order">
      <Progress order={order} counts={counts} path={path} />
      <Sheet
        title={status === null ? "Lines" : `${spoken(status)} lines`}
        note={status === null ? undefined : <a href={path}>All lines</a>}
        isPadded={false}
      >
        <Table
          caption="Lines, in the order sent"
          rows={lines}
          href={({ reference }) => modePath(visit, `transactions/${encodeURIComponent(reference)}`)}
          columns={[
            { title: "Line", cell: ({ bulk }) => (bulk?.line ?? 0) + 1, isQuiet: true, place: "line" },
            { title: "For", cell: ({ customerRef }) => <code>{customerRef}</code>, place: "lead" },
            { title: "Product", cell: (line) => soldProductOf(products, line).product.name, place: "under" },
            {
              title: "Charged",
              cell: (line) => <Money amount={totalDeductedOf(line)} />,
              align: "end",
              place: "amount",
            },
            { title: "Status", cell: statusOf, place: "state" },
          ]}
          empty={<Empty title="No line is in this state">It stands among all lines.</Empty>}
        />
      </Sheet>
    </div>
  );
  return page(
    order.reference,
    <>
      <PageHead
        title={order.reference}
        actions={
          <>
            <ButtonLink href={`${path}/results.csv`} isDownload>
              Results (CSV)
            </ButtonLink>
            <ButtonLink href={modePath(visit, "bulk")}>All orders</ButtonLink>
          </>
        }
      >
        {categoryOf(order.category).title}, {grouped(order.lines)} {order.lines === 1 ? "line" : "lines"}
      </PageHead>
      {counts.pending === 0 ? content : <Live tableId="order">{content}</Live>}
      <Pager
        previousHref={asked > 1 ? href({ page: String(asked - 1) }) : null}
        nextHref={asked * linesPerPage < total ? href({ page: String(asked + 1) }) : null}
        total={total}
      />
    </>,
  );
}

function Progress(props: {
  readonly order: BulkOrder;
  readonly counts: Awaited<ReturnType<typeof countBulkLines>>;
  readonly path: string;
}) {
  const { order, counts, path } = props;
  const over = order.lines - counts.pending;
  const count = (status: "successful" | "pending" | "failed") => ({
    label: spoken(status),
    value: grouped(counts[status]),
    href: `${path}?status=${status}`,
  });
  const paid = subtract(order.total, counts.refunded);
  return (
    <Sheet title="Progress" note={<BulkStatus counts={counts} />}>
      <p>
        {grouped(over)} of {grouped(order.lines)} lines are over
        <progress value={over} max={order.lines} aria-label={`${over} of ${order.lines} lines are over`} />
      </p>
      <Figures
        figures={[
          count("successful"),
          count("pending"),
          count("failed"),
          { label: "Charged", value: moneyText(paid), note: `${moneyText(counts.refunded)} refunded` },
        ]}
      />
    </Sheet>
  );
}

/** Over, but not well: that some lines failed is seen at once. */
function BulkStatus({ counts }: { readonly counts: Awaited<ReturnType<typeof countBulkLines>> }) {
  const words = bulkStatusOf(counts).replaceAll("_", " ");
  const isBad = counts.pending === 0 && counts.failed > 0;
  return isBad ? <Status kind="bad">{words}</Status> : <Status>{words}</Status>;
}
