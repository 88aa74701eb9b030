import { categoryOf } from "../../../categories/category-slugs.ts";
import { type BulkOrder, bulkStatusOf } from "../../../domain/bulk-orders/bulk-order.ts";
import { countBulkLines, findBulkOrder, listBulkLines } from "../../../domain/bulk-orders/queries.ts";
import { type Purchase, purchaseStatuses, soldProductOf, totalDeductedOf } from "../../../domain/purchases/purchase.ts";
import { messageOf } from "../../../domain/purchases/transaction-object.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { subtract } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { choiceFilter, readList } from "../../kit/list-page.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Pager, Table } from "../../kit/parts/list.tsx";
import { grouped, Money, moneyText, Status, spoken } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { type CsvColumns, csvPieces } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import { purchasePath, purchaseStatus } from "../transactions/purchase.tsx";

const linesPerPage = 100;
/** Lines that the file reads at once: it holds no more of them. */
const linesPerPiece = 200;

/** How far an order is, line by line, and its results as a file. */
export function orderPages(routes: ModeRoutes, services: MerchantServices): void {
  const orderIn = async ({ wallet, param }: ModeVisit) => {
    const reference = parseStoredReference(param("reference"));
    return reference === null ? null : findBulkOrder(services.reads, wallet, reference);
  };
  routes.page("/bulk/:reference", {
    capability: "buy",
    async show(visit) {
      const order = await orderIn(visit);
      return order === null ? null : orderPage(services, visit, order);
    },
  });
  routes.page("/bulk/:reference/results.csv", {
    capability: "buy",
    async show(visit) {
      const order = await orderIn(visit);
      if (order === null) return null;
      const pieces = () => resultPieces(services, order);
      return services.exportFile(visit, { what: `bulk-${order.reference}`, format: "csv", pieces });
    },
  });
}

/** The results of all lines of an order. */
async function* resultPieces(services: MerchantServices, order: BulkOrder): AsyncGenerator<string> {
  const { reads, catalogue, transactionIds } = services;
  const products = await catalogue.current();
  const productOf = (line: Purchase) => soldProductOf(products, line).product;
  const columns: CsvColumns<Purchase> = [
    ["line", ({ bulk }) => (bulk?.line ?? 0) + 1],
    ["phone", ({ phone }) => phone],
    ["product_id", (line) => productOf(line).id],
    ["product", (line) => productOf(line).name],
    ["reference", ({ reference }) => reference],
    ["transaction_id", ({ id, wallet }) => transactionIds.format(id, wallet.mode)],
    ["status", ({ status }) => status],
    ["charged", totalDeductedOf],
    ["error_code", ({ errorCode }) => errorCode],
    ["message", (line) => messageOf(line, productOf(line))],
  ];
  async function* lines() {
    for (let number = 1; (number - 1) * linesPerPiece < order.lines; number += 1) {
      yield await listBulkLines(reads, order, null, { page: number, perPage: linesPerPiece });
    }
  }
  yield* csvPieces(columns, lines());
}

type Counts = Awaited<ReturnType<typeof countBulkLines>>;

/** How far an order is, and a page of its lines. Looks again while lines are pending. */
async function orderPage(services: MerchantServices, visit: ModeVisit, order: BulkOrder): Promise<PageAnswer> {
  const path = visit.to(`bulk/${encodeURIComponent(order.reference)}`);
  const query = readList(visit, path, { status: choiceFilter("Status", purchaseStatuses) }, 1_000);
  const { status } = query.values;
  const shown = { page: query.page, perPage: linesPerPage };
  const [counts, lines, products] = await Promise.all([
    countBulkLines(services.reads, order),
    listBulkLines(services.reads, order, status, shown),
    services.catalogue.current(),
  ]);
  const total = status === null ? order.lines : counts[status];
  const hrefOf = (number: number) => query.href({ page: String(number) });
  const actions = (
    <>
      <ButtonLink href={`${path}/results.csv`} isDownload>
        Results (CSV)
      </ButtonLink>
      <ButtonLink href={visit.to("bulk")}>All orders</ButtonLink>
    </>
  );
  const note = `${categoryOf(order.category).title}, ${grouped(order.lines)} ${order.lines === 1 ? "line" : "lines"}`;
  return page(
    { title: order.reference, note, actions },
    <>
      <Live tableId="order" isOn={counts.pending > 0}>
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
              href={({ reference }) => purchasePath(visit, reference)}
              columns={[
                { title: "Line", cell: ({ bulk }) => (bulk?.line ?? 0) + 1 },
                { title: "For", cell: ({ customerRef }) => <code>{customerRef}</code>, place: "lead" },
                { title: "Product", cell: (line) => soldProductOf(products, line).product.name, place: "sub" },
                {
                  title: "Charged",
                  cell: (line) => <Money amount={totalDeductedOf(line)} />,
                  align: "end",
                  place: "amount",
                },
                { title: "Status", cell: purchaseStatus, place: "state" },
              ]}
              empty={<Empty title="No line is in this state">It stands among all lines.</Empty>}
            />
          </Sheet>
        </div>
      </Live>
      <Pager
        previousHref={query.page > 1 ? hrefOf(query.page - 1) : null}
        nextHref={query.page * linesPerPage < total ? hrefOf(query.page + 1) : null}
        total={total}
      />
    </>,
  );
}

function Progress({ order, counts, path }: { order: BulkOrder; counts: Counts; path: string }) {
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
function BulkStatus({ counts }: { readonly counts: Counts }) {
  const words = bulkStatusOf(counts).replaceAll("_", " ");
  const isBad = counts.pending === 0 && counts.failed > 0;
  return isBad ? <Status kind="bad">{words}</Status> : <Status>{words}</Status>;
}
