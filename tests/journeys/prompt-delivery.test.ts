import { describe, expect, test } from "vitest";
import { setLowBalanceThreshold } from "../../src/domain/members/new-merchants/create-merchants.ts";
import { kobo } from "../../src/kernel/money.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

// With a poll of ten minutes, only who is woken sends.
const options = { webhooks: { ...testWebhooks, allowPrivate: true }, webhookPollMs: 600_000 };
const plan = 1002;

const app = closing(await startApp({ ...options, workers: true, sandboxPendingSeconds: 1 }));
const receiver = closing(await startReceiver());

async function listening(settings: Record<string, unknown>) {
  const merchant = await app.createMerchant();
  await app.call(merchant.testKey, "/webhook", { method: "PUT", body: { url: receiver.url, ...settings } });
  return merchant;
}

/** Resolves when this event about this came. */
async function answered(event: string, reference: string | null = null): Promise<void> {
  const deadline = Date.now() + 30_000;
  const isIt = ({ headers, body }: Receiver["received"][number]) =>
    headers["x-service-event"] === event && (reference === null || JSON.parse(body).data.reference === reference);
  while (!receiver.received.some(isIt)) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${event}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("what this process owes goes out without waiting for a poll", () => {
  test("an end that a request caused", async () => {
    const { testKey } = await listening({ notify: "all" });
    const body = { product_id: plan, phone: "08031234567", reference: "own" };
    expect((await app.call(testKey, "/data/purchase", { body })).status).toBe(201);
    await answered("transaction.successful", "own");
  });

  test("an end that a worker found out", async () => {
    const { testKey } = await listening({});
    const body = { product_id: plan, phone: "08031230004", reference: "later" };
    expect((await app.call(testKey, "/data/purchase", { body })).status).toBe(202);
    await answered("transaction.failed", "later");
  });

  test("what was marked and announced", async () => {
    const { id, testKey } = await listening({});
    await setLowBalanceThreshold(app.services, { merchantId: id, mode: "test" }, kobo(9_999_900n));
    const body = { product_id: plan, phone: "08031234567", reference: "low" };
    expect((await app.call(testKey, "/data/purchase", { body })).status).toBe(201);
    await answered("wallet.low_balance");
  });
});
