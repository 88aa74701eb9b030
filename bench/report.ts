import { fewConnections, type Phase, phases } from "./purchase.ts";
import type { Measure, Result } from "./result.ts";

/** A figure that the service is meant to reach. Shown beside what was measured, and never a reason to fail. */
interface Goal {
  readonly title: string;
  readonly read: (result: Result) => number | null | undefined;
  readonly goal: number;
  readonly better: "more" | "less";
  readonly note?: string;
  /** Whether it can be compared between two runs: within one run everything suffers alike from what else runs. */
  readonly isRatio?: boolean;
}

const goals: readonly Goal[] = [
  {
    title: "purchases ÷ tpcb-like",
    read: ({ ratios }) => ratios.tpcb,
    goal: 2.2,
    better: "more",
    note: "aim 3",
    isRatio: true,
  },
  { title: "purchases ÷ hello world", read: ({ ratios }) => ratios.hello, goal: 0.4, better: "more", isRatio: true },
  { title: "hot wallet ÷ spread", read: ({ ratios }) => ratios.hot, goal: 0.9, better: "more", isRatio: true },
  { title: "p99 ms", read: ({ measures }) => measures.spread?.p99Ms, goal: 20, better: "less" },
  {
    title: `p99 ms, ${fewConnections} connections`,
    read: ({ measures }) => measures.few?.p99Ms,
    goal: 8,
    better: "less",
  },
  { title: "replays a second", read: ({ measures }) => measures.replay?.perSecond, goal: 15_000, better: "more" },
  { title: "requeries a second", read: ({ measures }) => measures.requery?.perSecond, goal: 15_000, better: "more" },
];

export function renderReport(result: Result, last: Result | null): string {
  const errors = Object.values(result.measures).reduce((sum, measure) => sum + measure.errors, 0);
  return [
    heading(result),
    figures(result),
    ...strangers(result),
    ...(result.measures.tpcb === undefined ? ["pgbench is not installed: there is no tpcb-like to compare with."] : []),
    ...(errors > 0 ? [`THIS RUN HAD ${errors} ERRORS: its rates are those of the requests that were answered.`] : []),
    comparison(result, last),
    "",
  ].join("\n\n");
}

function heading({ machine, commit, seconds, connections, purchases, measures }: Result): string {
  const rounds = measures.spread?.rates.length ?? 0;
  return [
    `Purchases at ${commit}: medians of ${rounds} rounds of ${seconds} s, ${connections} connections.`,
    `${machine.cores} cores ${machine.cpu}, Node ${machine.node}, PostgreSQL ${machine.postgres}, ` +
      `${machine.syncMicros} µs to make 8 KB durable, load ${machine.loadBefore} before the run.`,
    `${purchases} purchases stored; every invariant holds, and every acknowledged purchase is there once.`,
  ].join("\n");
}

/** From a tenth of a core on, rates and waits say more about the neighbours than about the service. */
function strangers({ measures, machine }: Result): string[] {
  const cores = Math.max(...Object.values(measures).map(({ foreignCores }) => foreignCores ?? 0));
  if (cores < 0.1) return [];
  const taken = `OTHER PROGRAMS TOOK UP TO ${text(cores)} OF ${machine.cores} CORES`;
  return [`${taken}: trust processor time, then ratios; rates and waits are too bad.`];
}

const titles: Readonly<Record<Phase, string>> = {
  hello: "hello world POST",
  tpcb: "pgbench tpcb-like",
  spread: "purchase, 1,000 merchants",
  few: `… with ${fewConnections} connections`,
  hot: "purchase, one wallet",
  replay: "replay",
  requery: "requery",
};

function figures({ measures }: Result): string {
  const head = ["", "per s", "p50 ms", "p99 ms", "max ms", "errors", "commits/s", "batch", "WAL B"];
  const rows = phases.flatMap((phase) => {
    const measure = measures[phase];
    return measure === undefined ? [] : [[titles[phase], ...cells(measure)]];
  });
  return `${table([[...head, "µs service", "µs postgres", "µs driver", "others"], ...rows])}\nµs: processor time a request. others: cores that other programs took meanwhile.`;
}

function cells(measure: Measure): string[] {
  const { perSecond, p50Ms, p99Ms, maxMs, errors, commitsPerSecond, batchSize, walBytes } = measure;
  const { serverMicros, postgresMicros, driverMicros, foreignCores } = measure;
  return [
    ...[perSecond, p50Ms, p99Ms, maxMs, errors, commitsPerSecond].map(text),
    ...[batchSize, walBytes, serverMicros, postgresMicros, driverMicros, foreignCores].map(text),
  ];
}

function comparison(result: Result, last: Result | null): string {
  const head = ["", "this run", "goal", "", last === null ? "no earlier result" : `at ${last.commit}`, ""];
  const rows = goals.map((goal) => {
    const value = goal.read(result) ?? null;
    const before = last === null ? null : (goal.read(last) ?? null);
    const wanted = `${goal.better === "more" ? "≥" : "≤"} ${text(goal.goal)}`;
    return [goal.title, text(value), wanted, verdict(goal, value), text(before), change(goal, value, before)];
  });
  const differs = last !== null && last.machine.cpu !== result.machine.cpu ? " (on another machine)" : "";
  return `${table([head, ...rows])}${differs}`;
}

function verdict({ goal, better, note }: Goal, value: number | null): string {
  if (value === null) return "not measured";
  const reached = better === "more" ? value >= goal : value <= goal;
  return `${reached ? "reached" : "missed"}${note === undefined ? "" : ` (${note})`}`;
}

/** From a tenth on it is worth a look; below, two runs of one commit differ as much. */
function change({ better, isRatio }: Goal, value: number | null, before: number | null): string {
  if (value === null || before === null || before === 0) return "";
  const percent = Math.round((value / before - 1) * 100);
  const worse = better === "more" ? percent <= -10 : percent >= 10;
  return `${percent >= 0 ? "+" : ""}${percent} %${worse && isRatio === true ? " WORSE" : ""}`;
}

export function text(value: number | null): string {
  if (value === null) return "–";
  return value.toLocaleString("en-GB", { maximumSignificantDigits: value >= 1_000 ? 21 : 3 });
}

/** Columns as wide as their widest cell: the first to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .join("\n");
}
