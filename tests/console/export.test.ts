import { request } from "node:http";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openExport } from "../../src/console/kit/one-file.ts";
import type { ModeVisit } from "../../src/console/merchant/access.ts";
import { noFilter, streamPurchases } from "../../src/domain/history/lists/list.ts";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";

/** More than two reads' worth. */
const lines = 250;

const service = closing(await startConsole({ workers: true }));
const shop = await service.app.createMerchant({ testCredit: kobo(1_000_000_000n) });
const wallet = { merchantId: shop.id, mode: "test" } as const;
const finance = await service.member("finance", shop.id);
const stranger = await service.member("owner");
const phones = Array.from({ length: lines }, (_, at) => `0803${String(1_000_000 + at * 7).padStart(7, "0")}`);
const ordered = await service.app.call(shop.testKey, "/airtime/bulk", {
  body: { reference: "order-1", network: "MTN", amount: "50", phones },
});
expect(ordered.status, JSON.stringify(ordered.body)).toBeLessThan(300);
await buy("by-name", { phone: "08031234567" });
await buy("=cmd", { phone: "08031239999" });

async function buy(reference: string, changes: object): Promise<void> {
  const name = reference.replace(/[^a-z0-9-]/g, "x");
  const body = { network: "MTN", amount: "100", ...changes, reference: `${name}-00` };
  const { status } = await service.app.call(shop.testKey, "/airtime/purchase", { body });
  expect(status).toBeLessThan(300);
}

/** Records without the heading. */
function recordsOf(text: string): string[] {
  return text.trimEnd().split("\r\n").slice(1);
}

async function references(where: string): Promise<string[]> {
  const { rows } = await service.app.fresh.pool.query(
    `select reference from purchases p where wallet_id = -$1::integer and ${where} order by id desc`,
    [shop.id],
  );
  return rows.map(({ reference }) => reference);
}

test("the file has every transaction of the list once, newest first, across its reads", async () => {
  const file = await finance.get("/test/transactions.csv");
  expect([file.status, file.headers.get("content-disposition")]).toEqual([
    200,
    expect.stringMatching(/^attachment; filename="transactions-[^"]+\.csv"$/),
  ]);
  const found = recordsOf(file.text).map((record) => record.split(",")[1]);
  expect(found).toEqual(await references("true"));
  expect(found).toHaveLength(lines + 2);
});

test.each([
  ["bulk=order-1", "bulk_reference = 'order-1'"],
  ["category=airtime&network=MTN", "true"],
  ["channel=api", "channel = 'api'"],
  ["q=08031234567", "customer_ref = '08031234567'"],
  ["q=by-name-00", "reference = 'by-name-00'"],
  ["from=2020-01-01&to=2020-01-02", "false"],
])("the file of %s has exactly what the list of it has", async (query, where) => {
  const list = await finance.get(`/test/transactions?${query}`);
  const { text } = await finance.get(`/test/transactions.csv?${query}`);
  const expected = await references(where);
  expect(recordsOf(text).map((record) => record.split(",")[1])).toEqual(expected);
  if (expected.length === 0) expect(list.text).not.toContain("transactions.csv");
  else expect(list.text).toContain(`Download CSV (${expected.length.toLocaleString("en-NG")})`);
});

test("a text that begins like a formula has an apostrophe before it, and secrets are not in the file", async () => {
  const { pool } = service.app.fresh;
  await pool.query("update purchases set customer_ref = '=cmd' where abs(wallet_id) = $1 and reference = 'xcmd-00'", [
    shop.id,
  ]);
  const { text } = await finance.get("/test/transactions.csv?q=xcmd-00");
  expect(text).toContain(",'=cmd,");
  expect(text.split("\r\n", 1)[0]).not.toMatch(/token|pin|delivery|fulfilment/);
});

test("a merchant's file holds nothing of another's, and live nothing of test", async () => {
  expect(recordsOf((await stranger.get("/test/transactions.csv")).text)).toEqual([]);
  expect(recordsOf((await stranger.get("/test/transactions.csv?q=by-name-00")).text)).toEqual([]);
  expect(recordsOf((await finance.get("/live/transactions.csv")).text)).toEqual([]);
});

test("one file of a merchant is written at a time, of whichever list, and one that is left unread makes way", async () => {
  const exportFile = openExport({
    keyOf: ({ member }: ModeVisit) => member.merchantId,
    nameOf: (_, what) => what,
    message: "A download is already running.",
  });
  async function* pieces() {
    yield "a";
  }
  const session = { person: { realm: "merchant", email: "ada@shop.example" } };
  const visitOf = (merchantId: number) =>
    ({
      session,
      member: { merchantId },
      wallet: { ...wallet, merchantId },
      mode: "test",
      query: new Map(),
      to: String,
    }) as never;
  const take = (merchantId: number, what: string) => exportFile(visitOf(merchantId), { what, format: "csv", pieces });
  const { content } = await take(shop.id, "transactions");
  await expect(take(shop.id, "statement")).rejects.toMatchObject({ code: "RATE_LIMITED" });
  const other = await take(stranger.merchantId, "transactions");
  for (const each of [content, other.content]) (each as Readable).destroy();
  await expect.poll(() => take(shop.id, "statement")).toMatchObject({ kind: "file" });
});

test("no more is read of the database than was taken", async () => {
  const { services } = service.app;
  let reads = 0;
  const database = Object.assign(Object.create(services.database), {
    query: (...given: Parameters<typeof services.database.query>) => {
      reads += 1;
      return services.database.query(...given);
    },
  });
  const purchases = streamPurchases(database, wallet, noFilter);
  expect((await purchases.next()).value).toHaveLength(100);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(reads).toBe(1);
  expect((await purchases.next()).value).toHaveLength(100);
  expect(reads).toBe(2);
});

async function auditEntries(): Promise<number> {
  const { rows } = await service.app.fresh.pool.query("select count(*)::int as count from audit_log");
  return rows[0].count;
}

test("a HEAD of a file reads no rows, and is no file that was taken", async () => {
  const before = await auditEntries();
  for (const path of ["transactions.csv", "wallet/statement.csv", "wallet/statement.pdf", "bulk/order-1/results.csv"]) {
    const cookie = `merchant=${finance.cookies.get("merchant")}`;
    const head = await fetch(`${service.url}/test/${path}`, { method: "HEAD", headers: { cookie } });
    expect([path, head.status, await auditEntries()]).toEqual([path, 200, before]);
  }
});

test("a client that hangs up before its file begins keeps nobody from the next one", async () => {
  const cookie = `merchant=${finance.cookies.get("merchant")}`;
  const { hostname, port } = new URL(service.url);
  const path = "/test/transactions.csv";
  const lock = await service.app.fresh.pool.connect();
  await lock.query("begin");
  await lock.query("lock table audit_log in exclusive mode");
  const calls = request({ hostname, port, path, headers: { cookie }, agent: false });
  calls.on("error", () => undefined).end();
  await delay(200);
  calls.destroy();
  await lock.query("commit");
  lock.release();
  await expect.poll(async () => (await finance.get(path)).status).toBe(200);
});
