import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { keepLogMonths } from "../../src/domain/maintenance/log-month-queries.ts";
import { claimSteadyTurn, isOurTurn } from "../../src/platform/work-loop.ts";
import { withCare } from "../../src/workers/database-time.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";

const supplier = openFakeSupplier();
supplier.answer = vended;
const app = closing(await startApp({ suppliers: [supplier] }));
const { pool } = app.fresh;
const { testKey, liveKey } = app.merchant;
const hourMs = 3_600_000;

/** A worker on the same database whose clock is so far off, for some seconds. It sells with a webhook meanwhile. */
async function workWrongly(aheadMs: number, reference: string): Promise<number> {
  const clock = { now: () => Date.now() + aheadMs };
  const wrong = await startApp({ database: app.fresh, clock, workers: true, suppliers: [supplier] });
  const body = { product_id: 1002, phone: "08031234567", reference };
  const { status } = await wrong.call(testKey, "/data/purchase", { body });
  await delay(3_000);
  await wrong.close();
  return status;
}

async function stored() {
  const tables = "'request_log', 'webhook_deliveries', 'webhook_attempts'";
  const months = `select p.name from unnest(array[${tables}]) l, list_log_months(l) p order by 1`;
  const { rows } = await pool.query<{ name: string }>(months);
  const { rows: kept } = await pool.query(
    `select (select count(*)::integer from closed_days) as closed,
            (select count(*)::integer from purchases where wallet_id < 0 and reference = 'sandbox') as sales,
            (select count(*)::integer from sessions) as sessions,
            (select count(*)::integer from emails) as emails`,
  );
  return { months: rows.map(({ name }) => name), kept: kept[0] };
}

test("a worker whose clock is wrong for moments closes no day, drops no month and deletes nothing; its sales end", async () => {
  await app.call(testKey, "/webhook", { method: "PUT", body: { url: "https://example.com/hook", notify: "all" } });
  for (const [key, reference] of [
    [testKey, "sandbox"],
    [liveKey, "live"],
  ] as const) {
    const body = { product_id: 1002, phone: "08031234567", reference };
    expect((await app.call(key, "/data/purchase", { body })).status).toBe(201);
  }
  await pool.query(
    `insert into emails (recipient, subject, body, created_at, due_at) values ('a@example.com', 'x', 'x', now(), now())`,
  );
  await keepLogMonths(app.services.database, Date.now(), { requests: 0, webhooks: 0 });
  const before = await stored();
  expect(before.kept).toMatchObject({ closed: 0, sales: 1, emails: 1 });
  for (const hours of [30, 2_400, -24]) {
    const status = await workWrongly(hours * hourMs, `ahead-${hours}`);
    if (hours > 0) expect(status).toBe(201);
    expect(await stored()).toEqual(before);
  }
  const { rows } = await pool.query("select distinct status from purchases");
  expect(rows).toEqual([{ status: "successful" }]);
}, 60_000);

test("a sale whose month is missing ends all the same, and what was written goes into its month as soon as that is made", async () => {
  const own = closing(await startApp());
  const gone = `select format('drop table %I', p.name) as text
                  from unnest(array['request_log', 'request_error_days', 'webhook_deliveries', 'webhook_attempts',
                                    'webhook_attempt_counts']) l, list_log_months(l) p`;
  for (const { text } of (await own.fresh.pool.query<{ text: string }>(gone)).rows) await own.fresh.pool.query(text);
  const webhook = { url: "https://example.com/hook", notify: "all" };
  await own.call(own.merchant.testKey, "/webhook", { method: "PUT", body: webhook });
  const body = { product_id: 1002, phone: "08031234567", reference: "one" };
  expect((await own.call(own.merchant.testKey, "/data/purchase", { body })).status).toBe(201);
  await own.services.requestLog.flush();
  const where = async (log: string) =>
    (await own.fresh.pool.query(`select distinct tableoid::regclass::text as name from ${log}`)).rows;
  expect(await where("webhook_deliveries")).toEqual([{ name: "webhook_deliveries_default" }]);
  const keepFrom = Date.now() - 30 * 24 * hourMs;
  const keep = () => keepLogMonths(own.services.database, Date.now(), { requests: keepFrom, webhooks: keepFrom });
  expect(await keep()).toContainEqual(expect.stringMatching(/^made webhook_deliveries_\d{4}_\d{2}$/));
  for (const log of ["webhook_deliveries", "request_log"])
    expect(await where(log)).toEqual([{ name: expect.stringMatching(/_\d{4}_\d{2}$/) }]);
  expect(await keep()).toEqual([]);
});

test("what can't be taken back rests once when the database's clock has made a leap, and is done by one process at a time", async () => {
  const { database } = app.services;
  let looks = 0;
  const watch = withCare({
    name: "leaping",
    everyMs: 600_000,
    open: () => async () => {
      looks += 1;
    },
  });
  const look = (aheadMs = 0) => watch.open({ database, clock: { now: () => Date.now() + aheadMs } })();
  await look();
  await look();
  expect(looks).toBe(1);
  const setFree = (at: string) =>
    pool.query(`update turns set free_at = now() + $1::interval where name = 'leaping'`, [at]);
  for (const leap of ["-100 days", "100 days"]) {
    await setFree(leap);
    await look();
    expect(looks).toBe(1);
  }
  await setFree("-1 second");
  await look(30 * hourMs);
  expect(looks).toBe(1);
  await look();
  expect(looks).toBe(2);
  // Taken while the database's clock was ahead: nobody waits for that time.
  await pool.query("insert into turns (name, free_at) values ('far', now() + interval '100 days')");
  expect(await isOurTurn(database, "far", 60)).toBe(true);
  expect(await isOurTurn(database, "far", 60)).toBe(false);
  expect(await claimSteadyTurn(database, "leaping", 60)).toBe(false);
});
