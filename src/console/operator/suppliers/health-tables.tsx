import { categories } from "../../../categories/registry.ts";
import type { Declines } from "../../../domain/history/suppliers/declines.ts";
import { attemptsOf, type CategoryHealth, deliveredOf } from "../../../domain/history/suppliers/supplier-health.ts";
import type { KnownBreaker } from "../../../domain/suppliers/routing/count-queries.ts";
import { columnsOf } from "../../kit/columns.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { grouped, Moment, Money, Status } from "../../kit/parts/text.tsx";

const column = columnsOf<KnownBreaker>();

export function categoryName(slug: string): string {
  return categories.find((category) => category.slug === slug)?.title ?? slug;
}

export function CategoryTable({ rows }: { readonly rows: readonly CategoryHealth[] }) {
  return (
    <TableSheet
      title="By category"
      rows={rows}
      columns={[
        { title: "Category", cell: ({ category }) => categoryName(category), place: "lead" },
        { title: "Sales", cell: (row) => grouped(attemptsOf(row)), align: "end" },
        { title: "Delivered", cell: (row) => percentText(deliveredOf(row)), place: "amount" },
        { title: "Declined", cell: ({ declined }) => grouped(declined), align: "end", isExtra: true },
        { title: "No answer at first", cell: ({ unknown }) => grouped(unknown), align: "end", isExtra: true },
        { title: "Half within", cell: ({ p50 }) => tookText(p50), align: "end", isExtra: true },
        { title: "95% within", cell: ({ p95 }) => tookText(p95), align: "end" },
        { title: "Cost", cell: ({ cost }) => <Money amount={cost} />, align: "end" },
      ]}
    />
  );
}

export function percentText(percent: number | null): string {
  return percent === null ? "–" : `${percent.toFixed(1)}%`;
}

export function tookText(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Which categories its breaker keeps away, since when, and what the supplier answered last. */
export function Breakers({ breakers }: { readonly breakers: readonly KnownBreaker[] }) {
  return (
    <TableSheet
      title="Breaker"
      caption="Breaker by category"
      rows={breakers}
      columns={[
        column.lead("Category", ({ category, lastTrouble }) => (
          <>
            {categoryName(category)}
            {lastTrouble === null ? null : <small class="said">{lastTrouble}</small>}
          </>
        )),
        column.status("State", ({ isOpen }) =>
          isOpen ? <Status kind="bad">Stopped</Status> : <Status kind="good">Selling</Status>,
        ),
        column.more("Since", ({ isOpen, openedAt, openAt }) => <Moment at={isOpen ? (openedAt ?? openAt) : openAt} />),
      ]}
      empty={<p class="inside">Its breaker has not stopped a category yet.</p>}
    />
  );
}

export function DeclineTable({ declines }: { readonly declines: Declines }) {
  return (
    <TableSheet
      title="Declines by its own code"
      note={
        <>
          {grouped(declines.count)} since <Moment at={declines.since} />
        </>
      }
      caption="Declines by the supplier’s own code"
      rows={declines.groups}
      columns={[
        {
          title: "Code and words",
          cell: ({ code, words }) => (
            <>
              {code ?? "no code"} <small>“{words}”</small>
            </>
          ),
          place: "lead",
        },
        { title: "Sales", cell: ({ count }) => grouped(count), place: "amount" },
        { title: "Ended as", cell: ({ errorCode }) => <code>{errorCode ?? "sold elsewhere"}</code>, place: "sub" },
        { title: "Last", cell: ({ lastAt }) => <Moment at={lastAt} style="list" />, isExtra: true },
      ]}
      empty={<p class="inside">It declined no sale in this time.</p>}
    />
  );
}
