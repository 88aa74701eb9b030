import { judgeStatement, plannedEnds } from "../../../domain/resolution/review/judge-statement.ts";
import { nameOfEnds } from "../../../domain/resolution/review/resolve-together.ts";
import { checkWords } from "../../../domain/resolution/review/review.ts";
import { type EndColumns, readEndLines, usualColumns } from "../../../domain/resolution/review/statement-lines.ts";
import { readSuppliers } from "../../../domain/suppliers/routing/route-table.ts";
import { type Answer, type PageAnswer, page } from "../../kit/answer.tsx";
import { FileOrLines, fileOrLinesIn } from "../../kit/file-or-lines.tsx";
import { bulkFormBytesMax, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { SupplierField, supplierIn, WhoseReference, whoseIn } from "../suppliers/supplier-fields.tsx";
import { type Judged, judgedPage } from "./judged.tsx";
import { askForResolutions } from "./together.tsx";

const here = "/operator/review/statement";
const queuePath = "/operator/review";

/** Many sales at once, by what the supplier's own statement says of each. */
export function fromStatementPages(routes: StaffRoutes, services: OperatorServices): void {
  // Tokens and PINs stand in what was sent.
  const show = (visit: StaffVisit, typed: Typed) => {
    unkept(visit);
    return formPage(services, typed);
  };
  // What can be undone by nobody is asked for once; the look before it may be reloaded.
  const change = { capability: "resolve", bytesMax: bulkFormBytesMax, show } as const;
  routes.both(here, {
    ...{ ...change, isHarmless: true, doneAt: () => here },
    async send(visit: StaffVisit, form: SentForm) {
      return judgedPage(services, await judged(services, unkept(visit), form), null);
    },
  });
  routes.form(`${here}/ask`, {
    ...{ ...change, doneAt: () => queuePath },
    send: (visit, form) => ask(services, unkept(visit), form),
  });
}

/** No browser keeps the answer to this visit. */
function unkept(visit: StaffVisit): StaffVisit {
  visit.reply.header("cache-control", "no-store");
  return visit;
}

async function judged(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Judged> {
  const { reads: database, transactionIds, secretBox, catalogue } = services;
  const text = fileOrLinesIn(form, "statement");
  const supplier = await supplierIn(database, form);
  if (text.trim() === "") throw wrong("statement", "Paste the statement, or choose its file.");
  checkWords({ by: visit.session.person.email, evidence: form.text("evidence") });
  const lines = await judgeStatement(
    { database, transactionIds, secretBox, catalogue: await catalogue.current() },
    { supplier, by: whoseIn(form) },
    await readEndLines(text, columnsIn(form)),
  );
  return { form, text, supplier: supplier.name, lines, name: nameOfEnds(transactionIds, plannedEnds(lines)) };
}

function columnsIn(form: SentForm): EndColumns {
  return {
    reference: form.text("reference_column") || usualColumns.reference,
    state: form.text("state_column") || usualColumns.state,
    amount: form.text("amount_column") || null,
  };
}

async function ask(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const found = await judged(services, visit, form);
  // What is asked for is what the person saw.
  if (found.name !== form.text("seen")) {
    const changed =
      "Some of these sales changed since you looked. This is how they stand now; nothing was asked for yet.";
    return judgedPage(services, found, changed);
  }
  const ends = plannedEnds(found.lines);
  const request = { supplier: found.supplier, ends, evidence: form.text("evidence") };
  return askForResolutions(services, visit, request, queuePath);
}

async function formPage({ reads }: OperatorServices, typed: Typed): Promise<PageAnswer> {
  const suppliers = await readSuppliers(reads);
  return page(
    {
      ...{ title: "Decide by statement", typed, crumbs: [["Review queue", queuePath]] },
      note: "What a supplier says of each sale, after an outage. You see what each line does first",
    },
    <Sheet title="Statement">
      <Form action={here} submit="Check statement" isUpload>
        <SupplierField {...{ typed, suppliers }} />
        <WhoseReference typed={typed} />
        <div class="fields">
          <TextField
            {...typed.field("reference_column", usualColumns.reference)}
            label="Column of the reference"
            isCode
          />
          <TextField {...typed.field("state_column", usualColumns.state)} label="Column of the state" isCode />
        </div>
        <TextField
          {...typed.field("amount_column")}
          label="Column of the amount"
          isRequired={false}
          hint="If it has one: a cost that isn’t ours makes a line doubtful."
          isCode
        />
        <FileOrLines
          {...{ typed, name: "statement", rows: 8 }}
          label="Upload the statement"
          hint="CSV with headings, up to 10,000 lines. The state is delivered, not delivered or unknown. What customers get has columns such as token, units, receipt_number, pin, serial."
        />
        <TextAreaField
          {...typed.field("evidence")}
          label="Evidence"
          rows={2}
          hint="In 10 characters or more: which statement, who sent it and when. No token or PIN."
        />
      </Form>
    </Sheet>,
  );
}
