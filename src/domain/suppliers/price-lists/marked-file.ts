import { createHash } from "node:crypto";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { writeCsv } from "../../../platform/csv.ts";
import { readCsvUpTo, type TextRecord, underHeadings } from "../../../platform/csv-text.ts";
import type { ListedAmount } from "../../../providers/contract.ts";
import type { LineFault } from "../route-lists/line-faults.ts";
import { readCost } from "../routing/cost-text.ts";
import type { AcceptedLine } from "./accept.ts";
import { type ChangeKind, changeKinds } from "./compare.ts";
import { type DifferenceRow, priceText } from "./difference-row.ts";

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

const forPeople: readonly Column[] = ["name", "biller", "our_name", "priority", "note"];
/** A file without one of these is another file. */
export const markedColumns: readonly Column[] = columns.filter((column) => !forPeople.includes(column));

export const usualPriority = 100;
const priorityMax = 999;

/** The file of some differences, as CSV, to be marked. */
export function markedFile(supplier: string, differences: readonly DifferenceRow[]): string {
  const rows = differences.map((difference) => {
    const row = fileRow(difference);
    return columns.map((column) => (column === "check" ? sealOf(supplier, row) : row[column]));
  });
  return writeCsv([columns, ...rows]);
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
  const cost = readCost(amount);
  return cost === null ? amount : priceText(cost);
}

export interface ReadLines {
  readonly lines: readonly AcceptedLine[];
  readonly faults: readonly LineFault[];
}

/** The lines that a person accepted, and what is wrong with those that can't be read. */
export function readAccepted(records: readonly TextRecord[], supplier: string): ReadLines {
  const read = records.flatMap((record) => readLine(record, supplier) ?? []);
  return {
    lines: read.flatMap((line) => ("sentence" in line ? [] : line)),
    faults: read.flatMap((line) => ("sentence" in line ? line : [])),
  };
}

const verdicts: Readonly<Record<string, AcceptedLine["verdict"] | "no">> = {
  "": "no",
  no: "no",
  yes: "yes",
  off: "off",
};

/** Null where the line is not accepted. */
function readLine({ record, line }: TextRecord, supplier: string): AcceptedLine | LineFault | null {
  const written = Object.fromEntries(columns.map((column) => [column, record[column] ?? ""])) as Row;
  const row = { ...written, supplier_code: unescaped(written.supplier_code) };
  const complaints: string[] = [];
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
  const said = amountsOf(row);
  const chosen = choiceOf(row);
  complaints.push(...said.complaints, ...chosen.complaints);
  if (complaints.length > 0 || verdict === undefined || kind === undefined) {
    const shown = [row.change, row.category, row.supplier_code].join(", ").replaceAll("\0", "?");
    return { line, sentence: `Line ${line} (${shown}): ${complaints.join(" ")}` };
  }
  const { category, supplier_code: supplierCode } = row;
  return { line, kind, verdict, category, supplierCode, ...chosen.read, ...said.read };
}

/** Whether a cost can be taken and its route switched off. */
export function hasOff(kind: ChangeKind): boolean {
  return kind === "cost_changed" || kind === "loses_money";
}

/** Where the list says no cost, the operator may: the line was written without one. */
function isAsWritten(supplier: string, row: Row): boolean {
  if (sealOf(supplier, row) === row.check) return true;
  return row.change === "new" && sealOf(supplier, { ...row, cost_new: "" }) === row.check;
}

interface Read<Fields extends keyof AcceptedLine> {
  readonly read: Pick<AcceptedLine, Fields>;
  readonly complaints: readonly string[];
}

/** What a line says of amounts: a difference's, or a file's. */
export function amountsOf(
  row: Readonly<Record<"cost_new" | "cost_old" | "face", string | null>>,
): Read<"cost" | "costBefore" | "face"> {
  const [cost, costBefore, face] = [row.cost_new, row.cost_old, row.face].map((text) => (text ? readCost(text) : null));
  const isUnread = [
    [row.cost_new, cost],
    [row.cost_old, costBefore],
    [row.face, face],
  ].some(([text, read]) => Boolean(text) && read === null);
  const complaints = isUnread ? ["It must be naira such as 612.00, 4.50 USD, or a share such as 97.5%."] : [];
  if (face?.kind === "percent") complaints.push("face must be an amount.");
  return { read: { cost: cost ?? null, costBefore: costBefore ?? null, face: amountOf(face ?? null) }, complaints };
}

function amountOf(face: ReturnType<typeof readCost>): ListedAmount | null {
  if (face === null || face.kind === "percent") return null;
  if (face.kind === "fixed") return { currency: "NGN", hundredths: face.kobo };
  return { currency: face.currency, hundredths: face.hundredths };
}

/** What a person says of a line: our product, where it is something new, and its place among the routes. */
export function choiceOf({
  product_id: product,
  priority,
}: Readonly<Record<"product_id" | "priority", string>>): Read<"productId" | "priority"> {
  const productId = wholeNumber(product) as ProductId | null;
  const place = priority === "" ? usualPriority : Number(/^[1-9][0-9]{0,2}$/.exec(priority)?.[0] ?? 0);
  return {
    read: { productId, priority: place },
    complaints: [
      ...(product !== "" && productId === null ? ["It must be a product's id."] : []),
      ...(place === 0 ? [`It must be a whole number from 1 to ${priorityMax}.`] : []),
    ],
  };
}

/** The text before the apostrophe that keeps spreadsheets from working it out. */
function unescaped(cell: string): string {
  return /^'[=+\-@\t\r＝＋－＠]/u.test(cell) ? cell.slice(1) : cell;
}

const uploadedMax = 50_000;
const complainOf = (sentence: string) => refuseField("VALIDATION_ERROR", "file", sentence);

/** The lines of such a file that was uploaded. @throws Refusal VALIDATION_ERROR at the field `file` */
export async function recordsOfUpload(given: string): Promise<readonly TextRecord[]> {
  const { names, rows } = await readCsvUpTo(uploadedMax, given, "file");
  const missing = markedColumns.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw complainOf(`The file has no column ${missing.join(", ")}. Download the differences, and mark that file.`);
  }
  return rows.map((row) => {
    const read = underHeadings(row, names, { exact: ["supplier_code"] });
    if ("sentence" in read) throw complainOf(read.sentence);
    return read;
  });
}
