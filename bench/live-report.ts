import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { quickName, slowName, tenthName } from "./live-measure.ts";
import type { LiveMemory, LiveRound, LiveSample } from "./live-rig.ts";
import type { Machine } from "./machine.ts";
import { growthMax, memoryGrowth, memorySeries, peak } from "./process-memory.ts";
import type { Sample } from "./purchase.ts";
import { table, text } from "./report.ts";
import { median } from "./result.ts";

export interface LiveResult {
  readonly benchmark: "live";
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly seconds: number;
  readonly purchases: number;
  readonly rounds: readonly LiveRound[];
  readonly slow: Readonly<Record<string, LiveSample>>;
  readonly memory: LiveMemory;
}

export function renderLive(result: LiveResult): string {
  const { machine, commit, rounds, purchases, seconds, memory } = result;
  return [
    `Live purchases at ${commit}: medians of ${rounds.length} rounds of ${seconds} s; the slow supplier once.\n` +
      `${machine.cores} cores ${machine.cpu}, Node ${machine.node}, PostgreSQL ${machine.postgres}, ` +
      `${machine.syncMicros} µs to make 8 KB durable, load ${machine.loadBefore} before the run.\n` +
      `${purchases} live purchases: each was sent once by the supplier's own log, and every invariant holds.`,
    table([head, ...rowsOf(result)]),
    "µs: processor time a request. added: the median less the supplier's own. others: cores that other programs took.",
    `Memory of the service with 1,000 in flight at 2 s, in MB: ${memorySeries(memory.megabytes)}.\n` +
      `Its heap after a whole collection, after each third: ${memory.heap.join(", ")}.`,
    table([["", "this run", "goal", ""], ...goalsOf(result)]),
  ].join("\n\n");
}

const head = [
  ...["", "per s", "p50 ms", "p99 ms", "supplier p50", "added ms", "at supplier", "errors", "batch"],
  ...["µs service", "µs postgres", "µs supplier", "µs driver", "others"],
];

function rowsOf({ rounds, slow }: LiveResult): string[][] {
  const tpcb = rounds.flatMap((round) => round.tpcb ?? []);
  const sandbox = rounds.map((round) => round.sandbox);
  const names = Object.keys(rounds[0]?.loads ?? {});
  const quick = names.map((name) => [name, rounds.flatMap(({ loads }) => loads[name] ?? [])] as const);
  return [
    ...(tpcb.length === 0 ? [] : [plainRow("pgbench tpcb-like", tpcb)]),
    plainRow("sandbox, 256 in flight", sandbox),
    ...quick.map(([name, samples]) => liveRow(name, samples)),
    ...Object.entries(slow).map(([name, sample]) => liveRow(name, [sample])),
  ];
}

function plainRow(name: string, samples: readonly Sample[]): string[] {
  const of = reader(samples);
  return [
    ...[name, of((s) => s.perSecond), of((s) => s.p50Ms), of((s) => s.p99Ms), "", "", ""],
    ...[of((s) => s.errors), of((s) => s.batchSize), of((s) => s.serverMicros), of((s) => s.postgresMicros)],
    ...["", of((s) => s.driverMicros), of((s) => s.foreignCores)],
  ];
}

function liveRow(name: string, samples: readonly LiveSample[]): string[] {
  const of = reader(samples);
  const supplierMicros = ({ supplier }: LiveSample) => (supplier.cpuSeconds * 1e6) / Math.max(1, supplier.asked);
  return [
    ...[name, of((s) => s.perSecond), of((s) => s.p50Ms), of((s) => s.p99Ms), of((s) => s.supplier.p50Ms)],
    ...[of((s) => s.addedMs), of((s) => s.supplier.openMax), of((s) => s.errors), of((s) => s.batchSize)],
    ...[of((s) => s.serverMicros), of((s) => s.postgresMicros), of(supplierMicros), of((s) => s.driverMicros)],
    of((s) => s.foreignCores),
  ];
}

/** The median of a figure over the samples, as text. */
function reader<T>(samples: readonly T[]): (read: (sample: T) => number | null) => string {
  return (read) => {
    const value = medianOf(samples.map(read));
    return text(value === null || value < 1_000 ? value : Math.round(value));
  };
}

function medianOf(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === "number");
  return known.length === 0 ? null : median(known);
}

function goalsOf({ rounds, slow, memory }: LiveResult): string[][] {
  const each = (read: (round: LiveRound) => number | null | undefined) => medianOf(rounds.map(read));
  const main = ({ loads }: LiveRound) => loads[quickName(256)];
  const ratio = (round: LiveRound, below: Sample | undefined) => {
    const above = main(round);
    return above === undefined || below === undefined ? null : above.perSecond / below.perSecond;
  };
  const most = slow[slowName(1_000)];
  const rows: readonly (readonly [string, number | null, string, (value: number) => boolean])[] = [
    ["256 in flight at 20 ms ÷ tpcb-like", each((round) => ratio(round, round.tpcb)), "≥ 0.9", (value) => value >= 0.9],
    ["… p99 ms", each((round) => main(round)?.p99Ms), "< 60", (value) => value < 60],
    ["ms added at a tenth of it", each(({ loads }) => loads[tenthName]?.addedMs), "< 5", (value) => value < 5],
    ["1,000 in flight at 2 s: at the supplier at a time", most?.supplier.openMax ?? null, "≥ 900", (v) => v >= 900],
    [
      "… memory's peak, last third ÷ second",
      memoryGrowth(memory.megabytes, peak),
      `≤ ${growthMax}`,
      (value) => value <= growthMax,
    ],
    [
      "… heap collected, last ÷ first",
      memory.heap[2] / memory.heap[0],
      `≤ ${growthMax}`,
      (value) => value <= growthMax,
    ],
    ["256 in flight at 20 ms ÷ sandbox", each((round) => ratio(round, round.sandbox)), "", () => true],
  ];
  return rows.map(([title, value, goal, isReached]) => [
    title,
    text(value),
    goal,
    goal === "" ? "" : value === null ? "not measured" : isReached(value) ? "reached" : "missed",
  ]);
}

/** Puts a result among those to be checked in. @returns its file's name */
export function saveLive(result: LiveResult): string {
  const folder = path.join(import.meta.dirname, "results");
  const name = `live-${result.date.slice(0, 16).replace(":", "")}-${result.commit.replace("+", "")}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return `bench/results/${name}`;
}
