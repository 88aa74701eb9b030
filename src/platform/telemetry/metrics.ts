import type pg from "pg";
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from "prom-client";
import { assert } from "../../kernel/assert.ts";
import type { Plans } from "../database/connection-config.ts";

/** The deployment's measurements, by name and labels. */
export interface Metrics {
  /** Counts up, from zero when the process starts. */
  count(name: string, labels?: Labels, by?: number): void;
  /** Sets a figure that goes up and down. */
  set(name: string, value: number, labels?: Labels): void;
  /** Sets figures that were found together, in place of those that were found so before, by the same name for both. */
  replace(foundBy: string, series: readonly Series[]): void;
  /** Counts a value, in the metric's own unit, into its buckets. */
  observe(name: string, value: number, labels?: Labels): void;
  /** Calls `read` whenever the figures are asked for: for figures that are known at any moment. */
  onRead(read: () => void): void;
  /** Everything in the registry, in the text format that Prometheus reads. */
  text(): Promise<string>;
  /** The same for `textOfAll`, by which the figures of several processes become one text. */
  figures(): Promise<Figures>;
  /** Code that measures something else registers its own metrics here. */
  readonly registry: Registry;
}

/** One process's figures, as plain objects. */
export type Figures = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** What several processes tell, as one text in Prometheus's format: each metric by its rule. */
export function textOfAll(figures: readonly Figures[]): Promise<string> {
  return AggregatorRegistry.aggregate([...figures]).metrics();
}

export type Labels = Readonly<Record<string, string>>;

/** A figure with its labels. */
export interface Series {
  readonly name: string;
  readonly value: number;
  readonly labels: Labels;
}

/** Labels come from short lists (categories, steps, suppliers); more series than this mean that one does not. */
const seriesMax = 2_000;

/** A metric in the registry: what it is and what it tells. */
export interface Metric {
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels?: readonly string[];
  /** Of a gauge, what several processes tell together; the largest, which is right for what the database says, unless said. */
  readonly together?: "sum" | "max" | "min";
  /** For a histogram alone: the buckets' upper bounds, rising. A value above the last is only counted. */
  readonly buckets?: readonly number[];
}

/** Gauges that have the same labels, by their names, with what each tells. */
export function gauges(labels: readonly string[], helps: Readonly<Record<string, string>>): readonly Metric[] {
  return Object.entries(helps).map(([name, help]) => ({ name, kind: "gauge", help, labels }));
}

/** Makes the given metrics, in a registry of their own. A name that is not among them is a mistake of ours. */
export function openMetrics(known: readonly Metric[]): Metrics {
  const registry = new Registry();
  const series: SeriesByKey = new Map();
  const seriesOf = openSeriesOf(series);
  const counters = new Set<string>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  for (const { name, kind, help, labels = [], buckets = [], together = "max" } of known) {
    const aggregator: "sum" | "max" | "min" = kind === "gauge" ? together : "sum";
    const options = { name, help, labelNames: labels, registers: [registry], aggregator };
    if (kind === "counter") {
      newCounter(options, series);
      counters.add(name);
    } else if (kind === "gauge") gauges.set(name, newGauge(options));
    else histograms.set(name, new Histogram({ ...options, buckets: [...buckets] }));
  }
  const readers: (() => void)[] = [];
  const foundBefore = new Map<string, readonly Series[]>();
  const set = (name: string, value: number, labels: Labels = {}) => {
    const gauge = gauges.get(name);
    assert(gauge !== undefined, "a gauge is registered");
    if (seriesOf(name, labels) !== undefined) gauge.set(labels, value);
  };

  return {
    count(name, labels = {}, by = 1) {
      assert(counters.has(name), "a counter is registered");
      const counted = seriesOf(name, labels);
      if (counted !== undefined) counted.sum += by;
    },
    set,
    replace(foundBy, found) {
      for (const { name, labels } of foundBefore.get(foundBy) ?? []) gauges.get(name)?.remove({ ...labels });
      for (const { name, value, labels } of found) set(name, value, labels);
      foundBefore.set(foundBy, found);
    },
    observe(name, value, labels = {}) {
      const histogram = histograms.get(name);
      assert(histogram !== undefined, "a histogram is registered");
      if (seriesOf(name, labels) !== undefined) histogram.observe(labels, value);
    },
    onRead(read) {
      readers.push(read);
    },
    text() {
      for (const read of readers) read();
      return registry.metrics();
    },
    figures() {
      for (const read of readers) read();
      return registry.getMetricsAsJSON();
    },
    registry,
  };
}

/** A figure that nobody has looked at yet is no zero: prom-client begins with one where there are no labels. */
function newGauge(options: ConstructorParameters<typeof Gauge>[0]): Gauge {
  const gauge = new Gauge(options);
  if (options.labelNames?.length === 0) gauge.remove();
  return gauge;
}

/** A metric with one value for each of its labels. */
interface Counted {
  readonly name: string;
  readonly labels: Labels;
  /** What a counter has counted. */
  sum: number;
}

type SeriesByKey = Map<string, Counted>;

/** Counted in our series, and told when somebody reads: prom-client's own way takes ten times as long. */
function newCounter(options: Omit<ConstructorParameters<typeof Counter>[0], "collect">, series: SeriesByKey): void {
  new Counter({
    ...options,
    collect() {
      this.reset();
      for (const { name, labels, sum } of series.values()) if (name === options.name) this.inc({ ...labels }, sum);
    },
  });
}

/** Gives a metric's series; undefined for a new one where there are too many. */
function openSeriesOf(series: SeriesByKey): (name: string, labels: Labels) => Counted | undefined {
  return (name, labels) => {
    let key = name;
    for (const label in labels) key += `\n${labels[label]}`;
    const known = series.get(key);
    if (known !== undefined || series.size >= seriesMax) return known;
    const added = { name, labels, sum: 0 };
    series.set(key, added);
    return added;
  };
}

const connections = "dispense_database_connections";
const waiting = "dispense_database_waiting";

export const poolMetrics: readonly Metric[] = [
  {
    name: connections,
    kind: "gauge",
    help: "Connections of the processes' pools to the database, by state: used or idle.",
    labels: ["pool", "state"],
    together: "sum",
  },
  {
    name: waiting,
    kind: "gauge",
    help: "Statements and transactions that wait for a connection of the processes' pools.",
    labels: ["pool"],
    together: "sum",
  },
];

/** Tells how busy a pool is, whenever somebody asks. */
export function measurePool(pool: pg.Pool, metrics: Metrics, plans: Plans): void {
  metrics.onRead(() => {
    metrics.set(connections, pool.totalCount - pool.idleCount, { pool: plans, state: "used" });
    metrics.set(connections, pool.idleCount, { pool: plans, state: "idle" });
    metrics.set(waiting, pool.waitingCount, { pool: plans });
  });
}

const batchSize = "dispense_batch_size";

export const batchMetrics: readonly Metric[] = [
  {
    name: batchSize,
    kind: "histogram",
    help: "Calls that shared one statement, by batch: accept (charge), settle (end) or find (by reference).",
    labels: ["batch"],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
  },
];

/** For a batcher's `onBatch`. */
export function measureBatches(
  metrics: Metrics,
  batch: "accept" | "settle" | "find" | "payments",
): (size: number) => void {
  const labels = { batch };
  return (size) => metrics.observe(batchSize, size, labels);
}
