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
