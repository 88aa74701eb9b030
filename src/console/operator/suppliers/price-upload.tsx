import { type AcceptedLine, acceptDifferences } from "../../../domain/suppliers/price-lists/accept.ts";
import { priceText } from "../../../domain/suppliers/price-lists/difference-row.ts";
import { readAccepted, recordsOfUpload } from "../../../domain/suppliers/price-lists/marked-file.ts";
import { findStoredList } from "../../../domain/suppliers/price-lists/queries.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import type { Answer } from "../../kit/answer.tsx";
import { refused, type Form as SentForm, wrong } from "../../kit/form.ts";
import { CheckField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import type { StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { doneAnswer } from "./accepted.ts";

/** Applies the lines of a file that a person marked, all or none. */
export async function uploadMarked(
  services: OperatorServices,
  visit: StaffVisit,
  { name }: Supplier,
  form: SentForm,
): Promise<Answer> {
  const text = form.raw("file");
  if (text === "") throw wrong("file", "Choose the file that you marked.");
  const { lines, faults } = readAccepted(await recordsOfUpload(text), name);
  if (lines.length === 0 && faults.length === 0) {
    throw wrong("file", "No line is marked: write yes into the column accept.");
  }
  await refuseOwnCosts(services, visit, name, lines);
  const details = { supplier: name, lines: lines.length, file: form.text("file-name") };
  const database = changing(services, visit, "console supplier prices", details);
  const given = { supplier: name, lines, faults, mayShrink: form.has("many_gone_file") };
  return doneAnswer(services, name, await acceptDifferences(database, given));
}

/** A file is anybody's to write: a cost that the supplier's list doesn't state, by which prices are judged, is an admin's. */
async function refuseOwnCosts(
  { reads }: OperatorServices,
  visit: StaffVisit,
  name: string,
  lines: readonly AcceptedLine[],
): Promise<void> {
  const listed = (await findStoredList(reads, name))?.differences ?? [];
  const stated = new Set(listed.map((row) => `${row.supplier_code} ${row.cost_new}`));
  const own = lines.find(({ supplierCode: code, cost }) => cost !== null && !stated.has(`${code} ${priceText(cost)}`));
  if (own === undefined || visit.staff.role === "admin") return;
  const message = `Line ${own.line} has a cost that ${name}’s list doesn’t: an admin has to upload this file.`;
  throw refused(message);
}

/** The file of differences, marked in a spreadsheet: for more lines than one chooses here. */
export function UploadForm({ at, error }: { readonly at: string; readonly error: string | null }) {
  return (
    <Sheet title="Upload a marked file">
      <Form action={`${at}/upload`} submit="Upload marked file" isUpload>
        <TextField
          name="file"
          type="file"
          label="File"
          accept=".csv,text/csv"
          hint="Download the CSV, write yes or off into the column accept, and upload it here. All marked lines or none."
          error={error}
        />
        <CheckField name="many_gone_file" label="Many may be gone: more than half of a category’s routes" />
      </Form>
    </Sheet>
  );
}
