import { assert } from "../kernel/assert.ts";

/** What is measured, by name and labels, for whoever watches the deployment. */
export interface Metrics {
  /** Counts up, from zero when the process starts. */
  count(name: string, labels?: Labels, by?: number): void;
  /** Sets a figure that goes up and down. */
  set(name: string, value: number, labels?: Labels): void;
  /** Everything, in the text format that Prometheus reads. */
  text(): string;
}

export type Labels = Readonly<Record<string, string>>;

/** Labels come from short lists (categories, steps, suppliers); more series than this mean that one does not. */
const seriesMax = 2_000;

/** A metric in the registry: what it is and what it tells. */
export interface Metric {
  readonly name: string;
  readonly kind: "counter" | "gauge";
  readonly help: string;
}

/** Knows the given metrics and no others: a name that is spelt wrong is a mistake of ours. */
export function openMetrics(known: readonly Metric[]): Metrics {
  const byName = new Map(known.map((metric) => [metric.name, { metric, series: new Map<string, number>() }]));
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
    text() {
      const lines = [...byName.values()].flatMap(({ metric, series }) => [
        `# HELP ${metric.name} ${metric.help}`,
        `# TYPE ${metric.name} ${metric.kind}`,
        ...Array.from(series, ([labels, value]) => `${metric.name}${labels} ${value}`),
      ]);
      return `${lines.join("\n")}\n`;
    },
  };
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
