import { describe, expect, test } from "vitest";
import { firstEndpointOf } from "../../src/domain/webhooks/endpoints/endpoint.ts";
import { insertBreaker } from "../../src/domain/webhooks/endpoints/failing/failing-queries.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { type Receiver, startReceiver, waitUntil } from "../support/receiver.ts";
import { walletKey } from "../support/wallet.ts";
import { enqueueMany, testWebhooks } from "../support/webhooks.ts";

/** No test waits for a pause of five minutes to end by itself. */
const pause = { seconds: 300, secondsMax: 300, isProbe: false } as const;
const waiting = 20;
/** What a merchant takes for "at once". The quickest of some tries shows it also on a machine that is busy otherwise. */
const atOnceMs = 1_000;
const triesMax = 5;

const app = closing(
  await startApp({ workers: true, madeUpDeliveries: true, webhooks: { ...testWebhooks, allowPrivate: true } }),
);

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

type Merchant = Awaited<ReturnType<typeof merchantAt>>;

/** How long it takes from what a merchant does until all that waited has come: at best, of merchants made so. */
async function quickestMs(make: () => Promise<Merchant>, act: (merchant: Merchant) => Promise<unknown>) {
  let quickest = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < triesMax && quickest >= atOnceMs; tried++) {
    const merchant = await make();
    const { receiver, settings } = merchant;
    const before = numberOf(receiver, "transaction.successful");
    const since = performance.now();
    await act(merchant);
    await waitUntil(() => numberOf(receiver, "transaction.successful") >= before + waiting, "what waited");
    quickest = Math.min(quickest, performance.now() - since);
    expect(await settings()).toMatchObject({ enabled: true, paused_until: null, failing_since: null });
    await receiver.close();
  }
  return quickest;
}

describe("deliveries that wait for a pause to end", () => {
  async function paused() {
    const merchant = await merchantAt();
    const { wallet, settings } = merchant;
    await insertBreaker(app.services.database, firstEndpointOf(wallet), pause);
    await enqueueMany(app.services.database, wallet, waiting);
    await waitUntil(async () => {
      const { rows } = await app.fresh.pool.query(
        "select count(*)::integer as postponed from webhook_outbox where abs(wallet_id) = $1 and lane = 'postponed'",
        [wallet.merchantId],
      );
      return rows[0].postponed === waiting;
    }, "all of them to be postponed");
    const reply = await settings();
    expect(reply).toMatchObject({ waiting, paused_until: expect.any(String), next_attempt_at: reply.paused_until });
    expect(Date.parse(reply.paused_until) - Date.now()).toBeGreaterThan(200_000);
    expect(merchant.receiver.received).toEqual([]);
    return merchant;
  }

  test("go out at once after a test that succeeded", async () => {
    const test = ({ testKey }: Merchant) => app.call(testKey, "/webhook/test", { method: "POST" });
    expect(await quickestMs(paused, test)).toBeLessThan(atOnceMs);
  });

  test("go out at once after enabled: true", async () => {
    expect(await quickestMs(paused, ({ put }) => put({ enabled: true }))).toBeLessThan(atOnceMs);
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

test("an endpoint that its own 410 switched off is sent at once what happens since enabled: true", async () => {
  async function gone() {
    const merchant = await merchantAt();
    merchant.state.status = 410;
    await enqueueMany(app.services.database, merchant.wallet, 1);
    await waitUntil(async () => (await merchant.settings()).disabled_reason === "gone", "the endpoint to be off");
    merchant.state.status = 200;
    return merchant;
  }
  async function switchOn({ put, wallet }: Merchant) {
    await put({ enabled: true });
    await enqueueMany(app.services.database, wallet, waiting);
  }
  expect(await quickestMs(gone, switchOn)).toBeLessThan(atOnceMs);
});
