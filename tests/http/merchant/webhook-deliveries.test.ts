import { describe, expect, test } from "vitest";
import type { DeliveryId, EventName } from "../../../src/domain/webhooks/events/event.ts";
import type { NewAttempt } from "../../../src/domain/webhooks/log/attempt.ts";
import type { ProblemCode } from "../../../src/kernel/problems.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { walletKey } from "../../support/wallet.ts";
import { enqueueEvent, logAttempt } from "../../support/webhooks.ts";
import { expectProblem, lagosInstant } from "../../support/wire-expectations.ts";

const ids = new Map<string, DeliveryId>();

const failure = { successful: false, httpStatus: 500, responseBody: "no", error: null } as const;

/**
 * Eight attempts, numbered 1 to 8: a fails, fails and succeeds; b succeeds; c (transaction.failed) fails; t (a test)
 * succeeds; o (a bulk order) fails without a response; b is resent.
 */
const story: readonly (readonly [name: string, event: EventName, reference: string | null, Partial<NewAttempt>])[] = [
  ["a", "transaction.successful", "a", { attempt: 1, ...failure }],
  ["a", "transaction.successful", "a", { attempt: 2, ...failure, httpStatus: 301 }],
  ["b", "transaction.successful", "b", { attempt: 1 }],
  ["c", "transaction.failed", "c", { attempt: 1, ...failure }],
  ["a", "transaction.successful", "a", { attempt: 3, httpStatus: 204, responseBody: "" }],
  ["t", "webhook.test", null, { attempt: 1 }],
  ["o", "bulk.completed", "o", { attempt: 1, ...failure, httpStatus: null, error: "timeout", responseBody: "" }],
  ["b", "transaction.successful", "b", { attempt: 2, responseBody: "Ọlá ✓" }],
];

const app = closing(await startApp({ madeUpDeliveries: true }));
const merchant = await app.createMerchant();
const key = merchant.testKey;
const wallet = walletKey(merchant.id, "test");
const save = (of: string, body: unknown) => app.call(of, "/webhook", { method: "PUT", body });
await save(key, { url: "https://example.com/hook" });
for (const [name, event, reference, attempt] of story) {
  const id =
    ids.get(name) ?? (await enqueueEvent(app.services.database, wallet, { event, ...(await subjectOf(reference)) }));
  ids.set(name, id);
  await logAttempt(app.services.database, wallet, id, { event, ...attempt });
}
// c waits for its next attempt; all others are over.
await app.fresh.pool.query("delete from webhook_outbox where abs(wallet_id) = $1 and delivery_id <> $2", [
  wallet.merchantId,
  ids.get("c"),
]);
await app.fresh.pool.query("update webhook_outbox set due_at = now() + interval '1 hour', attempts = 1");

/** A purchase of the reference, or a bulk order, as a delivery names it. */
async function subjectOf(reference: string | null, by = key, of = wallet) {
  if (reference === null) return { reference };
  const body = { reference, product_id: 1002, phone: "08031234567", phones: ["08031234567"] };
  await app.call(by, reference === "o" ? "/data/bulk" : "/data/purchase", { body });
  const { rows } = await app.fresh.pool.query<{ id: string }>(
    `select id from purchases where abs(wallet_id) = $1 and reference = $2
      union all
     select id from bulk_orders where abs(wallet_id) = $1 and reference = $2`,
    [of.merchantId, reference],
  );
  return { reference, subjectId: BigInt(rows[0]?.id ?? 0) };
}

const list = (query = "", of: string | null = key) =>
  app.call(of, `/webhook/deliveries${query === "" ? "" : `?${query}`}`);
const numbers = async (query: string) =>
  (await list(query)).body.deliveries.map((row: { id: number }) => row.id).join("");

describe("200", () => {
  test("one entry per attempt, newest first, each with all fields of the specification", async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 20, total: 8 });
    expect(answer.body.deliveries.map((row: { id: number }) => row.id)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(answer.body.deliveries[0]).toEqual({
      id: 8,
      event: "transaction.successful",
      delivery_id: ids.get("b"),
      endpoint_id: expect.stringMatching(/^whe_/),
      url: "https://example.com/hook",
      attempt: 2,
      successful: true,
      http_status: 200,
      duration_ms: 87,
      error: null,
      response_body: "Ọlá ✓",
      payload: {
        event: "transaction.successful",
        mode: "test",
        delivery_id: ids.get("b"),
        event_id: "evt_0000000000000s",
        sent_at: "2026-11-20T14:03:09+01:00",
        data: { reference: "b", sandbox: true },
      },
      reference: "b",
      resendable: true,
      created_at: expect.stringMatching(lagosInstant),
    });
    expect(answer.body.deliveries[1]).toMatchObject({ successful: false, http_status: null, error: "timeout" });
    expect(answer.body.deliveries[2]).toMatchObject({ event: "webhook.test", reference: null, response_body: "OK" });
  });

  test.each([
    ["status=success", "8653"],
    ["status=failed", "7421"],
    ["event=transaction.successful", "85321"],
    ["event=transaction.failed", "4"],
    ["event=webhook.test", "6"],
    ["event=wallet.low_balance", ""],
    ["event=transaction.successful&status=failed", "21"],
    ["event=webhook.test&status=failed", ""],
    ["reference=a", "521"],
    ["reference=a&status=failed", "21"],
    ["reference=a&event=transaction.failed", ""],
    ["reference=b&status=success&event=transaction.successful", "83"],
    ["reference=o", "7"],
    ["reference=A", ""],
    ["reference=a%20b", ""],
    ["max_id=4", "4321"],
    ["max_id=4&status=failed", "421"],
    ["max_id=7&event=transaction.successful", "5321"],
    ["max_id=4&reference=a", "21"],
    ["max_id=99", "87654321"],
  ])("?%s lists %j, and counts it", async (query, expected) => {
    const { body } = await list(query);
    expect(body.deliveries.map((row: { id: number }) => row.id).join("")).toBe(expected);
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 20, total: expected.length });
  });

  test("the key's own mode and merchant alone", async () => {
    const merchant = await app.createMerchant();
    await save(merchant.testKey, { url: "https://example.org/" });
    const live = walletKey(merchant.id, "live");
    await logAttempt(app.services.database, live, await enqueueEvent(app.services.database, live));
    expect((await list("", merchant.testKey)).body).toEqual({
      deliveries: [],
      meta: { current_page: 1, last_page: 1, per_page: 20, total: 0 },
    });
    const { body } = await list("", merchant.liveKey);
    expect(body.deliveries).toHaveLength(1);
    expect(body.deliveries[0]).toMatchObject({ id: 1, payload: { mode: "live", data: { reference: "order-1" } } });
    expect(body.deliveries[0].payload.data).not.toHaveProperty("sandbox");
  });

  test("before a webhook was ever set", async () => {
    const { testKey } = await app.createMerchant();
    for (const query of ["", "status=failed", "reference=a", "page=7", "max_id=3"]) {
      expect((await list(query, testKey)).body).toMatchObject({ deliveries: [], meta: { total: 0, last_page: 1 } });
    }
  });

  test("what is owed and was never tried is not in it", async () => {
    const { testKey } = await app.createMerchant();
    await save(testKey, { url: "https://example.org/" });
    await app.call(testKey, "/webhook/test", { method: "POST" });
    expect((await list("", testKey)).body.meta.total).toBe(0);
  });
});

describe("200 pages", () => {
  test.each(["", "max_id=8", "status=success", "status=failed", "event=transaction.successful", "reference=a"])(
    "of ?%s follow one another without gap or repetition",
    async (query) => {
      const whole = await numbers(query);
      for (const perPage of [1, 2, 3, 100]) {
        const last = Math.ceil(whole.length / perPage);
        const pages: string[] = [];
        for (let page = 1; page <= last + 1; page++) {
          const { body } = await list(`${query}&per_page=${perPage}&page=${page}`);
          expect(body.meta).toEqual({ current_page: page, last_page: last, per_page: perPage, total: whole.length });
          pages.push(body.deliveries.map((row: { id: number }) => row.id).join(""));
        }
        expect(pages.join("")).toBe(whole);
        expect(pages[last]).toBe("");
      }
    },
  );

  test("with max_id don't move while new attempts come in, filtered or not", async () => {
    const merchant = await app.createMerchant();
    await save(merchant.testKey, { url: "https://example.org/" });
    const own = walletKey(merchant.id, "test");
    const id = await enqueueEvent(app.services.database, own, await subjectOf("order-1", merchant.testKey, own));
    let attempt = 0;
    const log = async (count: number, successful: boolean) => {
      for (let i = 0; i < count; i++) {
        attempt += 1;
        await logAttempt(app.services.database, own, id, { attempt, ...(successful ? {} : failure) });
      }
    };
    for (const query of ["", "status=failed&", "reference=order-1&"]) {
      await log(6, false);
      const first = (await list(`${query}per_page=3`, merchant.testKey)).body;
      const top = first.deliveries[0].id;
      await log(4, true);
      await log(5, false);
      const pages = [first];
      for (let page = 2; page <= first.meta.last_page; page++) {
        const { body } = await list(`${query}per_page=3&page=${page}&max_id=${top}`, merchant.testKey);
        expect(body.meta.total).toBe(first.meta.total);
        pages.push(body);
      }
      const seen = pages.flatMap(({ deliveries }) => deliveries.map((row: { id: number }) => row.id));
      expect(seen).toHaveLength(first.meta.total);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual([...seen].sort((a, b) => b - a));
    }
  });
});

describe("200 resendable", () => {
  const flags = async (of = key) =>
    Object.fromEntries(
      (await list("", of)).body.deliveries.map((row: { id: number; resendable: boolean }) => [row.id, row.resendable]),
    );

  test("is false while an attempt is due or under way, for all attempts of that delivery", async () => {
    expect(await flags()).toEqual({ 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true });
    expect((await app.call(key, `/webhook/deliveries/${ids.get("b")}/resend`, { method: "POST" })).status).toBe(202);
    expect(await flags()).toMatchObject({ 3: false, 8: false, 4: true });
    await app.fresh.pool.query(
      "update webhook_outbox set due_at = now() + interval '1 hour', leased_until = now() + interval '1 min' where delivery_id = $1",
      [ids.get("b")],
    );
    expect(await flags()).toMatchObject({ 3: false, 8: false });
    await app.fresh.pool.query("delete from webhook_outbox where delivery_id = $1", [ids.get("b")]);
    expect(await flags()).toMatchObject({ 3: true, 8: true });
  });

  test("is false while the webhook is switched off or removed", async () => {
    await save(key, { enabled: false });
    expect(new Set(Object.values(await flags()))).toEqual(new Set([false]));
    await save(key, { url: null });
    expect(new Set(Object.values(await flags()))).toEqual(new Set([false]));
    await save(key, { url: "https://example.com/hook" });
    expect(new Set(Object.values(await flags()))).toEqual(new Set([true]));
  });

  test("is false once the body was purged, and the payload null", async () => {
    const merchant = await app.createMerchant();
    await save(merchant.testKey, { url: "https://example.org/" });
    const own = walletKey(merchant.id, "test");
    const id = await enqueueEvent(app.services.database, own);
    await logAttempt(app.services.database, own, id);
    await app.fresh.pool.query("delete from webhook_outbox where delivery_id = $1", [id]);
    await app.fresh.pool.query("update webhook_deliveries set body = null where id = $1", [id]);
    const { body } = await list("", merchant.testKey);
    expect(body.deliveries[0]).toMatchObject({ payload: null, resendable: false, reference: "order-1" });
  });
});

describe("400", () => {
  const faults: readonly (readonly [query: string, code: ProblemCode, field: string])[] = [
    ["status=successful", "INVALID_STATUS", "status"],
    ["status=pending", "INVALID_STATUS", "status"],
    ["status=", "INVALID_STATUS", "status"],
    ["status=failed&status=success", "INVALID_STATUS", "status"],
    ["per_page=0", "INVALID_PER_PAGE", "per_page"],
    ["per_page=101", "INVALID_PER_PAGE", "per_page"],
    ["per_page=-1", "INVALID_PER_PAGE", "per_page"],
    ["per_page=ten", "INVALID_PER_PAGE", "per_page"],
    ["per_page=1.5", "INVALID_PER_PAGE", "per_page"],
    ["per_page=", "INVALID_PER_PAGE", "per_page"],
    ["per_page=5&per_page=6", "INVALID_PER_PAGE", "per_page"],
    ["page=0", "INVALID_PAGE", "page"],
    ["page=two", "INVALID_PAGE", "page"],
    ["page=99999999999999999999", "INVALID_PAGE", "page"],
    ["event=transaction.pending", "VALIDATION_ERROR", "event"],
    ["event=*", "VALIDATION_ERROR", "event"],
    ["reference=", "VALIDATION_ERROR", "reference"],
    ["reference=%00", "VALIDATION_ERROR", "reference"],
    [`reference=${"x".repeat(101)}`, "VALIDATION_ERROR", "reference"],
    ["max_id=0", "VALIDATION_ERROR", "max_id"],
    ["max_id=x", "VALIDATION_ERROR", "max_id"],
    ["page=1000000&per_page=100&status=failed", "INVALID_PAGE", "page"],
  ];
  test.each(faults)("?%s is %s on %s", async (query, code, field) => {
    const answer = await list(query);
    expectProblem(answer, 400, code, { fields: [field] });
  });

  test("a page beyond the last is empty, however far", async () => {
    const { body } = await list("page=1000000&per_page=100");
    expect(body).toMatchObject({ deliveries: [], meta: { current_page: 1_000_000, last_page: 1, total: 8 } });
  });
});
