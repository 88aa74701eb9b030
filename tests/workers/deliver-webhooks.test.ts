import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { type Receiver, startReceiver, waitUntil } from "../support/receiver.ts";
import { walletKey } from "../support/wallet.ts";
import { enqueueEvent, testWebhooks } from "../support/webhooks.ts";

const app = closing(
  await startApp({ workers: true, madeUpDeliveries: true, webhooks: { ...testWebhooks, allowPrivate: true } }),
);

/** A merchant whose webhook goes to this receiver. */
async function merchantAt(receiver: Receiver, settings: Record<string, unknown> = {}) {
  const merchant = await app.createMerchant();
  const { body } = await app.call(merchant.testKey, "/webhook", {
    method: "PUT",
    body: { url: receiver.url, ...settings },
  });
  return { ...merchant, secret: body.secret as string };
}

const log = async (key: string) => (await app.call(key, "/webhook/deliveries")).body.deliveries;
const sendTest = async (key: string): Promise<string> =>
  (await app.call(key, "/webhook/test", { method: "POST" })).body.delivery_id;

describe("a test event", () => {
  test("arrives once, signed so that a library of the standard verifies it, and is logged", async () => {
    const receiver = await startReceiver();
    try {
      const { testKey, secret } = await merchantAt(receiver);
      const id = await sendTest(testKey);
      const [received] = await receiver.waitFor(1);
      expect(received!.headers).toMatchObject({
        "content-type": "application/json",
        "webhook-id": id,
        "x-service-event": "webhook.test",
        "x-service-mode": "test",
      });
      const verified = new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>);
      expect(verified).toMatchObject({ event: "webhook.test", mode: "test", delivery_id: id, data: { sandbox: true } });
      await waitUntil(async () => (await log(testKey)).length === 1, "the log");
      expect(await log(testKey)).toMatchObject([
        {
          delivery_id: id,
          attempt: 1,
          successful: true,
          http_status: 200,
          error: null,
          response_body: "OK",
          url: receiver.url,
          payload: verified,
          resendable: true,
        },
      ]);
      expect(receiver.received).toHaveLength(1);
    } finally {
      await receiver.close();
    }
  });
});

const dueNow = (merchantId: number) =>
  app.fresh.pool.query("update webhook_outbox set due_at = now() where abs(wallet_id) = $1", [merchantId]);
const deliveriesTo = async (merchantId: number) =>
  (
    await app.fresh.pool.query(
      "select attempts, lane, extract(epoch from due_at - now())::float8 as seconds from webhook_outbox where abs(wallet_id) = $1",
      [merchantId],
    )
  ).rows;

describe("a receiver that fails", () => {
  test("is told why: its log names the cause of an attempt that got no answer", async () => {
    const receiver = await startReceiver();
    try {
      const { testKey } = await merchantAt(receiver, { url: receiver.url.replace("http:", "https:") });
      await sendTest(testKey);
      await waitUntil(async () => (await log(testKey)).length === 1, "the log");
      const cause = expect.stringContaining("plain http");
      expect(await log(testKey)).toMatchObject([{ error: "tls_error", error_detail: cause }]);
    } finally {
      await receiver.close();
    }
  });

  test("gets the same bytes again under the same id when it asked for, until it succeeds", async () => {
    const receiver = await startReceiver((response, _received, count) => {
      if (count > 1) return void response.end("thanks");
      response.writeHead(503, { "retry-after": "8" });
      response.end("later");
    });
    try {
      const merchant = await merchantAt(receiver);
      const wallet = walletKey(merchant.id, "test");
      const id = await enqueueEvent(app.services.database, wallet);
      await waitUntil(async () => (await log(merchant.testKey)).length === 1, "the first attempt");
      const [row] = await deliveriesTo(merchant.id);
      expect(row).toMatchObject({ attempts: 1, lane: "later" });
      expect(row.seconds).toBeGreaterThan(6);
      expect(row.seconds).toBeLessThanOrEqual(8);
      await dueNow(merchant.id);
      const [first, second] = await receiver.waitFor(2);
      expect(second!.body).toBe(first!.body);
      expect([first!.headers["webhook-id"], second!.headers["webhook-id"]]).toEqual([id, id]);
      expect(() => new Webhook(merchant.secret).verify(second!.body, second!.headers as never)).not.toThrow();
      await waitUntil(async () => (await deliveriesTo(merchant.id)).length === 0, "the end");
      expect(await log(merchant.testKey)).toMatchObject([
        { attempt: 2, successful: true, http_status: 200, response_body: "thanks" },
        { attempt: 1, successful: false, http_status: 503, error: null, response_body: "later" },
      ]);
    } finally {
      await receiver.close();
    }
  });

  test("is left alone by its breaker, heard of by one probe, and then gets everything", async () => {
    let isDown = true;
    const receiver = await startReceiver((response) => response.writeHead(isDown ? 500 : 200).end());
    try {
      const merchant = await merchantAt(receiver);
      const wallet = walletKey(merchant.id, "test");
      for (let i = 0; i < 40; i++) await enqueueEvent(app.services.database, wallet, { reference: `b-${i}` });
      const breaker = async () =>
        (
          await app.fresh.pool.query(
            "select opened, open_until > now() as is_open from webhook_failing_endpoints where merchant_id = $1",
            [merchant.id],
          )
        ).rows[0];
      await waitUntil(async () => (await breaker())?.is_open === true, "the breaker");
      await new Promise((resolve) => setTimeout(resolve, 400));
      const whileOpen = receiver.received.length;
      expect(whileOpen).toBeLessThan(20);
      isDown = false;
      await app.fresh.pool.query("update webhook_failing_endpoints set open_until = now() where merchant_id = $1", [
        merchant.id,
      ]);
      await waitUntil(
        async () => (await deliveriesTo(merchant.id)).every(({ lane }) => lane === "later"),
        "the others",
      );
      expect(await breaker()).toBeUndefined();
      await dueNow(merchant.id);
      await waitUntil(async () => (await deliveriesTo(merchant.id)).length === 0, "all of them");
      expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(40);
      const attempts = await log(merchant.testKey);
      expect(Math.max(...attempts.map(({ attempt }: { attempt: number }) => attempt))).toBe(2);
    } finally {
      await receiver.close();
    }
  });

  test("is gone with 410: its webhook is switched off, and what else is owed is not sent", async () => {
    const receiver = await startReceiver((response) => response.writeHead(410).end());
    try {
      const merchant = await merchantAt(receiver);
      const wallet = walletKey(merchant.id, "test");
      for (let i = 0; i < 60; i++) await enqueueEvent(app.services.database, wallet, { reference: `g-${i}` });
      await waitUntil(async () => (await deliveriesTo(merchant.id)).length === 0, "the outbox to be emptied");
      expect((await app.call(merchant.testKey, "/webhook")).body.enabled).toBe(false);
      expect(receiver.received.length).toBeLessThan(30);
      const [attempt] = await log(merchant.testKey);
      expect(attempt).toMatchObject({ http_status: 410, successful: false, resendable: false });
    } finally {
      await receiver.close();
    }
  });
});

test("a merchant who switched off gets nothing of what was owed before", async () => {
  const receiver = await startReceiver();
  try {
    const merchant = await merchantAt(receiver, { enabled: false });
    await enqueueEvent(app.services.database, walletKey(merchant.id, "test"));
    await waitUntil(async () => (await deliveriesTo(merchant.id)).length === 0, "the outbox to be emptied");
    expect(receiver.received).toHaveLength(0);
  } finally {
    await receiver.close();
  }
});

test("after a rotation both secrets verify what is sent", async () => {
  const receiver = await startReceiver();
  try {
    const { testKey, secret } = await merchantAt(receiver);
    const { body } = await app.call(testKey, "/webhook", { method: "PUT", body: { rotate_secret: true } });
    await app.feel();
    await sendTest(testKey);
    const [received] = await receiver.waitFor(1);
    for (const known of [secret, body.secret]) {
      expect(() => new Webhook(known).verify(received!.body, received!.headers as never)).not.toThrow();
    }
    expect(received!.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
  } finally {
    await receiver.close();
  }
});

test("an endpoint never has more than ten requests at one time", async () => {
  const receiver = await startReceiver((response) => setTimeout(() => response.end(), 20));
  try {
    const merchant = await merchantAt(receiver);
    for (const mode of ["live", "test"] as const) {
      for (let i = 0; i < 100; i++)
        await enqueueEvent(app.services.database, walletKey(merchant.id, mode), { reference: `c-${i}` });
    }
    await receiver.waitFor(200);
    expect(receiver.mostAtOnce()).toBeGreaterThan(5);
    expect(receiver.mostAtOnce()).toBeLessThanOrEqual(10);
  } finally {
    await receiver.close();
  }
});
