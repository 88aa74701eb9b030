import {
  listSalesByPerson,
  listSalesByProduct,
  type PersonSales,
} from "../../../domain/history/sales-by-person/queries.ts";
import type { PersonId } from "../../../domain/identity/people/person.ts";
import { listMembers } from "../../../domain/members/queries.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { choiceFilter, listPage, readList } from "../../kit/list-page.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import { grouped, Money, momentText } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { periodText, SalesByProduct, SalesFigures, salesPeriod, spanOf, withUsualDays } from "./my-sales.tsx";

/** Sales by hand, by person and day, and all of them by product. */
export function teamSalesPages(routes: ModeRoutes, services: MerchantServices): void {
  routes.page("/team-sales", { capability: "run_business", show: (visit) => teamSalesPage(services, visit) });
}

async function teamSalesPage(services: MerchantServices, visit: ModeVisit) {
  const { reads, catalogue, timeZone, format } = services;
  const members = await listMembers(reads, visit.member.merchantId);
  const people = members.map(({ personId, name }) => ({ value: String(personId), label: name }));
  const query = readList(withUsualDays(visit, "7"), visit.to("team-sales"), {
    // A link of the list may name a person who has left.
    person: choiceFilter("Person", people, (text) => wholeNumber(text) as PersonId | null),
    ...salesPeriod(services),
  });
  const { person } = query.values;
  const span = { wallet: visit.wallet, ...spanOf(services, query.values), personId: person };
  const [rows, sums, products] = await Promise.all([
    listSalesByPerson(reads, span, timeZone),
    listSalesByProduct(reads, span),
    catalogue.current(),
  ]);
  return listPage(query, {
    title: "Sales by person",
    note: `Sold in the console, bulk orders included, ${periodText(format, span)}`,
    caption: "Sales by person and day",
    rows,
    href: (row) => query.href({ person: String(row.personId), days: "", from: row.date, to: row.date }),
    columns: [
      { title: "Person", cell: ({ name }) => name, place: "lead" },
      { title: "Day", cell: ({ date }) => momentText(format, `${date}T12:00:00Z`, "day"), place: "sub" },
      { title: "Delivered", cell: ({ delivered }) => grouped(delivered), align: "end" },
      { title: "Pending", cell: ({ pending }) => grouped(pending), align: "end", isExtra: true },
      { title: "Failed, refunded", cell: ({ refunded }) => grouped(refunded), align: "end", isExtra: true },
      { title: "Cost", cell: ({ cost }) => <Money amount={cost} />, align: "end" },
      {
        title: "Customers paid",
        cell: ({ amount }: PersonSales) => <Money amount={amount} />,
        align: "end",
        place: "amount",
      },
    ],
    empty: (
      <Empty title="No sales by hand in these days">
        Sales and bulk orders that somebody on your team makes in the console appear here, by person and day. Sales by
        the API are under Transactions.
      </Empty>
    ),
    ...(visit.query.size === 0
      ? {}
      : { noneFits: { title: "No sales match", text: "Choose more days or another person." } }),
    over: sums.length === 0 ? null : <SalesFigures sums={sums} />,
    below: <SalesByProduct sums={sums} products={products} isCostShown />,
  });
}
