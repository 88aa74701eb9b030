import { rm, writeFile } from "node:fs/promises";
import type { Difference } from "../../domain/suppliers/price-lists/compare.ts";
import { differenceRow } from "../../domain/suppliers/price-lists/difference-row.ts";
import { markedColumns, markedFile } from "../../domain/suppliers/price-lists/marked-file.ts";
import type { TextRecord } from "../../platform/csv-text.ts";
import { readRecordsUpTo } from "../given-records.ts";
import { wrong } from "../operator-command.ts";

/** As many products as a supplier may list. */
const linesMax = 50_000;

/** Writes a new file, for its owner's eyes. @throws Refusal VALIDATION_ERROR where there is one, or none can be */
export async function writeDifferences(
  file: string,
  supplier: string,
  differences: readonly Difference[],
): Promise<void> {
  try {
    await writeFile(file, markedFile(supplier, differences.map(differenceRow)), { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw wrong(`${file} is there already, perhaps with somebody's marks: name a new file.`);
    await rm(file, { force: true });
    throw wrong(`${file} can't be written (${code}): name a file in a folder that you may write to.`);
  }
}

/** The lines of a file that a person marked, by their columns. @throws Refusal VALIDATION_ERROR where it is another file */
export async function readMarkedFile(file: string): Promise<readonly TextRecord[]> {
  const records = await readRecordsUpTo(linesMax, file, { exact: ["supplier_code"] });
  const [first] = records;
  if (first === undefined) throw wrong(`The file ${file} has no lines.`);
  const missing = markedColumns.filter((column) => !(column in first.record));
  if (missing.length > 0) {
    throw wrong(`The file ${file} has no column ${missing.join(", ")}: write one with supplier catalogue NAME --to.`);
  }
  return records;
}
