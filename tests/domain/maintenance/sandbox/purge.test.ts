import { expect, test } from "vitest";
import { updatePurchaseCounts } from "../../../../src/domain/history/lists/count-queries.ts";
import { noFilter } from "../../../../src/domain/history/lists/list.ts";
import { listPurchases } from "../../../../src/domain/history/lists/list-queries.ts";
import { findPurgeable, purgeOnce } from "../../../../src/domain/maintenance/sandbox/purge.ts";
import { openAccept } from "../../../../src/domain/purchases/accept.ts";
import type { PurchaseTerms } from "../../../../src/domain/purchases/purchase.ts";
import { insertPurchases } from "../../../../src/domain/purchases/queries.ts";
import { openSettle } from "../../../../src/domain/purchases/settle.ts";
import { findWallet } from "../../../../src/domain/wallet/queries.ts";
import { checkLedger } from "../../../../src/domain/wallet/reconcile.ts";
import { wallTime } from "../../../../src/kernel/clock.ts";
import {
  firstPurchaseIdAt,
  type ProductId,
  purchaseIdMinter,
  type Reference,
  type WalletKey,
  walletIdOf,
} from "../../../../src/kernel/ids.ts";
import { openDatabase, openPool } from "../../../../src/platform/database/database.ts";
import { closing } from "../../../support/closing.ts";
import { freshDatabase } from "../../../support/database.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { testTransactionIds } from "../../../support/transaction-ids.ts";
import { fundedWallet, newPurchase, noAnnouncements, walletKey } from "../../../support/wallet.ts";
import { testSecretBox } from "../../../support/webhooks.ts";

const today = Date.now();
const services = () => ({ database, clock: { now: () => today } });

const fresh = closing(await freshDatabase());
const pool = openPool({ connectionString: fresh.url, connectionsMax: 3, applicationName: "test", plans: "ordinary" });
const database = closing(openDatabase(pool));

/** Makes a sandbox purchase as of some days ago. */
async function bought(key: WalletKey, reference: string, daysAgo: number, end: "successful" | "failed" | "pending") {
  const clock = { now: () => today - daysAgo * 86_400_000 };
  const options = {
    database,
    clock,
    wallTime: wallTime("Africa/Lagos"),
    announcements: noAnnouncements,
    secretBox: testSecretBox,
    transactionIds: testTransactionIds,
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
  await bought(key, "old-failed", 31, "failed");
  await bought(key, "recent", 29, "successful");
  await bought(key, "today", 0, "failed");
  expect(await findPurgeable(services(), 10)).toEqual([1]);
  expect(await purgeOnce(services(), key.merchantId)).toBe(2);
  expect(await references(key)).toEqual(["today", "recent"]);
  expect((await findWallet(database, key))?.purchaseCount).toBe(2n);
  expect(await brokenInvariants()).toEqual([]);
  expect(await findPurgeable(services(), 10)).toEqual([]);
});

test("a pending purchase keeps itself and what is younger", async () => {
  const key = await fundedWallet(database, walletKey(2, "test"), 1_000_000n);
  await bought(key, "oldest", 50, "successful");
  await bought(key, "pending", 45, "pending");
  await bought(key, "behind", 40, "successful");
  expect(await purgeOnce(services(), key.merchantId)).toBe(1);
  expect(await purgeOnce(services(), key.merchantId)).toBe(0);
  expect(await references(key)).toEqual(["behind", "pending"]);
  expect(await findPurgeable(services(), 10)).toEqual([]);
  expect(await brokenInvariants()).toEqual([]);
});

/** Makes successful sandbox purchases, 150 on each day from the 60th before today on. */
async function boughtDaily(
  key: WalletKey,
  count: number,
  termsOf: (nth: number) => Partial<PurchaseTerms> = () => ({}),
) {
  const [dayMs, hourMs] = [86_400_000, 3_600_000];
  const firstDay = (Math.floor((today + hourMs) / dayMs) - 60) * dayMs - hourMs;
  const vended = { providerReference: "SIM", fulfilment: null };
  const purchases = Array.from({ length: count }, (_, nth) => {
    const id = purchaseIdMinter({ now: () => firstDay + Math.floor((nth * dayMs) / 150) }, 1)();
    return newPurchase(key, `old-${nth}`, { id, vended, ...termsOf(nth) });
  });
  await insertPurchases(database, purchases, "2026-11-20");
}

async function counted(key: WalletKey): Promise<{ rows: number; empty: number }> {
  const { rows } = await fresh.pool.query(
    "select count(*)::int as rows, count(*) filter (where purchases = 0)::int as empty from purchase_counts where abs(wallet_id) = $1",
    [key.merchantId],
  );
  return rows[0];
}

test("what was counted of purged purchases is forgotten with the last of them", async () => {
  const key = await fundedWallet(database, walletKey(4, "test"), 1_000_000_000n);
  await boughtDaily(key, 1_200);
  await bought(key, "recent", 3, "successful");
  await updatePurchaseCounts(database, walletIdOf(key), firstPurchaseIdAt(today), 10_000);
  // A day's counts have a row, and the sum of all days has one.
  expect(await counted(key)).toEqual({ rows: 10, empty: 0 });
  expect(await purgeOnce(services(), key.merchantId)).toBe(1_000);
  expect(await counted(key)).toEqual({ rows: 4, empty: 0 });
  expect(await purgeOnce(services(), key.merchantId)).toBe(200);
  expect(await counted(key)).toEqual({ rows: 2, empty: 0 });
  expect(await brokenInvariants()).toEqual([]);
});

/** Enters the orders of a wallet's bulk lines, as an order placed in live mode would be, but for their end. */
async function enterOrders({ merchantId }: WalletKey): Promise<void> {
  await fresh.pool.query(
    `insert into bulk_orders (
       wallet_id, id, reference, category, fingerprint, lines, amount, total, balance_before,
       open_lines, completion_announced, created_at
     )
     select wallet_id, max(id) + 1, bulk_reference, 'data', min(fingerprint::text)::uuid, count(*),
            sum(total), sum(total), 1000000000, 0, true, now()
       from purchases
      where abs(wallet_id) = $1 and bulk_reference is not null
      group by wallet_id, bulk_reference`,
    [merchantId],
  );
}

const lineOf = (order: string, line: number) =>
  ({ channel: "bulk", bulk: { reference: order as Reference, line } }) as const;

test("a bulk order goes with its last line, and not before", async () => {
  const key = await fundedWallet(database, walletKey(5, "test"), 1_000_000_000n);
  await boughtDaily(key, 1_500, (nth) => lineOf(nth < 900 ? "first" : "second", nth < 900 ? nth : nth - 900));
  await enterOrders(key);
  const orders = async () => {
    const { rows } = await fresh.pool.query("select reference from bulk_orders where abs(wallet_id) = 5 order by id");
    return rows.map(({ reference }) => reference);
  };
  expect(await orders()).toEqual(["first", "second"]);
  expect(await purgeOnce(services(), key.merchantId)).toBe(1_000);
  expect(await orders()).toEqual(["second"]);
  expect(await purgeOnce(services(), key.merchantId)).toBe(500);
  expect(await orders()).toEqual([]);
});

test("a purge reads what it deletes, and not all that its wallet has, whatever the statistics know", async () => {
  const key = await fundedWallet(database, walletKey(6, "test"), 1_000_000_000n);
  await fresh.pool.query("analyze");
  await boughtDaily(key, 3_000, (nth) => ({
    productId: (1_000 + (nth % 10)) as ProductId,
    ...(nth % 2 === 0 ? {} : lineOf(`order-${nth}`, 0)),
  }));
  await enterOrders(key);
  await updatePurchaseCounts(database, walletIdOf(key), firstPurchaseIdAt(today), 10_000);
  const pool = openPool({ connectionString: fresh.url, connectionsMax: 1, applicationName: "test", plans: "ordinary" });
  const alone = openDatabase(pool);
  for (const table of ["purchases", "purchase_counts", "bulk_orders"]) {
    const purge = async () => expect(await purgeOnce({ ...services(), database: alone }, key.merchantId)).toBe(1_000);
    expect(await rowsRead(alone, table, purge), table).toBeLessThan(3_000);
  }
  await alone.close();
});

test("live purchases are never purged", async () => {
  const key = await fundedWallet(database, walletKey(3, "live"), 1_000_000n);
  await bought(key, "live-old", 400, "successful");
  expect(await findPurgeable(services(), 10)).toEqual([]);
  expect(await purgeOnce(services(), key.merchantId)).toBe(0);
  expect(await references(key)).toEqual(["live-old"]);
});
