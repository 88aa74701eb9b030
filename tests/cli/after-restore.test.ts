import { afterEach, beforeEach, expect, test } from "vitest";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import type { Connector } from "../../src/providers/contract.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type FreshDatabase, stockedDatabase } from "../support/database.ts";
import { openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

// A database as a backup left it: a bulk order's lines are queued. After the backup the first supplier got the lines to
// numbers that end in 0 to 4; of the others it never heard.

const plan = 1002;
const phones = Array.from({ length: 30 }, (_, i) => `080600000${String(i).padStart(2, "0")}`);
const wasSent = ({ customerRef }: VendRequest) => Number(customerRef?.at(-1)) < 5;
const goods = openFakeSupplier("first");
const second = openFakeSupplier("second");
const vendedByFirst: (string | null)[] = [];
const first: Connector = {
  name: "first",
  vend: async (request) => {
    vendedByFirst.push(request.customerRef);
    return goods.vend(request);
  },
  requery: async (request) =>
    wasSent(request)
      ? goods.requery(request)
      : { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence: "never received, twice" },
};

let fresh: FreshDatabase;
let app: TestApp;
let liveKey: string | null;

const open = () => startApp({ suppliers: [first, second], database: fresh });
const rows = async (sql: string) => (await fresh.pool.query(sql)).rows;
const run = (...words: string[]) => operate(words, { DATABASE_URL: fresh.url, ENCRYPTION_KEY: testEncryptionKey });

beforeEach(async () => {
  goods.answer = vended;
  vendedByFirst.length = 0;
  second.calls.length = 0;
  fresh = await stockedDatabase();
  app = await open();
  liveKey = app.merchant.liveKey;
  const body = { reference: "order", product_id: plan, phones };
  expect((await app.call(liveKey, "/data/bulk", { body })).body.pending).toBe(phones.length);
});

afterEach(async () => {
  await app.close();
  await fresh.drop();
});

test("what was queued at the backup is asked about: what was sent since is not sent again, the rest goes elsewhere", async () => {
  await app.close();
  await fresh.pool.query("update inflight set due_at = now() - interval '1 day'");
  const reply = await run("after-restore", "--json");
  expect([reply.code, reply.error, reply.lines]).toEqual([
    0,
    "",
    [
      { supplier: "first", connector: "first", asked_about: phones.length, in_review: 0, state: "enabled" },
      { supplier: "second", connector: "second", asked_about: 0, in_review: 0, state: "enabled" },
      { newest_purchase_at: expect.stringMatching(/^\d{4}-.*\+01:00$/) },
    ],
  ]);
  expect((await run("check-ledger")).out).not.toContain("BROKEN");

  app = await open();
  const stop = app.services.startWorkers();
  await expect.poll(async () => (await app.call(liveKey, "/bulk/order")).body.pending).toBe(0);
  await stop();
  expect((await app.call(liveKey, "/bulk/order")).body).toMatchObject({ successful: phones.length, failed: 0 });
  expect(vendedByFirst).toEqual([]);
  const vendedBySecond = second.calls.filter(({ question }) => question === "vend");
  expect(vendedBySecond.map(({ request }) => request.customerRef).sort()).toEqual(
    phones.filter((phone) => Number(phone.at(-1)) >= 5),
  );
});

test("a second run finds nothing to change, and each run that changed something is in the audit log", async () => {
  await app.close();
  expect((await run("--as", "ada", "after-restore")).code).toBe(0);
  const before = await rows("select purchase_id, step, due_at, epoch, last_answer from inflight order by purchase_id");
  await fresh.pool.query("update inflight set due_at = now() + interval '1 hour'");
  const [again] = (await run("after-restore", "--json")).lines;
  expect(again).toMatchObject({ supplier: "first", asked_about: 0, in_review: 0 });
  const after = await rows("select purchase_id, step, due_at, epoch, last_answer from inflight order by purchase_id");
  expect(after.map(({ step }) => step)).toEqual(before.map(() => "requery"));
  const { lines } = await run("audit", "list", "--json");
  expect(lines).toMatchObject([{ who: "ada", command: "after-restore" }]);
  app = await open();
});

test("what pends at our own stock waits for a person, and nothing of it is for sale until one enables it", async () => {
  await fresh.pool.query("insert into suppliers (name, connector) values ('shelf', 'voucher-stock')");
  await fresh.pool.query("update purchases set supplier = 'shelf' where bulk_line < 3");
  await fresh.pool.query(
    "update inflight set step = 'dispatch' where purchase_id = (select id from purchases where bulk_line = 0)",
  );
  await app.close();
  const reply = await run("after-restore", "--json");
  expect([reply.code, reply.error]).toEqual([0, ""]);
  expect(reply.lines.slice(0, 3)).toMatchObject([
    { supplier: "first", asked_about: phones.length - 3, in_review: 0 },
    { supplier: "second" },
    { supplier: "shelf", asked_about: 0, in_review: 3, state: "disabled" },
  ]);
  const waiting = (await run("review", "list", "--json")).lines;
  expect(waiting.map(({ supplier }) => supplier)).toEqual(["shelf", "shelf", "shelf"]);
  const again = await run("after-restore");
  expect(again.out).toContain("supplier enable shelf");
  expect(again.out).toMatch(/reconcile first STATEMENT\.csv --from \d{4}-\d\d-\d\d --to TODAY/);
  expect(again.out).not.toContain("reconcile shelf");
  app = await open();
});

test("a purchase that was sent at the backup stays to be asked about, as it was", async () => {
  goods.answer = silent;
  const body = { reference: "sent", product_id: plan, phone: "08031234560" };
  expect((await app.call(liveKey, "/data/purchase", { body })).status).toBe(202);
  const sent = `select f.step, f.tries, f.last_answer from inflight f join purchases p on p.id = f.purchase_id
                 where p.reference = 'sent'`;
  const before = await rows(sent);
  await app.close();
  expect((await run("after-restore")).code).toBe(0);
  expect(await rows(sent)).toEqual(before);
  app = await open();
});

test("while a process of the service is connected nothing is changed, and the sentence says what to do", async () => {
  const reply = await run("after-restore");
  expect(reply).toMatchObject({
    code: 1,
    out: "",
    error: expect.stringMatching(
      /^The service runs on this database \(at .+\): stop every process of it, then try again\.\n$/,
    ),
  });
  expect(await rows("select distinct step from inflight")).toEqual([{ step: "queued" }]);
});

test("a database into which nothing was restored yet is told from one that is ready", async () => {
  await app.close();
  await fresh.pool.query("drop schema public cascade; create schema public");
  expect(await run("after-restore")).toMatchObject({
    code: 1,
    out: "",
    error: "Nothing is restored here yet: run pg_restore first, then this.\n",
  });
  await fresh.drop();
  fresh = await stockedDatabase();
  app = await open();
});
