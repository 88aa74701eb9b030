import { categoryOf } from "../../../categories/category-slugs.ts";
import type { Product } from "../../../categories/product/product.ts";
import type { BulkOrder } from "../../../domain/bulk-orders/bulk-order.ts";
import { countBulkLines, findBulkOrder, listBulkLines } from "../../../domain/bulk-orders/queries.ts";
import {
  type Purchase,
  type PurchaseStatus,
  purchaseStatuses,
  soldProductOf,
  totalDeductedOf,
} from "../../../domain/purchases/purchase.ts";
import { messageOf } from "../../../domain/purchases/transaction-object.ts";
import { failureCodes } from "../../../kernel/failure-codes.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { subtract } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { choiceFilter, readList } from "../../kit/list-page.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Flash, Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Pager, Table } from "../../kit/parts/list.tsx";
import { grouped, Moment, Money, moneyText, spoken } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { type CsvColumns, csvPieces } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import { purchasePath, purchaseStatus } from "../transactions/purchase.tsx";
import { Phone } from "./check-rows.tsx";
import { countOf } from "./order-form.ts";

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
    capability: "buy_in_bulk",
    async show(visit) {
      const order = await orderIn(visit);
      return order === null ? null : orderPage(services, visit, order);
    },
  });
  routes.page("/bulk/:reference/results.csv", {
    capability: "buy_in_bulk",
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

/** What a shop calls the states of a line. */
const words = { successful: "delivered", pending: "pending", failed: "failed" } as const;

type Counts = Awaited<ReturnType<typeof countBulkLines>>;

/** How far an order is, and a page of its lines. Looks again while lines are pending. */
async function orderPage(services: MerchantServices, visit: ModeVisit, order: BulkOrder): Promise<PageAnswer> {
  const path = visit.to(`bulk/${encodeURIComponent(order.reference)}`);
  const query = readList(visit, path, { status: choiceFilter("Status", purchaseStatuses) }, 1_000);
  const { status } = query.values;
  const shown = { page: query.page, perPage: linesPerPage, isFailedFirst: true };
  const [counts, lines, products] = await Promise.all([
    countBulkLines(services.reads, order),
    listBulkLines(services.reads, order, status, shown),
    services.catalogue.current(),
  ]);
  const total = status === null ? order.lines : counts[status];
  const hrefOf = (number: number) => query.href({ page: String(number) });
  const actions = (
    <>
      {counts.failed === 0 ? null : (
        <ButtonLink href={`${visit.to("bulk/new")}?again=${encodeURIComponent(order.reference)}`}>
          {`Sell ${countOf(counts.failed, "failed line")} again`}
        </ButtonLink>
      )}
      <ButtonLink href={`${path}/results.csv`} isDownload>
        {`Download results (${grouped(order.lines)})`}
      </ButtonLink>
      <ButtonLink href={visit.to("bulk")}>All orders</ButtonLink>
    </>
  );
  const note = (
    <>
      {countOf(order.lines, "line")} of {categoryOf(order.category).title.toLowerCase()}, started{" "}
      <Moment at={order.createdAt} />
    </>
  );
  return page(
    { title: order.reference, note, actions },
    <>
      <Live tableId="order" isOn={counts.pending > 0}>
        <div id="order">
          <Progress order={order} counts={counts} path={path} />
          <Sheet
            title={status === null ? "All lines" : `${spoken(words[status])} lines`}
            note={status === null ? undefined : <a href={path}>All lines</a>}
            isPadded={false}
          >
            <Table
              caption="Lines, failed ones first"
              rows={lines}
              href={({ reference }) => purchasePath(visit, reference)}
              columns={[
                { title: "Line", cell: ({ bulk }) => (bulk?.line ?? 0) + 1, place: "none" },
                { title: "For", cell: ({ customerRef }) => <Phone text={customerRef ?? ""} />, place: "lead" },
                {
                  title: "Product",
                  cell: (line) => <Sold line={line} product={soldProductOf(products, line).product} />,
                  place: "sub",
                },
                {
                  title: "Charged",
                  cell: (line) => <Money amount={totalDeductedOf(line)} />,
                  align: "end",
                  place: "amount",
                },
                { title: "Status", cell: purchaseStatus, place: "state" },
              ]}
              empty={
                <Empty title={`No ${words[status ?? "pending"]} lines`} action={<a href={path}>See all lines</a>}>
                  Lines move from pending to delivered or failed by themselves.
                </Empty>
              }
            />
          </Sheet>
        </div>
      </Live>
      <Pager
        previousHref={query.page > 1 ? hrefOf(query.page - 1) : null}
        nextHref={query.page * linesPerPage < total ? hrefOf(query.page + 1) : null}
        {...{ from: (query.page - 1) * linesPerPage + 1, to: Math.min(query.page * linesPerPage, total), total }}
      />
    </>,
  );
}

/** What was sold; of a failed line also why it failed. */
function Sold({ line, product }: { readonly line: Purchase; readonly product: Product }) {
  return (
    <>
      {product.name}
      {line.status === "failed" ? <small> {failureCodes[line.errorCode ?? "PROVIDER_DECLINED"]}</small> : null}
    </>
  );
}

function Progress({ order, counts, path }: { order: BulkOrder; counts: Counts; path: string }) {
  const over = order.lines - counts.pending;
  const count = (status: PurchaseStatus) => ({
    label: spoken(words[status]),
    value: grouped(counts[status]),
    href: `${path}?status=${status}`,
  });
  const paid = subtract(order.total, counts.refunded);
  const said = `${grouped(over)} of ${countOf(order.lines, "line")} done`;
  const refunded = counts.refunded === 0n ? "nothing refunded" : `${moneyText(counts.refunded)} refunded`;
  return (
    <>
      {counts.pending === 0 ? null : (
        <Flash kind="waiting">
          {said}. You can close this page: the order goes on.
          <progress value={over} max={order.lines} aria-label={said} />
        </Flash>
      )}
      {counts.failed === 0 ? null : (
        <Flash kind="bad">{`${countOf(counts.failed, "line")} failed. ${moneyText(counts.refunded)} is back in your wallet.`}</Flash>
      )}
      <Figures
        figures={[
          { ...count("successful"), note: said },
          count("pending"),
          { ...count("failed"), isAlarm: counts.failed > 0 },
          { label: "Charged", value: <Money amount={paid} />, note: refunded },
        ]}
      />
    </>
  );
}
