import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import {
  listSales,
  listSalesByProduct,
  type ProductSales,
  type SalesSpan,
} from "../../../domain/history/sales-by-person/queries.ts";
import { soldProductOf } from "../../../domain/purchases/purchase.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { readNumber } from "../../../kernel/phone.ts";
import { findFilter, listPage, periodFilters, readList } from "../../kit/list-page.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, Table } from "../../kit/parts/list.tsx";
import type { MomentFormat } from "../../kit/parts/surroundings.ts";
import { grouped, Moment, Money, momentText, moneyText } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { purchasePath, purchaseStatus } from "../transactions/purchase.tsx";

const dayMs = 86_400_000;
/** How far back a number or reference is looked for. */
const soughtDays = 31;
const linesMax = 500;

/** What did I sell today, and what must be in the till? A person's own sales by hand, one by one. */
export function mySalesPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/my-sales", { capability: "buy", show: (visit) => mySalesPage(services, visit) });
}

async function mySalesPage(services: MerchantServices, visit: ModeVisit) {
  const { reads, catalogue, wallTime, clock, format } = services;
  const query = readList(visit, visit.to("my-sales"), {
    q: findFilter("number or reference"),
    ...periodFilters(services, (instant) => instant),
  });
  const { q, days, from, to } = query.values;
  const today = wallTime.dayOf(clock.now());
  const person = visit.session.person;
  const start = days ?? from ?? (to === null ? today.start : wallTime.dayOf(to - dayMs / 2).start);
  const span = { wallet: visit.wallet, from: start, before: to ?? today.end, personId: person.id };
  const sought = q === null ? "" : readNumber(q);
  const hasPeriod = days !== null || from !== null || to !== null;
  const listed = sought === "" || hasPeriod ? span : { ...span, from: today.start - soughtDays * dayMs };
  const [products, sums, lines] = await Promise.all([
    catalogue.current(),
    listSalesByProduct(reads, span),
    listSales(reads, listed, { sought, limit: linesMax }),
  ]);
  const period = periodText(format, span);
  return listPage(query, {
    title: "My sales",
    note: `${person.name}, ${visit.member.name}, ${period}`,
    actions: (
      <ButtonLink href={visit.to("buy")} kind="main">
        Sell
      </ButtonLink>
    ),
    caption: sought === "" ? `Sales, ${period}` : "Sales found",
    rows: lines,
    columns: [
      { title: "Time", cell: ({ soldAt }) => <Moment at={soldAt} style="list" />, place: "sub" },
      { title: "Product", cell: (line) => soldProductOf(products, line).product.name, place: "lead" },
      { title: "For", cell: ({ customerRef }) => customerRef ?? "", place: "sub" },
      { title: "Status", cell: (line) => purchaseStatus(line), place: "state" },
      { title: "Amount", cell: ({ amount }) => <Money amount={amount} />, place: "amount" },
    ],
    href: ({ reference }) => `${purchasePath(visit, reference)}/receipt`,
    empty: <Empty title="No sales yet today">Each sale you make appears here at once, with its receipt.</Empty>,
    noneFits: {
      title: "No sales match these filters",
      text: `Clear a filter. A number or reference is found in your sales of the last ${soughtDays} days.`,
    },
    below: (
      <>
        {lines.length < linesMax ? null : (
          <p class="hint">These are the newest {grouped(linesMax)}. Choose fewer days.</p>
        )}
        {sums.length === 0 ? null : <SalesSum sums={sums} products={products} />}
      </>
    ),
  });
}

/** `26 Nov 2026`, or the first and the last day. */
export function periodText(format: MomentFormat, { from, before }: Pick<SalesSpan, "from" | "before">): string {
  const [first, last] = [momentText(format, from, "day"), momentText(format, before - 1, "day")];
  return first === last ? first : `${first} to ${last}`;
}

/** What customers paid, and product by product for what. What failed was paid back, and is in no sum. */
export function SalesSum({
  sums,
  products,
  isCostShown = false,
}: {
  readonly sums: readonly ProductSales[];
  readonly products: CatalogueSnapshot;
  readonly isCostShown?: boolean;
}) {
  const total = sums.reduce((sum, { amount }) => (sum + amount) as Kobo, 0n as Kobo);
  const count = (name: "delivered" | "pending" | "refunded") => sums.reduce((sum, each) => sum + each[name], 0);
  const cost: Column<ProductSales> = { title: "Cost", cell: (each) => <Money amount={each.cost} />, align: "end" };
  return (
    <>
      <Figures
        figures={[
          { label: "Customers paid", value: moneyText(total), note: "delivered and pending" },
          { label: "Delivered", value: grouped(count("delivered")) },
          { label: "Pending", value: grouped(count("pending")) },
          { label: "Failed, refunded", value: grouped(count("refunded")), note: "in no sum" },
        ]}
      />
      <Sheet title="By product" isPadded={false}>
        <Table
          caption="Sales by product"
          rows={sums}
          columns={[
            { title: "Product", cell: (each) => soldProductOf(products, each).product.name, place: "lead" },
            { title: "Category", cell: (each) => soldProductOf(products, each).category.title, place: "sub" },
            {
              title: "Sales",
              cell: ({ delivered, pending }) => grouped(delivered + pending),
              align: "end",
              place: "state",
            },
            ...(isCostShown ? [cost] : []),
            { title: "Amount", cell: ({ amount }) => <Money amount={amount} />, place: "amount" },
          ]}
          empty={null}
        />
      </Sheet>
    </>
  );
}
