import { refuseField } from "../kernel/problems.ts";
import { typedText } from "../kernel/typed-text.ts";
import { countLineEnds, csvRowAt, foreignContent, saveAsCsv, separatedText } from "./csv.ts";
import { oneATurn } from "./pacing.ts";

/** A row of CSV that holds something, its cells as they are written. */
export interface TextRow {
  /** As an editor counts them: the heading is line 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A line of a list, by the names of its columns. */
export interface TextRecord {
  readonly line: number;
  readonly record: Readonly<Record<string, string>>;
}

/** No list of ours is longer: what has more line ends is refused before any of it is read. */
const lineEndsMax = 250_000;
/** Some milliseconds: a row counts as its letters and a hundred more. */
const sliceLength = 32_768;

/**
 * Reads CSV that was pasted or uploaded, row by row and in slices; of what is wrong with it as a whole nothing is repeated.
 * @throws Refusal VALIDATION_ERROR at the field of a form
 */
export async function* readCsvRows(given: string, field: string, rowsMax = lineEndsMax): AsyncGenerator<TextRow> {
  const complain = (sentence: string) => refuseField("VALIDATION_ERROR", field, sentence);
  const foreign = foreignContent(given);
  if (foreign !== null) throw complain(`This is ${foreign}, not CSV: ${saveAsCsv}.`);
  // With the empty ones that a spreadsheet leaves below a list, and lines inside of cells.
  const endsMax = Math.min(lineEndsMax, 2 * rowsMax + 100);
  if (countLineEnds(given, endsMax) > endsMax) throw complain(`More than ${endsMax} lines: split it.`);
  const { separator, text } = separatedText(given);
  const pause = oneATurn();
  let line = 1;
  let inSlice = 0;
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; ) {
    const row = csvRowAt(text, at, separator);
    if (row === null)
      throw complain(`This isn’t CSV after line ${line - 1}: a quote stays open, or a line is too long.`);
    // As an editor counts them; a row of several lines is at its last one.
    const last = line + countLineEnds(text.slice(at, row.next).trimEnd(), endsMax);
    line = last + 1;
    inSlice += row.next - at + 100;
    at = row.next;
    if (row.cells.some((cell) => typedText(cell) !== "")) yield { line: last, cells: row.cells };
    if (inSlice < sliceLength) continue;
    inSlice = 0;
    await pause();
  }
}

/** The heading and all rows below it of CSV that has no more than so many of them. @throws as `readCsvRows` */
export async function readCsvUpTo(max: number, given: string, field: string) {
  let heading: readonly string[] | null = null;
  const rows: TextRow[] = [];
  for await (const row of readCsvRows(given, field, max)) {
    if (rows.length === max) throw refuseField("VALIDATION_ERROR", field, `At most ${max} lines at a time.`);
    if (heading === null) heading = headingOf(row, field);
    else rows.push(row);
  }
  return { names: heading ?? [], rows };
}

interface Reading {
  /** The form's field that the text was typed in: what is wrong with it is said there. */
  readonly field: string;
  /** Refuses headings that won't do. */
  readonly checkHeading: (names: readonly string[]) => void;
  /** Unless any number is read. */
  readonly rowsMax?: number;
}

/** Reads a statement under its headings; a line may have cells beyond them. @throws as `readCsvRows` */
export async function* readCsvText(
  given: string,
  { field, checkHeading, rowsMax }: Reading,
): AsyncGenerator<TextRecord> {
  let heading: readonly string[] | null = null;
  for await (const row of readCsvRows(given, field, rowsMax)) {
    if (heading === null) {
      heading = headingOf(row, field);
      checkHeading(heading);
    } else yield { line: row.line, record: recordOf(heading, row.cells) };
  }
  if (heading !== null) return;
  throw refuseField(
    "VALIDATION_ERROR",
    field,
    "Is empty. A statement has a line of headings and a line for each sale.",
  );
}

const columnsMax = 200;

/** @throws Refusal VALIDATION_ERROR where it names more columns than any list has: each line would be as long */
function headingOf({ cells }: TextRow, field: string): readonly string[] {
  if (cells.length <= columnsMax) return cells.map(typedText);
  throw refuseField("VALIDATION_ERROR", field, `The first line names more than ${columnsMax} columns.`);
}

/** A row under its headings, or what is wrong with it: empty cells to the right are a spreadsheet's, others must be named. */
export function underHeadings(
  { line, cells }: TextRow,
  names: readonly string[],
): TextRecord | { readonly line: number; readonly sentence: string } {
  const filled = cells.findLastIndex((cell) => cell !== "") + 1;
  if (cells.length >= names.length && filled <= names.length) return { line, record: recordOf(names, cells) };
  return { line, sentence: `Line ${line} has ${filled} cells, and the heading has ${names.length}.` };
}

function recordOf(names: readonly string[], cells: readonly string[]): TextRecord["record"] {
  return Object.fromEntries(names.map((name, at) => [name, typedText(cells[at] ?? "")]));
}

/** @throws Refusal VALIDATION_ERROR at the field where the column's name is typed, where a list has no such column */
export function checkColumn(names: readonly string[], field: string, column: string): void {
  if (names.includes(column)) return;
  const there = names.join(", ").slice(0, 300);
  throw refuseField("VALIDATION_ERROR", field, `The file has no column “${column}”. It has: ${there}.`);
}
