import type { ChangeKind } from "../../../domain/suppliers/price-lists/compare.ts";
import type { DifferenceRow } from "../../../domain/suppliers/price-lists/difference-row.ts";
import { columnsOf } from "../../kit/columns.tsx";
import type { Typed } from "../../kit/form.ts";
import { Empty } from "../../kit/parts/layout.tsx";
import { type Column, Table } from "../../kit/parts/list.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import { states } from "../../kit/states.tsx";
import { ticks } from "../../kit/ticks.tsx";
import { categoryName } from "./health-tables.tsx";

const column = columnsOf<Line>();

/** A difference with its place in the whole list, from 1. */
export interface Line {
  readonly line: number;
  readonly row: DifferenceRow;
}

export const chosenLines = ticks({ name: "line", none: "Choose a line first." });

/** What each kind is called, and how it is meant. */
export const changeNames = states<ChangeKind>({
  loses_money: ["Below cost", "bad"],
  value_changed: ["Other value", "bad"],
  gone: ["Gone", "review"],
  cost_changed: ["Cost changed", "waiting"],
  new: ["New", "quiet"],
});

interface LinesProps {
  readonly lines: readonly Line[];
  readonly mayChange: boolean;
  readonly typed: Typed;
  /** The list that the lines are of. */
  readonly shown: string;
}

/** Lines of the list, each with its consequence, and what is to be said of it where it is accepted. */
export function DifferenceLines({ lines, mayChange, typed, shown }: LinesProps) {
  // After the list changed, its lines have other numbers: what was chosen then is not chosen now.
  const kept = typed.form.text("shown") === shown ? typed.form : null;
  const pick = chosenLines.column(
    ({ line, row }: Line) => ({ value: line, label: `line ${line}, ${nameOf(row)}` }),
    (value) => kept?.all("line").includes(value) ?? false,
  );
  const product: Column<Line> = column.more("Our product", ({ line, row }) =>
    row.change === "new" && mayChange ? (
      <input
        name={`product-${line}`}
        inputMode="numeric"
        size={8}
        maxLength={9}
        aria-label={`Number of our product for line ${line}`}
        value={kept?.raw(`product-${line}`) ?? ""}
      />
    ) : (
      (row.product_id ?? "–")
    ),
  );
  return (
    <Table
      caption="Differences of the list from our routes, worst first"
      rows={lines}
      mark={({ row }) => (row.change === "loses_money" ? "wrong" : undefined)}
      columns={[
        ...(mayChange ? [pick] : []),
        column.lead("Product", ({ line, row }) => (
          <>
            {nameOf(row)}
            <small>
              Line {line} · {categoryName(row.category)} · code {row.supplier_code}
            </small>
          </>
        )),
        column.status("Change", ({ row }) => changeNames.status(row.change)),
        { title: "Cost now", align: "end", place: "sub", cell: ({ row }) => costText(row.cost_old) },
        { title: "Listed", place: "amount", cell: ({ row }) => costText(row.cost_new) },
        product,
        column.more("What it means", ({ row }) =>
          row.change === "loses_money" ? (
            <strong class="ink-bad">{row.note?.replace(/\d+\.\d\d/g, moneyText)}</strong>
          ) : (
            (row.note ?? row.face ?? "")
          ),
        ),
      ]}
      empty={<Empty title="No differences">Our routes agree with the list.</Empty>}
    />
  );
}

/** `₦612.00`, `4.50 USD`, `97.5%`. */
function costText(cost: string | null): string {
  return cost === null ? "–" : moneyText(cost);
}

function nameOf({ our_name: ours, name, supplier_code: code }: DifferenceRow): string {
  return ours ?? name ?? code;
}
