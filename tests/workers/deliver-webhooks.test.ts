import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { type Receiver, startReceiver, waitUntil } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ workers: true, webhooks: { ...testWebhooks, allowPrivate: true } });
});
afterAll(() => app.close());

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
