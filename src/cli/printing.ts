import { once } from "node:events";
import { SingleBar } from "cli-progress";
import Table from "cli-table3";
import type { Json, JsonObject } from "../kernel/json.ts";
import { codeOf, terminalControls, terminalText } from "../kernel/mask-secrets.ts";

/** The option of every command whose results a program may read. */
export const asJson = ["--json", "one JSON line per result, for programs"] as const;

/** That option as a command got it. */
export interface JsonOption {
  readonly json?: true;
}

/** One JSON line on standard output, for programs. */
export function printJson(value: JsonObject): void {
  // JSON's own escapes end with U+001F.
  const line = JSON.stringify(value).replace(terminalControls, (found) => `\\u${codeOf(found).padStart(4, "0")}`);
  process.stdout.write(`${line}\n`);
}

/** One sentence on standard output, for people. */
export function printLine(sentence: string): void {
  process.stdout.write(`${terminalText(sentence)}\n`);
}

/** Waits until what was printed has been taken, so that a reader who is slow does not fill the memory. */
export async function outputTaken(signal: AbortSignal): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, "drain", { signal });
}

/** One sentence on standard error: for people, also where a program reads the output. */
export function printWarning(sentence: string): void {
  process.stderr.write(`${terminalText(sentence)}\n`);
}

/** A table for people. */
export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const table = new Table({ head: [...columns], style: { head: [], border: [] } });
  // Before the table measures them: it leaves room for what is seen.
  for (const row of rows) table.push(row.map(terminalText));
  printLine(table.toString());
}

/** What is known of one thing, for people: a fact a line, by its name. */
export function printFacts(title: string, facts: Readonly<Record<string, unknown>>): void {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  printTable(
    [title, ""],
    known.map(([name, value]) => [name.replaceAll("_", " "), String(value)]),
  );
}

/** How rows are shown to people. */
interface Layout<Row> {
  /** The fields that the table shows, in order; unless given, every field. */
  readonly columns?: readonly (keyof Row & string)[];
  /** What stands over a field, unless it is its name: `made_at` stands under "made", `bank_reference` under two words. */
  readonly headings?: { readonly [Field in keyof Row]?: string };
  /** The text in place of null. */
  readonly absent?: string;
  /** The sentence in place of a table without rows. */
  readonly none?: string;
}

/** Rows with all that they say as JSON lines for a program, or else as a table for people. */
export function printRows<Row extends JsonObject>(
  rows: readonly Row[],
  { columns, headings = {}, absent = "", none = "There is none." }: Layout<Row>,
  { json }: JsonOption,
): void {
  if (json) for (const row of rows) printJson(row);
  else if (rows.length === 0) printLine(none);
  else {
    const fields = columns ?? Object.keys(rows[0] ?? {});
    printTable(
      fields.map((field) => headings[field] ?? field.replace(/_(?:at|id)$/, "").replaceAll("_", " ")),
      rows.slice(0, tableRowsMax).map((row) => fields.map((field) => cellOf(row[field] ?? absent))),
    );
    if (rows.length > tableRowsMax) printLine(`And ${rows.length - tableRowsMax} more: --json prints all of them.`);
  }
}

/** More than a person reads. Drawing a table takes longer for each row that it has. */
const tableRowsMax = 1_000;

function cellOf(value: Json): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A bar on standard error, where somebody watches. */
export function progressBar(total: number): { update(done: number): void; stop(): void } {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const progress = new SingleBar({ format: "{bar} {percentage} % | {duration_formatted}", clearOnComplete: true });
  progress.start(total, 0);
  return { update: (done) => progress.update(done), stop: () => progress.stop() };
}

/** Shows the present step on a terminal: the next step is written over it, and an empty one clears it. */
export function printStep(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${step}`);
}
