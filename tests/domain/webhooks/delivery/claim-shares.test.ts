import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../../rigs/base/merchants.ts";
import { carryOut } from "../../../../src/domain/webhooks/delivery/carry-out.ts";
import { claimDeliveries } from "../../../../src/domain/webhooks/delivery/claim-queries.ts";
import {
  claimDue,
  type DeliveryServices,
  openDeliveryWork,
  promoteDue,
  workFigures,
} from "../../../../src/domain/webhooks/delivery/delivery-work.ts";
import { listEndpoints } from "../../../../src/domain/webhooks/endpoints/queries.ts";
import type { Database } from "../../../../src/platform/database/database.ts";
import { openLog } from "../../../../src/platform/telemetry/log.ts";
import { requestsFor } from "../../../support/claim-requests.ts";
import type { FreshDatabase } from "../../../support/database.ts";
import { setEndpoint } from "../../../support/endpoints.ts";
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

const arrived = {
  url: "http://127.0.0.1:9/hook",
  urlVersion: 1,
  successful: true,
  httpStatus: 200,
  durationMs: 1,
  error: null,
  errorDetail: null,
  responseBody: "OK",
  retryAfter: null,
};

function openWork(given: Partial<DeliveryServices> = {}) {
  return openDeliveryWork(
    {
      database,
      endpoints: { find: (owner) => listEndpoints(database, [owner]).then(([found]) => found ?? []) },
      deliver: async () => arrived,
      clock: systemClock,
      monotonicMs: () => performance.now(),
      chance: () => 0.5,
      log: openLog({ level: "silent" }),
      ...given,
    },
    () => {},
  );
}

test("a backlog for an endpoint that answers at once is claimed by more each time, not by the few of a stranger", async () => {
  const wallet = walletKey(1);
  await setEndpoint(database, wallet, "http://127.0.0.1:9/hook");
  for (let i = 0; i < 120; i++) await enqueueEvent(database, wallet, { reference: `quick-${i}` });
  const work = openWork();
  const brought: number[] = [];
  while (brought.at(-1) !== 0) {
    const claims = await claimDue(work);
    brought.push(claims.length);
    // All of them are over before the next claim.
    await Promise.all(claims.map((claim) => carryOut(work, claim)));
  }
  expect(brought).toEqual([4, 26, 90, 0]);
});

describe("what was asked for by hand", () => {
  /** So many of a merchant, whose webhook is set. */
  async function askFor(merchant: number, count: number) {
    const wallet = walletKey(merchant);
    await setEndpoint(database, wallet, arrived.url);
    await enqueueMany(database, wallet, count);
    await fresh.pool.query("update webhook_outbox set lane = 'manual' where abs(wallet_id) = $1", [merchant]);
    return wallet;
  }
  const deliveriesTo = async (merchant: number) =>
    (await fresh.pool.query("select 1 from webhook_outbox where abs(wallet_id) = $1", [merchant])).rowCount;

  test("is claimed merchant by merchant, no more of each than there is room for", async () => {
    for (const [merchant, count] of [
      [11, 50],
      [12, 1],
      [13, 50],
    ] as const) {
      await askFor(merchant, count);
    }
    const wishes = requestsFor(["manual"], { perEndpoint: 4, limit: 32, room: new Map([["13/1", 0]]) });
    const { claims } = await claimDeliveries(database, wishes, 1);
    const of = (merchant: number) => claims.filter(({ wallet }) => wallet.merchantId === merchant).length;
    expect([11, 12, 13].map(of)).toEqual([4, 1, 0]);
    await fresh.pool.query("delete from webhook_outbox");
  });

  test("of a receiver that never answers keeps a handful of places, and nobody else's waiting", async () => {
    await askFor(21, 1_000);
    let nowMs = 10_000;
    let end = () => {};
    const silence = new Promise<void>((resolve) => {
      end = resolve;
    });
    const deliver: DeliveryServices["deliver"] = async ({ wallet }) => {
      if (Number(wallet.merchantId) === 21) await silence;
      return arrived;
    };
    const work = openWork({ deliver, monotonicMs: () => nowMs });
    const acts: Promise<void>[] = [];
    const claim = async () => {
      const claims = await claimDue(work);
      acts.push(...claims.map((one) => carryOut(work, one)));
      return claims.map(({ wallet }) => Number(wallet.merchantId));
    };
    expect(await claim()).toEqual([21, 21, 21, 21]);
    // What waits behind the silent one is postponed, and more must not be fetched.
    for (let look = 0; look < 5; look++) {
      nowMs += 1_001;
      await promoteDue(work);
      await Promise.all(acts.slice(2));
      expect(await claim()).toEqual([]);
    }
    await askFor(22, 3);
    expect(await claim()).toEqual([22, 22, 22]);
    await Promise.all(acts.slice(-3));
    expect([workFigures(work).taken, work.counts.claimed]).toEqual([2, 7]);

    await fresh.pool.query(
      "update webhook_endpoints set url = null, secret = null, secret_hint = null where merchant_id = 21",
    );
    end();
    await Promise.all(acts);
    // Each round drops what nobody holds: what was being given back at that moment is left for the next one.
    for (let round = 0; round < 10 && (await deliveriesTo(21)) !== 0; round++) {
      await claim();
      await Promise.all(acts);
    }
    expect([await deliveriesTo(21), await deliveriesTo(22)]).toEqual([0, 0]);
  });
});
