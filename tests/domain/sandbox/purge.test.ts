import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccept } from "../../../src/domain/purchases/accept.ts";
import { noFilter } from "../../../src/domain/purchases/list.ts";
import { listPurchases } from "../../../src/domain/purchases/list-queries.ts";
import { openSettle } from "../../../src/domain/purchases/settle.ts";
import { findPurgeable, purgeOnce, sandboxRetentionMs } from "../../../src/domain/sandbox/purge.ts";
import { findWallet } from "../../../src/domain/wallet/queries.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import { purchaseIdMinter, type WalletKey } from "../../../src/kernel/ids.ts";
import { type Database, openDatabase, openPool } from "../../../src/platform/database.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { fundedWallet, newPurchase, noAnnouncements, walletKey } from "../../support/wallet.ts";
import { testSecretBox } from "../../support/webhooks.ts";

let fresh: FreshDatabase;
let database: Database;
const today = Date.now();
const services = () => ({ database, clock: { now: () => today } });

beforeAll(async () => {
  fresh = await freshDatabase();
  const pool = openPool({ connectionString: fresh.url, connectionsMax: 3, applicationName: "test", plans: "ordinary" });
  database = openDatabase(pool);
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

/** Makes a sandbox purchase as of some days ago. */
async function bought(key: WalletKey, reference: string, daysAgo: number, end: "successful" | "failed" | "pending") {
  const clock = { now: () => today - daysAgo * 86_400_000 };
  const options = {
    database,
    clock,
    wallTime: wallTime("Africa/Lagos"),
    announcements: noAnnouncements,
    secretBox: testSecretBox,
  };
  const vended = end === "successful" ? { providerReference: "SIM", fulfilment: null } : null;
  const id = purchaseIdMinter(clock, daysAgo)();
  const acceptance = await openAccept(options)(newPurchase(key, reference, { id, vended, dueSeconds: 60 }));
  if (acceptance.kind !== "accepted") throw new Error(`not accepted: ${acceptance.kind}`);
  if (end !== "failed") return;
  const failure = { status: "failed", errorCode: "SANDBOX_FORCED_FAILURE" } as const;
  await openSettle(options)(acceptance.purchase, failure, { epoch: 0, evidence: "no" });
}

async function references(key: WalletKey): Promise<string[]> {
  return (await listPurchases(database, key, noFilter, { page: 1, perPage: 100 })).map((row) => row.reference);
}

async function brokenInvariants(): Promise<unknown[]> {
  return (await checkLedger(database)).filter((check) => check.broken.length > 0);
}

test("sandbox purchases end after 30 days and the books still balance", async () => {
  const key = await fundedWallet(database, walletKey(1, "test"), 1_000_000n);
  await bought(key, "old", 40, "successful");
  await bought(key, "old-failed", 35, "failed");
  await bought(key, "recent", 29, "successful");
  await bought(key, "today", 0, "failed");
  expect(await findPurgeable(services(), 10)).toEqual([{ bucket: 1, merchantId: 1 }]);
  expect(await purgeOnce(services(), key)).toBe(2);
  expect(await references(key)).toEqual(["today", "recent"]);
  expect((await findWallet(database, key))?.purchaseCount).toBe(2n);
  expect(await brokenInvariants()).toEqual([]);
  expect(await findPurgeable(services(), 10)).toEqual([]);
  expect(sandboxRetentionMs).toBe(30 * 86_400_000);
});

test("a pending purchase keeps itself and what is younger", async () => {
  const key = await fundedWallet(database, walletKey(2, "test"), 1_000_000n);
  await bought(key, "oldest", 50, "successful");
  await bought(key, "pending", 45, "pending");
  await bought(key, "behind", 40, "successful");
  expect(await purgeOnce(services(), key)).toBe(1);
  expect(await purgeOnce(services(), key)).toBe(0);
  expect(await references(key)).toEqual(["behind", "pending"]);
  expect(await findPurgeable(services(), 10)).toEqual([]);
  expect(await brokenInvariants()).toEqual([]);
});

test("live purchases are never purged", async () => {
  const key = await fundedWallet(database, walletKey(3, "live"), 1_000_000n);
  await bought(key, "live-old", 400, "successful");
  expect(await findPurgeable(services(), 10)).toEqual([]);
  expect(await purgeOnce(services(), key)).toBe(0);
  expect(await references(key)).toEqual(["live-old"]);
});
