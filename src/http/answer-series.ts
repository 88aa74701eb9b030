import { Counter, type Metric, type Registry } from "prom-client";

export interface AnswerLabels {
  readonly method: string;
  /** As it is registered: what stands in its place is the client's. */
  readonly route: string;
  readonly status: number;
  /** The code of a refusal, or why a purchase failed; empty after a success. */
  readonly reason: string;
}

/** The buckets' upper bounds, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What is known of answers that took some time. `inBucket`: one more than there are bounds, for those above the last. */
interface Times {
  readonly inBucket: number[];
  count: number;
  seconds: number;
}

interface Series extends AnswerLabels {
  answers: number;
  readonly times: Times;
}

/** Labels come from short lists (methods, routes, statuses, codes); more series than this mean that one does not. */
const seriesMax = 5_000;

/**
 * Counts answers by all labels, and their times by method, route and status. Counted here, and told when somebody reads:
 * prom-client's own way costs a twentieth of a replay. `seconds`: from the request's head to the last byte, where known.
 */
export function openAnswerSeries(registry: Registry): (labels: AnswerLabels, seconds?: number) => void {
  // Few series a route: comparing them is quicker than making a key out of four labels.
  const byRoute = new Map<string, Series[]>();
  let size = 0;
  registry.registerMetric(answerCounter(byRoute));
  // A metric is whatever answers `get`; the type wants prom-client's own classes.
  registry.registerMetric(answerSeconds(byRoute) as unknown as Metric);

  function seriesOf({ method, route, status, reason }: AnswerLabels): Series | undefined {
    const known = byRoute.get(route);
    for (const one of known ?? []) {
      if (one.status === status && one.method === method && one.reason === reason) return one;
    }
    if (size === seriesMax) return undefined;
    size += 1;
    const series = { method, route, status, reason, answers: 0, times: noTimes() };
    if (known === undefined) byRoute.set(route, [series]);
    else known.push(series);
    return series;
  }

  return (labels, seconds) => {
    const series = seriesOf(labels);
    if (series === undefined) return;
    series.answers += 1;
    if (seconds === undefined) return;
    const { times } = series;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    times.inBucket[bucket] = (times.inBucket[bucket] ?? 0) + 1;
    times.count += 1;
    times.seconds += seconds;
  };
}

function answerCounter(byRoute: ReadonlyMap<string, readonly Series[]>): Counter {
  return new Counter({
    name: "dispense_http_answers_total",
    help: "Answers by method, route, status and reason: the code of a refusal, or why a purchase failed.",
    labelNames: ["method", "route", "status", "reason"],
    registers: [],
    collect() {
      this.reset();
      for (const { method, route, status, reason, answers } of [...byRoute.values()].flat()) {
        this.inc({ method, route, status: String(status), reason }, answers);
      }
    },
  });
}

const secondsName = "dispense_http_seconds";

/** The histogram of answers' times, as prom-client's `get` gives one. */
function answerSeconds(byRoute: ReadonlyMap<string, readonly Series[]>) {
  return {
    name: secondsName,
    async get() {
      return {
        name: secondsName,
        help: "Seconds from a request's head to the last byte of its answer, by method, route and status.",
        type: "histogram",
        aggregator: "sum",
        values: [...byRoute.values()].flatMap(withoutReasons).flatMap(valuesOf),
      };
    },
  };
}

/** The times of one route's answers by method and status, whatever their reasons. */
function withoutReasons(ofRoute: readonly Series[]): Omit<Series, "reason" | "answers">[] {
  const merged = new Map<string, Omit<Series, "reason" | "answers">>();
  for (const { method, route, status, times } of ofRoute) {
    if (times.count === 0) continue;
    const key = `${method} ${status}`;
    const { times: sum } = merged.get(key) ?? { times: noTimes() };
    for (const [bucket, count] of times.inBucket.entries()) sum.inBucket[bucket] = (sum.inBucket[bucket] ?? 0) + count;
    sum.count += times.count;
    sum.seconds += times.seconds;
    merged.set(key, { method, route, status, times: sum });
  }
  return [...merged.values()];
}

function valuesOf({ method, route, status, times }: Omit<Series, "reason" | "answers">) {
  const labels = { method, route, status: String(status) };
  let upTo = 0;
  const buckets = [...bounds, "+Inf"].map((le, bucket) => {
    upTo += times.inBucket[bucket] ?? 0;
    return { labels: { ...labels, le }, value: upTo, metricName: `${secondsName}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: times.seconds, metricName: `${secondsName}_sum` },
    { labels, value: times.count, metricName: `${secondsName}_count` },
  ];
}

function noTimes(): Times {
  return { inBucket: [...bounds.map(() => 0), 0], count: 0, seconds: 0 };
}
