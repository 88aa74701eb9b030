import { pino } from "pino";
import { afterAll, afterEach, expect, test } from "vitest";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { openDatabase } from "../../src/platform/database/database.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";

// A primary that answers and takes no commits: it turned read-only, or waits for a standby that is gone.

const logged: { event?: string; reason?: string }[] = [];

const server = closing(await startOwnPostgres({ migrated: true }));
await loadStartingCatalogue(openDatabase(server.pool));
const app = closing(
  await startApp({
    database: { url: server.url, ownerUrl: server.url, pool: server.pool, drop: async () => {} },
    log: pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
  }),
);
const stopWatching = app.services.startWatching();
afterAll(async () => {
  await stopWatching();
});
afterEach(() => set("default_transaction_read_only", "off").then(() => set("synchronous_standby_names", "")));

async function set(name: string, value: string): Promise<void> {
  const client = await server.pool.connect();
  // Administration must not wait for the standby itself.
  await client.query("set synchronous_commit = local; set default_transaction_read_only = off");
  await client.query(`alter system set ${name} = '${value}'`);
  await client.query("select pg_reload_conf()");
  client.release(true);
}

/** Returns when commits wait for a standby, which is a while after the reload: the checkpointer turns it on. */
async function commitsWait(): Promise<void> {
  const probe = await server.pool.connect();
  probe.on("error", () => {});
  const { rows } = await probe.query<{ pid: number }>("select pg_backend_pid() as pid");
  const values = [rows[0]?.pid];
  const waiting = "select 1 from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'";
  await expect
    .poll(async () => {
      probe.query("select pg_logical_emit_message(true, 'probe', 'a commit')").catch(() => {});
      return (await server.pool.query(waiting, values)).rowCount;
    })
    .toBe(1);
  await server.pool.query("select pg_terminate_backend($1, 5000)", values);
  probe.release(true);
}

const buy = (reference: string) =>
  app.call(app.merchant.testKey, "/data/purchase", { body: { product_id: 1002, phone: "08031234567", reference } });
const ready = async () => (await fetch(`${app.url}/readyz`)).status;
const said = () =>
  logged.flatMap(({ event, reason }) => (event?.startsWith("database.") ? [`${event} ${reason ?? ""}`] : []));

test("a primary that turned read-only: nothing is created, 503 says when to try again, and the process is not ready", async () => {
  logged.length = 0;
  expect(await ready()).toBe(200);
  await set("default_transaction_read_only", "on");
  await expect.poll(async () => (await buy("read-only")).status).toBe(503);
  const refused = await buy("read-only");
  expect(refused.body.code).toBe("MAINTENANCE");
  expect(refused.headers.get("retry-after")).toMatch(/^[1-9]/);
  await expect.poll(ready).toBe(503);
  await expect.poll(said).toEqual(["database.no_commits read_only"]);
  await set("default_transaction_read_only", "off");
  await expect.poll(ready).toBe(200);
  await expect.poll(said).toEqual(["database.no_commits read_only", "database.commits_again "]);
  expect(await buy("read-only")).toMatchObject({ status: 201, body: { status: "successful" } });
});

test("commits that wait for a lost standby: who was sent is told to ask, others are refused before, and it ends well", async () => {
  logged.length = 0;
  await buy("before");
  await set("synchronous_standby_names", "nobody");
  await commitsWait();
  const sent = buy("sent");
  await expect.poll(ready).toBe(503);
  // What was accepted nobody may see yet: no answer may say that it was not.
  expect((await app.call(app.merchant.testKey, "/transactions/sent")).status).not.toBe(404);
  for (const path of ["/transactions/unseen", "/bulk/unseen"]) {
    const calls = await app.call(app.merchant.testKey, path);
    expect(calls, path).toMatchObject({ status: 503, body: { code: "MAINTENANCE" } });
    expect(calls.headers.get("retry-after")).toBe("5");
  }
  expect((await app.call(app.merchant.testKey, "/transactions/before")).status).toBe(200);
  const refused = await buy("later");
  expect(refused).toMatchObject({ status: 503, body: { code: "MAINTENANCE" } });
  await expect.poll(() => app.services.metrics.text()).toMatch(/dispense_oldest_commit_seconds ([5-9]|\d\d)/);
  expect(await app.services.metrics.text()).toMatch(/^dispense_ready 0$/m);
  expect(await sent).toMatchObject({ status: 500, body: { code: "INTERNAL_ERROR" } });
  // Its connections are gone, and the commit waits all the same.
  expect(await ready()).toBe(503);
  expect(said().filter((line) => line.startsWith("database.no_commits"))).toEqual(["database.no_commits commits_wait"]);

  await set("synchronous_standby_names", "");
  await expect.poll(ready).toBe(200);
  expect((await app.call(app.merchant.testKey, "/transactions/sent")).body).toMatchObject({ status: "successful" });
  const again = await buy("sent");
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  expect((await app.call(app.merchant.testKey, "/transactions/later")).status).toBe(404);
});
