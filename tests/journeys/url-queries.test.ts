import { pino } from "pino";
import { expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { operate } from "../support/operate.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { testEncryptionKey, testWebhooks } from "../support/webhooks.ts";

// What people put into the query of a webhook's URL opens their receiver to whoever has it.

const token = "CANARY0token9of4a5receiver";
const query = `?token=${token}&a=b%20c#part`;
const logged: string[] = [];

const receiver = closing(await startReceiver());
const app = closing(
  await startApp({
    workers: true,
    webhooks: { ...testWebhooks, allowPrivate: true },
    log: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }),
  }),
);

const { call } = { call: (...words: Parameters<TestApp["call"]>) => app.call(...words) };
const attempts = async (key: string) => (await call(key, "/webhook/deliveries")).body.deliveries;

/** Every row of every table, as a copy of the database holds it. */
async function dump(): Promise<string> {
  const tables = await app.fresh.pool.query("select tablename as name from pg_tables where schemaname = 'public'");
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await app.fresh.pool.query(`select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return texts.join("\n");
}

test("a URL's query is its merchant's and its receiver's alone: not the log's, the audit's, the operator's", async () => {
  const { id, testKey } = await app.createMerchant();
  const url = receiver.url + query;
  const put = (body: unknown) => call(testKey, "/webhook", { method: "PUT", body });
  expect((await put({ url, notify: "all" })).body.url).toBe(url);
  expect((await call(testKey, "/webhook")).body.url).toBe(url);
  const dead = `http://127.0.0.1:1/dead?token=${token}`;
  const { id: deadId } = (await call(testKey, "/webhook/endpoints", { body: { url: dead, notify: "all" } })).body;
  expect((await call(testKey, `/webhook/endpoints/${deadId}`)).body.url).toBe(dead);
  await put({ url: `https://user:secret@example.com/?token=${token}` });

  await call(testKey, "/data/purchase", { body: { product_id: 1002, phone: "08031234567", reference: "one" } });
  await receiver.waitFor(1);
  expect(receiver.received[0]?.path).toBe(`/hook?token=${token}&a=b%20c`);
  await waitUntil(async () => (await attempts(testKey)).length >= 2, "both attempts to be logged");
  expect((await attempts(testKey)).map((one: { url: string }) => one.url).sort()).toEqual([dead, url].sort());
  const [{ delivery_id }] = await attempts(testKey);
  expect([dead, url]).toContain((await call(testKey, `/webhook/deliveries/${delivery_id}`)).body.url);

  const environment = { DATABASE_URL: app.fresh.url, ENCRYPTION_KEY: testEncryptionKey };
  const commands = [
    ["webhooks", "recover", String(id), "--since", "2026-01-01"],
    ["merchant", "list"],
    ["audit", "list"],
  ];
  const printed = await Promise.all(commands.map((words) => operate(words, environment)));
  expect(printed.map(({ out, error }) => out + error).join("\n")).not.toContain(token);
  expect(logged.join("\n")).not.toContain(token);
  const copy = await dump();
  expect(copy).not.toContain(token);
  expect(copy).toContain("http://127.0.0.1:1/dead");
});

test("an attempt to a URL that was changed since is logged without the query that it had", async () => {
  const { testKey } = await app.createMerchant();
  const put = (body: unknown) => call(testKey, "/webhook", { method: "PUT", body });
  await put({ url: `${receiver.url}?old=${token}` });
  await call(testKey, "/webhook/test", { method: "POST" });
  await waitUntil(async () => (await attempts(testKey)).length === 1, "the attempt to be logged");
  expect((await attempts(testKey))[0].url).toBe(`${receiver.url}?old=${token}`);
  await put({ url: `${receiver.url}?new=1` });
  expect((await attempts(testKey))[0].url).toBe(receiver.url);
  await put({ url: `${receiver.url}?old=${token}` });
  expect((await attempts(testKey))[0].url).toBe(receiver.url);
  await put({ url: `${receiver.url}?old=${token}`, enabled: true });
  await call(testKey, "/webhook/test", { method: "POST" });
  await waitUntil(async () => (await attempts(testKey)).length === 2, "the second attempt to be logged");
  expect((await attempts(testKey))[0].url).toBe(`${receiver.url}?old=${token}`);
});

test("the same URL again is no other place: what failed before is not forgotten, and nothing is switched on", async () => {
  const { id, testKey } = await app.createMerchant();
  const url = `https://example.com/?token=${token}`;
  const put = (body: unknown) => call(testKey, "/webhook", { method: "PUT", body });
  await put({ url });
  await app.fresh.pool.query(
    `update webhook_endpoints set disabled_at = now(), disabled_reason = 'failing' where merchant_id = $1`,
    [id],
  );
  expect((await put({ url })).body).toMatchObject({ enabled: false, disabled_reason: "failing" });
  expect((await put({ url: `${url}2` })).body).toMatchObject({ enabled: true, disabled_reason: null });
});
