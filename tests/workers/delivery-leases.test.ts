import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../rigs/base/merchants.ts";
import type { ClaimRequest } from "../../src/domain/webhooks/delivery/claim-queries.ts";
import { type DeliveryServices, workFigures } from "../../src/domain/webhooks/delivery/delivery-work.ts";
import { updateFinished, updateLeases } from "../../src/domain/webhooks/delivery/lease-queries.ts";
import { listEndpoints } from "../../src/domain/webhooks/endpoints/queries.ts";
import { insertResends } from "../../src/domain/webhooks/log/delivery-queries.ts";
import type { WalletKey } from "../../src/kernel/ids.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { startDeliveringWebhooks } from "../../src/workers/deliver-webhooks.ts";
import { claimAll, finishedAttempt, newOwner } from "../support/claim-requests.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";
import { waitUntil } from "../support/receiver.ts";
import { enqueueEvent, enqueueMany } from "../support/webhooks.ts";

const { fresh, database } = closing(await ownDatabase());

const newWallet = () => newOwner(database);
const claim = (given: Partial<ClaimRequest> = {}) => claimAll(database, given);

const expireLeases = () => fresh.pool.query("update webhook_outbox set leased_until = now() - interval '1 second'");
const count = async (table: "webhook_outbox" | "webhook_attempts", { merchantId }: WalletKey) =>
  Number(
    (await fresh.pool.query(`select count(*) from ${table} where abs(wallet_id) = $1`, [merchantId])).rows[0].count,
  );

describe("a worker that slept past its lease", () => {
  test.each([
    { waitMs: null, successful: true, left: 0 },
    { waitMs: 5_000, successful: false, left: 1 },
  ])("is heard as long as nobody else came (successful: $successful)", async ({ left, ...came }) => {
    const wallet = await newWallet();
    await enqueueEvent(database, wallet);
    const [slept] = await claim();
    await expireLeases();
    expect(await updateFinished(database, [finishedAttempt(slept!, came)])).toEqual([true]);
    expect([await count("webhook_outbox", wallet), await count("webhook_attempts", wallet)]).toEqual([left, 1]);
  });

  test("is heard, too, where its endpoint has answered again and what was postponed for it came back", async () => {
    const wallet = await newWallet();
    await enqueueEvent(database, wallet);
    const [answered] = await claim();
    await enqueueMany(database, wallet, 3);
    await fresh.pool.query("update webhook_outbox set lane = 'postponed' where epoch = 0");
    const [slept] = await claim({ limit: 1 });
    await expireLeases();
    await fresh.pool.query("update webhook_outbox set leased_until = null where epoch = 0");
    expect(await updateFinished(database, [finishedAttempt(answered!)])).toEqual([true]);
    const { rows } = await fresh.pool.query("select lane, epoch from webhook_outbox order by epoch, lane");
    expect(rows.map(({ lane, epoch }) => `${lane} ${epoch}`)).toEqual(["event 0", "event 0", "postponed 1"]);
    expect(await updateFinished(database, [finishedAttempt(slept!)])).toEqual([true]);
  });

  test("writes nothing after somebody asked for it by hand", async () => {
    const wallet = await newWallet();
    const id = await enqueueEvent(database, wallet);
    const [slept] = await claim();
    await fresh.pool.query("update webhook_outbox set due_at = now() + interval '1 minute', leased_until = null");
    expect(await insertResends(database, wallet, { ids: [id], lane: "manual" })).toBe(1);
    expect(await updateFinished(database, [finishedAttempt(slept!)])).toEqual([false]);
    expect([await count("webhook_outbox", wallet), await count("webhook_attempts", wallet)]).toEqual([1, 0]);
  });

  test("writes nothing after somebody else claimed it, and can't keep the lease", async () => {
    const wallet = await newWallet();
    await enqueueEvent(database, wallet);
    const [slept] = await claim();
    await expireLeases();
    const [present] = await claim();
    expect(present!.epoch).toBe(slept!.epoch + 1);
    expect(await updateLeases(database, [slept!], 90)).toEqual([]);
    const recorded = await updateFinished(database, [finishedAttempt(slept!, { waitMs: 5_000, successful: false })]);
    expect([recorded, await count("webhook_attempts", wallet)]).toEqual([[false], 0]);
    expect(await updateFinished(database, [finishedAttempt(present!)])).toEqual([true]);
    expect([await count("webhook_outbox", wallet), await count("webhook_attempts", wallet)]).toEqual([0, 1]);
  });

  test("does not take its neighbours in the batch with it", async () => {
    const wallet = await newWallet();
    for (let i = 0; i < 3; i++) await enqueueEvent(database, wallet, { reference: `order-${i}` });
    const claims = await claim();
    await fresh.pool.query("update webhook_outbox set epoch = epoch + 1 where delivery_id = $1", [
      claims[1]!.deliveryId,
    ]);
    expect(
      await updateFinished(
        database,
        claims.map((one) => finishedAttempt(one)),
      ),
    ).toEqual([true, false, true]);
    expect([await count("webhook_outbox", wallet), await count("webhook_attempts", wallet)]).toEqual([1, 2]);
  });
});

const stored: DeliveryServices["endpoints"] = {
  find: ({ merchantId }) => listEndpoints(database, [{ merchantId }]).then(([found]) => found ?? []),
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
  errorDetail: null,
};

describe("a worker that still remembers a merchant without a webhook", () => {
  async function deliverForgetful(wallet: WalletKey) {
    let looks = 0;
    let sent = 0;
    const forgetful: typeof stored = { find: async (owner) => (looks++ < 3 ? [] : stored.find(owner)) };
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
    await enqueueEvent(database, wallet);
    expect(await deliverForgetful(wallet)).toEqual({ sent: 1, logged: 1 });
  });

  test("forgets what is owed to a webhook that is switched off", async () => {
    const wallet = await newWallet();
    await enqueueEvent(database, wallet);
    await fresh.pool.query("update webhook_endpoints set disabled_at = now(), disabled_reason = 'merchant'");
    expect(await deliverForgetful(wallet)).toEqual({ sent: 0, logged: 0 });
  });
});

describe("a worker whose attempts take long", () => {
  const leftSeconds = async ({ merchantId }: WalletKey): Promise<number> =>
    (
      await fresh.pool.query(
        "select extract(epoch from leased_until - now())::float8 as seconds from webhook_outbox where abs(wallet_id) = $1",
        [merchantId],
      )
    ).rows[0].seconds;

  test("keeps their leases from running out", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const wallet = await newWallet();
    await enqueueEvent(database, wallet);
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

describe("while the database takes nothing", () => {
  const kept = 40;
  const more = 5;

  test("what was sent is kept, recorded once it can be and not sent again, though its lease has run out", async () => {
    const wallet = await newWallet();
    await enqueueMany(database, wallet, kept);
    let isAway = true;
    let refused = 0;
    const sent: string[] = [];
    const away: Database = {
      ...database,
      async query<Row>(...call: Parameters<Database["query"]>): Promise<Row[]> {
        if (!isAway || call[0].name !== "finish_webhook_attempts") return database.query<Row>(...call);
        refused += 1;
        throw Object.assign(new pg.DatabaseError("this server takes no writes", 2, "error"), { code: "25006" });
      },
    };
    const deliver: DeliveryServices["deliver"] = async ({ deliveryId }) => {
      sent.push(deliveryId);
      return { ...ended, responseBody: "OK", retryAfter: null };
    };
    const services = { ...servicesOf(deliver), database: away };
    const loop = startDeliveringWebhooks({ services, pollMs: 20 });
    try {
      await waitUntil(() => refused > 3 * kept, "each attempt to be refused for two seconds");
      // The bound on what is kept: as long as something waits to be recorded, nothing more is taken.
      await enqueueMany(database, wallet, more);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect([sent.length, workFigures(loop.work).taken]).toEqual([kept, kept]);
      await expireLeases();
      isAway = false;
      await waitUntil(async () => (await count("webhook_outbox", wallet)) === 0, "the outbox to be empty");
    } finally {
      await loop.stop();
    }
    const all = kept + more;
    expect([sent.length, new Set(sent).size, await count("webhook_attempts", wallet)]).toEqual([all, all, all]);
    expect(loop.work.counts.lost).toBe(0);
  });
});

test("what is recorded a second time after a lost connection changes nothing", async () => {
  const wallet = await newWallet();
  await enqueueEvent(database, wallet);
  const [claimed] = await claim();
  const failed = finishedAttempt(claimed!, { successful: false, httpStatus: 500, waitMs: 5_000 });
  expect(await updateFinished(database, [failed])).toEqual([true]);
  expect(await updateFinished(database, [failed])).toEqual([false]);
  expect(await count("webhook_attempts", wallet)).toBe(1);
});
