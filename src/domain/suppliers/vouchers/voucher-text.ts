import { refuseField } from "../../../kernel/problems.ts";
import { typedText } from "../../../kernel/typed-text.ts";
import { readCsvRows } from "../../../platform/csv-text.ts";
import type { VoucherRow } from "./voucher-format.ts";

/** The field of the form that a file of vouchers is sent in: by its name no page shows it again, nor keeps it. */
export const voucherFileField = "secret-file";

export const columnsSentence =
  "The first line must name one column pin or code, or one of each for cards with both; serial and expires_on may follow.";

/**
 * What the columns of a file are, by its first line: a PIN by itself is what is sold, beside a code it belongs to that.
 * Null where no column holds what is sold.
 */
export function voucherColumns(names: readonly string[]): readonly string[] | null {
  const plain = names.map((name) => name.toLowerCase().replace(/[ -]/g, "_"));
  const count = (name: string) => plain.filter((each) => each === name).length;
  if (count("code") === 1 && count("pin") <= 1) return plain;
  if (count("code") === 0 && count("pin") === 1) return plain.map((name) => (name === "pin" ? "code" : name));
  return null;
}

/** A line of a file by the names of its columns, as `voucherColumns` has them. */
export function voucherRow(record: Readonly<Record<string, string>>, line: number): VoucherRow {
  const { code = "", pin = "", serial = "", expires_on: expiresOn = "" } = record;
  return { line, code, pin, serial, expiresOn };
}

/**
 * Reads an uploaded file of vouchers line by line: CSV whose first line names the columns, or a PIN in each line.
 * @throws Refusal VALIDATION_ERROR at the file's field, which repeats nothing of the file
 */
export async function* readVoucherText(given: string): AsyncGenerator<VoucherRow> {
  let columns: readonly string[] | null = null;
  for await (const { line, cells: written } of readCsvRows(given, voucherFileField)) {
    const cells = written.map(typedText);
    if (columns === null) {
      const named = voucherColumns(cells);
      // Without a heading, a file of one column holds a PIN in each line, the first one too.
      if (named === null && (cells.length > 1 || !/\d{4}/.test(cells[0] ?? ""))) throw complain(columnsSentence);
      columns = named ?? ["code"];
      if (named !== null) continue;
    }
    const filled = cells.findLastIndex((cell) => cell !== "") + 1;
    if (filled > columns.length) throw complain(`Line ${line} has ${filled} cells, and ${columns.length} were named.`);
    yield voucherRow(Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ""])), line);
  }
  if (columns === null) throw complain("The file is empty.");
}

function complain(sentence: string) {
  return refuseField("VALIDATION_ERROR", voucherFileField, sentence);
}
