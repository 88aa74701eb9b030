import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { refuseField } from "../kernel/problems.ts";
import { typedText } from "../kernel/typed-text.ts";
import { csvOptions, foreignContent, saveAsCsv, separatedText } from "./csv.ts";

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

/**
 * Reads CSV that was pasted or uploaded, row by row; of what is wrong with it as a whole nothing is repeated.
 * @throws Refusal VALIDATION_ERROR at the field of a form
 */
export async function* readCsvRows(given: string, field: string): AsyncGenerator<TextRow> {
  const complain = (sentence: string) => refuseField("VALIDATION_ERROR", field, sentence);
  const foreign = foreignContent(given);
  if (foreign !== null) throw complain(`This is ${foreign}, not CSV: ${saveAsCsv}.`);
  const { separator, text } = separatedText(given);
  let last = 0;
  const parser = Readable.from(piecesOf(text)).pipe(
    parse({
      ...{ ...csvOptions, bom: true, delimiter: separator },
      on_record(cells: string[], { lines }) {
        last = lines;
        return cells;
      },
    }),
  );
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<ParsedRow>) {
      if (cells.some((cell) => typedText(cell) !== "")) yield { line: info.lines, cells };
    }
  } catch (error) {
    // The parser's own sentence may quote the line, and with it a PIN.
    if (error instanceof CsvError) throw complain(`This isn’t CSV after line ${last} (${error.code}).`);
    throw error;
  }
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The heading and all rows below it of CSV that has no more than so many of them. @throws as `readCsvRows` */
export async function readCsvUpTo(max: number, given: string, field: string) {
  let heading: readonly string[] | null = null;
  const rows: TextRow[] = [];
  for await (const row of readCsvRows(given, field)) {
    if (rows.length === max) throw refuseField("VALIDATION_ERROR", field, `At most ${max} lines at a time.`);
    if (heading === null) heading = row.cells.map(typedText);
    else rows.push(row);
  }
  return { names: heading ?? [], rows };
}

interface Reading {
  /** The form's field that the text was typed in: what is wrong with it is said there. */
  readonly field: string;
  /** Refuses headings that won't do. */
  readonly checkHeading: (names: readonly string[]) => void;
}

/** Reads a statement under its headings; a line may have cells beyond them. @throws as `readCsvRows` */
export async function* readCsvText(given: string, { field, checkHeading }: Reading): AsyncGenerator<TextRecord> {
  let heading: readonly string[] | null = null;
  for await (const { line, cells } of readCsvRows(given, field)) {
    if (heading === null) {
      heading = cells.map(typedText);
      checkHeading(heading);
    } else yield { line, record: recordOf(heading, cells) };
  }
  if (heading !== null) return;
  throw refuseField(
    "VALIDATION_ERROR",
    field,
    "Is empty. A statement has a line of headings and a line for each sale.",
  );
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

const pieceLength = 65_536;

/** A long text piece by piece, so that a parser never holds up everybody for all of it. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
}

/** @throws Refusal VALIDATION_ERROR at the field where the column's name is typed, where a list has no such column */
export function checkColumn(names: readonly string[], field: string, column: string): void {
  if (names.includes(column)) return;
  const there = names.join(", ").slice(0, 300);
  throw refuseField("VALIDATION_ERROR", field, `The file has no column “${column}”. It has: ${there}.`);
}
