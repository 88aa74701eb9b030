import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { firstEndpointOf } from "../../src/domain/webhooks/endpoint.ts";
import { insertBreaker } from "../../src/domain/webhooks/failing-queries.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type Receiver, startReceiver, waitUntil } from "../support/receiver.ts";
import { walletKey } from "../support/wallet.ts";
import { oweMany, testWebhooks } from "../support/webhooks.ts";

/** Nobody waits for a pause of five minutes to end by itself. */
const pause = { seconds: 300, secondsMax: 300, isProbe: false } as const;
const waiting = 20;
/** What a merchant takes for "at once". */
const atOnceMs = 1_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ workers: true, madeUpDeliveries: true, webhooks: { ...testWebhooks, allowPrivate: true } });
});
afterAll(() => app.close());

/** A merchant whose receiver answers with this status for as long as it is told to. */
async function merchantAt() {
  const state = { status: 200 };
  const receiver = await startReceiver((response) => response.writeHead(state.status).end());
  const { id, testKey } = await app.createMerchant();
  const put = (body: object) => app.call(testKey, "/webhook", { method: "PUT", body });
  await put({ url: receiver.url });
  const settings = async () => (await app.call(testKey, "/webhook")).body;
  return { wallet: walletKey(id, "test"), testKey, receiver, state, put, settings };
}

const numberOf = (receiver: Receiver, event: string) =>
  receiver.received.filter(({ headers }) => headers["x-service-event"] === event).length;

/** How long it takes from what the merchant does until all that waited has come. */
async function msUntilAllCame(receiver: Receiver, act: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await act();
  await waitUntil(() => numberOf(receiver, "transaction.successful") >= waiting, "what waited");
  return performance.now() - since;
}

describe("deliveries that wait for a pause to end", () => {
  async function paused() {
    const merchant = await merchantAt();
    const { wallet, settings } = merchant;
    await insertBreaker(app.services.database, firstEndpointOf(wallet), pause);
    await oweMany(app.services.database, wallet, waiting);
    await waitUntil(async () => {
      const { rows } = await app.fresh.pool.query(
        "select count(*)::integer as aside from webhook_outbox where merchant_id = $1 and lane = 'slow'",
        [wallet.merchantId],
      );
      return rows[0].aside === waiting;
    }, "all of them to be set aside");
    const told = await settings();
    expect(told).toMatchObject({ waiting, paused_until: expect.any(String), next_attempt_at: told.paused_until });
    expect(Date.parse(told.paused_until) - Date.now()).toBeGreaterThan(200_000);
    return merchant;
  }

  test("go out at once after a test that succeeded", async () => {
    const { receiver, testKey, settings } = await paused();
    expect(receiver.received).toEqual([]);
    const test = () => app.call(testKey, "/webhook/test", { method: "POST" });
    expect(await msUntilAllCame(receiver, test)).toBeLessThan(atOnceMs);
    expect(numberOf(receiver, "webhook.test")).toBe(1);
    expect(await settings()).toMatchObject({ paused_until: null, failing_since: null });
    await receiver.close();
  });

  test("go out at once after enabled: true", async () => {
    const { receiver, put, settings } = await paused();
    expect(await msUntilAllCame(receiver, () => put({ enabled: true }))).toBeLessThan(atOnceMs);
    expect(await settings()).toMatchObject({ paused_until: null, failing_since: null });
    await receiver.close();
  });

  test("go on waiting after a test that failed", async () => {
    const { receiver, testKey, state, settings } = await paused();
    state.status = 500;
    await app.call(testKey, "/webhook/test", { method: "POST" });
    await receiver.waitFor(1);
    await new Promise((resolve) => setTimeout(resolve, atOnceMs));
    expect(receiver.received).toHaveLength(1);
    expect(await settings()).toMatchObject({ waiting, paused_until: expect.any(String) });
    await receiver.close();
  });
});

test("an endpoint that was switched off by its own 410 is sent what happens since enabled: true, within a second", async () => {
  const { receiver, wallet, state, put, settings } = await merchantAt();
  state.status = 410;
  await oweMany(app.services.database, wallet, 1);
  await waitUntil(async () => (await settings()).disabled_reason === "gone", "the endpoint to be off");
  state.status = 200;
  const before = receiver.received.length;
  await put({ enabled: true });
  const since = performance.now();
  await oweMany(app.services.database, wallet, waiting);
  await waitUntil(() => receiver.received.length >= before + waiting, "what happened since");
  expect(performance.now() - since).toBeLessThan(atOnceMs);
  await receiver.close();
});
