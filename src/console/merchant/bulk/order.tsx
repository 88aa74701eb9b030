import { categoryOf } from "../../../categories/category-slugs.ts";
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
import { parseStoredReference } from "../../../kernel/ids.ts";
import { subtract } from "../../../kernel/money.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, listPage, readList } from "../../kit/list-page.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Flash, Live } from "../../kit/parts/form.tsx";
import { ButtonLink } from "../../kit/parts/layout.tsx";
import { countText, grouped, Moment, Money, moneyText } from "../../kit/parts/text.tsx";
import { Customer, saleStatus, statusNames } from "../../kit/sale.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { type CsvColumns, csvFile } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import { failureAdvice, purchasePath } from "../transactions/purchase.tsx";

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
  routes.file("/bulk/:reference/results.csv", {
    capability: "buy_in_bulk",
    async show(visit) {
      const order = await orderIn(visit);
      if (order === null) return null;
      return resultsFile(services, visit, order);
    },
  });
}

/** Gives out the results of all lines of an order. */
async function resultsFile(services: MerchantServices, visit: ModeVisit, order: BulkOrder) {
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
  return csvFile(services, visit, `bulk-${order.reference}`, columns, lines);
}

type Counts = Awaited<ReturnType<typeof countBulkLines>>;

/** How far an order is, and a page of its lines. Looks again while lines are pending. */
async function orderPage(services: MerchantServices, visit: ModeVisit, order: BulkOrder): Promise<PageAnswer> {
  const path = visit.to(`bulk/${encodeURIComponent(order.reference)}`);
  const statuses = purchaseStatuses.map((value) => ({ value, label: statusNames[value] }));
  const query = readList(visit, path, { status: choiceFilter("Status", statuses) }, 1_000);
  const { status } = query.values;
  const shown = { page: query.page, perPage: linesPerPage, isFailedFirst: true };
  const [counts, lines, products] = await Promise.all([
    countBulkLines(services.reads, order),
    listBulkLines(services.reads, order, status, shown),
    services.catalogue.current(),
  ]);
  return listPage(query, {
    title: order.reference,
    crumbs: [["Bulk orders", visit.to("bulk")]],
    note: (
      <>
        {countText(order.lines, "line")} of {categoryOf(order.category).title.toLowerCase()}, started{" "}
        <Moment at={order.createdAt} />
      </>
    ),
    actions: (
      <>
        {counts.failed === 0 ? null : (
          <ButtonLink href={`${visit.to("bulk/new")}?again=${encodeURIComponent(order.reference)}`}>
            {`Sell ${countText(counts.failed, "failed line")} again`}
          </ButtonLink>
        )}
        <ButtonLink href={`${path}/results.csv`} isDownload>
          {`Download results (${grouped(order.lines)})`}
        </ButtonLink>
      </>
    ),
    over: (
      <Live tableId="progress lines" isOn={counts.pending > 0}>
        <div id="progress">
          <Progress order={order} counts={counts} path={path} />
        </div>
      </Live>
    ),
    liveId: "lines",
    isLive: false,
    caption: "Lines, failed ones first",
    rows: lines,
    href: ({ reference }) => purchasePath(visit, reference),
    columns: [
      { title: "Line", cell: ({ bulk }) => (bulk?.line ?? 0) + 1, place: "none" },
      { title: "For", cell: ({ customerRef }) => <Customer text={customerRef ?? ""} />, place: "lead" },
      {
        title: "Product",
        cell: (line) => (
          <>
            {soldProductOf(products, line).product.name}
            {line.status === "failed" ? <small> {failureAdvice[line.errorCode ?? "PROVIDER_DECLINED"]}</small> : null}
          </>
        ),
        place: "sub",
      },
      { title: "Charged", cell: (line) => <Money amount={totalDeductedOf(line)} />, place: "amount" },
      { title: "Status", cell: saleStatus, place: "state" },
    ],
    empty: null,
    noneFits: { text: "Lines move from pending to delivered or failed by themselves." },
    pages: { perPage: linesPerPage, total: status === null ? order.lines : counts[status] },
  });
}

function Progress({ order, counts, path }: { order: BulkOrder; counts: Counts; path: string }) {
  const over = order.lines - counts.pending;
  const count = (status: PurchaseStatus) => ({
    label: statusNames[status],
    value: grouped(counts[status]),
    href: `${path}?status=${status}`,
  });
  const paid = subtract(order.total, counts.refunded);
  const said = `${grouped(over)} of ${countText(order.lines, "line")} done`;
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
        <Flash kind="bad">{`${countText(counts.failed, "line")} failed. ${moneyText(counts.refunded)} is back in your wallet.`}</Flash>
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
