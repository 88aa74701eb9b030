import type pg from "pg";
import type { Plans } from "../database/connection-config.ts";
import type { Metric, Metrics } from "./metrics.ts";

const connections = "dispense_database_connections";
const waiting = "dispense_database_waiting";

export const poolMetrics: readonly Metric[] = [
  {
    name: connections,
    kind: "gauge",
    help: "Connections of this process's pools to the database, by state: used or idle.",
    labels: ["pool", "state"],
  },
  {
    name: waiting,
    kind: "gauge",
    help: "Statements and transactions that wait for a connection of this process's pool.",
    labels: ["pool"],
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
export function measureBatches(metrics: Metrics, batch: "accept" | "settle" | "find"): (size: number) => void {
  const labels = { batch };
  return (size) => metrics.observe(batchSize, size, labels);
}
