import { SingleBar } from "cli-progress";
import Table from "cli-table3";
import type { JsonObject } from "../../kernel/json.ts";

/** One JSON line on standard output, for programs. */
export function printJson(value: JsonObject): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** One sentence on standard output, for people. */
export function printLine(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

/** One sentence on standard error: for people, also where a program reads the output. */
export function printWarning(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** A table for people. */
export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  const table = new Table({ head: [...columns], style: { head: [], border: [] } });
  for (const row of rows) table.push([...row]);
  printLine(table.toString());
}

/** A bar on standard error, where somebody watches. */
export function progressBar(total: number): { update(done: number): void; stop(): void } {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const progress = new SingleBar({ format: "{bar} {percentage} % | {duration_formatted}", clearOnComplete: true });
  progress.start(total, 0);
  return { update: (done) => progress.update(done), stop: () => progress.stop() };
}

/** A count that is written over itself, where somebody watches. */
export function progressOf(total: number): (done: number) => void {
  if (!process.stderr.isTTY) return () => {};
  return (done) => process.stderr.write(`\r${done} of ${total}${done >= total ? "\n" : ""}`);
}
