import { assert } from "../kernel/assert.ts";

/** What is measured, by name and labels, for whoever watches the deployment. */
export interface Metrics {
  /** Counts up, from zero when the process starts. */
  count(name: string, labels?: Labels, by?: number): void;
  /** Sets a figure that goes up and down. */
  set(name: string, value: number, labels?: Labels): void;
  /** Counts a value, in the metric's own unit, into its buckets. */
  observe(name: string, value: number): void;
  /** Everything, in the text format that Prometheus reads. */
  text(): string;
}

export type Labels = Readonly<Record<string, string>>;

/** Labels come from short lists (categories, steps, suppliers); more series than this mean that one does not. */
const seriesMax = 2_000;

/** A metric in the registry: what it is and what it tells. */
export interface Metric {
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Of a histogram, and of it alone: upper bounds, rising. What is above the last is only counted. */
  readonly buckets?: readonly number[];
}

/** Knows the given metrics and no others: a name that is spelt wrong is a mistake of ours. */
export function openMetrics(known: readonly Metric[]): Metrics {
  const byName = new Map(
    known.map((metric) => {
      const histogram = metric.buckets === undefined ? null : newHistogram(metric.buckets);
      return [metric.name, { metric, series: new Map<string, number>(), histogram }];
    }),
  );
  let seriesCount = 0;

  function seriesOf(name: string, kind: Metric["kind"]): Map<string, number> {
    const entry = byName.get(name);
    assert(entry !== undefined && entry.metric.kind === kind, "a metric is registered with its kind");
    return entry.series;
  }

  function write(series: Map<string, number>, labels: Labels, change: (before: number) => number): void {
    const key = labelText(labels);
    const before = series.get(key);
    if (before === undefined) {
      if (seriesCount >= seriesMax) return;
      seriesCount += 1;
    }
    series.set(key, change(before ?? 0));
  }

  return {
    count: (name, labels = {}, by = 1) => write(seriesOf(name, "counter"), labels, (before) => before + by),
    set: (name, value, labels = {}) => write(seriesOf(name, "gauge"), labels, () => value),
    observe(name, value) {
      const histogram = byName.get(name)?.histogram;
      assert(histogram !== undefined && histogram !== null, "a histogram is registered with its buckets");
      const bucket = histogram.bounds.findIndex((bound) => value <= bound);
      if (bucket >= 0) histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
      histogram.sum += value;
      histogram.count += 1;
    },
    text() {
      const lines = [...byName.values()].flatMap(({ metric, series, histogram }) => [
        `# HELP ${metric.name} ${metric.help}`,
        `# TYPE ${metric.name} ${metric.kind}`,
        ...Array.from(series, ([labels, value]) => `${metric.name}${labels} ${value}`),
        ...(histogram === null ? [] : histogramLines(metric.name, histogram)),
      ]);
      return `${lines.join("\n")}\n`;
    },
  };
}

interface Histogram {
  readonly bounds: readonly number[];
  /** Of each bucket alone. */
  readonly counts: number[];
  sum: number;
  count: number;
}

function newHistogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: bounds.map(() => 0), sum: 0, count: 0 };
}

/** Cumulative, as the format wants it: a bucket holds what the ones below it hold as well. */
function histogramLines(name: string, { bounds, counts, sum, count }: Histogram): string[] {
  let below = 0;
  const lines = bounds.map((bound, i) => {
    below += counts[i] ?? 0;
    return `${name}_bucket{le="${bound}"} ${below}`;
  });
  return [...lines, `${name}_bucket{le="+Inf"} ${count}`, `${name}_sum ${sum}`, `${name}_count ${count}`];
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
