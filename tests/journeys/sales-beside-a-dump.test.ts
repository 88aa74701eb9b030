import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { keepLogMonths } from "../../src/domain/maintenance/log-month-queries.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { migrationsDirectory } from "../support/database.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";

const app = closing(await startApp({ suppliers: [openFakeSupplier()] }));
const scratch = await makeScratchDirectory();
const { pool, ownerUrl } = app.fresh;

/** For how long a dump reads all tables. */
const dumpMs = Number(process.env.DUMP_SECONDS ?? 12) * 1_000;
const saleEveryMs = 50;

/** Sales that begin each at its time, however long those before take. @returns milliseconds of all but one in a hundred */
async function sell(name: string, ms: number): Promise<number> {
  const startedAt = performance.now();
  const sales = Array.from({ length: ms / saleEveryMs }, async (_, number) => {
    const at = startedAt + number * saleEveryMs;
    await delay(at - performance.now());
    const body = { network: "MTN", phone: "08031234567", amount: "50.00", reference: `${name}-${number}` };
    const answer = await app.call(app.merchant.liveKey, "/airtime/purchase", { body });
    return { status: answer.status, ms: performance.now() - at, body: answer.body };
  });
  const sold = await Promise.all(sales);
  expect(sold.filter(({ status }) => status !== 201)).toEqual([]);
  const times = sold.map((sale) => sale.ms).sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

test("a dump beside a migration and a month's end: no sale fails, and of a hundred ninety-nine take at most twice as long", {
  timeout: 120_000 + 4 * dumpMs,
}, async () => {
  const webhook = { url: "https://example.com/hook", notify: "all" };
  expect((await app.call(app.merchant.liveKey, "/webhook", { method: "PUT", body: webhook })).status).toBe(200);
  // As if the months before this one had a partition of their own, which is now old.
  await pool.query(`
    alter table webhook_deliveries detach partition webhook_deliveries_first;
    alter table webhook_deliveries attach partition webhook_deliveries_first
      for values from (minvalue) to ('${(await pool.query("select first_delivery_id(date_trunc('month', now(), 'UTC')) as id")).rows[0].id}')`);
  const now = Date.now();
  await keepLogMonths(app.services.database, now, { requests: 0, webhooks: 0 });
  await cp(migrationsDirectory, scratch.folder, { recursive: true });
  const wider = "alter table purchases add column wider int; alter table webhook_deliveries add column wider int;";
  await writeFile(path.join(scratch.folder, "9999_wider.sql"), wider);

  await sell("first", 2_000);
  const before = await sell("before", dumpMs);
  const dump = new pg.Client({ connectionString: ownerUrl, application_name: "pg_dump" });
  await dump.connect();
  const { rows } = await pool.query(
    "select string_agg(oid::regclass::text, ', ') as all from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  await dump.query(`begin; lock table ${rows[0].all} in access share mode`);
  const said: string[] = [];
  const migrating = migrate({ pool, directory: scratch.folder, log: (line) => said.push(line) });
  const keep = () => keepLogMonths(app.services.database, now, { requests: 0, webhooks: now });
  const [beside, postponed] = await Promise.all([sell("beside", dumpMs), keep()]);
  expect(said[0]).toMatch(/^9999_wider\.sql got no lock on a table: pg_dump /);
  expect(postponed).toContain("postponed webhook_deliveries");
  const [after] = await Promise.all([sell("after", dumpMs), dump.end().then(() => migrating)]);
  expect(said.at(-1)).toBe("applied 9999_wider.sql");
  expect(await keep()).toContain("dropped webhook_deliveries_first");
  console.log(`p99 before ${before.toFixed()}, beside ${beside.toFixed()}, after ${after.toFixed()} ms`);
  expect(beside).toBeLessThan(2 * Math.max(before, after));
});
