import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { listSales, listSalesByProduct, type ProductSales } from "../../../domain/history/sales-by-person/queries.ts";
import { soldProductOf } from "../../../domain/purchases/purchase.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { readNumber } from "../../../kernel/phone.ts";
import { dateFilter, listPage, readList, textFilter } from "../../kit/list-page.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, Table } from "../../kit/parts/list.tsx";
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

async function mySalesPage({ reads, catalogue, wallTime, clock, format }: MerchantServices, visit: ModeVisit) {
  const query = readList(visit, visit.to("my-sales"), {
    q: textFilter("Find", "number or reference"),
    day: dateFilter("Day", (text) => wallTime.startOfDay(text)),
  });
  const { q, day } = query.values;
  const today = wallTime.dayOf(clock.now());
  const chosen = wallTime.dayOf(day ?? today.start);
  const person = visit.session.person;
  const ofDay = { wallet: visit.wallet, from: chosen.start, before: chosen.end, personId: person.id };
  const sought = q === null ? "" : readNumber(q);
  const listed = sought === "" || day !== null ? ofDay : { ...ofDay, from: chosen.start - soughtDays * dayMs };
  const [products, sums, lines] = await Promise.all([
    catalogue.current(),
    listSalesByProduct(reads, ofDay),
    listSales(reads, listed, { sought, limit: linesMax }),
  ]);
  const dayText = momentText(format, chosen.start, "day");
  return listPage(query, {
    title: "My sales",
    note: `${person.name}, ${visit.member.name}, ${dayText}`,
    actions: (
      <ButtonLink href={visit.to("buy")} kind="main">
        Sell
      </ButtonLink>
    ),
    over: sums.length === 0 ? null : <DaySum sums={sums} products={products} />,
    caption: sought === "" ? `Sales of ${dayText}` : "Sales found",
    rows: lines,
    columns: [
      { title: "Time", cell: ({ soldAt }) => <Moment at={soldAt} style={timeStyle(sought)} />, isQuiet: true },
      { title: "Product", cell: (line) => soldProductOf(products, line).product.name, place: "lead" },
      { title: "For", cell: ({ customerRef }) => <code>{customerRef ?? ""}</code>, place: "under" },
      { title: "Status", cell: (line) => purchaseStatus(line), place: "state" },
      { title: "Amount", cell: ({ amount }) => <Money amount={amount} />, align: "end", place: "amount" },
    ],
    href: ({ reference }) => `${purchasePath(visit, reference)}/receipt`,
    empty: (
      <Empty title={`No sales ${isSame(chosen.start, today.start) ? "yet today" : `on ${dayText}`}`}>
        Each sale you make appears here at once, with its receipt.
      </Empty>
    ),
    noneFits: { title: "No sales match", text: `We looked through your sales of the last ${soughtDays} days.` },
    below:
      lines.length < linesMax ? null : (
        <p class="hint">These are the newest {grouped(linesMax)}. Use Find for the others.</p>
      ),
  });
}

function timeStyle(sought: string) {
  return sought === "" ? ("time" as const) : ("second" as const);
}

function isSame(one: Instant, other: Instant): boolean {
  return one === other;
}

/** What customers paid, and product by product for what. What failed was paid back, and is in no sum. */
export function DaySum({
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
            { title: "Category", cell: (each) => soldProductOf(products, each).category.title, place: "under" },
            {
              title: "Sales",
              cell: ({ delivered, pending }) => grouped(delivered + pending),
              align: "end",
              place: "state",
            },
            ...(isCostShown ? [cost] : []),
            { title: "Amount", cell: ({ amount }) => <Money amount={amount} />, align: "end", place: "amount" },
          ]}
          empty={null}
        />
      </Sheet>
    </>
  );
}
