import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { wrong } from "./failures.ts";
import { readGivenText } from "./given-files.ts";

/** A line of a CSV file by the names of its columns. */
export interface GivenRecord {
  readonly record: Readonly<Record<string, string>>;
  /** As an editor counts them: the heading is line 1. */
  readonly info: { readonly lines: number };
}

/** The lines of a CSV file whose first one names the columns. @throws Refusal VALIDATION_ERROR where it is none */
export async function readGivenRecords(file: string): Promise<readonly GivenRecord[]> {
  const text = await readGivenText(file);
  const options = { columns: true, bom: true, trim: true, skip_empty_lines: true, info: true } as const;
  try {
    return parse(text, options) as unknown as GivenRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw wrong(`${file} is no CSV: ${error.message}`);
  }
}
