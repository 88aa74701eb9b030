import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ListFigure } from "./console-lists.ts";
import { type BesideRound, type PageName, pageConnections, pages } from "./console-measure.ts";
import type { Machine } from "./machine.ts";
import { table, text } from "./report.ts";
import { type Measure, measureOf, median } from "./result.ts";

/** Medians over the rounds. */
export interface Beside {
  /** A second, in each of the three. */
  readonly asked: number;
  readonly before: Measure;
  readonly beside: Measure;
  readonly after: Measure;
  readonly people: {
    readonly perSecond: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly maxMs: number;
  };
  /** p99 beside people, as a multiple of the mean of before and after, round by round. */
  readonly ratios: readonly number[];
}

export interface ConsoleResult {
  readonly benchmark: "console";
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly rows: number;
  readonly seconds: number;
  readonly loadSeconds: number;
  readonly databaseBytes: number;
  readonly pages: Readonly<Record<PageName, Measure>>;
  readonly purchases: Beside;
  readonly lists: readonly ListFigure[];
}

/** What console.md asks of every list at ten million rows. */
const listMsMax = 200;

export function summariseBeside(rounds: readonly BesideRound[], asked: number): Beside {
  const of = (read: (round: BesideRound) => number) => Math.round(median(rounds.map(read)) * 100) / 100;
  return {
    asked: Math.round(asked),
    before: measureOf(rounds.map(({ before }) => before)),
    beside: measureOf(rounds.map(({ beside }) => beside)),
    after: measureOf(rounds.map(({ after }) => after)),
    people: {
      perSecond: of(({ people }) => people.answered / people.seconds),
      p50Ms: of(({ people }) => people.p50Ms),
      p99Ms: of(({ people }) => people.p99Ms),
      maxMs: Math.max(...rounds.map(({ people }) => Math.round(people.maxMs * 10) / 10)),
    },
    ratios: rounds.map((round) => Math.round(ratioOf(round) * 100) / 100),
  };
}

function ratioOf({ before, beside, after }: BesideRound): number {
  return (2 * (beside.p99Ms ?? Number.NaN)) / ((before.p99Ms ?? Number.NaN) + (after.p99Ms ?? Number.NaN));
}

export function renderConsole(result: ConsoleResult): string {
  return [heading(result), pagesTable(result), purchasesTable(result), listsTable(result), verdict(result)].join(
    "\n\n",
  );
}

function heading({ commit, machine, rows, seconds, loadSeconds, databaseBytes }: ConsoleResult): string {
  return [
    `Console at ${commit}: ${text(rows)} purchases and as many rows of the request log, half of them of the merchant`,
    `whose pages are asked for; ${text(Math.round(databaseBytes / 2 ** 20))} MB, loaded in ${text(loadSeconds)} s. Phases of ${seconds} s.`,
    `${machine.cores} cores ${machine.cpu}, Node ${machine.node}, PostgreSQL ${machine.postgres}, load ${machine.loadBefore} before the run.`,
  ].join("\n");
}

function pagesTable({ pages: measured }: ConsoleResult): string {
  const head = [`${pageConnections} in flight`, "per s", "p50 ms", "p99 ms", "node µs", "pg µs", "others"];
  const rows = pages.map((page) => {
    const { perSecond, p50Ms, p99Ms, serverMicros, postgresMicros, foreignCores } = measured[page];
    return [page, ...[perSecond, p50Ms, p99Ms, serverMicros, postgresMicros, foreignCores].map(text)];
  });
  return `${table([head, ...rows])}\nnode and pg: processor time a page. others: cores that other programs took.`;
}

function purchasesTable({ purchases }: ConsoleResult): string {
  const { before, beside, after, people, asked, ratios } = purchases;
  const row = (name: string, measure: Measure) => {
    const { perSecond, p50Ms, p99Ms, maxMs, serverMicros, postgresMicros, foreignCores } = measure;
    return [name, ...[perSecond, p50Ms, p99Ms, maxMs, serverMicros, postgresMicros, foreignCores].map(text)];
  };
  return [
    table([
      [`${text(asked)} purchases a second`, "per s", "p50 ms", "p99 ms", "longest ms", "node µs", "pg µs", "others"],
      row("alone", before),
      row("beside ten people", beside),
      row("alone again", after),
      ["what the people wait", ...[people.perSecond, people.p50Ms, people.p99Ms, people.maxMs].map(text), "", "", ""],
    ]),
    `p99 beside people: ${ratios.map((ratio) => `${text(ratio)} ×`).join(", ")} the mean of alone and alone again, round by round.`,
  ].join("\n");
}

function listsTable({ lists }: ConsoleResult): string {
  const head = ["list", "first ms", "warm ms", "longest ms", "after sales ms", "rows", ""];
  const rows = lists.map((figure) => {
    const { page, what, firstMs, warmMs, longestMs, afterSalesMs, rows: shown } = figure;
    const times = [firstMs, warmMs, longestMs, afterSalesMs ?? Number.NaN].map((ms) => ms.toFixed(1));
    return [`${page} ${what}`, ...times, String(shown), isSlow(figure) ? "SLOW" : ""];
  });
  return table([head, ...rows]);
}

function verdict({ lists }: ConsoleResult): string {
  const slow = lists.filter(isSlow);
  const goal = `${lists.length} lists, one request at a time; goal: at most ${listMsMax} ms`;
  return slow.length === 0 ? `${goal}; reached.` : `${goal}; missed by ${slow.length}.`;
}

function isSlow({ firstMs, longestMs, afterSalesMs }: ListFigure): boolean {
  return Math.max(firstMs, longestMs, afterSalesMs ?? 0) > listMsMax;
}

/** Puts a result among those to be checked in. @returns its file's name */
export function saveConsole(result: ConsoleResult): string {
  const folder = path.join(import.meta.dirname, "results");
  const name = `console-${result.date.slice(0, 16).replace(":", "")}-${result.commit.replace("+", "")}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return `bench/results/${name}`;
}
