import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import { dispense } from "../../src/providers/dispense/dialect.ts";
import { httpConnector } from "../../src/providers/http-connector.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { connectorServices } from "../support/suppliers/connector-under-test.ts";

// Another deployment sells to us, and takes so many requests a minute. A bulk order has more lines than that.

const perMinute = 30;
const phones = Array.from({ length: 120 }, (_, i) => `0806000${String(i).padStart(3, "0")}1`);
let nowMs = Date.now();

const seller = closing(await startApp({ rateLimitPerMinute: perMinute }));
const keyThere = (await seller.createMerchant({ testCredit: kobo(10_000_000_000n) })).testKey;
const http = openAllowlistedHttp({ origins: [seller.url], monotonicMs: () => performance.now() });
const baseUrl = `${seller.url}/api/v1/merchant`;
const settings = { name: "seller", baseUrl, apiKey: keyThere, webhookSecret: null };
const clock = { now: () => nowMs };
// Without the question for our balance, which takes one of the requests that the seller allows in a minute.
const { balance: _, ...connector } = httpConnector(dispense(settings), connectorServices(http, clock));
const middle = closing(await startApp({ suppliers: [connector], clock }));
await middle.fresh.pool.query("update supplier_routes set supplier_code = product_id::text");
await middle.fresh.pool.query("update revisions set revision = revision + 1 where subject = 'routes'");

async function order() {
  const { successful, pending, failed } = (await middle.call(middle.merchant.liveKey, "/bulk/more")).body;
  return { successful, pending, failed };
}

const rows = async (text: string) => (await middle.fresh.pool.query(text)).rows;

/** The seller counts by its database's minute. Where one ends in between, it takes a tenth more: see lease_requests. */
async function minuteWithRoom(): Promise<void> {
  const second = "select extract(second from clock_timestamp())::float8 as second";
  await expect.poll(async () => (await rows(second))[0].second, { interval: 250 }).toBeLessThan(40);
}

const untried = "select 1 from inflight where step <> 'queued' or due_at <= now()";

test("lines that a supplier takes no more of in this minute wait for the next one, and none is lost", async () => {
  const wish = { reference: "more", product_id: 1002, phones };
  expect((await middle.call(middle.merchant.liveKey, "/data/bulk", { body: wish })).body.pending).toBe(phones.length);
  await minuteWithRoom();
  const stop = middle.services.startWorkers();
  await expect.poll(() => rows(untried)).toEqual([]);
  expect(await order()).toEqual({ successful: perMinute, pending: phones.length - perMinute, failed: 0 });
  // The lines that the supplier refused say so; the others were kept back without asking it.
  const refused = "select 1 from inflight where last_answer like '%RATE_LIMITED%'";
  const waiting = "select 1 from inflight where last_answer like 'not sent: seller gets no such purchases at present'";
  const [reply, kept] = [(await rows(refused)).length, (await rows(waiting)).length];
  expect([reply > 0, reply <= 64, reply + kept]).toEqual([true, true, phones.length - perMinute]);
  await stop();
});

test("what waited is sent once, as soon as the supplier takes more", async () => {
  // At its limit, not in trouble: no breaker opened, for ever longer.
  expect(await middle.services.metrics.text()).not.toMatch(/dispense_supplier_breaker_open\{.*\} 1/);
  nowMs += 31_000;
  await seller.fresh.pool.query("delete from request_counts");
  // What it knew of the minute before, it knows for a slot.
  await expect.poll(async () => (await seller.call(keyThere, "/wallet/balance")).status, { interval: 500 }).toBe(200);
  await middle.fresh.pool.query("update inflight set due_at = now()");
  const stop = middle.services.startWorkers();
  await expect.poll(() => rows(untried)).toEqual([]);
  await stop();
  const { successful, failed } = await order();
  expect([successful > perMinute, failed]).toEqual([true, 0]);
  const { rows: sold } = await seller.fresh.pool.query("select count(*)::int as sold from purchases");
  expect(sold).toEqual([{ sold: successful }]);
});
