import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Outcome } from "./load.ts";
import type { Machine } from "./machine.ts";
import { table, text } from "./report.ts";

export interface BulkRound {
  readonly alone: Outcome;
  readonly beside: Outcome;
  /** The time of each order that was placed meanwhile. */
  readonly besideOrderMs: readonly number[];
}

export interface BulkResult {
  readonly benchmark: "bulk";
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly connections: number;
  /** The time of each order that was placed while nothing else was asked for. */
  readonly orderMs: readonly number[];
  readonly rounds: readonly BulkRound[];
}

const orderMsMax = 400;
const p99RatioMax = 2;

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function renderBulk(result: BulkResult): string {
  const { commit, machine, orderMs, rounds, connections } = result;
  const order = median(orderMs);
  const ratio = median(rounds.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms));
  const besideOrder = median(rounds.flatMap((round) => round.besideOrderMs));
  const row = (name: string, read: (round: BulkRound) => Outcome) => {
    const outcomes = rounds.map(read);
    const of = (figure: (outcome: Outcome) => number) => text(Math.round(median(outcomes.map(figure)) * 100) / 100);
    return [name, of((o) => o.p50Ms), of((o) => o.p99Ms), of((o) => o.maxMs), of((o) => o.answered / o.seconds)];
  };
  return [
    `Bulk orders at ${commit}: ten thousand sandbox lines over HTTP.\n` +
      `${machine.cores} cores ${machine.cpu}, Node ${machine.node}, PostgreSQL ${machine.postgres}, load ${machine.loadBefore} before the run.`,
    `An order: median ${text(Math.round(order))} ms of ${orderMs.length} (goal: ${orderMsMax}; ${verdict(order <= orderMsMax)}); ` +
      `beside single purchases ${text(Math.round(besideOrder))} ms.`,
    table([
      ["single purchases", "p50 ms", "p99 ms", "longest ms", "per s"],
      row("alone", (round) => round.alone),
      row("beside orders", (round) => round.beside),
    ]),
    `p99 beside orders: ${text(Math.round(ratio * 100) / 100)} × alone (goal: ${p99RatioMax}; ${verdict(ratio <= p99RatioMax)}). ` +
      `${connections} connections; orders one after the other. Medians of ${rounds.length} rounds.`,
  ].join("\n\n");
}

function verdict(isReached: boolean): string {
  return isReached ? "reached" : "missed";
}

/** Puts a result among those to be checked in. @returns its file's name */
export function saveBulk(result: BulkResult): string {
  const folder = path.join(import.meta.dirname, "results");
  const name = `bulk-${result.date.slice(0, 16).replace(":", "")}-${result.commit.replace("+", "")}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return `bench/results/${name}`;
}
