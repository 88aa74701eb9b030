import { CsvError, parse } from "csv-parse/sync";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { isShortened, typedText, ungrouped } from "../../../kernel/typed-text.ts";
import { csvOptions, exportAsText, foreignContent, saveAsCsv, separatedText } from "../../../platform/csv.ts";
import { notACost, readCost } from "../routing/cost-text.ts";
import type { LineFault, ListedRoute } from "./line-faults.ts";

/** A supplier's price list has some hundred lines. */
export const listLinesMax = 10_000;
/** Of a new route whose list names none. */
export const usualPriority = 100;
const priorityMax = 999;

/** A line of a list by the names of its columns. */
export interface ListLine {
  readonly record: Readonly<Record<string, string>>;
  /** As an editor counts them: the heading is line 1. */
  readonly line: number;
}

/** The routes of a list, and what is wrong with the lines that can't be read. */
export interface RouteList {
  readonly supplier: string;
  readonly routes: readonly ListedRoute[];
  readonly faults: readonly LineFault[];
}

const columnsText = "The first line names the columns product, code, cost and, where wanted, priority.";

/** What is wrong with a list as a whole, as the end of a sentence about it; null where nothing is. */
export function complaintAboutList(lines: readonly ListLine[]): string | null {
  const [first] = lines;
  if (first === undefined) return `names no route. ${columnsText}`;
  const lacking = ["product", "cost"].filter((name) => !(name in first.record));
  return lacking.length === 0 ? null : `has no column ${lacking.join(", ")}. ${columnsText}`;
}

/** What a list may leave out. */
interface Implied {
  readonly supplier: string;
  /** Of a list without that column. */
  readonly code: string;
  /** A route that there is keeps its place where its line names none. */
  readonly priorityOf: (productId: ProductId) => number | null;
}

/** Reads the lines of a supplier's list. */
export function readRouteList(lines: readonly ListLine[], implied: Implied): RouteList {
  const routes: ListedRoute[] = [];
  const faults: LineFault[] = [];
  for (const line of lines) {
    const read = readRoute(line, implied);
    if ("sentence" in read) faults.push(read);
    else routes.push(read);
  }
  return { supplier: implied.supplier, routes, faults };
}

function readRoute(
  { record, line }: ListLine,
  { supplier, code: impliedCode, priorityOf }: Implied,
): ListedRoute | LineFault {
  const { product = "", code = impliedCode, cost = "", priority = "" } = record;
  const complaints: string[] = [];
  const productId = /^[1-9][0-9]{0,8}$/.test(product) ? (Number(product) as ProductId) : null;
  if (productId === null) complaints.push("It must be a product's id.");
  if (record.supplier && record.supplier !== supplier) complaints.push(`It is a route to ${record.supplier}.`);
  if (code.includes("\0")) complaints.push("The code holds a character that is no text.");
  if (isShortened(code)) complaints.push(`A spreadsheet has shortened the code. ${exportAsText}`);
  const price = readCost(cost);
  if (price === null) complaints.push(notACost(cost));
  const kept = productId === null ? null : priorityOf(productId);
  const order = priority === "" ? (kept ?? usualPriority) : readPriority(priority);
  if (order === null) complaints.push(`It must be a whole number from 1 to ${priorityMax}.`);
  if (productId !== null && price !== null && order !== null && complaints.length === 0) {
    return { productId, supplier, supplierCode: code, cost: price, priority: order, line };
  }
  const shown = [product, code, cost].join(", ").replaceAll("\0", "?");
  return { line, sentence: `Line ${line} (${shown}): ${complaints.join(" ")}` };
}

function readPriority(text: string): number | null {
  const number = /^[1-9][0-9]{0,2}$/.test(ungrouped(text)) ? Number(ungrouped(text)) : null;
  return number !== null && number <= priorityMax ? number : null;
}

/**
 * Reads a list that was pasted or uploaded. Lines of another length than the heading's are faults.
 * @throws Refusal VALIDATION_ERROR at the field `list`, where it is no such list
 */
export function readListText(given: string): {
  readonly lines: readonly ListLine[];
  readonly faults: readonly LineFault[];
} {
  const foreign = foreignContent(given);
  if (foreign !== null) throw wrongList(`This is ${foreign}, not CSV: ${saveAsCsv}.`);
  const [heading, ...rows] = rowsOf(given);
  if (rows.length > listLinesMax) throw wrongList(`At most ${listLinesMax} lines at a time.`);
  const lines: ListLine[] = [];
  const faults: LineFault[] = [];
  const names = heading?.cells.map(typedText) ?? [];
  for (const { cells, line } of rows) {
    const filled = cells.findLastIndex((cell) => cell !== "") + 1;
    const record = Object.fromEntries(names.map((name, at) => [name, typedText(cells[at] ?? "")]));
    if (cells.length >= names.length && filled <= names.length) lines.push({ record, line });
    else faults.push({ line, sentence: `Line ${line} has ${filled} cells, and the heading has ${names.length}.` });
  }
  const complaint = faults.length > 0 && lines.length === 0 ? null : complaintAboutList(lines);
  if (complaint !== null) throw wrongList(`The list ${complaint}`);
  return { lines, faults };
}

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The rows that are not empty. */
function rowsOf(given: string): Row[] {
  const { separator, text } = separatedText(given);
  let lastLine = 0;
  try {
    const rows = parse(text, {
      ...csvOptions,
      bom: true,
      delimiter: separator,
      on_record: (cells: string[], { lines }) => {
        lastLine = lines;
        return cells;
      },
    }) as unknown as readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
    return rows
      .map(({ record, info }) => ({ cells: record, line: info.lines }))
      .filter(({ cells }) => cells.some((cell) => cell !== ""));
  } catch (error) {
    // The parser's own sentence may quote the line.
    if (error instanceof CsvError) throw wrongList(`Line ${lastLine + 1} is no CSV (${error.code}).`);
    throw error;
  }
}

function wrongList(sentence: string) {
  return refuseField("VALIDATION_ERROR", "list", sentence);
}
