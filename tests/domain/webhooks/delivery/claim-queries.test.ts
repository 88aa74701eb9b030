import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ClaimRequest,
  claimDeliveries,
  firstTurn,
} from "../../../../src/domain/webhooks/delivery/claim-queries.ts";
import { updateFinished, updateReturned } from "../../../../src/domain/webhooks/delivery/lease-queries.ts";
import { firstEndpointOf } from "../../../../src/domain/webhooks/endpoints/endpoint.ts";
import { insertBreaker } from "../../../../src/domain/webhooks/endpoints/failing/failing-queries.ts";
import type { WalletKey } from "../../../../src/kernel/ids.ts";
import type { Database } from "../../../../src/platform/database/database.ts";
import { claimAll, finishedAttempt, newOwner, requestsFor } from "../../../support/claim-requests.ts";
import type { FreshDatabase } from "../../../support/database.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { walletKey } from "../../../support/wallet.ts";
import { enqueueEvent, enqueueMany } from "../../../support/webhooks.ts";

let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
});
afterAll(() => drop());

const newWallet = () => newOwner(database);
const claim = (given: Partial<ClaimRequest> = {}) => claimAll(database, given);

describe("claims", () => {
  test("go round the merchants, so that a backlog of one does not hold up others", async () => {
    const big = await newWallet();
    const small = await newWallet();
    for (let i = 0; i < 30; i++) await enqueueEvent(database, big, { reference: `big-${i}` });
    await enqueueEvent(database, small);
    const claimed = await claim({ perEndpoint: 4 });
    const of = (wallet: WalletKey) => claimed.filter((one) => one.wallet.merchantId === wallet.merchantId).length;
    expect([of(big), of(small)]).toEqual([4, 1]);
  });

  test.each(["event", "manual", "postponed"] as const)(
    "that reach their limit go on behind the last who had a turn (lane %s)",
    async (lane) => {
      const wallets = [await newWallet(), await newWallet(), await newWallet()];
      for (const wallet of wallets)
        for (let i = 0; i < 4; i++) await enqueueEvent(database, wallet, { reference: `r-${i}` });
      await fresh.pool.query("update webhook_outbox set lane = $1", [lane]);
      const seen: number[] = [];
      let after = firstTurn("live");
      for (let i = 0; i < 3; i++) {
        const [wish] = requestsFor([lane], { perEndpoint: 2, limit: 2, after });
        const { claims, next } = await claimDeliveries(database, [wish!], 90);
        seen.push(...new Set(claims.map(({ wallet }) => wallet.merchantId)));
        after = next[0]!;
      }
      expect(new Set(seen)).toEqual(new Set(wallets.map(({ merchantId }) => merchantId)));
    },
  );

  test("take no more of a merchant than there is room for", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 9; i++) await enqueueEvent(database, wallet, { reference: `r-${i}` });
    expect(await claim({ room: new Map([[`${wallet.merchantId}/1`, 0]]) })).toHaveLength(0);
    expect(await claim({ room: new Map([[`${wallet.merchantId}/1`, 3]]) })).toHaveLength(3);
  });

  test("two at one time never get the same", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 40; i++) await enqueueEvent(database, wallet, { reference: `r-${i}` });
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim({ perEndpoint: 20 })))).flat();
    expect(new Set(claimed.map(({ deliveryId }) => deliveryId)).size).toBe(claimed.length);
    expect(claimed.length).toBeGreaterThanOrEqual(20);
  });

  test("say whether an endpoint has failed since it succeeded, and whether its breaker is open", async () => {
    const wallet = await newWallet();
    const failed = { successful: false, httpStatus: 500, waitMs: 60_000 };
    const reply: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      await enqueueEvent(database, wallet, { reference: `r-${i}` });
      const [claimed] = await claim();
      reply.push([claimed!.isFailing, claimed!.isBreakerOpen, claimed!.isProbe]);
      await updateFinished(database, [finishedAttempt(claimed!, i < 2 ? failed : {})]);
      if (i === 1) await openBreaker(wallet, false);
    }
    expect(reply).toEqual([
      [false, false, false],
      [true, false, false],
      [true, true, false],
      [false, false, false],
    ]);
  });

  const openBreaker = (wallet: WalletKey, isProbe: boolean) =>
    insertBreaker(database, firstEndpointOf(wallet), { seconds: 30, secondsMax: 300, isProbe });
  const endBreaker = ({ merchantId }: WalletKey) =>
    fresh.pool.query("update webhook_failing_endpoints set open_until = now() where merchant_id = $1", [merchantId]);

  test("let one probe through where a breaker was open, in both modes and whoever asks at one time", async () => {
    const live = await newWallet();
    const sandbox = walletKey(live.merchantId, "test");
    for (let i = 0; i < 5; i++)
      for (const wallet of [live, sandbox]) await enqueueEvent(database, wallet, { reference: `p-${i}` });
    await fresh.pool.query("update webhook_outbox set lane = 'postponed'");
    await openBreaker(live, false);
    expect(await claim()).toEqual([]);
    await endBreaker(live);
    const claimed = (await Promise.all(Array.from({ length: 6 }, () => claim()))).flat();
    expect(claimed.map(({ isProbe }) => isProbe)).toEqual([true]);
    expect(await claim()).toEqual([]);
    await updateFinished(database, [finishedAttempt(claimed[0]!)]);
    expect(await claim()).toHaveLength(9);
  });

  test("say of events that their endpoint's breaker has opened, until a probe has succeeded", async () => {
    const wallet = await newWallet();
    await enqueueMany(database, wallet, 1);
    await openBreaker(wallet, false);
    await endBreaker(wallet);
    const [claimed] = await claim();
    expect([claimed!.isBreakerOpen, claimed!.isProbe]).toEqual([true, false]);
    await updateReturned(database, [{ ...claimed!, isPostponed: true }]);
    expect((await claim()).map(({ lane, isProbe }) => [lane, isProbe])).toEqual([["postponed", true]]);
  });

  test("find with the events again what was postponed, once its endpoint answers", async () => {
    const wallet = await newWallet();
    await enqueueMany(database, wallet, 3);
    await updateReturned(
      database,
      (await claim()).map((one) => ({ ...one, isPostponed: true })),
    );
    const [first] = await claim({ limit: 1 });
    await updateFinished(database, [finishedAttempt(first!)]);
    expect((await claim()).map(({ lane }) => lane)).toEqual(["event", "event"]);
  });

  test("find a breaker open for twice as long after each probe that failed, up to five minutes", async () => {
    const wallet = await newWallet();
    const secondsOpen = async () => {
      const { rows } = await fresh.pool.query(
        "select extract(epoch from open_until - now())::float8 as seconds from webhook_failing_endpoints where merchant_id = $1",
        [wallet.merchantId],
      );
      return Math.round(rows[0].seconds / 10) * 10;
    };
    await openBreaker(wallet, false);
    const seconds = [await secondsOpen()];
    await openBreaker(wallet, false);
    seconds.push(await secondsOpen());
    for (let probe = 0; probe < 5; probe++) {
      await endBreaker(wallet);
      await enqueueEvent(database, wallet, { reference: `d-${probe}` });
      await fresh.pool.query("update webhook_outbox set lane = 'postponed' where lane = 'event'");
      const [claimed] = await claim();
      expect(claimed!.isProbe).toBe(true);
      await openBreaker(wallet, true);
      await updateFinished(database, [
        finishedAttempt(claimed!, { successful: false, httpStatus: 500, waitMs: 60_000 }),
      ]);
      seconds.push(await secondsOpen());
    }
    expect(seconds).toEqual([30, 30, 60, 120, 240, 300, 300]);
  });

  test("find what somebody asked for before the backlog", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 20; i++) await enqueueEvent(database, wallet, { reference: `r-${i}` });
    const calls = await enqueueEvent(database, wallet, { reference: null, event: "webhook.test" });
    await fresh.pool.query("update webhook_outbox set lane = 'manual' where delivery_id = $1", [calls]);
    expect((await claim({ perEndpoint: 1 })).map(({ lane }) => lane)).toEqual(["manual", "event"]);
  });
});
