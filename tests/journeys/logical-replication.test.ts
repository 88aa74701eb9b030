import { Pool } from "pg";
import { afterAll, expect, test } from "vitest";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { findPurgeable, purgeOnce } from "../../src/domain/maintenance/sandbox/purge.ts";
import { openDatabase } from "../../src/platform/database/database.ts";
import { type Answer, startApp } from "../support/app.ts";
import { meter } from "../support/beneficiaries.ts";
import { closing } from "../support/closing.ts";
import { databaseUrl } from "../support/database.ts";
import { declined, openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { startReceiver } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

/** A copy of an empty database, kept up to date from then on by a publication of all tables. */
const server = closing(await startOwnPostgres({ migrated: true, settings: { wal_level: "logical" } }));
await loadStartingCatalogue(openDatabase(server.pool));
const { url, pool: origin } = server;
const other = new Pool({ connectionString: databaseUrl(url, "postgres"), max: 1 });
await other.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'dispense'");
await other.query("create database copy template dispense");
await other.end();

const copy = new Pool({ connectionString: databaseUrl(url, "copy"), max: 2 });
copy.on("error", () => {}); // cut when the server stops
await origin.query("create publication everything for all tables with (publish_via_partition_root)");
// Made beforehand: on one server a subscription that makes its own would wait for itself.
await origin.query("select pg_create_logical_replication_slot('copying', 'pgoutput')");
// PostgreSQL's own processes may be another user's than the test, for whom the way to the socket is closed: they begin
// in its folder.
await copy.query(
  `create subscription copying connection 'host=/proc/self/cwd user=dispense dbname=dispense' publication everything
     with (create_slot = false, slot_name = 'copying', copy_data = false)`,
);
const receiver = closing(
  await startReceiver((response, _received, count) => {
    response.statusCode = count === 1 ? 500 : 200;
    response.end();
  }),
);
const supplier = openFakeSupplier();
const app = closing(
  await startApp({
    database: { url, ownerUrl: url, pool: origin, drop: async () => {} },
    suppliers: [supplier],
    sandboxPendingSeconds: 0,
    webhooks: { ...testWebhooks, allowPrivate: true },
  }),
);
afterAll(() => copy.end());

const body = { product_id: 1002, phone: "08031234567" };
/** Few enough that no breaker opens over those that the supplier does not answer. */
const sendsInRound = 4;

test("a publication of all tables copies a busy database row for row, and no request fails of it", async () => {
  const stopWorkers = app.services.startWorkers();
  const settings = { url: receiver.url, notify: "all" };
  expect((await app.call(app.merchant.testKey, "/webhook", { method: "PUT", body: settings })).status).toBe(200);
  const statuses = new Set<number>();
  for (const [round, answer] of [vended, declined, vended, silent].entries()) {
    supplier.answer = answer;
    const answers = await Promise.all([...purchases(round), ...orders(round), keptAndForgotten(round)]);
    for (const { status } of answers) statuses.add(status);
    await purgeEverything();
  }
  expect(statuses).toEqual(new Set([200, 201, 202, 422]));
  supplier.answer = vended;
  await expect.poll(() => rowsOf(app.fresh.pool, "inflight")).toEqual([]);
  await expect.poll(() => rowsOf(app.fresh.pool, "webhook_outbox")).toEqual([]);
  await stopWorkers();

  const tables = await publishedTables();
  expect(tables).toEqual(expect.arrayContaining(["purchases", "bulk_orders", "inflight", "vend_attempts"]));
  for (const table of tables) {
    const original = await rowsOf(app.fresh.pool, table);
    await expect.poll(() => rowsOf(copy, table), { message: table }).toEqual(original);
  }
  // Not equal for being empty: live purchases stayed, and those of the sandbox are gone.
  expect((await rowsOf(copy, "purchases")).length).toBeGreaterThan(4 * sendsInRound);
  expect(await rowsOf(copy, "purged_purchases")).toHaveLength(1);
});

/** In sandbox, some of them pending at first, and live. */
function purchases(round: number): Promise<Answer>[] {
  const { testKey, liveKey } = app.merchant;
  return Array.from({ length: sendsInRound }, (_, i) => {
    const phone = i % 4 === 0 ? "08031230003" : body.phone;
    const reference = `r${round}-${i}`;
    return [
      app.call(testKey, "/data/purchase", { body: { ...body, phone, reference } }),
      app.call(liveKey, "/data/purchase", { body: { ...body, reference } }),
    ];
  }).flat();
}

/** An order in sandbox and a live one. */
function orders(round: number): Promise<Answer>[] {
  const items = ["08031234567", "08031230002", "08031230003"].map((phone) => ({ product_id: 1002, phone }));
  const order = { reference: `order-${round}`, items };
  return [app.merchant.testKey, app.merchant.liveKey].map((key) => app.call(key, "/data/bulk", { body: order }));
}

async function keptAndForgotten(round: number): Promise<Answer> {
  const { testKey } = app.merchant;
  const kept = await app.call(testKey, "/beneficiaries", { body: { ...meter, label: `Meter ${round}` } });
  return app.call(testKey, `/beneficiaries/${kept.body.id}`, { method: "DELETE" });
}

/** As thirty days take it away: sandbox purchases and orders. */
async function purgeEverything(): Promise<void> {
  const services = { database: app.services.database, clock: { now: () => Date.now() + 31 * 86_400_000 } };
  for (const wallet of await findPurgeable(services, 10)) await purgeOnce(services, wallet);
}

async function publishedTables(): Promise<string[]> {
  const text = "select tablename from pg_publication_tables where pubname = 'everything' order by tablename";
  return (await app.fresh.pool.query<{ tablename: string }>(text)).rows.map(({ tablename }) => tablename);
}

async function rowsOf(pool: Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${table} t order by 1`);
  return rows.map(({ row }) => row);
}
