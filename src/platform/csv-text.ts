import { Readable, type TransformOptions } from "node:stream";
import { CsvError, type Options, parse } from "csv-parse";
import { refuseField } from "../kernel/problems.ts";
import { typedText } from "../kernel/typed-text.ts";
import { countLineEnds, csvOptions, foreignContent, saveAsCsv, separatedText } from "./csv.ts";
import { openYieldToEventLoop } from "./pacing.ts";

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

interface Reader {
  readonly separator: string;
  /** What is thrown where a text is no CSV behind a line, by the parser's code. */
  readonly complain: (line: number, code: string) => Error;
}

/** Far more than any list has. */
const cellsMax = 20_000;

/** Reads CSV piece by piece: the rows that hold something. Of what is wrong with it nothing is repeated. */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  { separator, complain }: Reader,
): AsyncGenerator<TextRow> {
  let lastLine = 0;
  const options: Options<TextRow, string[]> & TransformOptions = {
    ...{ ...csvOptions, bom: true, delimiter: separator },
    // Open after a fault: else the rows that it has read but not yet given out would be lost.
    autoDestroy: false,
    on_record(cells, { lines }) {
      if (cells.length > cellsMax) throw complain(lastLine, "CSV_MAX_RECORD_SIZE");
      lastLine = lines;
      // Else the parser makes an error of each row that has more or fewer cells than the first: 40 µs for a row of 5.
      Object.assign(parser.info, { records: 0 });
      return cells.some((cell) => typedText(cell) !== "") ? { line: lines, cells } : null;
    },
  };
  const parser = parse(options as unknown as Options);
  const source = Readable.from(pieces);
  source.on("error", (error) => parser.destroy(error)).pipe(parser);
  try {
    yield* parser as AsyncIterable<TextRow>;
  } catch (error) {
    // The parser's own sentence may quote the line, and with it a code.
    throw error instanceof CsvError ? complain(lastLine, error.code) : error;
  } finally {
    source.destroy();
  }
}

/** No list of ours is longer: what has more line ends is refused before any of it is read. */
const lineEndsMax = 250_000;

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
  yield* readCsv(slicesOf(text.replaceAll("\r\n", "\n")), {
    separator,
    complain: (line) => complain(`This isn’t CSV after line ${line}: a quote stays open, or a line is too long.`),
  });
}

/** Some milliseconds, also of lines with a letter each. */
const sliceLength = 2_048;

async function* slicesOf(text: string): AsyncGenerator<string> {
  const pause = openYieldToEventLoop();
  for (let at = 0; at < text.length; at += sliceLength) {
    yield text.slice(at, at + sliceLength);
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

interface UnderHeadings {
  /** Columns whose cells are taken as they stand, not as they were probably meant. */
  readonly exact?: readonly string[];
  /** What a sentence says behind the line's number, such as ` of prices.csv`. */
  readonly of?: string;
}

/** A row under its headings, or what is wrong with it: empty cells to the right are a spreadsheet's, others must be named. */
export function underHeadings(
  { line, cells }: TextRow,
  names: readonly string[],
  { exact = [], of = "" }: UnderHeadings = {},
): TextRecord | { readonly line: number; readonly sentence: string } {
  const filled = cells.findLastIndex((cell) => cell !== "") + 1;
  if (cells.length >= names.length && filled <= names.length) return { line, record: recordOf(names, cells, exact) };
  const count = Math.max(filled, Math.min(cells.length, names.length));
  return { line, sentence: `Line ${line}${of} has ${count} cells, and the heading has ${names.length}.` };
}

function recordOf(names: readonly string[], cells: readonly string[], exact: readonly string[] = []) {
  const read = (name: string, cell: string) => (exact.includes(name) ? cell : typedText(cell));
  return Object.fromEntries(names.map((name, at) => [name, read(name, cells[at] ?? "")]));
}

/** @throws Refusal VALIDATION_ERROR at the field where the column's name is typed, where a list has no such column */
export function checkColumn(names: readonly string[], field: string, column: string): void {
  if (names.includes(column)) return;
  const there = names.join(", ").slice(0, 300);
  throw refuseField("VALIDATION_ERROR", field, `The file has no column “${column}”. It has: ${there}.`);
}
