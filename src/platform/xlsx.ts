import sax from "sax";
import yauzl from "yauzl";
import { Refusal, refuseField } from "../kernel/problems.ts";
import { textOfFile } from "./csv.ts";
import { readCsvRows, type TextRow } from "./csv-text.ts";
import { openYieldToEventLoop } from "./pacing.ts";

/** What a part of a workbook may unpack to: a sheet of 100,000 lines has 40 MiB. */
const partBytesMax = 96 * 1_048_576;
/** A workbook of a hundred sheets has some 300. */
const partsMax = 1_000;
const columnsMax = 200;
const stringsMax = 2_000_000;
const zipBeginning = Buffer.from("PK\u0003\u0004");

/**
 * Reads the rows of a list by its bytes: the first sheet of an XLSX workbook, else CSV; in slices. Dates of a workbook come
 * as `2026-11-26`, numbers as their digits: one that has lost some comes with its exponent.
 * @throws Refusal VALIDATION_ERROR at the field of a form, for what is neither, too long, or unpacks to too much
 */
export async function* readSheetRows(bytes: Buffer, field: string, rowsMax: number): AsyncGenerator<TextRow> {
  const complain = (sentence: string) => refuseField("VALIDATION_ERROR", field, sentence);
  const isWorkbook = bytes.subarray(0, 4).equals(zipBeginning);
  let rows = 0;
  try {
    for await (const row of isWorkbook
      ? workbookRows(bytes, complain)
      : readCsvRows(textOfFile(bytes), field, rowsMax)) {
      rows += 1;
      if (rows > rowsMax) throw complain(`More than ${rowsMax} lines: split it.`);
      yield row;
    }
  } catch (error) {
    if (error instanceof Refusal || !isWorkbook) throw error;
    throw complain("This workbook can’t be read. Open it in the spreadsheet and save it anew as XLSX or CSV.");
  }
}

type Complain = (sentence: string) => Refusal;

interface Handlers {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

async function* workbookRows(bytes: Buffer, complain: Complain): AsyncGenerator<TextRow> {
  const part = await openParts(bytes, complain);
  const { sheetId, isFrom1904 } = await readWorkbook(part);
  const sheetPath = await readTarget(part, sheetId);
  const [strings, isDateStyle] = [await readStrings(part, complain), await readDateStyles(part)];
  const rows: TextRow[] = [];
  const sheet = sheetHandlers({ strings, isDateStyle, isFrom1904 }, (row) => rows.push(row));
  for await (const _slice of part(sheetPath, sheet)) yield* rows.splice(0);
}

/** Reads a part of the workbook, and gives way to others after each slice. A part that isn't there has no slice. */
type ReadPart = (path: string, handlers: Handlers) => AsyncGenerator<void>;

async function openParts(bytes: Buffer, complain: Complain): Promise<ReadPart> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const entries = new Map<string, yauzl.Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.size === partsMax) throw complain(`A workbook of more than ${partsMax} parts isn’t read.`);
    entries.set(entry.fileName, entry);
  }
  const pause = openYieldToEventLoop();
  return async function* readPart(path, handlers) {
    const entry = entries.get(path);
    if (entry === undefined) return;
    // More than it says does not come: the stream breaks off with an error.
    if (entry.uncompressedSize > partBytesMax) throw complain("This workbook unpacks to more than 96 MB. Split it.");
    const parser = openParser(handlers);
    const decoder = new TextDecoder();
    for await (const slice of await zip.openReadStreamPromise(entry)) {
      parser.write(decoder.decode(slice as Buffer, { stream: true }));
      yield;
      await pause();
    }
    parser.write(decoder.decode()).close();
    yield;
  };
}

function openParser({ open, text, close }: Handlers) {
  const parser = sax.parser(true);
  const plain = (name: string) => name.slice(name.indexOf(":") + 1);
  parser.onopentag = ({ name, attributes }) => open(plain(name), attributes as Record<string, string>);
  parser.ontext = (found) => text?.(found);
  parser.onclosetag = (name) => close?.(plain(name));
  parser.onerror = (error) => {
    throw error;
  };
  return parser;
}

async function readAll(slices: AsyncGenerator<void>): Promise<void> {
  for await (const _slice of slices);
}

async function readWorkbook(part: ReadPart) {
  let sheetId: string | undefined;
  let isFrom1904 = false;
  await readAll(
    part("xl/workbook.xml", {
      open(name, attributes) {
        if (name === "workbookPr") isFrom1904 = ["1", "true"].includes(attributes.date1904 ?? "");
        if (name === "sheet") sheetId ??= attributes["r:id"];
      },
    }),
  );
  return { sheetId, isFrom1904 };
}

/** Where the first sheet is. */
async function readTarget(part: ReadPart, sheetId: string | undefined): Promise<string> {
  let target = "worksheets/sheet1.xml";
  await readAll(
    part("xl/_rels/workbook.xml.rels", {
      open(name, { Id, Target = target }) {
        if (name === "Relationship" && Id === sheetId) target = Target;
      },
    }),
  );
  return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
}

/** The texts that cells share. */
async function readStrings(part: ReadPart, complain: Complain): Promise<readonly string[]> {
  const strings: string[] = [];
  let isText = false;
  let text = "";
  await readAll(
    part("xl/sharedStrings.xml", {
      open(name) {
        if (name === "si") text = "";
        isText = name === "t";
      },
      text: (found) => {
        if (isText) text += found;
      },
      close(name) {
        isText = false;
        if (name === "si" && strings.push(text) > stringsMax) throw complain("This workbook has too many texts.");
      },
    }),
  );
  return strings;
}

/** Formats of Excel's own that show a day. */
const dateFormats = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58]);

/** Which styles show a number as a day, by their place. */
async function readDateStyles(part: ReadPart): Promise<readonly boolean[]> {
  const formats = new Set(dateFormats);
  const styles: boolean[] = [];
  let isOfCells = false;
  await readAll(
    part("xl/styles.xml", {
      open(name, { numFmtId = "0", formatCode = "" }) {
        const shown = formatCode.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "");
        if (name === "numFmt" && /[dy]/i.test(shown)) formats.add(Number(numFmtId));
        if (name === "cellXfs") isOfCells = true;
        if (name === "xf" && isOfCells) styles.push(formats.has(Number(numFmtId)));
      },
      close(name) {
        if (name === "cellXfs") isOfCells = false;
      },
    }),
  );
  return styles;
}

interface Sheet {
  readonly strings: readonly string[];
  readonly isDateStyle: readonly boolean[];
  readonly isFrom1904: boolean;
}

function sheetHandlers(sheet: Sheet, onRow: (row: TextRow) => void): Handlers {
  let cells: string[] = [];
  let line = 0;
  let cell: { readonly at: number; readonly type: string; readonly style: number } | null = null;
  let text = "";
  let isValue = false;
  return {
    open(name, { r = "", t = "n", s = "0" }) {
      isValue = name === "v" || name === "t";
      if (name === "row") [cells, line] = [[], Number(r) || line + 1];
      if (name !== "c") return;
      cell = { at: columnOf(r) ?? cells.length, type: t, style: Number(s) };
      text = "";
    },
    text: (found) => {
      if (isValue && cell !== null) text += found;
    },
    close(name) {
      isValue = false;
      if (name === "c" && cell !== null && cell.at < columnsMax) {
        while (cells.length < cell.at) cells.push("");
        cells[cell.at] = textIn(text, cell, sheet);
        cell = null;
      }
      if (name === "row" && cells.some((value) => value.trim() !== "")) onRow({ line, cells });
    },
  };
}

/** `AB12` → 27; null where a cell does not say its place. */
function columnOf(place: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(place)?.[0];
  return letters === undefined ? null : [...letters].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1;
}

function textIn(
  text: string,
  { type, style }: { readonly type: string; readonly style: number },
  sheet: Sheet,
): string {
  if (type === "s") return sheet.strings[Number(text)] ?? "";
  if (type !== "n" || text === "") return text;
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  if (sheet.isDateStyle[style] === true) return dayOf(number, sheet.isFrom1904);
  // A spreadsheet shows 15 digits; more of them are what binary fractions add, or a long number that has lost some.
  return Math.abs(number) < 1e15 ? String(Number(number.toPrecision(15))) : number.toExponential();
}

function dayOf(number: number, isFrom1904: boolean): string {
  const day = new Date((Math.floor(number) - (isFrom1904 ? 24_107 : 25_569)) * 86_400_000);
  return Number.isNaN(day.getTime()) ? String(number) : day.toISOString().slice(0, 10);
}
