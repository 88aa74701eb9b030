import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Figure, type Figures, type GrowthPhase, growthPhases } from "./growth-measure.ts";
import type { Machine } from "./machine.ts";
import { table, text } from "./report.ts";

/** One size: how long it took to load, what it takes on disk, and what was measured. */
export interface GrownSize {
  readonly rows: number;
  readonly loadSeconds: number;
  readonly countSeconds: number;
  readonly databaseBytes: number;
  readonly checked: boolean;
  readonly figures: Figures;
}

export interface GrowthResult {
  readonly benchmark: "growth";
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly seconds: number;
  readonly sizes: readonly GrownSize[];
}

/** Each may cost at most that many times what it does at the smallest size. */
const ratioMax = 1.5;
/** The most time that the first page may take, with its exact total. */
const firstPageMsMax = 5;

const titles: Readonly<Record<GrowthPhase, string>> = {
  requery: "requery by reference",
  first: "first page",
  fiftieth: "page 50",
  failed: "status=failed",
  month: "category=data, a month",
  channel: "channel=legacy",
  customer: "phone of a customer",
  deliveries: "webhook deliveries",
  purchase: "purchase, big merchant",
  tail: "status=failed, after it",
};

export function renderGrowth(result: GrowthResult): string {
  return [heading(result), table([head, ...rows(result.sizes)]), legend].join("\n\n");
}

const head = ["", "rows", "p50 ms", "p99 ms", "per s", "µs CPU", "× p50", "× rate", "× CPU", ""];
const legend = [
  "p50 and p99: one request at a time. per s and CPU (service and PostgreSQL, a request): 16 connections.",
  `×: cost compared with the smallest size. Goal: at most ${ratioMax} (purchases by their rate, all others by p50), and`,
  `the first page under ${firstPageMsMax} ms. On a busy machine trust the processor time.`,
  "after it: while the purchases just made are not counted yet, which is no question of size.",
].join("\n");

function heading({ commit, machine, sizes, seconds }: GrowthResult): string {
  const loads = sizes.map(
    ({ rows, loadSeconds, countSeconds, databaseBytes, checked }) =>
      `${text(rows)} purchases: loaded in ${text(loadSeconds)} s, counted in ${text(countSeconds)} s, ` +
      `${text(databaseBytes / 2 ** 20)} MB; ${checked ? "every invariant holds" : "invariants not checked"}.`,
  );
  return [
    `Growth at ${commit}: phases of ${seconds} s.`,
    `${machine.cores} cores ${machine.cpu}, Node ${machine.node}, PostgreSQL ${machine.postgres}, load ${machine.loadBefore} before the run.`,
    ...loads,
  ].join("\n");
}

function rows(sizes: readonly GrownSize[]): string[][] {
  return growthPhases.flatMap((phase) =>
    sizes.flatMap(({ rows, figures }, index) => {
      const figure = figures[phase];
      const smallest = sizes[0]?.figures[phase];
      if (figure === undefined || smallest === undefined) return [];
      const { p50Ms, p99Ms, perSecond, cpuMicros } = figure;
      const measured = [text(rows), text(p50Ms), text(p99Ms), text(perSecond), text(cpuMicros)];
      const ratios = index === 0 ? ["", "", ""] : ratiosOf(figure, smallest).map(text);
      return [[index === 0 ? titles[phase] : "", ...measured, ...ratios, verdict(phase, figure, smallest)]];
    }),
  );
}

function ratiosOf(figure: Figure, smallest: Figure): number[] {
  return [
    figure.p50Ms / smallest.p50Ms,
    smallest.perSecond / figure.perSecond,
    figure.cpuMicros / smallest.cpuMicros,
  ].map((ratio) => Math.round(ratio * 100) / 100);
}

function verdict(phase: GrowthPhase, figure: Figure, smallest: Figure): string {
  const [byP50 = 0, byRate = 0] = ratiosOf(figure, smallest);
  const isFlat = (phase === "purchase" ? byRate : byP50) <= ratioMax;
  const isQuick = phase !== "first" || figure.p50Ms < firstPageMsMax;
  if (figure === smallest) return isQuick ? "" : "missed";
  return isFlat && isQuick ? "reached" : "missed";
}

/** Puts a result among those to be checked in. @returns its file's name */
export function saveGrowth(result: GrowthResult): string {
  const folder = path.join(import.meta.dirname, "results");
  const name = `growth-${result.date.slice(0, 16).replace(":", "")}-${result.commit.replace("+", "")}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return `bench/results/${name}`;
}
