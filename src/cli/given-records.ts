import { isAscii } from "node:buffer";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { type JsonObject, parseObject } from "../kernel/json.ts";
import type { Refusal } from "../kernel/problems.ts";
import { typedText } from "../kernel/typed-text.ts";
import { csvOptions, encodingOf, foreignContent, saveAsCsv, separatedText } from "../platform/csv.ts";
import { wrong } from "./operator-command.ts";

/** A file that a command was given. @throws Refusal VALIDATION_ERROR where it can't be read */
export async function readGivenFile(file: string): Promise<Buffer> {
  return readFile(file).catch((error) => {
    throw unreadableFile(file, error);
  });
}

/** Names the file and the reason, such as ENOENT. */
export function unreadableFile(file: string, error: unknown): Refusal {
  return wrong(`The file ${file} can't be read (${(error as NodeJS.ErrnoException).code}).`);
}

/** The JSON object in such a file. @throws Refusal VALIDATION_ERROR where it can't be read or holds something else */
export async function readGivenObject(file: string): Promise<JsonObject> {
  const value = parseObject((await readGivenFile(file)).toString());
  if (value === null) throw wrong(`The file ${file} must hold one JSON object.`);
  return value;
}

/** A line of a CSV file by the names of its columns. */
export interface GivenRecord {
  readonly record: Readonly<Record<string, string>>;
  /** As an editor counts them: the heading is line 1. */
  readonly line: number;
}

interface Reading {
  /** What the columns are called, from the heading; it may refuse them. A file without one has no columns. */
  readonly columns?: (names: readonly string[]) => readonly string[];
  /** Columns whose cells are taken as they stand, not as they were probably meant. */
  readonly exact?: readonly string[];
  readonly onRead?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Keeps the parser open after a fault: else the rows that it has read but not yet given out would be lost. */
const staysOpen = { autoDestroy: false };

/**
 * Streams a CSV file of any size whose first line names the columns. What a spreadsheet did to a cell is undone where
 * only one reading is left. @throws Refusal VALIDATION_ERROR that names file and line, and repeats nothing of it
 */
export async function* readGivenRecords(file: string, reading: Reading = {}): AsyncGenerator<GivenRecord> {
  const { columns = (names) => names, exact = [], onRead, signal } = reading;
  const source = createReadStream(file, { ...(signal === undefined ? {} : { signal }) });
  source.on("data", () => onRead?.(source.bytesRead));
  let heading: readonly string[] | null = null;
  // For a quote that was never closed the parser reports the line where it gave up; this keeps the last good one.
  let lastLine = 0;
  try {
    const { separator, texts } = await openText(file, source);
    const parser = parse({
      ...csvOptions,
      ...staysOpen,
      delimiter: separator,
      on_record: (record, { lines }) => {
        lastLine = lines;
        return record;
      },
    });
    texts.on("error", (error) => parser.destroy(error)).pipe(parser);
    for await (const { record: cells, info } of parser as AsyncIterable<ParsedRow>) {
      if (cells.every((cell) => cell === "")) continue;
      if (heading === null) heading = columns(cells.map(typedText));
      else yield { line: info.lines, record: recordOf(heading, cells, { line: info.lines, file, exact }) };
    }
  } catch (error) {
    // The parser's own sentence may quote the line, and with it a code.
    if (error instanceof CsvError) throw wrong(`Line ${lastLine + 1} of ${file} is no CSV (${error.code}).`);
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadableFile(file, error);
  } finally {
    source.destroy();
  }
  if (heading === null) columns([]);
}

/** All lines of a file that has no more. @throws Refusal VALIDATION_ERROR */
export async function readRecordsUpTo(max: number, file: string, reading: Reading = {}): Promise<GivenRecord[]> {
  const records: GivenRecord[] = [];
  for await (const record of readGivenRecords(file, reading)) {
    if (records.length === max) throw wrong(`At most ${max} lines at a time.`);
    records.push(record);
  }
  return records;
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** @throws Refusal where the file is no text */
async function openText(file: string, source: AsyncIterable<Buffer>) {
  const texts = decoded(source);
  const { value = "" } = await texts.next();
  const foreign = foreignContent(value);
  if (foreign !== null) throw wrong(`The file ${file} is ${foreign}, no CSV: ${saveAsCsv}.`);
  const { separator, text } = separatedText(value);
  async function* all() {
    yield text;
    yield* texts;
  }
  return { separator, texts: Readable.from(all()) };
}

/** As `textOfFile`, without all of it at hand: the first letters beyond ASCII tell how the others are written. */
async function* decoded(source: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  let decoder: TextDecoder | null = null;
  for await (const bytes of source) {
    if (decoder === null && isAscii(bytes) && !bytes.includes(0)) yield bytes.toString("latin1");
    else {
      decoder ??= new TextDecoder(encodingOf(bytes));
      yield decoder.decode(bytes, { stream: true });
    }
  }
  const rest = decoder?.decode();
  if (rest) yield rest;
}

/** A row's cells by their columns. Empty cells to its right are a spreadsheet's. @throws Refusal where others are */
function recordOf(
  heading: readonly string[],
  cells: readonly string[],
  { line, file, exact }: { readonly line: number; readonly file: string; readonly exact: readonly string[] },
): Record<string, string> {
  const filled = cells.findLastIndex((cell) => cell !== "") + 1;
  if (cells.length < heading.length || filled > heading.length) {
    const count = Math.max(filled, Math.min(cells.length, heading.length));
    throw wrong(`Line ${line} of ${file} has ${count} cells, and its heading has ${heading.length}.`);
  }
  const record: Record<string, string> = {};
  for (const [at, name] of heading.entries()) {
    const cell = cells[at] ?? "";
    record[name] = exact.includes(name) ? cell : typedText(cell);
  }
  return record;
}
