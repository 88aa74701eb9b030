import { stat } from "node:fs/promises";
import { type ExportTable, kindOf } from "../../domain/moving-in/export-table.ts";
import { isDump, readDump } from "../../domain/moving-in/read-dump.ts";
import { textOfFile } from "../../platform/csv.ts";
import { readGivenFile, readGivenRecords, unreadableFile } from "../given-records.ts";
import { wrong } from "../operator-command.ts";
import { printStep } from "../printing.ts";

const megabyte = 1_048_576;
/** A dump is read as a whole; one of users, tokens and plans is far smaller. */
const fileMegabytesMax = 256;

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
  if (size > fileMegabytesMax * megabyte) {
    throw wrong(`The file ${file} is above ${fileMegabytesMax} MB: dump the tables of users, tokens and plans alone.`);
  }
  const text = textOfFile(await readGivenFile(file));
  return isDump(text) ? readDump(file, text) : [await readCsv(file)];
}

async function readCsv(file: string): Promise<ExportTable> {
  let columns: readonly string[] = [];
  const rows: ExportTable["rows"][number][] = [];
  const reading = { columns: (names: readonly string[]) => (columns = names) };
  for await (const { record, line } of readGivenRecords(file, reading)) {
    rows.push({ line, row: null, cells: columns.map((name) => record[name] ?? null) });
  }
  if (kindOf(columns, false) !== null) return { file, name: null, columns, rows };
  const there = columns.join(", ").slice(0, 300);
  throw wrong(
    `The file ${file} is about nothing that a move needs. Its heading is: ${there === "" ? "empty" : there}.`,
  );
}
