import { isUtf8 } from "node:buffer";
import type { Options } from "csv-parse";
import { CsvError, parse } from "csv-parse/sync";
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
  max_record_size: 20_000,
  relax_column_count: true,
  record_delimiter: ["\r\n", "\n", "\r"],
  // `="0803…"` keeps its quotes until the cell is read.
  relax_quotes: true,
  skip_empty_lines: true,
  trim: true,
} satisfies Options;

/** The cells of one row; null where a quote has no other one. */
export function quotedCells(row: string, delimiter: string): readonly string[] | null {
  try {
    return parse(row, { ...csvOptions, delimiter })[0] ?? [];
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

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
