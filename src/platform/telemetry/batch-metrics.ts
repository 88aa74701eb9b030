import type { Metric, Metrics } from "./metrics.ts";

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
export function measureBatches(metrics: Metrics, batch: "accept" | "settle" | "find"): (size: number) => void {
  const labels = { batch };
  return (size) => metrics.observe(batchSize, size, labels);
}
