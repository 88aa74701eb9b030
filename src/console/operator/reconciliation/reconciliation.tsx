import {
  countOpenDifferences,
  listDifferencesByKeys,
  type OpenDifferences,
} from "../../../domain/history/reconciliation/difference-queries.ts";
import { differenceKeys, keepDifferences } from "../../../domain/history/reconciliation/keep-differences.ts";
import {
  type Difference,
  type ReconcileOrder,
  reconcileSupplier,
} from "../../../domain/history/reconciliation/reconcile-supplier.ts";
import { ownNames, readStatementText } from "../../../domain/history/reconciliation/statement-text.ts";
import { readSuppliers } from "../../../domain/suppliers/routing/route-table.ts";
import { dayMs } from "../../../kernel/clock.ts";
import { readAmount, zeroKobo } from "../../../kernel/money.ts";
import { writeCsv } from "../../../platform/csv.ts";
import { type Answer, csvAnswer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { FileOrLines, fileOrLinesIn } from "../../kit/file-or-lines.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import { countText, Moment } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import { daysName } from "../reports/day-name.ts";
import type { OperatorServices } from "../services.ts";
import { SupplierField, supplierIn, WhoseReference, whoseIn } from "../suppliers/supplier-fields.tsx";
import { differencesPage, reconciliationPath } from "./differences.tsx";

const here = reconciliationPath;
/** Some hundred thousand lines; a longer statement is compared by the command. */
const bytesMax = 8 * 1_048_576;
const daysMax = 31;
const shownMax = 200;
/** More are not shown, kept or written to a file at once. */
const differencesMax = 100_000;
const toleranceMax = 1_000n;

/** A supplier's statement against ours: what only they have, what only we have, and where the amounts differ. */
export function reconciliationPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => formPage(services, visit, typed);
  routes.page(here, { capability: "see_reports", show });
  routes.form(here, {
    capability: "reconcile",
    isHarmless: true,
    isFile: true,
    bytesMax,
    doneAt: () => here,
    show,
    send: (_visit, form) => compare(services, form),
  });
  routes.form(`${here}/keep`, {
    ...{ capability: "reconcile", bytesMax, doneAt: () => `${here}/differences`, show },
    send: (visit, form) => keep(services, visit, form),
  });
}

/** The two sides, and where they differ: all of it up to a bound. */
async function differencesIn(services: OperatorServices, form: SentForm) {
  const { order, connector } = await orderIn(services, form);
  const columns = {
    referenceColumn: form.text("reference_column") || "reference",
    amountColumn: form.text("amount_column") || "amount",
  };
  const lines = readStatementText(fileOrLinesIn(form, "statement"), columns, ownNames(connector, order.by));
  const found: Difference[] = [];
  const totals = await reconcileSupplier(services.reads, order, lines, (one) => {
    if (one.set !== "both" && found.length < differencesMax) found.push(one as Difference);
  });
  return { order, found, totals };
}

async function compare(services: OperatorServices, form: SentForm): Promise<Answer> {
  const { order, found, totals } = await differencesIn(services, form);
  const days = daysName(services.format, { from: form.text("from"), to: form.text("to") });
  if (form.text("do") !== "csv") {
    const counts = { ours_only: 0, theirs_only: 0, amounts_differ: 0 };
    const keys = differenceKeys(found);
    const shown = found.flatMap((one, at) => {
      counts[one.set] += 1;
      return counts[one.set] <= shownMax ? [{ one, key: keys[at] as Buffer }] : [];
    });
    const keysShown = shown.map(({ key }) => key);
    const kept = await listDifferencesByKeys(services.reads, order.supplier, keysShown);
    return differencesPage({
      ...{ form, order, days, totals, found: shown.map(({ one }) => one) },
      kept: keysShown.map((key) => kept.get(key.toString("hex")) ?? null),
    });
  }
  const head = ["set", "reference", "transaction_id", "supplier_reference", "ours", "theirs", "note"];
  const rows = found.map(({ set, reference, transactionId, providerReference, ours, theirs, note }) => {
    return [set, reference, transactionId, providerReference, ours, theirs, note];
  });
  const name = `differences-${order.supplier}-${form.text("from")}-to-${form.text("to")}.csv`;
  return csvAnswer(name, writeCsv([head, ...rows]));
}

async function keep(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const { order, found } = await differencesIn(services, form);
  const { email } = visit.session.person;
  const of = { supplier: order.supplier, fromDay: form.text("from"), toDay: form.text("to"), by: email };
  const details = { supplier: of.supplier, from: of.fromDay, to: of.toDay, differences: found.length };
  const database = changing(services, visit, "console differences keep", details);
  const { added, known } = await keepDifferences({ ...services, database }, of, found);
  const before =
    known === 0 ? "" : ` ${countText(known, "difference")} kept before ${known === 1 ? "is" : "are"} as before.`;
  return goTo(`${here}/differences`, `${countText(added, "difference")} kept.${before}`);
}

async function orderIn({ reads, wallTime }: OperatorServices, form: SentForm) {
  const supplier = await supplierIn(reads, form);
  const bound = (field: string) => {
    const start = wallTime.startOfDay(form.text(field));
    if (start === null) throw wrong(field, "Choose a day.");
    return start;
  };
  const [from, last] = [bound("from"), bound("to")];
  if (last < from) throw wrong("to", "The last day comes before the first one.");
  if (last - from > daysMax * dayMs) throw wrong("to", `At most ${daysMax} days at once.`);
  const typed = form.text("tolerance");
  const tolerance = typed === "" ? zeroKobo : readAmount(typed);
  if (tolerance === null || tolerance > toleranceMax) {
    throw wrong("tolerance", "From ₦0.01 to ₦10.00, or empty: more is no rounding.");
  }
  if (fileOrLinesIn(form, "statement").trim() === "")
    throw wrong("statement", "Paste the statement, or choose its file.");
  const before = wallTime.dayOf(last).end;
  const order: ReconcileOrder = { supplier: supplier.name, from, before, by: whoseIn(form), tolerance };
  return { order, connector: supplier.connector };
}

async function formPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const { reads, wallTime, people } = services;
  const head = { title: "Reconciliation", typed };
  if (!visit.may("reconcile")) {
    return page(
      head,
      <>
        <OpenSheet open={await countOpenDifferences(reads)} />
        <Sheet>
          <Empty title="Finance compares statements here">An admin or finance uploads a supplier’s statement.</Empty>
        </Sheet>
      </>,
    );
  }
  const yesterday = wallTime.dayOf(wallTime.dayOf(people.clock.now()).start - 1).date;
  const suppliers = await readSuppliers(reads);
  return page(
    { ...head, note: "A supplier’s statement against what we recorded" },
    <>
      <OpenSheet open={await countOpenDifferences(reads)} />
      <Sheet title="Statement">
        <Form action={here} submit="Compare" isUpload>
          <SupplierField {...{ typed, suppliers }} />
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
          <WhoseReference typed={typed} />
          <FileOrLines
            {...{ typed, name: "statement", rows: 8 }}
            label="Upload the statement"
            hint="CSV with a line of headings and a line for each sale, up to 8 MB. For a longer one, use the reconcile command."
          />
        </Form>
      </Sheet>
    </>,
  );
}

function OpenSheet({ open: { count, since } }: { readonly open: OpenDifferences }) {
  return (
    <Sheet title="Differences" note={<a href={`${here}/differences`}>See differences</a>}>
      {count === 0 || since === null ? (
        "None is open."
      ) : (
        <>
          {countText(count, "difference is", "differences are")} open, the oldest since <Moment at={since} />.
        </>
      )}
    </Sheet>
  );
}
