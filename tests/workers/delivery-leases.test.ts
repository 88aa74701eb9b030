import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Claim, claimDeliveries, firstTurn, updateLeases } from "../../src/domain/webhooks/claim-queries.ts";
import { type FinishedAttempt, updateFinished } from "../../src/domain/webhooks/finish-queries.ts";
import type { WalletKey } from "../../src/kernel/ids.ts";
import type { Database } from "../../src/platform/database.ts";
import type { FreshDatabase } from "../support/database.ts";
import { setEndpoint } from "../support/endpoints.ts";
import { ownDatabase } from "../support/merchants.ts";
import { walletKey } from "../support/wallet.ts";
import { owe } from "../support/webhooks.ts";

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

const claim = async (wish: Partial<Parameters<typeof claimDeliveries>[1]> = {}): Promise<Claim[]> => {
  const defaults = { after: firstTurn, lanesMax: 100, perLane: 10, limit: 100, manualLimit: 10, leaseSeconds: 90 };
  return (await claimDeliveries(database, { ...defaults, room: {}, ...wish })).claims;
};

const finished = (claimed: Claim, given: Partial<FinishedAttempt> = {}): FinishedAttempt => ({
  wallet: claimed.wallet,
  deliveryId: claimed.deliveryId,
  attempt: claimed.attempt,
  epoch: claimed.epoch,
  event: claimed.event,
  url: "http://127.0.0.1:9/hook",
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

  test("that reach their limit go on behind the last merchant who had a turn", async () => {
    const wallets = [await newWallet(), await newWallet(), await newWallet()];
    for (const wallet of wallets) for (let i = 0; i < 4; i++) await owe(database, wallet, { reference: `r-${i}` });
    const seen: number[] = [];
    let after = firstTurn;
    for (let i = 0; i < 3; i++) {
      const wish = { after, lanesMax: 100, perLane: 2, limit: 2, manualLimit: 10, leaseSeconds: 90, room: {} };
      const { claims, next } = await claimDeliveries(database, wish);
      seen.push(...new Set(claims.map(({ wallet }) => wallet.merchantId)));
      after = next;
    }
    expect(new Set(seen)).toEqual(new Set(wallets.map(({ merchantId }) => merchantId)));
  });

  test("take no more of a merchant than there is room for", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 9; i++) await owe(database, wallet, { reference: `r-${i}` });
    expect(await claim({ room: { [wallet.merchantId]: 0 } })).toHaveLength(0);
    expect(await claim({ room: { [wallet.merchantId]: 3 } })).toHaveLength(3);
  });

  test("two at one time never get the same", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 40; i++) await owe(database, wallet, { reference: `r-${i}` });
    const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim({ perLane: 20 })))).flat();
    expect(new Set(claimed.map(({ deliveryId }) => deliveryId)).size).toBe(claimed.length);
    expect(claimed.length).toBeGreaterThanOrEqual(20);
  });

  test("leave a reference's second event until the first was attempted", async () => {
    const wallet = await newWallet();
    const first = await owe(database, wallet, { event: "transaction.failed" });
    await new Promise((resolve) => setTimeout(resolve, 2)); // ids are in the order of their milliseconds
    const second = await owe(database, wallet);
    const [claimed, ...more] = await claim();
    expect([claimed!.deliveryId, more]).toEqual([first, []]);
    expect(await claim()).toEqual([]);
    await updateFinished(database, [finished(claimed!, { successful: false, httpStatus: 500, waitMs: 60_000 })]);
    expect((await claim()).map(({ deliveryId }) => deliveryId)).toEqual([second]);
  });

  test("find what somebody asked for before the backlog", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 20; i++) await owe(database, wallet, { reference: `r-${i}` });
    const asked = await owe(database, wallet, { reference: null, event: "webhook.test" });
    await fresh.pool.query("update webhook_outbox set lane = 'manual' where delivery_id = $1", [asked]);
    expect((await claim({ perLane: 1 })).map(({ lane }) => lane).sort()).toEqual(["event", "manual"]);
  });
});
