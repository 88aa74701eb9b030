import { beforeEach, expect, test } from "vitest";
import { keepBalance } from "../../src/domain/suppliers/balances.ts";
import { listStoredBreakers, openBreakers } from "../../src/domain/suppliers/routing/breaker.ts";
import { openRouteCounts } from "../../src/domain/suppliers/routing/route-counts.ts";
import { setSettings } from "../../src/domain/suppliers/settings.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import { kobo } from "../../src/kernel/money.ts";
import { openDatabase, openPool } from "../../src/platform/database/database.ts";
import { routeCountsWatch, routesWatch } from "../../src/workers/watch/watch-routes.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { startWatch } from "../support/watch.ts";

let nowMs = 0;
const clock = { now: () => nowMs };
const fresh = closing(await stockedDatabase());
const options = { connectionString: fresh.url, connectionsMax: 4, applicationName: "routes" };
const database = closing(openDatabase(openPool({ ...options, plans: "ordinary" })));

interface Line {
  readonly event: string;
}
let lines: Line[] = [];
const note = (line: Line) => lines.push(line);
const log = { info: note, warn: note, error: note } as never;

beforeEach(async () => {
  lines = [];
  nowMs = Date.now();
  await fresh.pool.query("truncate suppliers, turns cascade");
  await fresh.pool.query("insert into suppliers (name, connector) values ('bank', 'bank')");
});

function open() {
  const routeCounts = openRouteCounts({ database, clock, wallTime: wallTime("Africa/Lagos"), costOf: () => kobo(90n) });
  const breakers = openBreakers({ clock });
  const services = { database, clock, routeCounts, breakers, log };
  const keeping = startWatch(routeCountsWatch, services);
  const { metrics, ...watching } = startWatch(routesWatch, services);
  const stop = () => Promise.all([keeping.stop(), watching.stop()]);
  const sell = (kind: "vended" | "declined", tookMs: number) =>
    routeCounts.answered(
      routeCounts.sent("bank", { productId: 1002, category: "data", quantity: 1, faceAmount: kobo(1n) }),
      {
        kind,
        tookMs,
      },
    );
  return { metrics, breakers, sell, stop };
}

test("every process tells how a supplier did with a category, whoever sold, until two clock hours have passed", async () => {
  const [selling, idle] = [open(), open()];
  for (const tookMs of [100, 200, 300]) selling.sell("vended", tookMs);
  selling.sell("declined", 1_400);
  const pair = '{supplier="bank",category="data"}';
  for (const { metrics } of [selling, idle]) {
    await expect.poll(() => metrics.text()).toContain(`dispense_supplier_recent_attempts${pair} 4\n`);
    expect(await metrics.text()).toContain(`dispense_supplier_success_ratio${pair} 0.75\n`);
    expect(await metrics.text()).toContain(`dispense_supplier_average_answer_seconds${pair} 0.5\n`);
    await expect.poll(() => metrics.text()).toContain('dispense_supplier_day_purchases{supplier="bank"} 3\n');
    expect(await metrics.text()).toContain('dispense_supplier_day_cost{supplier="bank"} 2.7\n');
  }
  nowMs += 2 * 3_600_000;
  await expect.poll(() => idle.metrics.text()).toContain(`dispense_supplier_recent_attempts${pair} 0\n`);
  expect(await idle.metrics.text()).toContain(`dispense_supplier_success_ratio${pair} Nan\n`);
  await Promise.all([selling.stop(), idle.stop()]);
});

test("a limit that keeps purchases away is told once when it begins and once when it is over", async () => {
  const { metrics, sell, stop } = open();
  const reply = (limit: string) => `dispense_supplier_limit_reached{supplier="bank",limit="${limit}"}`;
  await setSettings(database, "bank", { dayCost: kobo(90n), dayPurchases: null });
  await setSettings(database, "bank", { balanceFloor: 50n });
  await keepBalance(database, "bank", 1_000n, "NGN");
  await expect.poll(() => metrics.text()).toContain(`${reply("cap")} 0\n`);
  sell("vended", 10);
  await expect.poll(() => metrics.text()).toContain(`${reply("cap")} 1\n`);
  await expect.poll(() => metrics.text()).toContain(`${reply("floor")} 0\n`);
  await keepBalance(database, "bank", 49n, "NGN");
  await expect.poll(() => metrics.text()).toContain(`${reply("floor")} 1\n`);
  await setSettings(database, "bank", { dayCost: null, dayPurchases: null });
  await setSettings(database, "bank", { balanceFloor: null });
  for (const limit of ["cap", "floor"]) await expect.poll(() => metrics.text()).toContain(`${reply(limit)} 0\n`);
  await stop();
  expect(lines).toEqual([
    { event: "supplier.limit_reached", supplier: "bank", limit: "cap" },
    { event: "supplier.limit_reached", supplier: "bank", limit: "floor" },
    { event: "supplier.limit_over", supplier: "bank", limit: expect.any(String) },
    { event: "supplier.limit_over", supplier: "bank", limit: expect.any(String) },
  ]);
});

test("a breaker that is open leaves word of itself; what is 30 days old is deleted by one process", async () => {
  await fresh.pool.query(
    `insert into supplier_hours
     select date_trunc('hour', now()) - make_interval(days => days), 'bank', 1002, 1, 0, 0, 90, 5, 5
       from unnest(array[29, 31]) as days`,
  );
  const [one, other] = [open(), open()];
  for (let i = 0; i < 10; i++) one.breakers.begin("bank", "data")?.({ kind: "unknown", evidence: "" });
  await expect.poll(() => listStoredBreakers(database)).toEqual([{ supplier: "bank", category: "data" }]);
  await expect.poll(() => lines).toEqual([{ event: "supplier.hours_purged", rows: 1 }]);
  await Promise.all([one.stop(), other.stop()]);
  expect((await fresh.pool.query("select 1 from supplier_hours")).rows).toHaveLength(1);
});
