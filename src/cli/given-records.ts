import { isAscii } from "node:buffer";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { type JsonObject, parseObject } from "../kernel/json.ts";
import type { Refusal } from "../kernel/problems.ts";
import { typedText } from "../kernel/typed-text.ts";
import { encodingOf, foreignContent, saveAsCsv, separatedText } from "../platform/csv.ts";
import { readCsv, type TextRecord, underHeadings } from "../platform/csv-text.ts";
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

interface Reading {
  /** What the columns are called, from the heading; it may refuse them. A file without one has no columns. */
  readonly columns?: (names: readonly string[]) => readonly string[];
  /** Columns whose cells are taken as they stand, not as they were probably meant. */
  readonly exact?: readonly string[];
  readonly onRead?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Streams a CSV file of any size whose first line names the columns. What a spreadsheet did to a cell is undone where
 * only one reading is left. @throws Refusal VALIDATION_ERROR that names file and line, and repeats nothing of it
 */
export async function* readGivenRecords(file: string, reading: Reading = {}): AsyncGenerator<TextRecord> {
  const { columns = (names) => names, exact = [], onRead, signal } = reading;
  const source = createReadStream(file, { ...(signal === undefined ? {} : { signal }) });
  source.on("data", () => onRead?.(source.bytesRead));
  const complain = (line: number, code: string) => wrong(`Line ${line + 1} of ${file} is no CSV (${code}).`);
  let heading: readonly string[] | null = null;
  try {
    const { separator, texts } = await openText(file, source);
    for await (const row of readCsv(texts, { separator, complain })) {
      if (heading === null) {
        heading = columns(row.cells.map(typedText));
        continue;
      }
      const read = underHeadings(row, heading, { exact, of: ` of ${file}` });
      if ("sentence" in read) throw wrong(read.sentence);
      yield read;
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unreadableFile(file, error);
  } finally {
    source.destroy();
  }
  if (heading === null) columns([]);
}

/** All lines of a file that has no more. @throws Refusal VALIDATION_ERROR */
export async function readRecordsUpTo(max: number, file: string, reading: Reading = {}): Promise<TextRecord[]> {
  const records: TextRecord[] = [];
  for await (const record of readGivenRecords(file, reading)) {
    if (records.length === max) throw wrong(`At most ${max} lines at a time.`);
    records.push(record);
  }
  return records;
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
  return { separator, texts: all() };
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
