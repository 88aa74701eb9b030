import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import {
  listSales,
  listSalesByProduct,
  type ProductSales,
  type SalesSpan,
} from "../../../domain/history/sales-by-person/queries.ts";
import { soldProductOf } from "../../../domain/purchases/purchase.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { add, zeroKobo } from "../../../kernel/money.ts";
import { readNumber } from "../../../kernel/phone.ts";
import { list } from "../../kit/list.tsx";
import { findFilter, periodFilters } from "../../kit/list-page.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Icon } from "../../kit/parts/icon.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import { type Column, TableSheet } from "../../kit/parts/list.tsx";
import type { MomentFormat } from "../../kit/parts/surroundings.ts";
import { grouped, Money, momentText, moneyText } from "../../kit/parts/text.tsx";
import { Customer, saleStatus } from "../../kit/sale.tsx";
import type { ModeRoutes } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { purchasePath } from "../transactions/purchase.tsx";

const dayMs = 86_400_000;
/** How far back a number or reference is looked for. */
const soughtDays = 31;
const linesMax = 500;

/** What did I sell today, and what must be in the till? A person's own sales by hand, one by one. */
export function mySalesPages(routes: ModeRoutes, services: MerchantServices): void {
  const { reads, catalogue, format } = services;
  list(routes, {
    at: "/my-sales",
    may: "buy",
    title: "My sales",
    filters: { q: findFilter("number or reference"), ...salesPeriod(services) },
    usual: { days: "1" },
    async read({ visit, values }) {
      const person = visit.session.person;
      const span = { wallet: visit.wallet, ...spanOf(services, values), personId: person.id };
      const sought = values.q === null ? "" : readNumber(values.q);
      // From the search of every page a number comes without days.
      const isFarther = sought !== "" && visit.query.get("days") === undefined && values.from === null;
      const listed = isFarther ? { ...span, from: span.before - soughtDays * dayMs } : span;
      const [products, sums, lines] = await Promise.all([
        catalogue.current(),
        listSalesByProduct(reads, span),
        listSales(reads, listed, { sought, limit: linesMax }),
      ]);
      const period = periodText(format, span);
      return {
        rows: lines.map((line) => ({ ...line, name: soldProductOf(products, line).product.name })),
        note: `${person.name}, ${visit.member.name}, ${period}`,
        caption: sought === "" ? `Sales, ${period}` : "Sales found",
        over: sums.length === 0 ? null : <SalesFigures sums={sums} />,
        below: (
          <>
            {lines.length < linesMax ? null : (
              <p class="hint">These are the newest {grouped(linesMax)}. Choose fewer days.</p>
            )}
            <SalesByProduct sums={sums} products={products} />
          </>
        ),
      };
    },
    href: ({ reference }, { visit }) => `${purchasePath(visit, reference)}/receipt`,
    columns: ({ when, lead, sub, status, amount }) => [
      when("Time", ({ soldAt }) => soldAt),
      lead("Product", ({ name }) => name),
      sub("For", ({ customerRef }) => (customerRef === null ? "" : <Customer text={customerRef} />)),
      status("Status", saleStatus),
      amount("Amount", (sale) => sale.amount),
    ],
    actions: (visit) => (
      <>
        <button class="button" type="button" data-island="print" hidden>
          <Icon name="print" />
          Print
        </button>
        <ButtonLink href={visit.to("buy")} kind="main">
          Sell
        </ButtonLink>
      </>
    ),
    empty: <Empty title="No sales yet today">Each sale you make appears here at once, with its receipt.</Empty>,
    noneFits: { title: "No sales match", text: "Choose more days, or look for less of the number." },
  });
}

/** What customers paid, and for how many. What failed was paid back, and is in no sum. */
export function SalesFigures({ sums }: { readonly sums: readonly ProductSales[] }) {
  const total = sums.reduce((sum, { amount }) => add(sum, amount), zeroKobo);
  const count = (name: "delivered" | "pending" | "refunded") => sums.reduce((sum, each) => sum + each[name], 0);
  return (
    <Figures
      figures={[
        { label: "Customers paid", value: moneyText(total), note: "delivered and pending" },
        { label: "Delivered", value: grouped(count("delivered")) },
        { label: "Pending", value: grouped(count("pending")) },
        { label: "Failed, refunded", value: grouped(count("refunded")), note: "not in the sum" },
      ]}
    />
  );
}

interface ByProductProps {
  readonly sums: readonly ProductSales[];
  readonly products: CatalogueSnapshot;
  /** What the wallet paid, for whoever may see that. */
  readonly isCostShown?: boolean;
}

export function SalesByProduct({ sums, products, isCostShown = false }: ByProductProps) {
  if (sums.length === 0) return null;
  const cost: Column<ProductSales> = { title: "Cost", cell: (each) => <Money amount={each.cost} />, align: "end" };
  return (
    <TableSheet
      title="By product"
      caption="Sales by product"
      rows={sums}
      columns={[
        { title: "Product", cell: (each) => soldProductOf(products, each).product.name, place: "lead" },
        { title: "Category", cell: (each) => soldProductOf(products, each).category.title, place: "sub" },
        { title: "Sales", cell: ({ delivered, pending }) => grouped(delivered + pending), align: "end" },
        ...(isCostShown ? [cost] : []),
        { title: "Customers paid", cell: ({ amount }) => <Money amount={amount} />, place: "amount" },
      ]}
    />
  );
}

/** The filters of a list of sales, which is always about some days. */
export function salesPeriod(services: Pick<MerchantServices, "wallTime" | "clock">) {
  const period = periodFilters<Instant>(services, (instant) => instant);
  return { ...period, days: { ...period.days, isAlways: true } };
}

/** A year of a team's days is read while somebody waits. */
const longestMs = 366 * dayMs;

/** The instants of what was chosen. */
export function spanOf(
  { wallTime, clock }: Pick<MerchantServices, "wallTime" | "clock">,
  { days, from, to }: { readonly days: Instant | null; readonly from: Instant | null; readonly to: Instant | null },
): Pick<SalesSpan, "from" | "before"> {
  const before = to ?? wallTime.dayOf(clock.now()).end;
  const start = days ?? from ?? wallTime.dayOf(before - 1).start;
  return { from: Math.max(start, before - longestMs), before };
}

/** `26 Nov 2026`, or the first and the last day. */
export function periodText(format: MomentFormat, { from, before }: Pick<SalesSpan, "from" | "before">): string {
  const [first, last] = [momentText(format, from, "day"), momentText(format, before - 1, "day")];
  return first === last ? first : `${first} to ${last}`;
}
