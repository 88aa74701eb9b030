import { describe, expect, test } from "vitest";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import { eventIdOf } from "../../../src/domain/webhooks/events/event.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { phones } from "../../support/bulk-orders.ts";
import { closing } from "../../support/closing.ts";
import { sampleOf } from "../../support/sample-purchases.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

const dayMs = 86_400_000;

const app = closing(await startApp({ workers: true, sandboxPendingSeconds: 1 }));

const { path, body, numbered } = sampleOf("data");

/** The status of the answer to a purchase, by the ending of its number. */
const statuses: Readonly<Record<string, number>> = { "0001": 201, "0002": 422, "0003": 202, "0004": 202 };

/** Buys one after the other; the number's ending says what becomes of each. */
async function buy({ testKey }: RegisteredMerchant, ...endings: readonly string[]): Promise<void> {
  for (const [nth, ending] of endings.entries()) {
    const sent = { reference: `${ending}-${nth}`, ...body, ...numbered(ending) };
    const { status } = await app.call(testKey, path, { body: sent });
    expect(status).toBe(statuses[ending]);
  }
}

async function list(key: string, query = "", at: TestApp = app) {
  const answer = await at.call(key, `/events?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const referencesOf = (page: { events: { payload: { data: { reference: string } } }[] }) =>
  page.events.map(({ payload }) => payload.data.reference);

describe("without any webhook", () => {
  test("all that ended is listed, oldest first, in the form that a webhook has", async () => {
    const merchant = await app.createMerchant();
    await buy(merchant, "0001", "0002", "0001");
    const { events, has_more } = await list(merchant.testKey);
    expect(has_more).toBe(false);
    const { transactions } = (await app.call(merchant.testKey, "/transactions")).body;
    expect(events.map((each: { payload: { data: unknown } }) => each.payload.data)).toEqual(transactions.toReversed());
    expect(events.map((each: { event: string }) => each.event)).toEqual([
      "transaction.successful",
      "transaction.failed",
      "transaction.successful",
    ]);
    for (const { id, event, created_at, payload } of events) {
      expect(payload).toMatchObject({ event, mode: "test", event_id: id, sent_at: created_at });
      expect(payload.data.completed_at).toBe(created_at);
      expect(payload).not.toHaveProperty("delivery_id");
    }
  });

  test("after=newest is the newest event alone, to go on from there, and nothing where there is none", async () => {
    const merchant = await app.createMerchant();
    expect(await list(merchant.testKey, "after=newest")).toEqual({ events: [], has_more: false });
    await buy(merchant, "0001", "0002", "0001");
    const newest = await list(merchant.testKey, "after=newest");
    expect([referencesOf(newest), newest.has_more]).toEqual([["0001-2"], false]);
    expect((await list(merchant.testKey, `after=${newest.events[0].id}`)).events).toEqual([]);
  });

  test("a bulk order is listed behind its lines", async () => {
    const merchant = await app.createMerchant();
    const order = { reference: "order", product_id: 1002, phones: [...phones(3), "08031230003"] };
    expect((await app.call(merchant.testKey, "/data/bulk", { body: order })).status).toBe(202);
    expect(referencesOf(await list(merchant.testKey))).toEqual(["order-1", "order-2", "order-3"]);
    await expect.poll(async () => (await list(merchant.testKey)).events.length).toBe(5);
    const { events } = await list(merchant.testKey);
    expect(events.map((each: { event: string }) => each.event).slice(3)).toEqual([
      "transaction.successful",
      "bulk.completed",
    ]);
    const { items, meta, ...summary } = (await app.call(merchant.testKey, "/bulk/order")).body;
    expect(events[4].payload.data).toEqual(summary);
  });

  test("a purchase that was pending is listed once it has ended, behind what was listed before", async () => {
    const merchant = await app.createMerchant();
    await buy(merchant, "0003", "0004", "0001");
    const first = await list(merchant.testKey);
    expect(referencesOf(first)).toEqual(["0001-2"]);
    const after = first.events[0].id;
    const ended = async () => referencesOf(await list(merchant.testKey, `after=${after}`)).sort();
    await expect.poll(ended).toEqual(["0003-0", "0004-1"]);
    expect(referencesOf(await list(merchant.testKey))[0]).toBe("0001-2");
  });
});

test("an event is the one that the webhook brought", async () => {
  const merchant = await app.createMerchant();
  const settings = { url: "https://example.com/hooks", notify: "all" };
  expect((await app.call(merchant.testKey, "/webhook", { method: "PUT", body: settings })).status).toBe(200);
  await buy(merchant, "0001", "0002");
  const { rows } = await app.fresh.pool.query(
    "select body from webhook_deliveries where wallet_id = -$1::integer order by id",
    [merchant.id],
  );
  const { events } = await list(merchant.testKey);
  expect(rows).toHaveLength(2);
  for (const [nth, row] of rows.entries()) {
    const { delivery_id, sent_at, ...reply } = JSON.parse(row.body);
    expect(events[nth].payload).toMatchObject(reply);
    expect(Math.abs(Date.parse(sent_at) - Date.parse(events[nth].payload.sent_at))).toBeLessThan(5_000);
  }
});

test("what happens while the webhook is switched off is listed, and nothing else tells of it", async () => {
  const merchant = await app.createMerchant();
  const save = (settings: object) => app.call(merchant.testKey, "/webhook", { method: "PUT", body: settings });
  expect((await save({ url: "https://example.com/hooks", notify: "all" })).status).toBe(200);
  expect((await save({ enabled: false })).status).toBe(200);
  await buy(merchant, "0001", "0002");
  expect((await save({ enabled: true })).status).toBe(200);
  const due = "select from webhook_deliveries where abs(wallet_id) = $1";
  expect((await app.fresh.pool.query(due, [merchant.id])).rowCount).toBe(0);
  expect(referencesOf(await list(merchant.testKey))).toEqual(["0001-0", "0002-1"]);
});

describe("pages", () => {
  test("hold ten bulk orders at most, as each has all of its lines counted, and lead to all of them", async () => {
    const merchant = await app.createMerchant();
    const orders = Array.from({ length: 25 }, (_, nth) => `order-${nth}`);
    for (const reference of orders) {
      const order = { reference, product_id: 1002, phones: phones(1) };
      expect((await app.call(merchant.testKey, "/data/bulk", { body: order })).status).toBe(201);
    }
    const seen: string[] = [];
    let query = "event=bulk.completed&per_page=100";
    for (const [expected, hasMore] of [
      [10, true],
      [10, true],
      [5, false],
    ]) {
      const page = await list(merchant.testKey, query);
      expect([page.events.length, page.has_more]).toEqual([expected, hasMore]);
      seen.push(...referencesOf(page));
      query = `event=bulk.completed&per_page=100&after=${page.events.at(-1).id}`;
    }
    expect(seen).toEqual(orders);
  });

  test("go on behind the event that is named, and say whether there is more", async () => {
    const merchant = await app.createMerchant();
    await buy(merchant, "0001", "0002", "0001", "0002", "0001");
    const seen: string[] = [];
    let after = "";
    for (const expected of [true, true, false]) {
      const page = await list(merchant.testKey, `per_page=2${after}`);
      seen.push(...referencesOf(page));
      expect(page.has_more).toBe(expected);
      after = `&after=${page.events.at(-1).id}`;
    }
    expect(seen).toEqual(["0001-0", "0002-1", "0001-2", "0002-3", "0001-4"]);
    expect(await list(merchant.testKey, `per_page=2${after}`)).toEqual({ events: [], has_more: false });
  });

  test("400 begin behind no end that a purchase did not have", async () => {
    const merchant = await app.createMerchant();
    await buy(merchant, "0001");
    const [event] = (await list(merchant.testKey)).events;
    const other = await app.call(merchant.testKey, `/events?after=${event.id.replace(/s$/, "f")}`);
    expectProblem(other, 400, "VALIDATION_ERROR", { fields: ["after"] });
  });

  test("of one event hold no other", async () => {
    const merchant = await app.createMerchant();
    await buy(merchant, "0001", "0002", "0001", "0002");
    const failed = await list(merchant.testKey, "event=transaction.failed&per_page=1");
    expect([referencesOf(failed), failed.has_more]).toEqual([["0002-1"], true]);
    const next = await list(merchant.testKey, `event=transaction.failed&after=${failed.events[0].id}`);
    expect([referencesOf(next), next.has_more]).toEqual([["0002-3"], false]);
    expect(referencesOf(await list(merchant.testKey, "event=bulk.completed"))).toEqual([]);
  });

  test("begin behind an event that a webhook brought before the list was ever asked for", async () => {
    const merchant = await app.createMerchant();
    await buy(merchant, "0001", "0001", "0001");
    const { rows } = await app.fresh.pool.query(
      "select id from purchases where abs(wallet_id) = $1 order by id limit 1",
      [merchant.id],
    );
    const after = eventIdOf(BigInt(rows[0].id), "transaction.successful");
    expect(referencesOf(await list(merchant.testKey, `after=${after}`))).toEqual(["0001-1", "0001-2"]);
  });
});

test("another merchant's events, and those of the other mode, are never listed, nor taken for a place in the list", async () => {
  const [one, other] = [await app.createMerchant(), await app.createMerchant()];
  await buy(one, "0001");
  const [event] = (await list(one.testKey)).events;
  for (const key of [one.liveKey ?? "", other.testKey, other.liveKey ?? ""]) {
    expect(await list(key)).toEqual({ events: [], has_more: false });
    expectProblem(await app.call(key, `/events?after=${event.id}`), 400, "VALIDATION_ERROR", { fields: ["after"] });
  }
});

test.each([
  ["an empty one", "after="],
  ["none of ours", "after=garbled"],
  ["an id of no purchase", "after=evt_0000000000001s"],
  ["an id of no known end", "after=evt_0000000000001x"],
  ["that of an event without a purchase", "after=evt_019aa1b2c3d47e5f8a9b0c1d2e3f4a5b"],
  ["a very long one", `after=evt_${"0".repeat(400)}`],
])("400 a place in the list that is %s", async (_what, query) => {
  expectProblem(await app.call(app.merchant.testKey, `/events?${query}`), 400, "VALIDATION_ERROR", {
    fields: ["after"],
  });
});

test.each([
  ["event=wallet.low_balance", "VALIDATION_ERROR", "event"],
  ["per_page=101", "INVALID_PER_PAGE", "per_page"],
  ["page=2", "VALIDATION_ERROR", "page"],
] as const)("400 ?%s is %s", async (query, code, field) => {
  expectProblem(await app.call(app.merchant.testKey, `/events?${query}`), 400, code, { fields: [field] });
});

describe("thirty days later", () => {
  test("events are listed no more, and whoever has missed some is told so", async () => {
    const merchant = await app.createMerchant();
    await buy(merchant, "0001", "0001");
    const [first, last] = (await list(merchant.testKey)).events;
    const at = (days: number) => startApp({ database: app.fresh, clock: { now: () => Date.now() + days * dayMs } });
    const ask = async (days: number, query = "") => {
      const later = await at(days);
      const answer = await later.call(merchant.testKey, `/events?${query}`).finally(() => later.close());
      return answer;
    };
    expect((await ask(29.9)).body).toEqual({ events: [first, last], has_more: false });
    expect((await ask(30.1)).body).toEqual({ events: [], has_more: false });
    // A merchant that reads on from an event can do so for a day after that event is no longer listed.
    expect((await ask(30.1, `after=${first.id}`)).body.events).toEqual([last]);
    expectProblem(await ask(31.1, `after=${first.id}`), 400, "VALIDATION_ERROR", { fields: ["after"] });
    // Nothing has happened since: this merchant has missed nothing.
    expect((await ask(31.1, `after=${last.id}`)).body).toEqual({ events: [], has_more: false });
  });
});
