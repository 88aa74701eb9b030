import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventEnvelope, owedDelivery } from "../../../src/http/webhook-schemas.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeDoor } from "../../support/reading-endpoint.ts";
import { expectHeaders, expectProblem, expectShape, lagosInstant } from "../../support/wire-expectations.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const url = "https://example.com/webhooks";
const path = "/webhook/test";
const sendTest = (key: string | null, body?: unknown) => app.call(key, path, { method: "POST", body });
const save = (key: string, body: unknown) => app.call(key, "/webhook", { method: "PUT", body });

/** All that is stored and owed for a merchant. */
async function owed(merchantId: number) {
  const { rows } = await app.fresh.pool.query(
    `select d.id, d.mode, d.event, d.reference, d.subject_id, d.body, o.lane, o.attempts, o.epoch, o.leased_until,
            o.due_at <= now() as is_due
       from webhook_deliveries d
       join webhook_outbox o
         on o.bucket = d.bucket and o.merchant_id = d.merchant_id and o.mode = d.mode and o.delivery_id = d.id
      where d.merchant_id = $1
      order by d.id`,
    [merchantId],
  );
  return rows;
}

describeDoor({ method: "POST", path }, () => app);

describe("202", () => {
  test.each(["test", "live"] as const)("with a %s key owes one event of its mode, due at once", async (mode) => {
    const { id, testKey, liveKey } = await app.createMerchant();
    await save(testKey, { url, events: ["transaction.failed"] });
    const answer = await sendTest(mode === "test" ? testKey : liveKey);
    expect(answer.status).toBe(202);
    expectHeaders(answer, { mode, known: true });
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9][0-9]*$/);
    expectShape(owedDelivery, answer.body);
    const [row, ...more] = await owed(id);
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
      sent_at: expect.stringMatching(lagosInstant),
      data: { message: expect.any(String), ...(mode === "test" ? { sandbox: true } : {}) },
    });
  });

  test("again is another event, and a body is not read", async () => {
    const { id, testKey } = await app.createMerchant();
    await save(testKey, { url });
    const ids = [await sendTest(testKey), await sendTest(testKey, { url: "https://elsewhere.example/" })].map(
      ({ body }) => body.delivery_id,
    );
    expect((await owed(id)).map((row) => row.id)).toEqual(ids.sort());
  });

  test("is asked for without a wait after the webhook was set", async () => {
    const { testKey, liveKey } = await app.createMerchant();
    expectProblem(await sendTest(testKey), 409, "DELIVERY_NOT_RESENDABLE");
    await save(testKey, { url });
    expect((await sendTest(liveKey)).status).toBe(202);
  });
});

describe("409 owes nothing", () => {
  test("where no webhook was ever set, or it was removed", async () => {
    const { id, testKey } = await app.createMerchant();
    const never = await sendTest(testKey);
    expectProblem(never, 409, "DELIVERY_NOT_RESENDABLE");
    expect(never.body.message).toMatch(/URL/);
    expectHeaders(never, { mode: "test", known: true });
    await save(testKey, { url });
    await save(testKey, { url: null });
    expectProblem(await sendTest(testKey), 409, "DELIVERY_NOT_RESENDABLE");
    expect(await owed(id)).toEqual([]);
  });

  test("where it is switched off, which the message says", async () => {
    const { id, testKey } = await app.createMerchant();
    await save(testKey, { url, enabled: false });
    const answer = await sendTest(testKey);
    expectProblem(answer, 409, "DELIVERY_NOT_RESENDABLE");
    expect(answer.body.message).toMatch(/off/);
    expect(await owed(id)).toEqual([]);
  });
});

test("413 and 415 a body that is none of ours is refused before anything is owed", async () => {
  const { id, testKey } = await app.createMerchant();
  await save(testKey, { url });
  expectProblem(await sendTest(testKey, { text: "x".repeat(1_048_576) }), 413, "PAYLOAD_TOO_LARGE");
  const headers = { "content-type": "text/plain" };
  const text = await app.call(testKey, path, { method: "POST", body: "hello", headers });
  expectProblem(text, 415, "UNSUPPORTED_MEDIA_TYPE");
  expect(await owed(id)).toEqual([]);
});
