import { listPriceChanges, type PriceChange } from "../../../domain/catalogue/price-changes/price-change-queries.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { columnsOf } from "../../kit/columns.tsx";
import { list } from "../../kit/list.tsx";
import { choiceFilter } from "../../kit/list-page.tsx";
import { Empty } from "../../kit/parts/layout.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { makerName, StateOfChange } from "./change-tables.tsx";
import { changesPath, pricesPath } from "./price-words.tsx";

const column = columnsOf<PriceChange>();

/** The history of prices: by whom, when and why they were changed, and what is scheduled. */
export function priceChangeListPages(routes: StaffRoutes, { reads, people }: OperatorServices): void {
  list(routes, {
    at: changesPath,
    may: "see_prices",
    title: "Price changes",
    filters: {
      state: choiceFilter("State", [
        { value: "waiting", label: "Waiting for approval" },
        { value: "agreed", label: "Scheduled or under way" },
        { value: "done", label: "Done" },
        { value: "refused", label: "Refused" },
        { value: "withdrawn", label: "Withdrawn" },
        { value: "expired", label: "Expired" },
      ] as const),
    },
    placeIn: wholeNumber,
    read: async ({ values: { state }, before, limit }) => ({
      rows: await listPriceChanges(reads, { before, state, limit }),
    }),
    place: ({ id }) => id,
    href: ({ id }) => `${changesPath}/${id}`,
    columns: () => [
      column.lead("Change", ({ id, reason }) => (reason === "" ? `Change ${id}` : `${id}: ${reason}`)),
      { ...column.count("Prices", ({ prices }) => prices), place: "amount" },
      column.sub("By", ({ madeBy }) => makerName(madeBy)),
      column.when("When", ({ at }) => at),
      column.status("State", (change) => <StateOfChange {...{ change, now: people.clock.now() }} />),
    ],
    crumbs: [["Prices", pricesPath]],
    note: "Who changed prices, when and why, and what is scheduled",
    caption: "Price changes, the newest first",
    empty: (
      <Empty title="No price was changed yet" icon="tag">
        Changes appear here, with each price before and after.
      </Empty>
    ),
    noneFits: { title: "No changes match", text: "Choose another state." },
  });
}
