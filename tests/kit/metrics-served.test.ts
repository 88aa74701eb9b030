import { collectDefaultMetrics } from "prom-client";
import { expect, test } from "vitest";
import { openAnswerWatch } from "../../src/http/answer-watch.ts";
import { allMetrics } from "../../src/main/services/worker-services.ts";
import { openMetrics } from "../../src/platform/telemetry/metrics.ts";
import { openSecurityEvents } from "../../src/platform/telemetry/security-events.ts";
import { aggregationsIn, matchedLabelsIn, metricsIn } from "./expressions.ts";
import { readAlarms, readDashboards } from "./watch-files.ts";

/** The labels of each metric by its name. */
const served = servedMetrics();
/** Prometheus's own labels, which every metric gets that it reads. */
const ofPrometheus = ["instance", "job"];

/** All names that `/metrics` serves, with their labels: what the service registers as it starts. */
function servedMetrics(): ReadonlyMap<string, readonly string[]> {
  const { registry } = openMetrics(allMetrics);
  collectDefaultMetrics({ register: registry });
  const security = openSecurityEvents({ log: { warn() {} } as never, registry });
  const requestLog = { takes: () => false, note() {}, miss() {} };
  openAnswerWatch({ registry, security, proxies: [], requestLog });
  const all = new Map<string, readonly string[]>([
    ["up", []],
    // Of the blackbox exporter.
    ["probe_ssl_earliest_cert_expiry", []],
    // Of the parent of several processes, which serves the metrics of all.
    ["dispense_process_restarts_total", ["process"]],
  ]);
  for (const metric of registry.getMetricsAsArray()) {
    // Its type does not tell that every metric has these.
    const { labelNames = [] } = metric as unknown as { readonly labelNames?: readonly string[] };
    all.set(metric.name, labelNames);
    if (String(metric.type) !== "histogram") continue;
    for (const suffix of ["_sum", "_count"]) all.set(`${metric.name}${suffix}`, labelNames);
    all.set(`${metric.name}_bucket`, [...labelNames, "le"]);
  }
  return all;
}

const labelsOf = (metric: string): readonly string[] => [...(served.get(metric) ?? []), ...ofPrometheus];

/** Metrics that are not served, and labels that a metric does not have. */
function faultsOf(expression: string): string[] {
  const unknown = metricsIn(expression).filter((metric) => !served.has(metric));
  const pairs = [...matchedLabelsIn(expression), ...aggregationsIn(expression)];
  const foreign = pairs.flatMap(({ labels, metrics }) =>
    metrics.flatMap((metric) =>
      labels.filter((label) => !labelsOf(metric).includes(label)).map((label) => `${metric}{${label}}`),
    ),
  );
  return [...unknown, ...foreign];
}

const expressions = [
  ...readAlarms().map(({ name, expression }) => ({ of: `the alarm ${name}`, expression })),
  ...readDashboards().flatMap(({ file, panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ of: `"${title}" of ${file}`, expression: expr })),
    ),
  ),
  ...readDashboards().flatMap(({ file, templating }) =>
    templating.list.flatMap(({ name, query = "" }) => {
      // `label_values(metric, label)` is Grafana's own: read as a metric that is grouped by the label.
      const [, metric, label] = query.match(/^label_values\((\w+), (\w+)\)$/) ?? [];
      return metric === undefined ? [] : [{ of: `$${name} of ${file}`, expression: `sum by (${label}) (${metric})` }];
    }),
  ),
];

test.each(expressions)("each metric and label that $of names is served", ({ expression }) => {
  expect(metricsIn(expression)).not.toEqual([]);
  expect(faultsOf(expression)).toEqual([]);
});

test.each([
  ["sum(rate(dispense_purchase_total[5m]))", ["dispense_purchase_total"]],
  ['dispense_in_review{step="review"} > 0', ["dispense_in_review{step}"]],
  ["sum by (supplier) (dispense_pending) > 0", ["dispense_pending{supplier}"]],
  ["rate(dispense_batch_size[5m]) / dispense_in_review_bucket", ["dispense_in_review_bucket"]],
  ["max by (instance, step) (dispense_pending) / 2 and on (kind) dispense_due > 1e3", ["dispense_pending{kind}"]],
  ["histogram_quantile(0.9, sum by (le, route) (rate(dispense_http_seconds_bucket[5m])))", []],
])("of %s what is not served is named", (expression, faults) => {
  expect(faultsOf(expression)).toEqual(faults);
});
