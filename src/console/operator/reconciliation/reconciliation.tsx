import {
  type Reconciled,
  type ReconciledSet,
  type ReconcileOrder,
  reconcileSupplier,
  type Totals,
} from "../../../domain/history/reconciliation/reconcile-supplier.ts";
import { ownNames, readStatementText } from "../../../domain/history/reconciliation/statement-text.ts";
import { readRouteTable } from "../../../domain/suppliers/routing/route-table.ts";
import { type Kobo, readAmount, subtract, zeroKobo } from "../../../kernel/money.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import { writeCsv } from "../../../platform/csv.ts";
import { type Answer, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { Figures } from "../../kit/parts/data.tsx";
import { RadioField, SelectField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { FileText, Form } from "../../kit/parts/form.tsx";
import { Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { grouped, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/reconciliation";
/** Some hundred thousand lines; a longer statement is compared by the command. */
const bytesMax = 8 * 1_048_576;
const daysMax = 31;
const shownMax = 200;
/** A longer statement isn't sent back with its page to be sent once more. */
const sentAgainMax = 1_048_576;
const toleranceMax = 1_000n;
const dayMs = 86_400_000;

/** A supplier's statement against ours: what only they have, what only we have, and where the amounts differ. */
export function reconciliationPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => formPage(services, visit, typed);
  routes.page(here, { capability: "see_reports", show });
  routes.form(here, {
    capability: "reconcile",
    isHarmless: true,
    bytesMax,
    doneAt: () => here,
    show,
    send: (_visit, form) => compare(services, form),
  });
}

type Difference = Reconciled & { readonly set: Exclude<ReconciledSet, "both"> };

async function compare(services: OperatorServices, form: SentForm): Promise<Answer> {
  const { order, connector } = await orderIn(services, form);
  const columns = {
    referenceColumn: form.text("reference_column") || "reference",
    amountColumn: form.text("amount_column") || "amount",
  };
  const lines = readStatementText(form.raw("statement"), columns, ownNames(connector, order.by));
  const isFile = form.text("do") === "csv";
  const found: Difference[] = [];
  const counts = { ours_only: 0, theirs_only: 0, amounts_differ: 0 };
  const totals = await reconcileSupplier(services.reads, order, lines, (one) => {
    if (one.set === "both") return;
    counts[one.set] += 1;
    if (isFile || counts[one.set] <= shownMax) found.push(one as Difference);
  });
  if (!isFile) return resultPage({ form, order, totals, found });
  const head = ["set", "reference", "transaction_id", "supplier_reference", "ours", "theirs", "note"];
  const rows = found.map((one) => [
    ...[one.set, one.reference, one.transactionId, one.providerReference, one.ours, one.theirs, one.note],
  ]);
  const name = `differences-${order.supplier}-${form.text("from")}-to-${form.text("to")}.csv`;
  return { kind: "file", name, type: "text/csv; charset=utf-8", content: writeCsv([head, ...rows]) };
}

async function orderIn({ reads, wallTime }: OperatorServices, form: SentForm) {
  const supplier = (await readRouteTable(reads)).findSupplier(form.text("supplier"));
  if (supplier === null) throw refuseField("VALIDATION_ERROR", "supplier", "Choose a supplier.");
  const bound = (field: string) => {
    const start = wallTime.startOfDay(form.text(field));
    if (start === null) throw refuseField("VALIDATION_ERROR", field, "Choose a day.");
    return start;
  };
  const [from, last] = [bound("from"), bound("to")];
  if (last < from) throw refuseField("VALIDATION_ERROR", "to", "The last day comes before the first one.");
  if (last - from > daysMax * dayMs) throw refuseField("VALIDATION_ERROR", "to", `At most ${daysMax} days at once.`);
  const typed = form.text("tolerance");
  const tolerance = typed === "" ? zeroKobo : readAmount(typed);
  if (tolerance === null || tolerance > toleranceMax) {
    throw refuseField("VALIDATION_ERROR", "tolerance", "From ₦0.01 to ₦10.00, or empty: more is no rounding.");
  }
  if (form.raw("statement").trim() === "")
    throw refuse("VALIDATION_ERROR", { errors: { statement: ["Paste the statement, or choose its file."] } });
  const by: ReconcileOrder["by"] = form.text("by") === "provider_reference" ? "provider_reference" : "reference";
  const order: ReconcileOrder = { supplier: supplier.name, from, before: wallTime.dayOf(last).end, by, tolerance };
  return { order, connector: supplier.connector };
}

async function formPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const { reads, wallTime, people } = services;
  const head = { title: "Reconciliation", problem: typed.whole, status: typed.status };
  if (!visit.may("reconcile")) {
    return page(
      head,
      <Sheet>
        <Empty title="Finance compares statements here">An admin or finance uploads a supplier’s statement.</Empty>
      </Sheet>,
    );
  }
  const yesterday = wallTime.dayOf(wallTime.dayOf(people.clock.now()).start - 1).date;
  const { suppliers } = await readRouteTable(reads);
  return page(
    { ...head, note: "A supplier’s statement against what we recorded. Nothing is changed" },
    <Sheet title="Statement">
      <Form action={here} submit="Compare">
        <Columns kind="even">
          <SelectField
            {...typed.field("supplier")}
            label="Supplier"
            placeholder="Choose a supplier"
            choices={suppliers.map(({ name }) => ({ value: name, label: name }))}
          />
          <TextField
            {...typed.field("tolerance")}
            label="Rounding"
            unit="₦"
            hint="Amounts that differ by no more count as the same, such as 0.01."
            keys="decimal"
            isRequired={false}
          />
          <TextField {...typed.field("from", yesterday)} label="First day" type="date" />
          <TextField {...typed.field("to", yesterday)} label="Last day" type="date" hint={`At most ${daysMax} days.`} />
          <TextField {...typed.field("reference_column", "reference")} label="Column of the reference" isCode />
          <TextField {...typed.field("amount_column", "amount")} label="Column of the amount" isCode />
        </Columns>
        <RadioField
          {...typed.field("by", "reference")}
          label="Whose reference is in that column?"
          choices={[
            { value: "reference", label: "Ours", hint: "Such as TXN…-1, as we sent it" },
            { value: "provider_reference", label: "The supplier’s own" },
          ]}
        />
        <TextAreaField
          {...typed.field("statement")}
          label="Statement"
          hint="CSV with a line of headings and a line for each sale, up to 8 MB. For a longer one, use the reconcile command."
          rows={10}
          isCode
        />
        <FileText areaName="statement" label="Take a file’s lines" />
      </Form>
    </Sheet>,
  );
}

const setNames = {
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
  readonly totals: Readonly<Record<ReconciledSet, Totals>>;
  readonly found: readonly Difference[];
}

function resultPage({ form, order, totals, found }: Shown): PageAnswer {
  const sets = ["theirs_only", "ours_only", "amounts_differ"] as const;
  const all = sets.reduce((sum, set) => sum + totals[set].count, 0);
  const again = [...form.fields].filter(([name]) => name !== "once").map(([name, [value = ""]]) => [name, value]);
  return page(
    {
      title: all === 0 ? "Both sides agree" : `${grouped(all)} ${all === 1 ? "difference" : "differences"}`,
      note: `${order.supplier}, ${form.text("from")} to ${form.text("to")}`,
      crumbs: [["Reconciliation", here]],
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
      {sets
        .filter((set) => totals[set].count > 0)
        .map((set) => (
          <Differences key={set} {...{ set, count: totals[set].count, rows: found.filter((one) => one.set === set) }} />
        ))}
      {all === 0 || form.raw("statement").length > sentAgainMax ? null : (
        <Form
          action={here}
          submit={`Download CSV (${grouped(all)})`}
          kind="plain"
          hidden={{ ...Object.fromEntries(again), do: "csv" }}
        />
      )}
    </>,
  );
}

function Sums({ set, totals: { ours, theirs } }: { readonly set: Difference["set"]; readonly totals: Totals }) {
  const amount: Kobo = set === "theirs_only" ? theirs : set === "ours_only" ? ours : subtract(theirs, ours);
  return <Money amount={amount} isSigned={set === "amounts_differ"} />;
}

interface DifferencesProps {
  readonly set: Difference["set"];
  readonly count: number;
  readonly rows: readonly Difference[];
}

function Differences({ set, count, rows }: DifferencesProps) {
  return (
    <Sheet title={setNames[set]} note={setAdvice[set]} isPadded={false}>
      <Table
        caption={setNames[set]}
        rows={rows}
        href={({ transactionId }) =>
          transactionId === null ? null : `/operator/search?${new URLSearchParams({ q: transactionId })}`
        }
        columns={[
          {
            title: "Reference",
            cell: ({ reference, providerReference }) => <code>{reference ?? providerReference ?? "none"}</code>,
            place: "lead",
          },
          { title: "Ours", cell: ({ ours }) => (ours === null ? "–" : <Money amount={ours} />), align: "end" },
          { title: "Theirs", cell: ({ theirs }) => (theirs === null ? "–" : <Money amount={theirs} />), align: "end" },
          { title: "Transaction ID", cell: ({ transactionId }) => transactionId ?? "–", isExtra: true },
          { title: "Why", cell: ({ note }) => note, place: "sub" },
        ]}
        empty={null}
      />
      {count > rows.length ? <p class="hint">{`${rows.length} of ${grouped(count)} shown. The CSV has all.`}</p> : null}
    </Sheet>
  );
}
