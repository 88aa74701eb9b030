import type { TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { eventNames } from "../../../src/domain/webhooks/events/event.ts";
import { webhooks } from "../../../src/http/openapi/events.ts";
import { eventEnvelope } from "../../../src/http/schemas/delivery-schemas.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem, expectShape, lagosInstant } from "../../support/wire-expectations.ts";

const app = await sharedApp();

const url = "https://example.com/webhooks";
const path = "/webhook/test";
const sendTest = (key: string | null, body?: unknown) => app.call(key, path, { method: "POST", body });
const save = (key: string, body: unknown) => app.call(key, "/webhook", { method: "PUT", body });

/** All that is stored and owed for a merchant. */
async function due(merchantId: number) {
  const { rows } = await app.fresh.pool.query(
    `select d.id, case when d.wallet_id > 0 then 'live' else 'test' end as mode, d.event, d.reference, d.subject_id, d.body, o.lane, o.attempts, o.epoch, o.leased_until,
            o.due_at <= now() as is_due
       from webhook_deliveries d
       join webhook_outbox o
         on o.wallet_id = d.wallet_id and o.delivery_id = d.id
      where abs(d.wallet_id) = $1
      order by d.id`,
    [merchantId],
  );
  return rows;
}

describe("202", () => {
  test.each(["test", "live"] as const)("with a %s key owes one event of its mode, due at once", async (mode) => {
    const { id, testKey, liveKey } = await app.createMerchant();
    await save(testKey, { url, events: ["transaction.failed"] });
    const answer = await sendTest(mode === "test" ? testKey : liveKey);
    expect(answer.status).toBe(202);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/);
    const [row, ...more] = await due(id);
    expect(more).toEqual([]);
    expect(row).toEqual({
      id: answer.body.delivery_id,
      mode,
      event: "webhook.test",
      reference: null,
      subject_id: null,
      body: expect.any(String),
      lane: "manual",
      attempts: 0,
      epoch: 0,
      leased_until: null,
      is_due: true,
    });
    expectShape(eventEnvelope, { ...JSON.parse(row.body), data: {} });
    expect(JSON.parse(row.body)).toEqual({
      event: "webhook.test",
      mode,
      delivery_id: answer.body.delivery_id,
      event_id: expect.stringMatching(/^evt_/),
      sent_at: expect.stringMatching(lagosInstant),
      data: { message: expect.any(String), example: true, ...(mode === "test" ? { sandbox: true } : {}) },
    });
  });

  test.each(eventNames)(
    "sends an example of %s as the document describes it, once, whatever the endpoint wants",
    async (event) => {
      const { id, testKey, liveKey } = await app.createMerchant();
      await save(testKey, { url, events: ["webhook.test"] });
      for (const [key, mode] of [
        [testKey, "test"],
        [liveKey, "live"],
      ] as const) {
        const answer = await sendTest(key, { event });
        expect(answer.status).toBe(202);
        const row = (await due(id)).find((one) => one.id === answer.body.delivery_id);
        expect(row).toMatchObject({ event, mode, lane: "manual", reference: null, subject_id: null });
        const body = JSON.parse(row.body);
        expectShape(webhooks[event]?.post.requestBody?.content["application/json"]?.schema as unknown as TSchema, body);
        expect(body.data.example).toBe(true);
        expect(body.data.sandbox).toBe(mode === "test" ? true : undefined);
      }
    },
  );

  test("goes to the endpoint that is named, under its mode, and to the first one where none is", async () => {
    const { id, testKey, liveKey } = await app.createMerchant();
    await save(testKey, { url });
    const endpoint = { url: "https://example.org/two", mode: "live" };
    const two = (await app.call(testKey, "/webhook/endpoints", { body: endpoint })).body.id;
    await sendTest(liveKey, { endpoint_id: two, event: "bulk.completed" });
    await sendTest(liveKey, { event: "bulk.completed" });
    await sendTest(liveKey);
    const { rows } = await app.fresh.pool.query(
      "select endpoint_number from webhook_deliveries where abs(wallet_id) = $1 order by id",
      [id],
    );
    expect(rows.map(({ endpoint_number }) => endpoint_number)).toEqual([2, 1, 1]);
    const refused = await sendTest(testKey, { endpoint_id: two });
    expectProblem(refused, 409, "DELIVERY_NOT_RESENDABLE");
    expect(refused.body.message).toMatch(/test mode/);
  });

  test("again is another event, and unknown fields are not read", async () => {
    const { id, testKey } = await app.createMerchant();
    await save(testKey, { url });
    const ids = [await sendTest(testKey), await sendTest(testKey, { url: "https://elsewhere.example/" })].map(
      ({ body }) => body.delivery_id,
    );
    expect((await due(id)).map((row) => row.id)).toEqual(ids.sort());
  });

  test("is asked for without a wait after the webhook was set", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    expectProblem(await sendTest(testKey), 409, "DELIVERY_NOT_RESENDABLE");
    await save(testKey, { url });
    expect((await sendTest(liveKey)).status).toBe(202);
  });
});

describe("400 owes nothing", () => {
  test.each([
    [{ event: "order.paid" }, "event"],
    [{ event: "*" }, "event"],
    [{ event: 1 }, "event"],
    [{ endpoint_id: 1 }, "endpoint_id"],
  ])("for a body that names none of ours: %j", async (body, field) => {
    const { id, testKey } = await app.createMerchant();
    await save(testKey, { url });
    expectProblem(await sendTest(testKey, body), 400, "VALIDATION_ERROR", { fields: [field] });
    expect(await due(id)).toEqual([]);
  });
});

describe("409 owes nothing", () => {
  test("where no webhook was ever set, or it was removed", async () => {
    const { id, testKey } = await app.createMerchant();
    const never = await sendTest(testKey);
    expectProblem(never, 409, "DELIVERY_NOT_RESENDABLE");
    expect(never.body.message).toMatch(/URL/);
    await save(testKey, { url });
    await save(testKey, { url: null });
    expectProblem(await sendTest(testKey), 409, "DELIVERY_NOT_RESENDABLE");
    expect(await due(id)).toEqual([]);
  });

  test("where it is switched off, which the message says", async () => {
    const { id, testKey } = await app.createMerchant();
    await save(testKey, { url, enabled: false });
    const answer = await sendTest(testKey);
    expectProblem(answer, 409, "DELIVERY_NOT_RESENDABLE");
    expect(answer.body.message).toMatch(/off/);
    expect(await due(id)).toEqual([]);
  });
});

test("413 and 415 a body that is none of ours is refused before anything is owed", async () => {
  const { id, testKey } = await app.createMerchant();
  await save(testKey, { url });
  expectProblem(await sendTest(testKey, { text: "x".repeat(1_048_576) }), 413, "PAYLOAD_TOO_LARGE");
  const headers = { "content-type": "text/plain" };
  const text = await app.call(testKey, path, { method: "POST", body: "hello", headers });
  expectProblem(text, 415, "UNSUPPORTED_MEDIA_TYPE");
  expect(await due(id)).toEqual([]);
});
