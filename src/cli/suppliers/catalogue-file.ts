import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { InvalidArgumentError } from "commander";
import type { AcceptedLine } from "../../domain/suppliers/price-lists/accept.ts";
import { type ChangeKind, changeKinds, type Difference } from "../../domain/suppliers/price-lists/compare.ts";
import { type DifferenceRow, differenceRow, priceText } from "../../domain/suppliers/price-lists/difference-row.ts";
import type { LineFault } from "../../domain/suppliers/route-lists/line-faults.ts";
import { writeCsv } from "../../platform/csv.ts";
import type { ListedAmount } from "../../providers/contract.ts";
import { costValue, countValue, productIdValue, readOrComplain } from "../arguments.ts";
import { type GivenRecord, readRecordsUpTo } from "../given-records.ts";
import { wrong } from "../operator-command.ts";

// The file of differences that a person marks. What comes from the list and from our routes is sealed line by line by
// `check`: a spreadsheet makes 7 of 007 without a word, and a route under such a code would buy something else.

const columns = [
  "accept",
  "change",
  "category",
  "supplier_code",
  "name",
  "biller",
  "face",
  "cost_old",
  "cost_new",
  "product_id",
  "our_name",
  "priority",
  "note",
  "check",
] as const;
type Column = (typeof columns)[number];
type Row = Readonly<Record<Column, string>>;

/** As many products as a supplier may list. */
const linesMax = 50_000;
const usualPriority = 100;

/** Writes a new file, for its owner's eyes. @throws Refusal VALIDATION_ERROR where there is one, or none can be */
export async function writeDifferences(
  file: string,
  supplier: string,
  differences: readonly Difference[],
): Promise<void> {
  const rows = differences.map((difference) => {
    const row = fileRow(differenceRow(difference));
    return columns.map((column) => (column === "check" ? sealOf(supplier, row) : row[column]));
  });
  try {
    await writeFile(file, writeCsv([columns, ...rows]), { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw wrong(`${file} is there already, perhaps with somebody's marks: name a new file.`);
    await rm(file, { force: true });
    throw wrong(`${file} can't be written (${code}): name a file in a folder that you may write to.`);
  }
}

function fileRow(row: DifferenceRow): Row {
  return {
    accept: "",
    change: row.change,
    category: row.category,
    supplier_code: row.supplier_code,
    name: row.name ?? "",
    biller: row.biller ?? "",
    face: row.face ?? "",
    cost_old: row.cost_old ?? "",
    cost_new: row.cost_new ?? "",
    product_id: row.product_id === null ? "" : String(row.product_id),
    our_name: row.our_name ?? "",
    priority: "",
    note: row.note ?? "",
    check: "",
  };
}

/** Letters first, so that no spreadsheet takes it for a number. Amounts in one spelling: a spreadsheet drops zeros. */
function sealOf(supplier: string, row: Row): string {
  // Which product of ours something new is, the operator says.
  const product = row.change === "new" ? "" : row.product_id;
  const amounts = [row.face, row.cost_old, row.cost_new].map(oneSpelling);
  const sealed = JSON.stringify([supplier, row.change, row.category, row.supplier_code, product, ...amounts]);
  return `c-${createHash("sha256").update(sealed).digest("hex").slice(0, 12)}`;
}

function oneSpelling(amount: string): string {
  const cost = readOrComplain([], () => costValue(amount));
  return cost === null ? amount : priceText(cost);
}

/** The lines that a person accepted, and what is wrong with those that can't be read. */
export async function readAccepted(
  file: string,
  supplier: string,
): Promise<{ readonly lines: readonly AcceptedLine[]; readonly faults: readonly LineFault[] }> {
  const records = await readRecordsUpTo(linesMax, file, { exact: ["supplier_code"] });
  const [first] = records;
  if (first === undefined) throw wrong(`The file ${file} has no lines.`);
  const lacking = columns.filter((column) => !["name", "biller", "our_name", "priority", "note"].includes(column));
  const missing = lacking.filter((column) => !(column in first.record));
  if (missing.length > 0) {
    throw wrong(`The file ${file} has no column ${missing.join(", ")}: write one with supplier catalogue NAME --to.`);
  }
  const lines: AcceptedLine[] = [];
  const faults: LineFault[] = [];
  for (const record of records) {
    const read = readLine(record, supplier);
    if (read === null) continue;
    if ("sentence" in read) faults.push(read);
    else lines.push(read);
  }
  return { lines, faults };
}

const verdicts: Readonly<Record<string, AcceptedLine["verdict"] | "no">> = {
  "": "no",
  no: "no",
  yes: "yes",
  off: "off",
};

/** Null where the line is not accepted. */
function readLine({ record, line }: GivenRecord, supplier: string): AcceptedLine | LineFault | null {
  const written = Object.fromEntries(columns.map((column) => [column, record[column] ?? ""])) as Row;
  const row = { ...written, supplier_code: unescaped(written.supplier_code) };
  const complaints: string[] = [];
  const read = <T>(parse: () => T) => readOrComplain(complaints, parse);
  const verdict = verdicts[row.accept.toLowerCase()];
  if (verdict === "no") return null;
  const kind = changeKinds.find((known) => known === row.change);
  if (verdict === undefined) complaints.push("accept must be yes, off, or nothing.");
  if (kind === undefined) complaints.push(`change must be one of ${changeKinds.join(", ")}.`);
  if (kind !== undefined && verdict === "off" && !hasOff(kind)) complaints.push("accept can be off for a cost alone.");
  if (!isAsWritten(supplier, row)) {
    complaints.push(
      `it is not as it was written for ${supplier}: only accept, product_id of something new and priority are yours to say. Spreadsheets change codes; write the file anew and open its columns as text.`,
    );
  }
  const productId = row.product_id === "" ? null : read(() => productIdValue(row.product_id));
  const priority = row.priority === "" ? usualPriority : read(() => countValue(999)(row.priority));
  const [cost, costBefore] = [row.cost_new, row.cost_old].map((text) =>
    text === "" ? null : read(() => costValue(text)),
  );
  const face = row.face === "" ? null : read(() => faceOf(row.face));
  if (complaints.length > 0 || verdict === undefined || kind === undefined || priority === null) {
    const shown = [row.change, row.category, row.supplier_code].join(", ").replaceAll("\0", "?");
    return { line, sentence: `Line ${line} (${shown}): ${complaints.join(" ")}` };
  }
  const { category, supplier_code: supplierCode } = row;
  const amounts = { cost: cost ?? null, costBefore: costBefore ?? null, face };
  return { line, kind, verdict, category, supplierCode, productId, priority, ...amounts };
}

function hasOff(kind: ChangeKind): boolean {
  return kind === "cost_changed" || kind === "loses_money";
}

/** Where the list says no cost, the operator may: the line was written without one. */
function isAsWritten(supplier: string, row: Row): boolean {
  if (sealOf(supplier, row) === row.check) return true;
  return row.change === "new" && sealOf(supplier, { ...row, cost_new: "" }) === row.check;
}

function faceOf(text: string): ListedAmount {
  const cost = costValue(text);
  if (cost.kind === "percent") throw new InvalidArgumentError("face must be an amount.");
  if (cost.kind === "fixed") return { currency: "NGN", hundredths: cost.kobo };
  return { currency: cost.currency, hundredths: cost.hundredths };
}

/** The text before the apostrophe that keeps spreadsheets from working it out. */
function unescaped(cell: string): string {
  return /^'[=+\-@\t\r＝＋－＠]/u.test(cell) ? cell.slice(1) : cell;
}
