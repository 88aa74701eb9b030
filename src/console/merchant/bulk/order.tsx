import { categoryOf } from "../../../categories/category-slugs.ts";
import type { BulkOrder } from "../../../domain/bulk-orders/bulk-order.ts";
import { countBulkLines, findBulkOrder, listBulkLines } from "../../../domain/bulk-orders/queries.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import {
  type Purchase,
  type PurchaseStatus,
  soldProductOf,
  totalDeductedOf,
} from "../../../domain/purchases/purchase.ts";
import { messageOf } from "../../../domain/purchases/transaction-object.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { subtract } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import { list } from "../../kit/list.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Flash, Live } from "../../kit/parts/form.tsx";
import { ButtonLink } from "../../kit/parts/layout.tsx";
import { countText, grouped, Moment, Money, moneyText } from "../../kit/parts/text.tsx";
import { Customer, saleStates, saleStatus } from "../../kit/sale.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { failureAdvice, purchasePath } from "../transactions/purchase.tsx";

/** Lines that the file reads at once: it holds no more of them. */
const linesPerPiece = 200;

/** How far an order is, line by line, and its results as a file. Looks again while lines are pending. */
export function orderPages(routes: ModeRoutes, services: MerchantServices): void {
  const { reads, catalogue, transactionIds } = services;
  const orderOf = (visit: ModeVisit) => orderIn(services, visit);
  const lineOf = (products: CatalogueSnapshot) => (line: Purchase) => {
    return { ...line, product: soldProductOf(products, line).product };
  };

  list(routes, {
    at: "/bulk/:reference",
    may: "buy_in_bulk",
    title: "Bulk order",
    filters: {
      status: saleStates.filter("Status"),
    },
    perPage: 100,
    async read({ visit, query, values: { status }, page, limit: perPage }) {
      const order = await orderOf(visit);
      const [counts, lines, products] = await Promise.all([
        countBulkLines(reads, order),
        listBulkLines(reads, order, status, { page, perPage, isFailedFirst: true }),
        catalogue.current(),
      ]);
      return {
        ...headOf(visit, { order, counts, path: query.path }),
        rows: lines.map(lineOf(products)),
        total: status === null ? order.lines : counts[status],
        isLive: false,
      };
    },
    href: ({ reference }, { visit }) => purchasePath(visit, reference),
    csv: {
      ...{ from: services, may: "buy_in_bulk", at: "/bulk/:reference/results.csv", isLinked: false },
      what: ({ visit }) => `bulk-${visit.param("reference")}`,
      async rows({ visit }) {
        const order = await orderOf(visit);
        return resultsOf(order, async (page) => {
          const lines = await listBulkLines(reads, order, null, { page, perPage: linesPerPiece });
          return lines.map(lineOf(await catalogue.current()));
        });
      },
    },
    liveId: "lines",
    caption: "Lines, failed ones first",
    columns: ({ lead, sub, amount, status, inFile }) => [
      { title: "Line", cell: lineNumber, place: "none", file: { line: lineNumber } },
      inFile({ phone: ({ phone }) => phone, product_id: ({ product }) => product.id }),
      lead("For", ({ customerRef }) => <Customer text={customerRef ?? ""} />),
      sub(
        "Product",
        (line) => (
          <>
            {line.product.name}
            {line.status === "failed" ? <small> {failureAdvice[line.errorCode ?? "PROVIDER_DECLINED"]}</small> : null}
          </>
        ),
        { product: ({ product }) => product.name },
      ),
      inFile({
        reference: ({ reference }) => reference,
        transaction_id: ({ id, wallet }) => transactionIds.format(id, wallet.mode),
        status: (line) => line.status,
      }),
      amount("Charged", totalDeductedOf, "charged"),
      status("Status", saleStatus, {
        error_code: ({ errorCode }) => errorCode,
        message: (line) => messageOf(line, line.product),
      }),
    ],
    noneFits: { text: "Lines move from pending to delivered or failed by themselves." },
  });
}

/** @throws Refusal NOT_FOUND */
async function orderIn({ reads }: MerchantServices, { wallet, param }: ModeVisit): Promise<BulkOrder> {
  const reference = parseStoredReference(param("reference"));
  const order = reference === null ? null : await findBulkOrder(reads, wallet, reference);
  if (order === null) throw refuse("NOT_FOUND");
  return order;
}

function lineNumber({ bulk }: Pick<Purchase, "bulk">): number {
  return (bulk?.line ?? 0) + 1;
}

/** The results of all lines of an order, so many at a time. */
async function* resultsOf<Line>({ lines }: BulkOrder, read: (page: number) => Promise<readonly Line[]>) {
  for (let number = 1; (number - 1) * linesPerPiece < lines; number += 1) yield await read(number);
}

type Counts = Awaited<ReturnType<typeof countBulkLines>>;

interface OrderShown {
  readonly order: BulkOrder;
  readonly counts: Counts;
  readonly path: string;
}

/** What stands over the lines. */
function headOf(visit: ModeVisit, { order, counts, path }: OrderShown) {
  return {
    title: order.reference,
    crumbs: [["Bulk orders", visit.to("bulk")]] as const,
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
  };
}

function Progress({ order, counts, path }: OrderShown) {
  const over = order.lines - counts.pending;
  const count = (status: PurchaseStatus) => ({
    label: saleStates.wordOf(status),
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
