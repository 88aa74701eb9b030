import type { ProductId } from "../../../kernel/ids.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { isShortened, ungrouped, wholeNumber } from "../../../kernel/typed-text.ts";
import { exportAsText } from "../../../platform/csv.ts";
import { readCsvUpTo, type TextRecord, underHeadings } from "../../../platform/csv-text.ts";
import { notACost, readCost } from "../routing/cost-text.ts";
import type { LineFault, ListedRoute } from "./line-faults.ts";

/** A supplier's price list has some hundred lines. */
export const listLinesMax = 10_000;
/** Of a new route whose list names none. */
export const usualPriority = 100;
const priorityMax = 999;

/** The routes of a list, and what is wrong with the lines that can't be read. */
export interface RouteList {
  readonly supplier: string;
  readonly routes: readonly ListedRoute[];
  readonly faults: readonly LineFault[];
}

const columnsText = "The first line names the columns product, code, cost and, where wanted, priority.";

/** What is wrong with a list as a whole, as the end of a sentence about it; null where nothing is. */
export function complaintAboutList(lines: readonly TextRecord[]): string | null {
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
export function readRouteList(lines: readonly TextRecord[], implied: Implied): RouteList {
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
  { record, line }: TextRecord,
  { supplier, code: impliedCode, priorityOf }: Implied,
): ListedRoute | LineFault {
  const { product = "", code = impliedCode, cost = "", priority = "" } = record;
  const complaints: string[] = [];
  const productId = wholeNumber(product) as ProductId | null;
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
export async function readListText(given: string): Promise<{
  readonly lines: readonly TextRecord[];
  readonly faults: readonly LineFault[];
}> {
  const { names, rows } = await readCsvUpTo(listLinesMax, given, "list");
  const read = rows.map((row) => underHeadings(row, names));
  const lines = read.flatMap((row) => ("record" in row ? row : []));
  const faults = read.flatMap((row) => ("sentence" in row ? row : []));
  const complaint = faults.length > 0 && lines.length === 0 ? null : complaintAboutList(lines);
  if (complaint !== null) throw refuseField("VALIDATION_ERROR", "list", `The list ${complaint}`);
  return { lines, faults };
}
