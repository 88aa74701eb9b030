import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { median, rounded, table } from "../base/figures.ts";
import { projectRoot } from "../base/program.ts";
import { describeCommit, type Machine } from "./machine.ts";

/** What may be known of a phase, in the order in which it is shown. Processor time and log are those of one request. */
const columns = {
  perSecond: "per s",
  p50Ms: "p50 ms",
  p99Ms: "p99 ms",
  maxMs: "max ms",
  creditedP99Ms: "credited p99",
  announcedSeconds: "announced s",
  afterP50Ms: "after sales",
  afterMaxMs: "max",
  supplierP50Ms: "supplier p50",
  addedMs: "added ms",
  openMost: "at supplier",
  errors: "errors",
  duplicates: "double",
  batch: "batch",
  walBytes: "WAL B",
  serverMicros: "µs service",
  postgresMicros: "µs postgres",
  supplierMicros: "µs supplier",
  driverMicros: "µs driver",
  megabytes: "MB",
  foreignCores: "others",
};
type Column = keyof typeof columns;

/** One phase of one round. What is absent or null can't be told, or means nothing in it. */
export type Sample = Readonly<Partial<Record<Column, number | null>>>;

/** What is written down while a benchmark runs. */
export interface Sheet {
  /** By phase, a sample of each round. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  /** What a sound service does not do, in words: then there are no figures. */
  readonly complaints: string[];
  readonly progress: (text: string) => void;
  /** Measures a phase once more; null: it cannot be measured here. */
  step(phase: string, measure: () => Promise<Sample | null>): Promise<Sample | null>;
  /** The median of a phase over the rounds; errors are added up, and the longest wait is the longest of all. */
  figure(phase: string, column: Column): number | null;
  /** Of two phases of one round, as the machine may be busy with something else in the next: the median of the rounds. */
  ratio(column: Column, above: string, below: string): number | null;
}

export const progress = (text: string) => void process.stderr.write(text);

export function openSheet(): Sheet {
  const samples = new Map<string, Sample[]>();
  const known = (phase: string, column: Column) => (samples.get(phase) ?? []).map((sample) => sample[column] ?? null);
  return {
    samples,
    complaints: [],
    progress,
    async step(phase, measure) {
      progress(`${phase}: `);
      const sample = await measure();
      if (sample !== null) samples.set(phase, [...(samples.get(phase) ?? []), sample]);
      progress(sample === null ? "not measured\n" : `${text(sample.perSecond)}/s, p99 ${text(sample.p99Ms)} ms\n`);
      return sample;
    },
    figure(phase, column) {
      const values = known(phase, column).filter((value) => value !== null);
      if (values.length === 0) return null;
      if (column === "errors" || column === "duplicates") return values.reduce((sum, value) => sum + value, 0);
      return rounded(/max/i.test(column) ? Math.max(...values) : median(values));
    },
    ratio(column, above, below) {
      const bases = known(below, column);
      const ratios = known(above, column).flatMap((value, round) => {
        const base = bases[round] ?? null;
        return value === null || base === null || base === 0 ? [] : [value / base];
      });
      return ratios.length === 0 ? null : rounded(median(ratios));
    },
  };
}

/** A figure that the service is meant to reach. Shown beside what was measured, and never a reason to fail. */
export interface Bound {
  readonly what: string;
  readonly measured: number | null;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Reported {
  readonly benchmark: string;
  readonly machine: Machine;
  /** What was measured with what, a sentence each. */
  readonly notes: readonly string[];
  readonly bounds: readonly Bound[];
}

export interface ReportOptions {
  readonly json?: boolean;
  readonly save?: boolean;
}

/** Prints what came of a run, and saves it where that is wished. With a complaint there are no figures, and exit code 1. */
export function report(sheet: Sheet, reported: Reported | null, { json = false, save = false }: ReportOptions): void {
  if (sheet.complaints.length > 0 || reported === null) {
    console.error(`\nThis run broke what must hold, so it has no figures:\n${sheet.complaints.join("\n")}`);
    process.exitCode = 1;
    return;
  }
  const [date, commit] = [new Date().toISOString(), describeCommit(projectRoot)];
  const result = { ...reported, date, commit, samples: Object.fromEntries(sheet.samples) };
  console.log(json ? JSON.stringify(result) : `\n${render(sheet, reported, commit)}\n`);
  if (!save) return;
  const file = `.tmp/bench/${reported.benchmark}-${date.slice(0, 16).replace(":", "")}-${commit.replace("+", "")}.json`;
  mkdirSync(path.join(projectRoot, ".tmp/bench"), { recursive: true });
  writeFileSync(path.join(projectRoot, file), `${JSON.stringify(result, null, 2)}\n`);
  progress(`Written to ${file}.\n`);
}

function render(sheet: Sheet, { benchmark, machine, notes, bounds }: Reported, commit: string): string {
  const phases = [...sheet.samples.keys()];
  const shown = (Object.keys(columns) as Column[]).filter((column) =>
    phases.some((phase) => sheet.figure(phase, column) !== null),
  );
  const errors = phases.reduce((sum, phase) => sum + (sheet.figure(phase, "errors") ?? 0), 0);
  const others = Math.max(0, ...phases.map((phase) => sheet.figure(phase, "foreignCores") ?? 0));
  return [
    [
      `${benchmark} at ${commit}: medians of ${Math.max(...[...sheet.samples.values()].map((each) => each.length))} rounds.`,
      `${machine.cores} cores ${machine.cpu}, Node ${machine.node}, PostgreSQL ${machine.postgres}, ` +
        `${machine.syncMicros} µs to make 8 KB durable, load ${machine.loadBefore} before the run.`,
      ...notes,
    ].join("\n"),
    table([
      ["", ...shown.map((column) => columns[column])],
      ...phases.map((phase) => [phase, ...shown.map((column) => text(sheet.figure(phase, column)))]),
    ]),
    "µs: processor time a request. others: cores that other programs took meanwhile.",
    ...(others < 0.1 ? [] : ["OTHER PROGRAMS RAN: trust processor time, then ratios; rates and waits are too bad."]),
    ...(errors > 0 ? [`THIS RUN HAD ${errors} ERRORS: its rates are those of the requests that were answered.`] : []),
    table(bounds.map((bound) => [bound.what, text(bound.measured), ...verdictOf(bound)])),
  ].join("\n\n");
}

function verdictOf({ measured, atLeast, atMost }: Bound): [string, string] {
  const requested = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  if (measured === null) return [requested, "not measured"];
  const isReached = measured >= (atLeast ?? measured) && measured <= (atMost ?? measured);
  return [requested, isReached ? "reached" : "missed"];
}

function text(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return rounded(value).toLocaleString("en-GB", { maximumSignificantDigits: 21 });
}
