import { afterAll, describe, expect, test } from "vitest";
import { openAccept } from "../../../src/domain/purchases/accept.ts";
import type { Purchase } from "../../../src/domain/purchases/purchase.ts";
import { findPurchase } from "../../../src/domain/purchases/queries.ts";
import { openSettle } from "../../../src/domain/purchases/settle.ts";
import { findWallet } from "../../../src/domain/wallet/queries.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import type { WalletKey } from "../../../src/kernel/ids.ts";
import { Overloaded } from "../../../src/platform/database/batcher.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { testTransactionIds } from "../../support/transaction-ids.ts";
import { fundedWallet, newPurchase, noAnnouncements, walletKey } from "../../support/wallet.ts";
import { testSecretBox } from "../../support/webhooks.ts";

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 5, plans: "batched" }));
afterAll(async () => {
  const broken = (await checkLedger(database)).filter((check) => check.broken.length > 0);
  expect(broken).toEqual([]);
});

const options = {
  database,
  clock: { now: () => Date.now() },
  wallTime: wallTime("Africa/Lagos"),
  announcements: noAnnouncements,
  secretBox: testSecretBox,
  transactionIds: testTransactionIds,
};
const accept = openAccept(options);
const settle = openSettle(options);

let merchants = 0;
async function wallet(balance: bigint): Promise<WalletKey> {
  merchants += 1;
  return fundedWallet(database, walletKey(merchants), balance);
}

async function accepted(key: WalletKey, reference: string): Promise<Purchase> {
  const acceptance = await accept(newPurchase(key, reference));
  if (acceptance.kind !== "accepted") throw new Error(`not accepted: ${acceptance.kind}`);
  return acceptance.purchase;
}

async function balanceOf(key: WalletKey): Promise<bigint | undefined> {
  return (await findWallet(database, key))?.balance;
}

describe("a wallet that somebody else holds", () => {
  const declined = { status: "failed", errorCode: "PROVIDER_DECLINED" } as const;
  const lease = { epoch: 0, evidence: "no" };

  async function whileLocked<Result>(key: WalletKey, act: () => Promise<Result>): Promise<Result> {
    const holder = await fresh.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from wallets where abs(wallet_id) = $1 for update", [key.merchantId]);
    try {
      return await act();
    } finally {
      await holder.query("commit");
      holder.release();
    }
  }

  test("keeps no other merchant's purchase or refund waiting, and its own go on once it is free", async () => {
    const [locked, free] = [await wallet(50_000n), await wallet(50_000n)];
    const [lockedSale, freeSale] = [await accepted(locked, "sold"), await accepted(free, "sold")];
    const waiting = await whileLocked(locked, async () => {
      // The held one first: the others stand in batches with it, and behind it.
      const own = [accept(newPurchase(locked, "own")), settle(lockedSale, declined, lease)];
      const kinds = await Promise.all([
        accept(newPurchase(free, "beside")).then(({ kind }) => kind),
        settle(freeSale, declined, lease).then(({ status }) => status),
      ]);
      expect(kinds).toEqual(["accepted", "failed"]);
      expect(await balanceOf(locked)).toBe(40_000n);
      return own;
    });
    await Promise.all(waiting);
    expect(await balanceOf(locked)).toBe(40_000n);
    expect((await findPurchase(database, locked, lockedSale.id))?.status).toBe("failed");
  });

  test("answers a reference that was used before all the same", async () => {
    const key = await wallet(50_000n);
    await accepted(key, "before");
    expect(await whileLocked(key, () => accept(newPurchase(key, "before")))).toEqual({ kind: "known" });
  });

  test("charges nothing where it stays held for longer than a client waits", async () => {
    const key = await wallet(50_000n);
    await whileLocked(key, () => expect(accept(newPurchase(key, "too-long"))).rejects.toThrow(Overloaded));
    expect(await balanceOf(key)).toBe(50_000n);
  });
});

test("a live purchase whose id another merchant's has is not charged, and its neighbours are", async () => {
  const [one, other] = [await wallet(50_000n), await wallet(50_000n)];
  const first = await accepted(one, "first");
  const answers = await Promise.all([
    accept(newPurchase(other, "same-id", { id: first.id })),
    accept(newPurchase(other, "own-id")),
  ]);
  expect(answers.map(({ kind }) => kind)).toEqual(["late", "accepted"]);
  expect(await balanceOf(other)).toBe(40_000n);
});
