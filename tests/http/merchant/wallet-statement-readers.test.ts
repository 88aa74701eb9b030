import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { bookAdjustments } from "../../support/wallet-history.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

// More than the sockets between us hold.
const entries = 60_000;
const reason = "a transfer with a long text, as people write them, so that fewer entries fill the sockets".padEnd(
  190,
  ".",
);

const app = closing(await startApp());
const merchant = await app.createMerchant();
await fill(merchant);

async function fill({ id }: RegisteredMerchant): Promise<void> {
  const at = "2026-11-01T00:00:00Z";
  const made = Array.from({ length: entries }, () => ({ at, amount: 1, reason }));
  await bookAdjustments(app.fresh, { merchantId: id, mode: "live" }, made);
}

/** The answer of a reader that has not begun to read. */
async function begin(key = merchant.liveKey, url = app.url): Promise<IncomingMessage> {
  const headers = { accept: "text/csv", authorization: `Bearer ${key}` };
  const [answer] = await once(get(`${url}/api/v1/merchant/wallet/statement`, { headers, agent: false }), "response");
  return answer as IncomingMessage;
}

async function readToEnd(answer: IncomingMessage): Promise<string> {
  let text = "";
  answer.setEncoding("utf8");
  for await (const some of answer) text += some;
  return text;
}

const headers = { accept: "text/csv" };

/** Statements of the ledger that are being carried out, and transactions that are open. */
async function atWork(): Promise<number> {
  const { rows } = await app.fresh.pool.query(
    `select count(*)::integer as sessions
       from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
  );
  return rows[0].sessions;
}

/** How many looks in a row find the database doing nothing, of five. */
async function looksAtRest(): Promise<number> {
  let looks = 0;
  while (looks < 5 && (await atWork()) === 0) {
    looks += 1;
    await delay(50);
  }
  return looks;
}

test("a reader that takes nothing holds nothing of the database, and only its own wallet's next statement waits", async () => {
  const answer = await begin();
  expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  // Once the sockets between us are full.
  await expect.poll(looksAtRest).toBe(5);
  const second = await app.call(merchant.liveKey, "/wallet/statement", { headers });
  expectProblem(second, 429, "RATE_LIMITED", { meta: { limit: "statements", max_statements: 1 } });
  expect((await app.call(merchant.testKey, "/wallet/statement", { headers })).status).toBe(200);
  expect((await app.call(app.merchant.liveKey, "/wallet/statement", { headers })).status).toBe(200);
  expect((await app.call(merchant.liveKey, "/wallet/statement")).body.entries).toHaveLength(20);
  // What is booked meanwhile belongs to the next statement.
  const late = [{ at: "2026-11-01T00:00:00Z", amount: 7, reason: "late" }];
  await bookAdjustments(app.fresh, { merchantId: merchant.id, mode: "live" }, late);
  const lines = (await readToEnd(answer)).trimEnd().split("\r\n");
  // A heading, the merchant's first credit, and the others.
  expect(lines).toHaveLength(entries + 2);
  expect(lines.slice(1).map((line) => Number(line.split(",", 1)[0]))).toEqual(lines.slice(1).map((_, n) => n + 1));
  await expect.poll(async () => (await app.call(merchant.liveKey, "/wallet/statement", { headers })).status).toBe(200);
}); // a file rests three times as long as it works

test("a reader that leaves in the middle gives its place back", async () => {
  const answer = await begin();
  await delay(100);
  expect((await app.call(merchant.liveKey, "/wallet/statement", { headers })).status).toBe(429);
  answer.destroy();
  await expect.poll(async () => (await app.call(merchant.liveKey, "/wallet/statement", { headers })).status).toBe(200);
}); // a file rests three times as long as it works

test("a service that stops does not wait for a reader, which sees that the end is missing", async () => {
  const other = await startApp({ database: app.fresh });
  const answer = await begin(merchant.liveKey, other.url);
  await delay(200);
  const began = performance.now();
  const [closed, read] = await Promise.allSettled([other.close(), delay(50).then(() => readToEnd(answer))]);
  expect(closed.status).toBe("fulfilled");
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(read.status).toBe("rejected");
}); // a file rests three times as long as it works
