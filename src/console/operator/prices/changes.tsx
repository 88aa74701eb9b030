import { listPriceChanges, type PriceChange } from "../../../domain/catalogue/price-changes/price-change-queries.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, listPage, pageOf, readList } from "../../kit/list-page.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { grouped, Moment } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { makerName, StateOfChange } from "./change-tables.tsx";
import { changesPath, pricesPath } from "./price-words.tsx";

const perPage = 50;

/** The history of prices: by whom, when and why they were changed, and what is scheduled. */
export function priceChangeListPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(changesPath, { capability: "see_prices", show: (visit) => changesPage(services, visit) });
}

async function changesPage({ reads, people }: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const query = readList(visit, changesPath, {
    state: choiceFilter("State", [
      { value: "waiting", label: "Waiting for approval" },
      { value: "agreed", label: "Scheduled or under way" },
      { value: "done", label: "Done" },
      { value: "refused", label: "Refused" },
      { value: "withdrawn", label: "Withdrawn" },
      { value: "expired", label: "Expired" },
    ] as const),
  });
  const before = wholeNumber(query.before);
  const found = await listPriceChanges(reads, { before, state: query.values.state, limit: perPage + 1 });
  const { rows, older } = pageOf(found, perPage, ({ id }) => id);
  return listPage(query, {
    title: "Price changes",
    crumbs: [["Prices", pricesPath]],
    note: "Who changed prices, when and why, and what is scheduled",
    caption: "Price changes, the newest first",
    rows,
    href: ({ id }) => `${changesPath}/${id}`,
    columns: columns(people.clock.now()),
    empty: (
      <Empty title="No price was changed yet" icon="tag">
        Changes appear here, with each price before and after.
      </Empty>
    ),
    noneFits: { title: "No changes match", text: "Choose another state." },
    older,
  });
}

const columns = (now: Instant): readonly Column<PriceChange>[] => [
  {
    title: "Change",
    place: "lead",
    cell: ({ id, reason }) => (reason === "" ? `Change ${id}` : `${id}: ${reason}`),
  },
  { title: "Prices", align: "end", place: "amount", cell: ({ prices }) => grouped(prices) },
  { title: "By", place: "sub", cell: ({ madeBy }) => makerName(madeBy) },
  {
    title: "When",
    place: "sub",
    cell: ({ at }) => <Moment at={at} style="list" />,
  },
  { title: "State", place: "state", cell: (change) => <StateOfChange {...{ change, now }} /> },
];
