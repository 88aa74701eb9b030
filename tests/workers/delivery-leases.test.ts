import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Claim, claimDeliveries, firstTurn, type LaneWish } from "../../src/domain/webhooks/claim-queries.ts";
import type { DeliveryServices } from "../../src/domain/webhooks/delivery-work.ts";
import { firstEndpointOf } from "../../src/domain/webhooks/endpoint.ts";
import { insertBreaker } from "../../src/domain/webhooks/failing-queries.ts";
import { type FinishedAttempt, updateFinished } from "../../src/domain/webhooks/finish-queries.ts";
import { updateLeases } from "../../src/domain/webhooks/lease-queries.ts";
import { listEndpoints } from "../../src/domain/webhooks/queries.ts";
import type { WalletKey } from "../../src/kernel/ids.ts";
import type { Database } from "../../src/platform/database.ts";
import { openLog } from "../../src/platform/log.ts";
import { startDeliveringWebhooks } from "../../src/workers/deliver-webhooks.ts";
import type { FreshDatabase } from "../support/database.ts";
import { setEndpoint } from "../support/endpoints.ts";
import { ownDatabase, systemClock } from "../support/merchants.ts";
import { waitUntil } from "../support/receiver.ts";
import { walletKey } from "../support/wallet.ts";
import { owe, oweMany } from "../support/webhooks.ts";

let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
});
afterAll(() => drop());

let merchants = 100;
async function newWallet(): Promise<WalletKey> {
  merchants += 1;
  const wallet = walletKey(merchants);
  await setEndpoint(database, wallet, "http://127.0.0.1:9/hook");
  await fresh.pool.query("delete from webhook_outbox");
  return wallet;
}

const laneWish: LaneWish = { after: firstTurn, perLane: 10, limit: 100, room: {} };
const claim = async (event: Partial<LaneWish> = {}, manual: Partial<LaneWish> = {}): Promise<Claim[]> => {
  const wish = { event: { ...laneWish, ...event }, manual: { ...laneWish, ...manual } };
  return (await claimDeliveries(database, { lanesMax: 100, leaseSeconds: 90, ...wish })).claims;
};

const finished = (claimed: Claim, given: Partial<FinishedAttempt> = {}): FinishedAttempt => ({
  wallet: claimed.wallet,
  endpointNumber: claimed.endpointNumber,
  deliveryId: claimed.deliveryId,
  lane: claimed.lane,
  attempt: claimed.attempt,
  epoch: claimed.epoch,
  event: claimed.event,
  url: "http://127.0.0.1:9/hook",
  urlVersion: 1,
  successful: true,
  httpStatus: 200,
  durationMs: 5,
  error: null,
  responseBody: "OK",
  waitMs: null,
  ...given,
});

const expireLeases = () => fresh.pool.query("update webhook_outbox set leased_until = now() - interval '1 second'");
const count = async (table: "webhook_outbox" | "webhook_attempts", { merchantId }: WalletKey) =>
  Number((await fresh.pool.query(`select count(*) from ${table} where merchant_id = $1`, [merchantId])).rows[0].count);

describe("a worker that slept past its lease", () => {
  test("writes nothing, though nobody else came", async () => {
    const wallet = await newWallet();
    await owe(database, wallet);
    const [slept] = await claim();
    await expireLeases();
    expect(await updateFinished(database, [finished(slept!)])).toEqual([false]);
    expect([await count("webhook_outbox", wallet), await count("webhook_attempts", wallet)]).toEqual([1, 0]);
  });

  test("writes nothing after somebody else claimed it, and can't keep the lease", async () => {
    const wallet = await newWallet();
    await owe(database, wallet);
    const [slept] = await claim();
    await expireLeases();
    const [present] = await claim();
    expect(present!.epoch).toBe(slept!.epoch + 1);
    expect(await updateLeases(database, [slept!], 90)).toEqual([]);
    const recorded = await updateFinished(database, [finished(slept!, { waitMs: 5_000, successful: false })]);
    expect([recorded, await count("webhook_attempts", wallet)]).toEqual([[false], 0]);
    expect(await updateFinished(database, [finished(present!)])).toEqual([true]);
    expect([await count("webhook_outbox", wallet), await count("webhook_attempts", wallet)]).toEqual([0, 1]);
  });

  test("does not take its neighbours in the batch with it", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 3; i++) await owe(database, wallet, { reference: `order-${i}` });
    const claims = await claim();
    await fresh.pool.query("update webhook_outbox set epoch = epoch + 1 where delivery_id = $1", [
      claims[1]!.deliveryId,
    ]);
    expect(
      await updateFinished(
        database,
        claims.map((one) => finished(one)),
      ),
    ).toEqual([true, false, true]);
    expect([await count("webhook_outbox", wallet), await count("webhook_attempts", wallet)]).toEqual([1, 2]);
  });
});

const stored: DeliveryServices["endpoints"] = {
  find: ({ bucket, merchantId }) => listEndpoints(database, [{ bucket, merchantId }]).then(([found]) => found ?? []),
};
const servicesOf = (deliver: DeliveryServices["deliver"], endpoints = stored): DeliveryServices => ({
  database,
  endpoints,
  deliver,
  clock: systemClock,
  monotonicMs: () => performance.now(),
  chance: () => 0.5,
  log: openLog({ level: "silent" }),
});
const ended = {
  url: "http://127.0.0.1:9/hook",
  urlVersion: 1,
  successful: true,
  httpStatus: 200,
  durationMs: 1,
  error: null,
};

describe("a worker that still remembers a merchant without a webhook", () => {
  async function deliverForgetful(wallet: WalletKey) {
    let looks = 0;
    let sent = 0;
    const forgetful: typeof stored = { find: (owner) => (looks++ < 3 ? [] : stored.find(owner)) };
    const deliver: DeliveryServices["deliver"] = async () => {
      sent += 1;
      return { ...ended, responseBody: "OK", retryAfter: null };
    };
    const loop = startDeliveringWebhooks({ services: servicesOf(deliver, forgetful), pollMs: 20 });
    await waitUntil(async () => (await count("webhook_outbox", wallet)) === 0, "the outbox to be empty").finally(
      loop.stop,
    );
    return { sent, logged: await count("webhook_attempts", wallet) };
  }

  test("sends what became due since one was set", async () => {
    const wallet = await newWallet();
    await owe(database, wallet);
    expect(await deliverForgetful(wallet)).toEqual({ sent: 1, logged: 1 });
  });

  test("forgets what is owed to a webhook that is switched off", async () => {
    const wallet = await newWallet();
    await owe(database, wallet);
    await fresh.pool.query("update webhook_endpoints set disabled_at = now(), disabled_reason = 'merchant'");
    expect(await deliverForgetful(wallet)).toEqual({ sent: 0, logged: 0 });
  });
});

describe("a worker whose attempts take long", () => {
  const leftSeconds = async ({ merchantId }: WalletKey): Promise<number> =>
    (
      await fresh.pool.query(
        "select extract(epoch from leased_until - now())::float8 as seconds from webhook_outbox where merchant_id = $1",
        [merchantId],
      )
    ).rows[0].seconds;

  test("keeps their leases from running out", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const wallet = await newWallet();
    await owe(database, wallet);
    let begun = false;
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const services = servicesOf(async () => {
      begun = true;
      await answered;
      return { ...ended, responseBody: "OK", retryAfter: null };
    });
    const loop = startDeliveringWebhooks({ services, pollMs: 50 });
    try {
      await waitUntil(() => begun, "the attempt");
      await fresh.pool.query("update webhook_outbox set leased_until = now() + interval '20 seconds'");
      vi.advanceTimersByTime(15_000);
      await waitUntil(async () => (await leftSeconds(wallet)) > 60, "the heartbeat");
    } finally {
      answer();
      await loop.stop();
      vi.useRealTimers();
    }
    expect([await count("webhook_outbox", wallet), await count("webhook_attempts", wallet)]).toEqual([0, 1]);
  });
});

test("what is recorded a second time after a lost connection changes nothing", async () => {
  const wallet = await newWallet();
  await owe(database, wallet);
  const [claimed] = await claim();
  const failed = finished(claimed!, { successful: false, httpStatus: 500, waitMs: 5_000 });
  expect(await updateFinished(database, [failed])).toEqual([true]);
  expect(await updateFinished(database, [failed])).toEqual([false]);
  expect(await count("webhook_attempts", wallet)).toBe(1);
});

describe("claims", () => {
  test("go round the merchants, so that a backlog of one does not hold up others", async () => {
    const big = await newWallet();
    const small = await newWallet();
    for (let i = 0; i < 30; i++) await owe(database, big, { reference: `big-${i}` });
    await owe(database, small);
    const claimed = await claim({ perLane: 4 });
    const of = (wallet: WalletKey) => claimed.filter((one) => one.wallet.merchantId === wallet.merchantId).length;
    expect([of(big), of(small)]).toEqual([4, 1]);
  });

  test.each(["event", "manual"] as const)(
    "that reach their limit go on behind the last who had a turn (lane %s)",
    async (lane) => {
      const wallets = [await newWallet(), await newWallet(), await newWallet()];
      for (const wallet of wallets) for (let i = 0; i < 4; i++) await owe(database, wallet, { reference: `r-${i}` });
      await fresh.pool.query("update webhook_outbox set lane = $1", [lane]);
      const seen: number[] = [];
      let after = { event: firstTurn, manual: firstTurn };
      for (let i = 0; i < 3; i++) {
        const few = { perLane: 2, limit: 2, room: {} };
        const wish = { event: { after: after.event, ...few }, manual: { after: after.manual, ...few } };
        const { claims, next } = await claimDeliveries(database, { lanesMax: 100, leaseSeconds: 90, ...wish });
        seen.push(...new Set(claims.map(({ wallet }) => wallet.merchantId)));
        after = next;
      }
      expect(new Set(seen)).toEqual(new Set(wallets.map(({ merchantId }) => merchantId)));
    },
  );

  test("take no more of a merchant than there is room for", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 9; i++) await owe(database, wallet, { reference: `r-${i}` });
    expect(await claim({ room: { [`${wallet.merchantId}/1`]: 0 } })).toHaveLength(0);
    expect(await claim({ room: { [`${wallet.merchantId}/1`]: 3 } })).toHaveLength(3);
  });

  test("two at one time never get the same", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 40; i++) await owe(database, wallet, { reference: `r-${i}` });
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim({ perLane: 20 })))).flat();
    expect(new Set(claimed.map(({ deliveryId }) => deliveryId)).size).toBe(claimed.length);
    expect(claimed.length).toBeGreaterThanOrEqual(20);
  });

  const openBreaker = (wallet: WalletKey, isProbe: boolean) =>
    insertBreaker(database, firstEndpointOf(wallet), { seconds: 30, secondsMax: 300, isProbe });
  const endBreaker = ({ merchantId }: WalletKey) =>
    fresh.pool.query("update webhook_failing_endpoints set open_until = now() where merchant_id = $1", [merchantId]);

  test("let one probe through where a breaker was open, in both modes and whoever asks at one time", async () => {
    const live = await newWallet();
    const sandbox = walletKey(live.merchantId, "test");
    for (const wallet of [live, sandbox]) await oweMany(database, wallet, 5);
    await openBreaker(live, false);
    expect(await claim()).toEqual([]);
    await endBreaker(live);
    const claimed = (await Promise.all(Array.from({ length: 6 }, () => claim()))).flat();
    expect(claimed.map(({ isProbe }) => isProbe)).toEqual([true]);
    expect(await claim()).toEqual([]);
    await updateFinished(database, [finished(claimed[0]!)]);
    expect(await claim()).toHaveLength(9);
  });

  test("find a breaker open for twice as long after each probe that failed, up to five minutes", async () => {
    const wallet = await newWallet();
    const secondsOpen = async () => {
      const seconds = "select extract(epoch from open_until - now())::float8 as seconds from webhook_failing_endpoints";
      const { rows } = await fresh.pool.query(`${seconds} where merchant_id = $1`, [wallet.merchantId]);
      return Math.round(rows[0].seconds / 10) * 10;
    };
    await openBreaker(wallet, false);
    const seconds = [await secondsOpen()];
    await openBreaker(wallet, false);
    seconds.push(await secondsOpen());
    for (let probe = 0; probe < 5; probe++) {
      await endBreaker(wallet);
      await owe(database, wallet, { reference: `d-${probe}` });
      const [claimed] = await claim();
      expect(claimed!.isProbe).toBe(true);
      await openBreaker(wallet, true);
      await updateFinished(database, [finished(claimed!, { successful: false, httpStatus: 500, waitMs: 60_000 })]);
      seconds.push(await secondsOpen());
    }
    expect(seconds).toEqual([30, 30, 60, 120, 240, 300, 300]);
  });

  test("find what somebody asked for before the backlog", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 20; i++) await owe(database, wallet, { reference: `r-${i}` });
    const asked = await owe(database, wallet, { reference: null, event: "webhook.test" });
    await fresh.pool.query("update webhook_outbox set lane = 'manual' where delivery_id = $1", [asked]);
    expect((await claim({ perLane: 1 })).map(({ lane }) => lane)).toEqual(["manual", "event"]);
  });
});
