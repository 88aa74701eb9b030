import { expect, test } from "vitest";
import { type Metric, openMetrics, textOfAll } from "../../src/platform/telemetry/metrics.ts";

const known: readonly Metric[] = [
  { name: "sold_total", kind: "counter", help: "A count.", labels: ["mode"] },
  { name: "oldest_seconds", kind: "gauge", help: "What the database says, in each process." },
  { name: "connections", kind: "gauge", help: "A process's own.", together: "sum" },
  { name: "ready", kind: "gauge", help: "The worst counts.", together: "min" },
];

test("figures of several processes become one text: counts and what is a process's own are added, the rest is told once", async () => {
  const processes = [
    { sold: 3, oldest: 7, connections: 5, ready: 1 },
    { sold: 4, oldest: 6, connections: 6, ready: 0 },
  ].map((figures) => {
    const metrics = openMetrics(known);
    metrics.count("sold_total", { mode: "live" }, figures.sold);
    metrics.set("oldest_seconds", figures.oldest);
    // Known at any moment: it is read when the figures are.
    metrics.onRead(() => metrics.set("connections", figures.connections));
    metrics.set("ready", figures.ready);
    return metrics.figures();
  });
  const text = await textOfAll(await Promise.all(processes));
  expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
    'sold_total{mode="live"} 7',
    "oldest_seconds 7",
    "connections 11",
    "ready 0",
  ]);
});
