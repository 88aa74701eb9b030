import type { KeptDifference } from "../../../domain/history/reconciliation/difference-queries.ts";
import type {
  Difference,
  ReconciledSet,
  ReconcileOrder,
  Totals,
} from "../../../domain/history/reconciliation/reconcile-supplier.ts";
import { type Kobo, subtract } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { fileOrLinesIn } from "../../kit/file-or-lines.tsx";
import { type Form as SentForm, sentAgain } from "../../kit/form.ts";
import { Figures } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Buttons, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { countText, grouped, Money } from "../../kit/parts/text.tsx";
import { amountColumns, EndOf, referenceColumn } from "./difference-end.tsx";

export const reconciliationPath = "/operator/reconciliation";

/** A longer statement isn't sent back with its page to be sent once more. */
const sentAgainMax = 4 * 1_048_576;

export const setNames = {
  theirs_only: "Only in theirs",
  ours_only: "Only in ours",
  amounts_differ: "Other amount",
} as const;

const setAdvice = {
  theirs_only: "They charged for it and we have no sale that was delivered. Ask them, or resolve the sale.",
  ours_only: "We delivered it and they didn’t charge for it in this statement.",
  amounts_differ: "Both have it, at another cost. Check the price list.",
} as const;

interface Shown {
  readonly form: SentForm;
  readonly order: ReconcileOrder;
  readonly days: string;
  readonly totals: Readonly<Record<ReconciledSet, Totals>>;
  readonly found: readonly Difference[];
  /** How each of these is kept, if it is, in their order. */
  readonly kept: readonly (KeptDifference | null)[];
}

/** What a comparison found, a set at a time. */
export function differencesPage({ form, order, days, totals, found, kept }: Shown): PageAnswer {
  const sets = ["theirs_only", "ours_only", "amounts_differ"] as const;
  const all = sets.reduce((sum, set) => sum + totals[set].count, 0);
  const statement = fileOrLinesIn(form, "statement");
  const rows = found.map((one, at) => ({ ...one, kept: kept[at] ?? null }));
  const isByTheirs = order.by === "provider_reference";
  const sent = { ...sentAgain(form), statement };
  return page(
    {
      title: all === 0 ? "Both sides agree" : countText(all, "difference"),
      note: `${order.supplier}, ${days}`,
      crumbs: [["Reconciliation", reconciliationPath]],
    },
    <>
      <Figures
        figures={[
          { label: "Agree", value: grouped(totals.both.count), note: <Money amount={totals.both.theirs} /> },
          ...sets.map((set) => ({
            label: setNames[set],
            value: grouped(totals[set].count),
            note: <Sums {...{ set, totals: totals[set] }} />,
            isAlarm: totals[set].count > 0,
          })),
        ]}
      />
      {all === 0 || statement.length > sentAgainMax ? null : (
        <Sheet title="Take each to an end">
          <p>
            Keep these differences, then end each: we were wrong, they were wrong, or it’s written off. What was ended
            before keeps its end.
          </p>
          <Buttons>
            <Form
              action={`${reconciliationPath}/keep`}
              submit={`Keep ${countText(all, "difference")}`}
              hidden={sent}
              isInline
            />
            <Form
              action={reconciliationPath}
              submit={`Download CSV (${grouped(all)})`}
              kind="plain"
              hidden={{ ...sent, do: "csv" }}
              isInline
            />
          </Buttons>
        </Sheet>
      )}
      {sets
        .filter((set) => totals[set].count > 0)
        .map((set) => (
          <Differences
            key={set}
            {...{ set, count: totals[set].count, rows: rows.filter((one) => one.set === set), isByTheirs }}
          />
        ))}
    </>,
  );
}

function Sums({ set, totals: { ours, theirs } }: { readonly set: Difference["set"]; readonly totals: Totals }) {
  const amount: Kobo = set === "theirs_only" ? theirs : set === "ours_only" ? ours : subtract(theirs, ours);
  return <Money amount={amount} isSigned={set === "amounts_differ"} />;
}

interface DifferencesProps {
  /** The statement goes by the supplier's own references. */
  readonly isByTheirs: boolean;
  readonly set: Difference["set"];
  readonly count: number;
  readonly rows: readonly (Difference & { readonly kept: KeptDifference | null })[];
}

function Differences({ set, count, rows, isByTheirs }: DifferencesProps) {
  return (
    <TableSheet
      title={setNames[set]}
      note={setAdvice[set]}
      rows={rows}
      href={({ transactionId }) =>
        transactionId === null ? null : `/operator/search?${new URLSearchParams({ q: transactionId })}`
      }
      columns={[
        referenceColumn,
        ...amountColumns,
        ...(isByTheirs
          ? [{ title: "Transaction ID", cell: ({ transactionId }: Difference) => transactionId ?? "–", isExtra: true }]
          : []),
        { title: "Why", cell: ({ note }) => note, place: "sub" },
        { title: "State", cell: ({ kept }) => (kept === null ? "" : <EndOf {...kept} />), place: "state" },
      ]}
    >
      {count > rows.length ? <p class="hint">{`${rows.length} of ${grouped(count)} shown. The CSV has all.`}</p> : null}
    </TableSheet>
  );
}
