import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Machine } from "./machine.ts";
import { table, text } from "./report.ts";
import type { WebhookSample } from "./webhook-rig.ts";

export interface WebhookResult {
  readonly benchmark: "webhooks";
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly events: number;
  readonly samples: Readonly<Record<string, WebhookSample>>;
}

const folder = path.join(import.meta.dirname, "results");

export function renderWebhooks(result: WebhookResult): string {
  const { machine, samples } = result;
  const head = [
    "phase",
    "/s",
    "p50 ms",
    "p99 ms",
    "commits",
    "WAL B",
    "service µs",
    "PG µs",
    "MB from",
    "to",
    "double",
  ];
  const rows = Object.entries(samples).map(([name, sample]) => [name, ...cells(sample)]);
  return [
    `webhooks at ${result.commit}, ${result.events} events; ${machine.cores} × ${machine.cpu}, load ${machine.loadBefore} before`,
    table([head, ...rows]),
    "",
    table([["", "this run", "goal", ""], ...goalsOf(samples)]),
  ].join("\n");
}

function cells(sample: WebhookSample): string[] {
  const { perSecond, p50Ms, p99Ms, commits, walBytes, serverMicros, postgresMicros, megabytes, duplicates } = sample;
  return [
    ...[Math.round(perSecond), p50Ms, p99Ms, commits, walBytes === null ? null : Math.round(walBytes)].map(text),
    ...[serverMicros, postgresMicros].map((micros) => text(micros === null ? null : Math.round(micros))),
    ...[megabytes?.[0] ?? null, megabytes?.[1] ?? null, duplicates].map(text),
  ];
}

function goalsOf(samples: WebhookResult["samples"]): string[][] {
  const { backlog } = samples;
  const ratio = (above: WebhookSample | undefined, below: WebhookSample | undefined) =>
    above === undefined || below === undefined ? null : above.perSecond / below.perSecond;
  const rows: readonly (readonly [string, number | null, string, (value: number) => boolean])[] = [
    ["deliveries a second", backlog?.perSecond ?? null, "≥ 8000", (value) => value >= 8_000],
    ["÷ graphile-worker", ratio(backlog, samples["graphile-worker"]), "≥ 3", (value) => value >= 3],
    ["p99 ms at half load", samples["half load"]?.p99Ms ?? null, "< 500", (value) => value < 500],
    ["commits a delivery", backlog?.commits ?? null, "< 1", (value) => value < 1],
    [
      "healthy rate beside black holes",
      ratio(samples["backlog, black holes beside"], backlog),
      "≥ 0.95",
      (value) => value >= 0.95,
    ],
  ];
  return rows.map(([title, value, goal, isReached]) => [
    title,
    text(value),
    goal,
    value === null ? "not measured" : isReached(value) ? "reached" : "missed",
  ]);
}

/** Puts a result among those to be checked in. @returns its file's name */
export function saveWebhooks(result: WebhookResult): string {
  const name = `webhooks-${result.date.slice(0, 16).replace(":", "")}-${result.commit.replace("+", "")}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return `bench/results/${name}`;
}
