import { beforeEach, expect, test } from "vitest";
import type { WideLine } from "../../src/platform/telemetry/log.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, silent } from "../support/fake-supplier.ts";
import { startReceiver } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

// One wide line for each purchase, vend, requery and delivery attempt, with what is done next.

const [first, second] = [openFakeSupplier("first"), openFakeSupplier("second")];
const lines: WideLine[] = [];
const wide = { takes: () => true, write: (line: WideLine) => void lines.push(line) };
let refuses = false;

const receiver = closing(await startReceiver((response) => response.writeHead(refuses ? 500 : 200).end()));
const webhooks = { ...testWebhooks, allowPrivate: true };
const app = closing(await startApp({ suppliers: [first, second], workers: true, webhooks, wide }));
beforeEach(() => {
  lines.length = 0;
});

const reply = (event: string) => lines.filter((line) => line.event === event);
const buy = (key: string | null, reference: string, phone = "08031234567") =>
  app.call(key, "/data/purchase", { body: { reference, product_id: 1002, phone } });

test("a purchase is one line with its ids, merchant, mode, category, outcome and every duration", async () => {
  const { body } = await buy(app.merchant.testKey, "bought");
  expect(reply("purchase")).toEqual([
    {
      event: "purchase",
      outcome: "successful",
      errorCode: null,
      transactionId: body.transaction_id,
      merchantId: `mer_${app.merchant.id}`,
      keyId: expect.stringMatching(/^key_\d+$/),
      mode: "test",
      category: "data",
      productId: 1002,
      channel: "api",
      supplier: null,
      attempts: 1,
      prepareMs: expect.any(Number),
      chargeMs: expect.any(Number),
      supplyMs: expect.any(Number),
      tookMs: expect.any(Number),
    },
  ]);
  // The simulator is no supplier.
  expect(reply("vend")).toEqual([]);
});

test("so is one that is replayed, that fails, and that is refused with nothing created", async () => {
  await buy(app.merchant.testKey, "bought");
  await buy(app.merchant.testKey, "failed", "08031230002");
  const { liveKey: poorKey } = await app.createMerchant({ credit: null });
  await buy(poorKey, "poor");
  expect(reply("purchase")).toMatchObject([
    { outcome: "replayed", errorCode: null },
    { outcome: "failed", errorCode: expect.any(String) },
    { outcome: "refused", errorCode: "INSUFFICIENT_BALANCE", mode: "live" },
  ]);
  expect(reply("purchase")[2]).not.toHaveProperty("transactionId");
});

test("each supplier that is asked is a line, which says that the next one is tried, or who is asked again", async () => {
  first.answer = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: "no" };
  second.answer = silent;
  const { body } = await buy(app.merchant.liveKey, "elsewhere");
  expect(reply("vend")).toMatchObject([
    { supplier: "first", attempt: 1, outcome: "declined", errorCode: "PROVIDER_DECLINED", next: "next_supplier" },
    { supplier: "second", attempt: 2, outcome: "unknown", errorCode: null, next: "ask_again" },
  ]);
  for (const line of reply("vend")) {
    expect(line).toMatchObject({
      transactionId: body.transaction_id,
      merchantId: `mer_${app.merchant.id}`,
      mode: "live",
      category: "data",
      tookMs: expect.any(Number),
    });
  }
  expect(reply("purchase")).toMatchObject([{ outcome: "pending", supplier: "second", attempts: 2 }]);
  second.answer = { kind: "vended", providerReference: "SUP-9", fulfilment: null };
  await app.fresh.pool.query("update inflight set due_at = now()");
  await expect.poll(() => reply("requery")).toHaveLength(1);
  expect(reply("requery")).toMatchObject([{ supplier: "second", attempt: 2, outcome: "vended", next: "end" }]);
});

test("a delivery attempt is a line, which says when the next one is", async () => {
  await app.call(app.merchant.testKey, "/webhook", { method: "PUT", body: { url: receiver.url, notify: "all" } });
  refuses = true;
  await buy(app.merchant.testKey, "announced");
  await expect.poll(() => reply("delivery")).toHaveLength(1);
  refuses = false;
  const [line] = reply("delivery");
  expect(line).toEqual({
    event: "delivery",
    outcome: "http_error",
    httpStatus: 500,
    next: "retry",
    retryInMs: expect.any(Number),
    deliveryId: expect.any(String),
    attempt: 1,
    webhookEvent: "transaction.successful",
    merchantId: `mer_${app.merchant.id}`,
    mode: "test",
    endpoint: 1,
    lane: expect.any(String),
    isRecorded: true,
    tookMs: expect.any(Number),
    ageMs: expect.any(Number),
  });
});

test("a bulk order is one line for all of its purchases", async () => {
  const bulk = [1, 2, 3].map((line) => ({ product_id: 1002, phone: "08031234567", reference: `line-${line}` }));
  const body = { reference: "bulk", items: bulk };
  const { testKey } = await app.createMerchant();
  const answer = await app.call(testKey, "/data/bulk", { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  expect(reply("bulk_order")).toMatchObject([
    {
      outcome: "placed",
      bulkId: answer.body.bulk_id,
      lines: 3,
      successful: 3,
      failed: 0,
      category: "data",
      mode: "test",
    },
  ]);
  expect(reply("purchase")).toEqual([]);
});
