import { type ReconcileOrder, reconcileSupplier } from "../../../domain/history/reconciliation/reconcile-supplier.ts";
import { ownNames, readStatementText } from "../../../domain/history/reconciliation/statement-text.ts";
import { readRouteTable } from "../../../domain/suppliers/routing/route-table.ts";
import { readAmount, zeroKobo } from "../../../kernel/money.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import { foreignContent, writeCsv } from "../../../platform/csv.ts";
import { type Answer, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Form as SentForm, Typed } from "../../kit/form.ts";
import { RadioField, SelectField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { HiddenFields } from "../../kit/parts/form.tsx";
import { Button, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { daysName } from "../reports/day-name.ts";
import type { OperatorServices } from "../services.ts";
import { type Difference, differencesPage, reconciliationPath, statementIn } from "./differences.tsx";

const here = reconciliationPath;
/** Some hundred thousand lines; a longer statement is compared by the command. */
const bytesMax = 8 * 1_048_576;
const daysMax = 31;
const shownMax = 200;
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

async function compare(services: OperatorServices, form: SentForm): Promise<Answer> {
  const { order, connector } = await orderIn(services, form);
  const columns = {
    referenceColumn: form.text("reference_column") || "reference",
    amountColumn: form.text("amount_column") || "amount",
  };
  const lines = readStatementText(statementIn(form), columns, ownNames(connector, order.by));
  const isFile = form.text("do") === "csv";
  const found: Difference[] = [];
  const counts = { ours_only: 0, theirs_only: 0, amounts_differ: 0 };
  const totals = await reconcileSupplier(services.reads, order, lines, (one) => {
    if (one.set === "both") return;
    counts[one.set] += 1;
    if (isFile || counts[one.set] <= shownMax) found.push(one as Difference);
  });
  const days = daysName(services.format, { from: form.text("from"), to: form.text("to") });
  if (!isFile) return differencesPage({ form, order, days, totals, found });
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
  if (statementIn(form).trim() === "")
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
  // The browser doesn't send a file again: what can be read of it stands in the box.
  const fromFile = typed.form.raw("file");
  const pasted = fromFile !== "" && foreignContent(fromFile) === null ? fromFile : typed.value("statement");
  return page(
    { ...head, note: "A supplier’s statement against what we recorded. Nothing is changed" },
    <Sheet title="Statement">
      <form class="form" method="post" action={here} encType="multipart/form-data" data-island="once">
        <OwnFields />
        <SelectField
          {...typed.field("supplier")}
          label="Supplier"
          placeholder="Choose a supplier"
          choices={suppliers.map(({ name }) => ({ value: name, label: name }))}
        />
        <div class="fields">
          <TextField {...typed.field("from", yesterday)} label="First day" type="date" />
          <TextField {...typed.field("to", yesterday)} label="Last day" type="date" />
        </div>
        <div class="fields">
          <TextField {...typed.field("reference_column", "reference")} label="Column of the reference" isCode />
          <TextField {...typed.field("amount_column", "amount")} label="Column of the amount" isCode />
        </div>
        <TextField
          {...typed.field("tolerance")}
          label="Rounding"
          unit="₦"
          hint="Amounts that differ by no more count as the same, such as 0.01."
          keys="decimal"
          isRequired={false}
        />
        <RadioField
          {...typed.field("by", "reference")}
          label="Whose reference is in that column?"
          choices={[
            { value: "reference", label: "Ours", hint: "Such as TXN…-1, as we sent it" },
            { value: "provider_reference", label: "The supplier’s own" },
          ]}
        />
        <TextField
          name="file"
          type="file"
          label="Upload the statement"
          accept=".csv,.txt,text/csv,text/plain"
          hint="CSV with a line of headings and a line for each sale, up to 8 MB. For a longer one, use the reconcile command."
          isRequired={false}
          isOptional={false}
        />
        <TextAreaField
          name="statement"
          value={pasted}
          error={typed.error("statement")}
          label="Or paste its lines"
          rows={8}
          isRequired={false}
          isOptional={false}
          isCode
        />
        <div class="buttons">
          <Button kind="main">Compare</Button>
        </div>
      </form>
    </Sheet>,
  );
}

function OwnFields() {
  return <HiddenFields fields={useSurroundings().formFields} />;
}
