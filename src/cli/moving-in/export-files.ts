import { stat } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { type ExportTable, kindOf } from "../../domain/moving-in/export-table.ts";
import { isDump, readDump } from "../../domain/moving-in/read-dump.ts";
import { textOfFile } from "../../platform/csv.ts";
import { readGivenFile, readGivenRecords, unreadableFile } from "../given-records.ts";
import { wrong } from "../operator-command.ts";
import { printStep } from "../printing.ts";

const megabyte = 1_048_576;
/** A dump is read as a whole, packed or not; one of users, tokens and plans is far smaller. */
const bytesMax = 256 * megabyte;

/** Reads an older script's export: CSV files and dumps. @throws Refusal VALIDATION_ERROR that names the file */
export async function readExportFiles(files: readonly string[]): Promise<ExportTable[]> {
  const tables: ExportTable[] = [];
  for (const file of files) {
    printStep(`reading ${file}`);
    tables.push(...(await readExportFile(file)));
  }
  printStep("");
  return tables;
}

async function readExportFile(file: string): Promise<readonly ExportTable[]> {
  const { size } = await stat(file).catch((error) => {
    throw unreadableFile(file, error);
  });
  if (size > bytesMax) throw tooLarge(file);
  const given = await readGivenFile(file);
  const isPacked = given[0] === 0x1f && given[1] === 0x8b;
  const bytes = isPacked ? unpacked(file, given) : given;
  const foreign = foreignIn(bytes);
  if (foreign !== null) throw wrong(`The file ${file} is ${foreign}.`);
  const text = textOfExport(bytes);
  if (isDump(text)) return readDump(file, text);
  if (isPacked) throw wrong(`The file ${file} is no dump of a database: give a CSV file unpacked.`);
  return [await readCsv(file)];
}

function tooLarge(file: string) {
  const megabytes = bytesMax / megabyte;
  return wrong(`The file ${file} is above ${megabytes} MB: dump the tables of users, tokens and plans alone.`);
}

/** What `gzip` has packed. */
function unpacked(file: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(file);
    const what = code === "Z_BUF_ERROR" ? "ends too early: it was cut off" : "is damaged";
    throw wrong(`The packed file ${file} ${what}. Export it again.`);
  }
}

const foreignFiles: readonly (readonly [begin: RegExp, what: string])[] = [
  [/^PK[^ -~]/, "a zip archive or a workbook: unpack it, or save it as CSV"],
  [/^(?:BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf|Rar!)/, "packed: unpack it"],
  [/^[\s\S]{257}ustar/, "a tar archive: unpack it"],
  [/^PGDMP/, "a dump in pg_dump's own format: dump with --format=plain"],
  [/^SQLite format 3/, "a database of SQLite: export its tables as CSV"],
  [/^(?:\xef\xbb\xbf)?\s*(?:\[\s*[{\]]|\{)/, "JSON: export the tables as SQL or CSV"],
  [/^(?:\xef\xbb\xbf)?\s*<(?!br\b)/, "XML or a web page: export the tables as SQL or CSV"],
];

/** What a file is that no reader is for, and what to do; null where it may be text. */
function foreignIn(bytes: Buffer): string | null {
  const head = bytes.toString("latin1", 0, 300);
  return foreignFiles.find(([begin]) => begin.test(head))?.[1] ?? null;
}

/** A dump says how it is written: pictures within it are no text, and spoil no name. */
function textOfExport(bytes: Buffer): string {
  const isUnicode = /set names '?utf8|client_encoding = 'utf8'/i.test(bytes.toString("latin1", 0, 20_000));
  return isUnicode ? new TextDecoder().decode(bytes) : textOfFile(bytes);
}

async function readCsv(file: string): Promise<ExportTable> {
  let columns: readonly string[] = [];
  const rows: ExportTable["rows"][number][] = [];
  const reading = { columns: (names: readonly string[]) => (columns = names) };
  for await (const { record, line } of readGivenRecords(file, reading)) {
    const cells = columns.map((name) => record[name] ?? null);
    const begins = line - cells.join("").split("\n").length + 1;
    if (cells.some((cell) => hasSwallowed(cell, columns.length))) {
      throw wrong(`Line ${begins} of ${file} can't be read: a quote begins in it, and ends some lines later.`);
    }
    rows.push({ line: begins, row: null, cells });
  }
  if (kindOf(columns, false) !== null) return { file, name: null, columns, rows };
  const there = columns.join(", ").slice(0, 300);
  throw wrong(
    `The file ${file} is about nothing that a move needs. Its heading is: ${there === "" ? "empty" : there}.`,
  );
}

/** Whether a cell holds whole lines of its table: their users would be lost. */
function hasSwallowed(cell: string | null, columnCount: number): boolean {
  if (cell === null || columnCount < 3 || !cell.includes("\n")) return false;
  return cell.split("\n").some((line) => line.split(/[,;\t]/).length >= columnCount);
}
