import { isUtf8 } from "node:buffer";
import { stringify } from "csv-stringify/sync";
import { formatNaira, type Kobo } from "../kernel/money.ts";

/** A cell: a text, a number, an amount in kobo, or nothing. */
export type Cell = string | number | bigint | boolean | null;

/** RFC 4180. */
const options = {
  record_delimiter: "windows",
  // Merchants and operators choose the texts, and a spreadsheet works out what begins like a formula. Amounts are bigint
  // when they come here: an amount below zero stays a number.
  escape_formulas: true,
  cast: { bigint: (amount: bigint) => formatNaira(amount as Kobo), boolean: (is: boolean) => (is ? "yes" : "no") },
} as const;

/** Spreadsheets take a file without this mark at its beginning for an older encoding than UTF-8, and spoil names. */
export const byteOrderMark = "\uFEFF";

/** Records as CSV for spreadsheets, texts that begin like a formula with an apostrophe before them. */
export function writeCsv(records: readonly (readonly Cell[])[]): string {
  return stringify(records as Cell[][], options);
}

/** How the lists that people send are read: as spreadsheets write CSV, in any country. */
export const csvOptions = {
  info: true,
  max_record_size: 20_000,
  relax_column_count: true,
  // `="0803…"` keeps its quotes until the cell is read.
  relax_quotes: true,
  skip_empty_lines: true,
  trim: true,
} as const;

interface Separated {
  readonly separator: string;
  /** The text with `sep=;`, a spreadsheet's own first line, emptied. */
  readonly text: string;
}

/** What stands between the cells of a list, by its first line. */
export function separatedText(text: string): Separated {
  const found = /^\uFEFF?"?sep=([;,\t|])"?(?=[\r\n]|$)/i.exec(text);
  if (found !== null) return { separator: found[1] ?? ",", text: text.slice(found[0].length) };
  const first = firstLine(text).replace(/"[^"]*"/g, "");
  return { separator: ["\t", ";"].find((separator) => first.includes(separator)) ?? ",", text };
}

/** A row of CSV. */
export interface CsvRow {
  /** As they are written, without blanks around them and quotes about them. */
  readonly cells: readonly string[];
  /** Where the next row begins; past the text's end behind the last one. */
  readonly next: number;
}

const recordMax = 20_000;

/**
 * The row that begins at a place of a text. A quote inside of a cell stands for itself, as before more than the cell's end:
 * `="0803…"` keeps its quotes. Null where a quote stays open to the text's end, or a row is too long.
 */
export function csvRowAt(text: string, begins: number, separator: string): CsvRow | null {
  const cells: string[] = [];
  for (let at = begins; at - begins <= recordMax; ) {
    const opening = at + blanksAt(text, at);
    let end = at;
    let cell: string | null = null;
    if (text[opening] === '"') {
      const closing = closingQuote(text, opening + 1);
      if (closing === null) return null;
      end = closing + 1 + blanksAt(text, closing + 1);
      if (end === text.length || isCellEnd(text, end, separator)) {
        cell = text.slice(opening + 1, closing).replaceAll('""', '"');
      }
    }
    if (cell === null) {
      end = at;
      while (end < text.length && end - begins <= recordMax && !isCellEnd(text, end, separator)) end += 1;
      cell = text.slice(at, end).trim();
    }
    cells.push(cell);
    if (text[end] !== separator) {
      return { cells, next: end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1) };
    }
    at = end + 1;
  }
  return null;
}

function isCellEnd(text: string, at: number, separator: string): boolean {
  const sign = text[at];
  return sign === separator || sign === "\n" || sign === "\r";
}

function blanksAt(text: string, at: number): number {
  let end = at;
  while (text[end] === " ") end += 1;
  return end - at;
}

function closingQuote(text: string, from: number): number | null {
  for (let at = text.indexOf('"', from); at >= 0 && at - from <= recordMax; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return null;
}

/** How many lines end in a text, however they do; no further than one more than `max`. */
export function countLineEnds(text: string, max: number): number {
  let ends = 0;
  for (let at = 0; at < text.length && ends <= max; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) ends += 1;
  }
  return ends;
}

/** The first line that is not blank: found forwards alone, as a text of blanks only would be read anew from each of them. */
function firstLine(text: string): string {
  const at = Math.max(0, text.search(/\S/));
  const begins = Math.max(text.lastIndexOf("\n", at), text.lastIndexOf("\r", at)) + 1;
  return /[^\r\n]*/.exec(text.slice(begins))?.[0] ?? "";
}

/** A list's bytes as text. */
export function textOfFile(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** How a list's bytes, or its first ones, are written: UTF-8, what a spreadsheet calls "Unicode text", or as Windows does. */
export function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  // Bytes may end within a letter.
  const isUnicode = [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - cut))));
  // What is no text at all shows by its control characters, and is named by `foreignContent`.
  return isUnicode || bytes.subarray(0, 1_000).some((byte) => byte < 0x09) ? "utf-8" : "windows-1252";
}

const foreignBeginnings: readonly (readonly [beginning: string, what: string])[] = [
  ["PK\u0003\u0004", "an Excel workbook (xlsx)"],
  ["\uFFFD\uFFFD\u0011", "an Excel workbook (xls)"],
  ["ÐÏ\u0011à", "an Excel workbook (xls)"],
  ["\uFFFD\uFFFD", "text in UTF-16"],
  ["%PDF", "a PDF"],
];

/** What a list is instead of text, by its beginning; null where it may be text. */
export function foreignContent(text: string): string | null {
  if (/^(?:\0|.[\0\uFFFD].[\0\uFFFD])/s.test(text)) return "text in UTF-16";
  if (/^\s*<(?:!doctype|html|\?xml|table)/i.test(text)) return "a web page or XML";
  return foreignBeginnings.find(([beginning]) => text.startsWith(beginning))?.[1] ?? null;
}

export const saveAsCsv = "open it in the spreadsheet and save it as “CSV UTF-8”";

/** How a number that a spreadsheet has spoilt gets its digits back: never from the spoilt file. */
export const exportAsText =
  "A spreadsheet keeps 15 digits of a number. Take the original file: import it into the spreadsheet with these columns as Text, or leave the spreadsheet out.";
