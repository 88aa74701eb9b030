import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Machine } from "./machine.ts";
import { type Phase, phases, type Round, type Sample } from "./purchase.ts";

/** Medians over the rounds, and the rate of each round, which shows how noisy they were. */
export type Measure = Sample & { readonly rates: readonly number[] };

/** One ratio within a run, compared with what the service is meant to reach. */
export type Ratios = Readonly<Record<"tpcb" | "hello" | "hot", number | null>>;

export interface Result {
  readonly benchmark: "purchase";
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly seconds: number;
  readonly connections: number;
  readonly purchases: number;
  readonly measures: Readonly<Partial<Record<Phase, Measure>>>;
  readonly ratios: Ratios;
}

const folder = path.join(import.meta.dirname, "results");

export function summarise(rounds: readonly Round[]): Pick<Result, "measures" | "ratios"> {
  const measures: Partial<Record<Phase, Measure>> = {};
  for (const phase of phases) {
    const samples = rounds.flatMap((round) => round[phase] ?? []);
    if (samples.length > 0) measures[phase] = measureOf(samples);
  }
  const ratio = (of: Phase, to: Phase): number | null => {
    const ratios = rounds.flatMap((round) => {
      const [above, below] = [round[of], round[to]];
      return above === undefined || below === undefined ? [] : [above.perSecond / below.perSecond];
    });
    return ratios.length === 0 ? null : rounded(median(ratios));
  };
  return {
    measures,
    ratios: { tpcb: ratio("spread", "tpcb"), hello: ratio("spread", "hello"), hot: ratio("hot", "spread") },
  };
}

/** The median of each figure; errors are added up, and the longest wait is the longest of all. */
export function measureOf(samples: readonly Sample[]): Measure {
  const middle = (read: (sample: Sample) => number) => rounded(median(samples.map(read)));
  const middleOrNull = (read: (sample: Sample) => number | null) => {
    const values = samples.map(read).filter((value) => value !== null);
    return values.length === 0 ? null : rounded(median(values));
  };
  return {
    perSecond: middle((sample) => sample.perSecond),
    p50Ms: middle((sample) => sample.p50Ms),
    p99Ms: middleOrNull((sample) => sample.p99Ms),
    maxMs: longest(samples.flatMap((sample) => sample.maxMs ?? [])),
    errors: samples.reduce((sum, sample) => sum + sample.errors, 0),
    commitsPerSecond: middleOrNull((sample) => sample.commitsPerSecond),
    batchSize: middleOrNull((sample) => sample.batchSize),
    walBytes: middleOrNull((sample) => sample.walBytes),
    serverMicros: middleOrNull((sample) => sample.serverMicros),
    postgresMicros: middleOrNull((sample) => sample.postgresMicros),
    driverMicros: middleOrNull((sample) => sample.driverMicros),
    foreignCores: middleOrNull((sample) => sample.foreignCores),
    rates: samples.map((sample) => Math.round(sample.perSecond)),
  };
}

function longest(values: readonly number[]): number | null {
  return values.length === 0 ? null : rounded(Math.max(...values));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Three figures say all that a noisy machine can tell; whole numbers stay whole. */
function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

/** The latest result checked in; null when there is none. */
export function readLastResult(): Result | null {
  if (!existsSync(folder)) return null;
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith("purchase-") && entry.name.endsWith(".json"))
    .map(({ name }) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as Result);
  return files.sort((a, b) => (a.date < b.date ? 1 : -1))[0] ?? null;
}

/** Puts a result among those to be checked in. @returns its file's name */
export function saveResult(result: Result): string {
  const name = `purchase-${result.date.slice(0, 16).replace(":", "")}-${result.commit.replace("+", "")}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return `bench/results/${name}`;
}
