import type { Category } from "../../../categories/category.ts";
import { parseNetwork, parsePhone, phonePattern } from "../../../kernel/phone.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { typedPhone, typedText } from "../../../kernel/typed-text.ts";
import { foreignContent, quotedCells, separatedText } from "../../../platform/csv.ts";
import type { Form } from "../../kit/form.ts";
import { grouped } from "../../kit/parts/text.tsx";
import { readNetwork } from "./read-cells.ts";

/** What a cell is for. `value` is the product where the category sells plans, else the amount. */
export type Column = "phone" | "value" | "network" | "reference";
export type Fields = Readonly<Record<Column, string>>;

/** A line of a list that is not empty and no header, by its number in the list, from 1. */
export interface TypedLine {
  readonly number: number;
  /** As it stands in the list. */
  readonly text: string;
  readonly cells: readonly string[];
  readonly fields: Fields;
  /** How many cells it has beyond those that the list's columns explain. */
  readonly surplus: number;
}

export interface TypedList {
  readonly rows: readonly string[];
  /** `sep=;`, which a spreadsheet puts before a list. */
  readonly before: string;
  readonly separator: string;
  /** Null for a column that nobody reads, such as names. */
  readonly columns: readonly (Column | null)[];
  readonly header: string | null;
  readonly lines: readonly TypedLine[];
  /** What was understood of the list as a whole, in sentences. */
  readonly notes: readonly string[];
}

type Heading = Column | "product" | "amount";

const headings: Readonly<Record<Heading, string>> = {
  phone:
    "phone|phones|number|numbers|phonenumber|phonenumbers|phoneno|phonenos|mobile|mobilenumber|mobileno|msisdn|gsm|gsmnumber|gsmno|tel|telephone|telno|cell|recipient|customer|customernumber|beneficiary",
  product:
    "product|productid|productnumber|productno|productcode|productname|plan|planid|plancode|planname|dataplan|bundle|databundle|package|data|size|datasize",
  amount: "amount|amountngn|amountnaira|amountinnaira|value|airtime|airtimeamount|denomination|naira|ngn",
  value: "",
  network: "network|networkname|operator|telco|carrier|networkprovider|provider|biller",
  reference: "reference|ref|refno|referenceno|referencenumber|yourreference|orderreference|transactionreference",
};
const headingOf = new Map(
  (Object.keys(headings) as Heading[]).flatMap((name) =>
    headings[name].split("|").map((each) => [each, name] as const),
  ),
);
const usualColumns: readonly Column[] = ["phone", "value", "reference"];

/** A line of a list has some cells; of a longer one nothing more is told apart. */
const lineLengthMax = 5_000;
/** Some milliseconds: a line counts as its letters and a hundred more. */
const sliceLength = 32_768;

/**
 * Reads a list: cells between commas, semicolons or tabs; a header, if there is one, says what each is. `pause` is awaited
 * between slices of some milliseconds.
 * @throws Refusal where it is no text, has too many lines, a column is missing, or its amounts may have been split
 */
export async function readList(
  pasted: string,
  category: Category,
  { linesMax, pause }: { readonly linesMax: number; readonly pause: () => Promise<void> },
): Promise<TypedList> {
  const foreign = foreignContent(pasted);
  if (foreign !== null)
    throw wrongList(
      `This is ${foreign}. In Excel choose Save As, then “CSV UTF-8”, and upload that file; or copy the rows and paste them here.`,
    );
  const { separator, text } = separatedText(pasted);
  const rows = text.split(newLine);
  const first = rows.findIndex(isFilled);
  const takesAmount = "amount" in category.body.properties;
  const named = readHeader(cellsOf(rows[first] ?? "", separator), takesAmount);
  const places = [...rows.keys()].filter((at) => isFilled(rows[at] ?? "") && (named === null || at !== first));
  if (places.length > linesMax) throw tooManyLines(grouped(places.length), linesMax);
  const some = places.slice(0, guessedFrom).map((at) => ({ cells: cellsOf(rows[at] ?? "", separator) }));
  const { columns, notes } = named ?? guessColumns(some, takesAmount);
  const lines: TypedLine[] = [];
  let inSlice = 0;
  for (const at of places) {
    const row = rows[at] ?? "";
    inSlice += row.length + 100;
    if (inSlice > sliceLength) {
      inSlice = 0;
      await pause();
    }
    const cells = cellsOf(row, separator);
    lines.push({ number: at + 1, text: row, cells, ...fieldsOf(cells, columns, named !== null) });
  }
  if (named === null && takesAmount) refuseSplitAmounts(lines, separator);
  const header = named === null ? null : (rows[first] ?? null);
  return { rows, before: pasted.slice(0, pasted.length - text.length), separator, columns, header, lines, notes };
}

const newLine = /\r\n|\r|\n/;

export function tooManyLines(count: string, max: number) {
  const sentence = `${count} lines. One order has ${grouped(max)} at most: split the list.`;
  return refuseField("TOO_MANY_ITEMS", "lines", sentence);
}

function wrongList(sentence: string) {
  return refuseField("VALIDATION_ERROR", "lines", sentence);
}

/** What the cells of a header say; null where the row is none. @throws Refusal where one has no column for the value */
function readHeader(cells: readonly string[], takesAmount: boolean) {
  // `Tel: 0803 123 4567, 500 naira` is a line.
  const wordOf = (cell: string) => (/(?:[0-9].*){7}/.test(cell) ? "" : cell.toLowerCase().replace(/[^a-z]/g, ""));
  const found = cells.map((cell) => headingOf.get(wordOf(cell)) ?? null);
  const phoneAt = found.indexOf("phone");
  if (phoneAt < 0 || cells.some((cell) => parsePhone(typedPhone(cell)) !== null)) return null;
  const [expected, other] = takesAmount ? (["amount", "product"] as const) : (["product", "amount"] as const);
  const valueAt = found.includes(expected) ? found.indexOf(expected) : found.indexOf(other);
  if (valueAt < 0) {
    throw wrongList(
      `We can’t tell which column has the ${expected}. Name the columns phone, ${expected}${takesAmount ? ", network" : ""} and reference.`,
    );
  }
  const columns = found.map((name, at): Column | null => {
    if (at === valueAt) return "value";
    const isFirst = found.indexOf(name) === at;
    return isFirst && (name === "phone" || name === "network" || name === "reference") ? name : null;
  });
  const ignored = cells
    .filter((cell, at) => columns[at] === null && cell !== "")
    .map((cell) => `“${cell.slice(0, 40)}”`);
  const some = ignored.length === 1 ? "column" : "columns";
  return { columns, notes: ignored.length === 0 ? [] : [`We didn’t use the ${some} ${ignored.join(", ")}.`] };
}

const guessedFrom = 200;

/** The columns of a list without a header, by what most of its first lines hold. */
function guessColumns(some: readonly Pick<TypedLine, "cells">[], takesAmount: boolean) {
  const most = (holds: (cells: readonly string[]) => boolean) =>
    some.filter(({ cells }) => holds(cells)).length * 2 > some.length;
  const isPhone = (cell = "") => parsePhone(typedPhone(cell)) !== null;
  const readAs = (columns: readonly Column[], note: string) => ({ columns, notes: [note] });
  if (most(([first, second, third = ""]) => isPhone(second) && !isPhone(first) && third === "")) {
    return readAs(["value", "phone"], "We read the second column as the phone number.");
  }
  if (takesAmount && most(([, second = ""]) => parseNetwork(readNetwork(second)) !== null)) {
    return readAs(["phone", "network", "value", "reference"], "We read the second column as the network.");
  }
  return { columns: usualColumns, notes: [] };
}

function fieldsOf(cells: readonly string[], columns: readonly (Column | null)[], isNamed: boolean) {
  const fields: Record<Column, string> = { phone: "", value: "", network: "", reference: "" };
  for (const [at, column] of columns.entries()) if (column !== null) fields[column] = cells[at] ?? "";
  const isSurplus = cells.slice(columns.length).some((cell) => cell !== "");
  if (!isNamed && fields.value === "" && cells.length === 1) Object.assign(fields, splitBySpace(fields.phone));
  return { fields, surplus: isSurplus ? cells.length - columns.length : 0 };
}

const phoneThenValue = new RegExp(`^(${phonePattern.slice(1, -1).replace(/\[ -\]\*$/, "")})[ :=-]+(\\S.*)$`);

/** `08031234567 500`, as it comes from a chat. */
function splitBySpace(text: string): Partial<Fields> {
  const [, phone, value] = phoneThenValue.exec(text) ?? [];
  return phone === undefined || value === undefined ? {} : { phone, value };
}

/** A spreadsheet leaves rows of separators below a list. */
function isFilled(row: string): boolean {
  return /[^\s,;"\uFEFF]/.test(row);
}

/** In a line that was corrected, another separator may stand. */
function cellsOf(row: string, usual: string): readonly string[] {
  if (row.length > lineLengthMax) return [row.slice(0, lineLengthMax)];
  const delimiter = row.includes(usual) ? usual : separatedText(row).separator;
  return ((row.includes('"') ? quotedCells(row, delimiter) : null) ?? row.split(delimiter)).map(typedText);
}

/** `1,500` without quotes is a cell of 1 and a reference of 500; `100,00` is 100 and 00. */
function refuseSplitAmounts(lines: readonly TypedLine[], separator: string): void {
  const split = lines.find(({ fields: { value, reference } }) =>
    /^(?:(?:₦|NGN|N)? ?[0-9]{1,3}\/[0-9]{3}(?:\.[0-9]{1,2})?|[^/]*[0-9]\/[0-9]{2})$/i.test(`${value}/${reference}`),
  );
  if (split === undefined) return;
  const shown = `${split.fields.value}${separator}${split.fields.reference}`.replace("\t", " ");
  throw wrongList(
    `Line ${split.number}: “${shown}” may be one amount, or an amount and a reference. Write amounts without commas, or add a first line with the names phone, amount, reference.`,
  );
}

/**
 * The list with what was corrected in its place: `line-17` is all of line 17, `phone-17` a cell. A line whose number or
 * value was cleared is left out, one that never had them stays. `all` names lines whose corrected value goes for all lines that had the same one.
 */
export function correctedText(list: TypedList, form: Form): string {
  const rows = [...list.rows];
  const edits = new Map<number, Partial<Record<Column | "line", string>>>();
  for (const name of form.fields.keys()) {
    const [, column, digits] = /^(line|phone|value|reference)-([0-9]{1,6})$/.exec(name) ?? [];
    if (column === undefined) continue;
    edits.set(Number(digits), { ...edits.get(Number(digits)), [column]: form.text(name).replace(/[\r\n]+/g, " ") });
  }
  for (const same of form.all("all")) {
    const from = list.lines.find(({ number }) => String(number) === same);
    const value = edits.get(Number(same))?.value ?? "";
    if (from === undefined || value === "" || value === from.fields.value) continue;
    for (const { number, fields } of list.lines) {
      if (fields.value === from.fields.value && number !== from.number)
        edits.set(number, { ...edits.get(number), value });
    }
  }
  for (const line of list.lines) {
    const edit = edits.get(line.number);
    if (edit !== undefined) rows[line.number - 1] = editedRow(list, line, edit);
  }
  for (const each of form.all("leave"))
    if (Number(each) >= 1 && Number(each) <= rows.length) rows[Number(each) - 1] = "";
  return list.before + rows.join("\n");
}

function editedRow({ columns, separator }: TypedList, line: TypedLine, edit: Partial<Record<Column | "line", string>>) {
  if (edit.line !== undefined) return edit.line;
  if ((["phone", "value"] as const).some((name) => edit[name] === "" && line.fields[name] !== "")) return "";
  const fields = { ...line.fields, ...edit };
  if (Object.entries(line.fields).every(([name, cell]) => fields[name as Column] === cell)) return line.text;
  const cells = columns.map((column, at) => (column === null ? (line.cells[at] ?? "") : fields[column]));
  const isQuoted = (cell: string) => cell.includes(separator) || cell.includes('"');
  return cells.map((cell) => (isQuoted(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator);
}
