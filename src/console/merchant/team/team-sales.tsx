import { listSalesByPerson, listSalesByProduct } from "../../../domain/history/sales-by-person/queries.ts";
import type { PersonId } from "../../../domain/identity/people/person.ts";
import { listMembers } from "../../../domain/members/queries.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter } from "../../kit/list-page.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { momentText } from "../../kit/parts/text.tsx";
import type { ModeRoutes } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { periodText, SalesByProduct, SalesFigures, salesPeriod, spanOf } from "./my-sales.tsx";

/** Sales by hand, by person and day, and all of them by product. */
export function teamSalesPages(routes: ModeRoutes, services: MerchantServices): void {
  const { reads, catalogue, timeZone, format } = services;
  list(routes, {
    at: "/team-sales",
    may: "run_business",
    title: "Sales by person",
    usual: { days: "7" },
    async filters({ member }) {
      const members = await listMembers(reads, member.merchantId);
      const people = members.map(({ personId, name }) => ({ value: String(personId), label: name }));
      // A link of the list may name a person who has left.
      const person = choiceFilter("Person", people, (text) => wholeNumber(text) as PersonId | null);
      return { person, ...salesPeriod(services) };
    },
    async read({ visit, values }) {
      const span = { wallet: visit.wallet, ...spanOf(services, values), personId: values.person };
      const [rows, sums, products] = await Promise.all([
        listSalesByPerson(reads, span, timeZone),
        listSalesByProduct(reads, span),
        catalogue.current(),
      ]);
      return {
        rows,
        note: `Sold in the console, bulk orders included, ${periodText(format, span)}`,
        over: sums.length === 0 ? null : <SalesFigures sums={sums} />,
        below: <SalesByProduct sums={sums} products={products} isCostShown />,
      };
    },
    href: ({ personId, date }, { query }) => query.href({ person: String(personId), days: "", from: date, to: date }),
    caption: "Sales by person and day",
    columns: ({ lead, sub, count, naira, amount }) => [
      lead("Person", ({ name }) => name),
      sub("Day", ({ date }) => momentText(format, `${date}T12:00:00Z`, "day")),
      count("Delivered", ({ delivered }) => delivered),
      { ...count("Pending", ({ pending }) => pending), isExtra: true },
      { ...count("Failed, refunded", ({ refunded }) => refunded), isExtra: true },
      naira("Cost", ({ cost }) => cost),
      amount("Customers paid", (sold) => sold.amount),
    ],
    empty: (
      <Empty title="No sales by hand in these days">
        Sales and bulk orders that somebody on your team makes in the console appear here, by person and day. Sales by
        the API are under Transactions.
      </Empty>
    ),
    noneFits: { title: "No sales match", text: "Choose more days or another person." },
  });
}
