import { expect, test } from "vitest";
import type { Settle } from "../../src/domain/purchases/settle.ts";
import { type RefundWatch, watchRefunds } from "../../src/domain/resolution/watch-refunds.ts";
import { openMetrics } from "../../src/platform/telemetry/metrics.ts";
import { pendingWatch, refundsWatch } from "../../src/workers/watch/watch-pending.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, silent } from "../support/fake-supplier.ts";
import { startWatch } from "../support/watch.ts";

interface Line {
  readonly event: string;
}

const supplier = openFakeSupplier();
supplier.answer = silent;
const app = closing(await startApp({ suppliers: [supplier] }));

function listen() {
  const lines: Line[] = [];
  const log = { error: (line: Line) => lines.push(line) } as never;
  return { lines, log, metrics: openMetrics([refundsWatch, pendingWatch].flatMap((watch) => watch.metrics ?? [])) };
}

/** Looks until it has looked once. */
async function look(
  { log, metrics }: Pick<ReturnType<typeof listen>, "log" | "metrics">,
  refunds: Pick<RefundWatch, "late">,
  nowMs: number,
) {
  const { database } = app.services;
  const refunding = startWatch(refundsWatch, { database, refunds, log }, metrics);
  const { stop } = startWatch(pendingWatch, { database, clock: { now: () => nowMs }, log }, metrics);
  await expect.poll(() => metrics.text()).toMatch(/dispense_refunds_late \d[\s\S]*dispense_in_review 0/);
  await Promise.all([stop(), refunding.stop()]);
}

test("a live purchase that is pending for over an hour is an error in the log and a figure in the metrics", async () => {
  const body = { reference: "long", product_id: 1002, phone: "08031234567" };
  expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(202);
  const refunds = { late: () => [] };
  const early = listen();
  await look(early, refunds, Date.now() + 3_590_000);
  expect(early.lines).toEqual([]);
  const late = listen();
  await look(late, refunds, Date.now() + 3_610_000);
  expect(late.lines[0]).toMatchObject({ event: "pending.over_an_hour", purchases: 1 });
  expect(await late.metrics.text()).toMatch(/dispense_pending_over_an_hour\{step="(dispatch|requery)"\} 1\n/);
});

test("a sandbox purchase that waits worries nobody", async () => {
  const body = { reference: "sandbox", product_id: 1002, phone: "08031230003" };
  expect((await app.call(app.merchant.testKey, "/data/purchase", { body })).status).toBe(202);
  const listened = listen();
  await look(listened, { late: () => [] }, Date.now());
  expect(listened.lines).toEqual([]);
});

test.each([
  ["data", true],
  ["airtime", true],
  ["cable", false],
])("a refund of %s that is not committed after 30 s is told: %s", async (category, isReported) => {
  let nowMs = 0;
  let commit: () => void = () => {};
  const stuck = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const settle = Object.assign(async () => stuck, { idle: async () => {} }) as unknown as Settle;
  const { lines, log, metrics } = listen();
  const watch = watchRefunds(settle, { clock: { now: () => nowMs }, log, categoryOf: () => category });
  const failed = { status: "failed", errorCode: "PROVIDER_DECLINED" } as const;
  const settling = watch.settle({ productId: 1 } as never, failed, { epoch: 0, evidence: "no" });
  nowMs = 30_000;
  expect(watch.late()).toEqual([]);
  nowMs = 30_001;
  expect(watch.late()).toHaveLength(isReported ? 1 : 0);
  await look({ log, metrics }, watch, Date.now());
  expect(lines.map(({ event }) => event)).toEqual(isReported ? expect.arrayContaining(["refund.late"]) : []);
  expect(await metrics.text()).toContain(`dispense_refunds_late ${isReported ? 1 : 0}\n`);
  commit();
  await settling;
  expect(watch.late()).toEqual([]);
});

test("the metrics are there for the machine itself, and nobody behind a proxy", async () => {
  const local = await fetch(`${app.url}/metrics`);
  expect([local.status, (await local.text()).split("\n")[1]]).toEqual([200, "# TYPE dispense_refunds_late gauge"]);
  expect((await fetch(`${app.url}/metrics`, { headers: { "x-forwarded-for": "203.0.113.9" } })).status).toBe(404);
});
