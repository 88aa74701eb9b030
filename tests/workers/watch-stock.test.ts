import { expect, test } from "vitest";
import { wallTime } from "../../src/kernel/clock.ts";
import { type Database, openDatabase, openPool } from "../../src/platform/database/database.ts";
import { stockWatch } from "../../src/workers/watch/watch-stock.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { startWatch } from "../support/watch.ts";

const productId = 5001;
const log = { error: () => {}, warn: () => {} } as never;

const fresh = closing(await stockedDatabase());
const database = closing(
  openDatabase(
    openPool({ connectionString: fresh.url, connectionsMax: 2, applicationName: "stock", plans: "batched" }),
  ),
);
await fresh.pool.query("insert into suppliers (name, connector) values ('shelf', 'voucher-stock')");
await fresh.pool.query(
  "insert into supplier_routes (product_id, supplier, supplier_code, cost) values ($1, 'shelf', '-', 1)",
  [productId],
);
// 1,200 can be sold, and 30 expired unsold.
await fresh.pool.query(
  `insert into vouchers (product_id, number, fingerprint, sealed, expires_on, batch)
   select $1, n, sha256(n::text::bytea), 'sealed', case when n <= 30 then date '2026-11-19' end, 'file.csv'
     from generate_series(1, 1230) n`,
  [productId],
);

function watch(watched: Database) {
  const clock = { now: () => Date.parse("2026-11-20T12:00:00Z") };
  return startWatch(stockWatch, { database: watched, clock, wallTime: wallTime("Africa/Lagos"), log });
}

test("the metric tells how many vouchers can be sold, however many more than the threshold", async () => {
  const { metrics, stop } = watch(database);
  await expect.poll(() => metrics.text()).toContain(`dispense_vouchers_left{product="${productId}"} 1200\n`);
  expect(await metrics.text()).toContain(`dispense_vouchers_low_at{product="${productId}"} 100\n`);
  await stop();
});

test("a large stock that takes long to count is not counted at every look", async () => {
  const calls: string[] = [];
  const slow: Database = {
    ...database,
    async query(statement, values) {
      calls.push(statement.name);
      if (statement.name === "count_vouchers_left") await new Promise((resolve) => setTimeout(resolve, 100));
      return database.query(statement, values);
    },
  };
  const { stop } = watch(slow);
  const times = (name: string) => calls.filter((each) => each === name).length;
  await expect.poll(() => times("list_stock_levels")).toBeGreaterThan(20);
  await stop();
  expect(times("count_vouchers_left")).toBe(1);
});
