import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { median } from "./bulk-report.ts";
import type { Machine } from "./machine.ts";
import { growthMax, memoryGrowth, memorySeries } from "./process-memory.ts";
import { table, text } from "./report.ts";
import type { WebhookMemory } from "./webhook-memory.ts";
import type { WebhookSample } from "./webhook-rig.ts";

export interface WebhookResult {
  readonly benchmark: "webhooks";
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly events: number;
  /** By phase, a sample of each round. */
  readonly samples: Readonly<Record<string, readonly WebhookSample[]>>;
  readonly memory: WebhookMemory;
}

const folder = path.join(import.meta.dirname, "results");

export function renderWebhooks(result: WebhookResult): string {
  const { machine, samples, memory } = result;
  const rows = Object.entries(samples).map(([name, rounds]) => [
    name,
    ...columns.map(([, read]) => text(middle(rounds, read))),
  ]);
  return [
    `webhooks at ${result.commit}, ${result.events} events; ${machine.cores} × ${machine.cpu}, load ${machine.loadBefore} before; medians of ${samples.backlog?.length ?? 0} rounds`,
    table([["phase", ...columns.map(([title]) => title)], ...rows]),
    "",
    `Memory of the service over ${memory.seconds} s with ${text(memory.rate)} deliveries owed a second, in MB: ` +
      `${memorySeries(memory.megabytes)}.\n` +
      `Its heap at rest, after a collection: ${memory.heap[0]} MB before, ${memory.heap[1]} MB after.`,
    "",
    table([["", "this run", "goal", ""], ...goalsOf(result)]),
  ].join("\n");
}

type Read = (sample: WebhookSample) => number | null;

const whole = (value: number | null) => (value === null ? null : Math.round(value));
const columns: readonly (readonly [title: string, read: Read])[] = [
  ["/s", ({ perSecond }) => whole(perSecond)],
  ["p50 ms", ({ p50Ms }) => p50Ms],
  ["p99 ms", ({ p99Ms }) => p99Ms],
  ["commits", ({ commits }) => commits],
  ["WAL B", ({ walBytes }) => whole(walBytes)],
  ["service µs", ({ serverMicros }) => whole(serverMicros)],
  ["PG µs", ({ postgresMicros }) => whole(postgresMicros)],
  ["MB from", ({ megabytes }) => megabytes?.[0] ?? null],
  ["to", ({ megabytes }) => megabytes?.[1] ?? null],
  ["double", ({ duplicates }) => duplicates],
];

function middle(samples: readonly WebhookSample[] | undefined, read: Read): number | null {
  const values = (samples ?? []).map(read).filter((value) => value !== null);
  return values.length === 0 ? null : median(values);
}

function goalsOf({ samples, memory }: WebhookResult): string[][] {
  const rate: Read = ({ perSecond }) => perSecond;
  const p99: Read = ({ p99Ms }) => p99Ms;
  const of = (phase: string, read: Read) => middle(samples[phase], read);
  // Compares the two phases of the same round: the machine may be busy with something else in the next one.
  const ratio = (above: string, below: string, read: Read) => {
    const ratios = (samples[above] ?? []).flatMap((sample, round) => {
      const [value, base] = [read(sample), read((samples[below] ?? [])[round] ?? sample)];
      return value === null || base === null || base === 0 ? [] : [value / base];
    });
    return ratios.length === 0 ? null : median(ratios);
  };
  const baseline = of("graphile-worker", rate);
  const rows: readonly (readonly [string, number | null, "≥" | "≤" | "<", number])[] = [
    ["deliveries a second", of("backlog", rate), "≥", 8_000],
    ["÷ graphile-worker", baseline === null ? null : (of("backlog", rate) ?? 0) / baseline, "≥", 3],
    ["p99 ms at half load", of("half load", p99), "<", 500],
    ["commits a delivery", of("backlog", ({ commits }) => commits), "<", 1],
    ["beside black holes: backlog's rate", ratio("backlog, black holes beside", "backlog", rate), "≥", 0.95],
    ["half load's rate", ratio("half load, black holes beside", "half load", rate), "≥", 0.95],
    ["half load's p99", ratio("half load, black holes beside", "half load", p99), "≤", 2],
    ["memory, last third ÷ second", memoryGrowth(memory.megabytes), "≤", growthMax],
    ["heap at rest, after ÷ before", memory.heap[1] / memory.heap[0], "≤", growthMax],
    ["purchases' rate with an event each", ratio("purchases, an event each", "purchases", rate), "≥", 0.9],
  ];
  return rows.map(([title, value, sign, goal]) => [
    title,
    text(value),
    `${sign} ${goal}`,
    value === null ? "not measured" : isReached(value, sign, goal) ? "reached" : "missed",
  ]);
}

function isReached(value: number, sign: "≥" | "≤" | "<", goal: number): boolean {
  if (sign === "≥") return value >= goal;
  return sign === "≤" ? value <= goal : value < goal;
}

/** Puts a result among those to be checked in. @returns its file's name */
export function saveWebhooks(result: WebhookResult): string {
  const name = `webhooks-${result.date.slice(0, 16).replace(":", "")}-${result.commit.replace("+", "")}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return `bench/results/${name}`;
}
