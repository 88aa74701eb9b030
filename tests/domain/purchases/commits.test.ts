import { afterAll, describe, expect, test } from "vitest";
import { openAccept } from "../../../src/domain/purchases/accept.ts";
import type { Purchase } from "../../../src/domain/purchases/purchase.ts";
import {
  findPurchase,
  findPurchasesByReference,
  insertPurchases,
  type NewPurchase,
} from "../../../src/domain/purchases/queries.ts";
import { openSettle } from "../../../src/domain/purchases/settle.ts";
import { claimPendingDue } from "../../../src/domain/resolution/requery/pending-queries.ts";
import { findWallet } from "../../../src/domain/wallet/queries.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import { purchaseIdMinter, type Reference, type WalletKey } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { testTransactionIds } from "../../support/transaction-ids.ts";
import { fundedWallet, newPurchase, noAnnouncements, walletKey } from "../../support/wallet.ts";
import { testSecretBox } from "../../support/webhooks.ts";

const clock = { now: () => Date.now() };
const zone = wallTime("Africa/Lagos");

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 5, plans: "batched" }));
afterAll(async () => {
  const broken = (await checkLedger(database)).filter((check) => check.broken.length > 0);
  expect(broken).toEqual([]);
});

let merchants = 0;
async function wallet(balance: bigint): Promise<WalletKey> {
  merchants += 1;
  return fundedWallet(database, walletKey(merchants), balance);
}

function commits() {
  const options = {
    database,
    clock,
    wallTime: zone,
    announcements: noAnnouncements,
    secretBox: testSecretBox,
    transactionIds: testTransactionIds,
  };
  return { accept: openAccept(options), settle: openSettle(options) };
}

async function accepted(key: WalletKey, reference: string, total = 10_000n): Promise<Purchase> {
  const acceptance = await commits().accept(
    newPurchase(key, reference, { total: kobo(total), unitAmount: kobo(total) }),
  );
  if (acceptance.kind !== "accepted") throw new Error(`not accepted: ${acceptance.kind}`);
  return acceptance.purchase;
}

async function balanceOf(key: WalletKey): Promise<bigint | undefined> {
  return (await findWallet(database, key))?.balance;
}

describe("accept", () => {
  test("100 concurrent purchases of one reference charge once", async () => {
    const key = await wallet(1_000_000n);
    const { accept } = commits();
    const answers = await Promise.all(Array.from({ length: 100 }, () => accept(newPurchase(key, "same"))));
    expect(answers.filter((answer) => answer.kind === "accepted")).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === "known")).toHaveLength(99);
    expect(await balanceOf(key)).toBe(990_000n);
  });

  test("200 concurrent purchases worth more than the balance never overdraw, from two processes", async () => {
    const key = await wallet(1_000_000n);
    const doors = [commits().accept, commits().accept];
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => doors[i % 2]?.(newPurchase(key, `many-${i}`))),
    );
    expect(answers.filter((answer) => answer?.kind === "accepted")).toHaveLength(100);
    expect(answers.filter((answer) => answer?.kind === "insufficient_balance")).toHaveLength(100);
    expect(await balanceOf(key)).toBe(0n);
  });

  test("a small purchase is not refused because it stood behind bigger ones in its batch", async () => {
    const key = await wallet(10_000n);
    const { accept } = commits();
    const [big, small] = await Promise.all([
      accept(newPurchase(key, "big", { total: kobo(10_001n), unitAmount: kobo(10_001n) })),
      accept(newPurchase(key, "small", { total: kobo(9_999n), unitAmount: kobo(9_999n) })),
    ]);
    expect(big.kind).toBe("insufficient_balance");
    expect(small.kind).toBe("accepted");
  });

  test("a batch sent twice after a lost connection charges once and answers the same numbers", async () => {
    const key = await wallet(50_000n);
    const items = ["a", "b", "c"].map((reference) => newPurchase(key, reference));
    const first = await insertPurchases(database, items, "2026-11-20");
    const second = await insertPurchases(database, items, "2026-11-20");
    expect(second.map((row) => [row.outcome, row.number, row.balance])).toEqual(
      first.map((row) => [row.outcome, row.number, row.balance]),
    );
    expect(first.map((row) => row.balance)).toEqual([50_000n, 40_000n, 30_000n]);
    expect(await balanceOf(key)).toBe(20_000n);
  });

  test("the day's limit holds over one batch and over days", async () => {
    const key = await wallet(1_000_000n);
    const limited = (reference: string) => newPurchase(key, reference, { dayLimit: kobo(25_000n) });
    const today = await insertPurchases(database, ["d1", "d2", "d3"].map(limited), "2026-11-20");
    expect(today.map((row) => row.outcome)).toEqual(["accepted", "accepted", "retry"]);
    const later = await insertPurchases(database, [limited("d3")], "2026-11-20");
    expect(later.map((row) => [row.outcome, row.spentToday])).toEqual([["over_limit", 20_000n]]);
    const tomorrow = await insertPurchases(database, [limited("d3")], "2026-11-21");
    expect(tomorrow.map((row) => row.outcome)).toEqual(["accepted"]);
  });

  test("the last kobo of the balance and of the day can be spent, and not one more", async () => {
    const bounds = [{ balance: 25_000n }, { balance: 1_000_000n, dayLimit: kobo(25_000n) }];
    for (const { balance, dayLimit = null } of bounds) {
      const alone = await wallet(balance);
      const together = await wallet(balance);
      const of = (key: WalletKey, total: bigint) =>
        newPurchase(key, `of-${total}`, { total: kobo(total), unitAmount: kobo(total), dayLimit });
      const outcomes = async (items: readonly NewPurchase[]) =>
        (await insertPurchases(database, items, "2026-11-20")).map((row) => row.outcome);
      expect(await outcomes([of(alone, 25_001n)])).toEqual([dayLimit === null ? "insufficient" : "over_limit"]);
      expect(await outcomes([of(alone, 25_000n)])).toEqual(["accepted"]);
      expect(await outcomes([of(together, 15_000n), of(together, 10_000n), of(together, 1n)])).toEqual([
        "accepted",
        "accepted",
        "retry",
      ]);
    }
  });

  test("a balance that comes to stand at its threshold owes nothing, and the fall from there owes an event", async () => {
    const key = await wallet(30_000n);
    await fresh.pool.query("update wallets set low_balance_threshold = 20000 where abs(wallet_id) = $1", [
      key.merchantId,
    ]);
    const due = async () =>
      (await fresh.pool.query("select low_balance_due from wallets where abs(wallet_id) = $1", [key.merchantId])).rows;
    await accepted(key, "to-the-threshold");
    expect(await due()).toEqual([{ low_balance_due: false }]);
    await accepted(key, "below-it", 1n);
    expect(await due()).toEqual([{ low_balance_due: true }]);
    await fresh.pool.query("update wallets set low_balance_due = false where abs(wallet_id) = $1", [key.merchantId]);
    await accepted(key, "further-down");
    expect(await due()).toEqual([{ low_balance_due: false }]);
  });

  test("one item that the database rejects does not fail its neighbours", async () => {
    const key = await wallet(1_000_000n);
    const { accept } = commits();
    const answers = await Promise.allSettled([
      accept(newPurchase(key, "sound")),
      accept(newPurchase(key, "broken", { fingerprint: "not-a-uuid" })),
      accept(newPurchase(key, "sound-too")),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await balanceOf(key)).toBe(980_000n);
  });
});

describe("settle", () => {
  test("a failure refunds exactly once, however often and from wherever it is reported", async () => {
    const key = await wallet(30_000n);
    const purchase = await accepted(key, "declined");
    const failed = { status: "failed", errorCode: "PROVIDER_DECLINED" } as const;
    const lease = { epoch: 0, evidence: "no" };
    const ends = await Promise.all([1, 2, 3].map(() => commits().settle(purchase, failed, lease)));
    expect(ends.map((end) => end.status)).toEqual(["failed", "failed", "failed"]);
    expect(await balanceOf(key)).toBe(30_000n);
  });

  test("the first verdict stands: a late success after a failure changes nothing", async () => {
    const key = await wallet(30_000n);
    const purchase = await accepted(key, "late");
    const { settle } = commits();
    await settle(purchase, { status: "failed", errorCode: "PROVIDER_DECLINED" }, { epoch: 0, evidence: "no" });
    const end = await settle(
      purchase,
      { status: "successful", providerReference: "P1", fulfilment: null },
      { epoch: 0, evidence: "yes" },
    );
    expect(end.status).toBe("failed");
    expect(await balanceOf(key)).toBe(30_000n);
  });

  test("who lost the lease cannot settle", async () => {
    const key = await wallet(30_000n);
    const purchase = await accepted(key, "zombie");
    await fresh.pool.query("update inflight set due_at = now() - interval '1 second' where purchase_id = $1", [
      purchase.id,
    ]);
    const claims = await claimPendingDue(database, {
      groups: [key.merchantId],
      perGroup: 9,
      limit: 9,
      leaseSeconds: 90,
    });
    expect(claims.map((claim) => [claim.id, claim.epoch])).toEqual([[purchase.id, 1]]);
    const { settle } = commits();
    const declined = { status: "failed", errorCode: "PROVIDER_DECLINED" } as const;
    expect((await settle(purchase, declined, { epoch: 0, evidence: "no" })).status).toBe("pending");
    expect(await balanceOf(key)).toBe(20_000n);
    const vended = { status: "successful", providerReference: "P1", fulfilment: null } as const;
    expect((await settle(purchase, vended, { epoch: 1, evidence: "yes" })).status).toBe("successful");
    expect((await findPurchase(database, key, purchase.id))?.providerReference).toBe("P1");
  });

  test("who waited while the lease was taken cannot settle", async () => {
    const key = await wallet(30_000n);
    const purchase = await accepted(key, "overtaken");
    const other = await fresh.pool.connect();
    await other.query("begin");
    await other.query("update inflight set epoch = 1 where purchase_id = $1", [purchase.id]);
    const declined = { status: "failed", errorCode: "PROVIDER_DECLINED" } as const;
    const settling = commits().settle(purchase, declined, { epoch: 0, evidence: "no" });
    const isWaiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await expect.poll(async () => (await fresh.pool.query(isWaiting)).rowCount).toBe(1);
    await other.query("commit");
    other.release();
    expect((await settling).status).toBe("pending");
    expect(await balanceOf(key)).toBe(20_000n);
    await commits().settle(purchase, declined, { epoch: 1, evidence: "no" });
    expect(await balanceOf(key)).toBe(30_000n);
  });

  test("a refund gives its own day back, of no other day and never more than was spent", async () => {
    const key = await wallet(1_000_000n);
    const today = zone.dayOf(clock.now());
    const yesterday = zone.dayOf(today.start - 1).date;
    const mintedAt = (at: number) => purchaseIdMinter({ now: () => at }, 9)();
    const spent = async () =>
      (await fresh.pool.query("select day_spent::int from wallets where abs(wallet_id) = $1", [key.merchantId])).rows;
    const buy = async (reference: string, at: number, day: string) => {
      await insertPurchases(database, [newPurchase(key, reference, { id: mintedAt(at) })], day);
      const [purchase] = await findPurchasesByReference(database, [{ wallet: key, reference: reference as Reference }]);
      return purchase!;
    };
    const fail = (purchase: Purchase) =>
      commits().settle(purchase, { status: "failed", errorCode: "OUT_OF_STOCK" }, { epoch: 0, evidence: "no" });
    const old = await buy("before-midnight", today.start - 1, yesterday);
    const first = await buy("at-midnight", today.start, today.date);
    expect(await spent()).toEqual([{ day_spent: 10_000 }]);
    await fail(old);
    expect(await spent()).toEqual([{ day_spent: 10_000 }]);
    await fail(first);
    expect(await spent()).toEqual([{ day_spent: 0 }]);
    const overtaken = await buy("before-another-process-began-tomorrow", clock.now(), today.date);
    const tomorrow = zone.dayOf(today.end + 1).date;
    await buy("where-tomorrow-has-begun", today.end + 1, tomorrow);
    expect(await spent()).toEqual([{ day_spent: 10_000 }]);
    await fail(overtaken);
    expect(await spent()).toEqual([{ day_spent: 10_000 }]);
    // Its process has yesterday still: it counted on the day that had begun, and is given back there.
    const behind = await buy("where-it-is-still-today", clock.now(), today.date);
    expect(await spent()).toEqual([{ day_spent: 20_000 }]);
    await fail(behind);
    expect(await spent()).toEqual([{ day_spent: 10_000 }]);
  });

  test("refunds and charges of one wallet in many batches keep a true running balance", async () => {
    const key = await wallet(500_000n);
    const { accept, settle } = commits();
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const acceptance = await accept(newPurchase(key, `mixed-${i}`));
        if (acceptance.kind !== "accepted" || i % 2 === 0) return;
        await settle(
          acceptance.purchase,
          { status: "failed", errorCode: "OUT_OF_STOCK" },
          { epoch: 0, evidence: "no" },
        );
      }),
    );
    // At most 30 of 60 stay charged; the afterAll hook checks the chain of entries.
    expect((await balanceOf(key)) ?? 0n).toBeGreaterThanOrEqual(200_000n);
  });
});
