import { expect, test } from "vitest";
import type { Purchase } from "../../../src/domain/purchases/purchase.ts";
import { findPurchase, findPurchasesByReference, insertPurchases } from "../../../src/domain/purchases/queries.ts";
import {
  claimPending,
  claimPendingDue,
  updatePendingDue,
  updateProviderReference,
} from "../../../src/domain/resolution/requery/pending-queries.ts";
import { type WalletKey, walletIdOf } from "../../../src/kernel/ids.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { fundedWallet, newPurchase, walletKey } from "../../support/wallet.ts";

const { fresh, database } = closing(await ownDatabase());
let merchants = 0;
async function wallet(balance: bigint): Promise<WalletKey> {
  merchants += 1;
  return fundedWallet(database, walletKey(merchants), balance);
}

async function accepted(key: WalletKey, name: string): Promise<Purchase> {
  const purchase = newPurchase(key, name);
  await insertPurchases(database, [purchase], "2026-11-20");
  const [stored] = await findPurchasesByReference(database, [purchase.terms]);
  return stored!;
}

test("who takes the lease of one purchase keeps everybody else away, and takes none of what is queued or went on", async () => {
  const key = await wallet(30_000n);
  const purchase = await accepted(key, "rung-for");
  const set = (what: string) => fresh.pool.query(`update inflight set ${what} where purchase_id = $1`, [purchase.id]);
  await set("due_at = now() - interval '1 second'");
  expect(await claimPending(database, { ...purchase, attempt: 2 }, 90)).toBeNull();
  expect(await claimPending(database, purchase, 90)).toBe(1);
  const due = { groups: [walletIdOf(key) & 63], perGroup: 9, limit: 9, leaseSeconds: 90 };
  expect(await claimPendingDue(database, due)).toEqual([]);
  expect(await claimPending(database, purchase, 90)).toBe(2);
  await set("step = 'queued'");
  expect(await claimPending(database, purchase, 90)).toBeNull();
});

test("of what is due the oldest is claimed first, and no more than was asked for", async () => {
  const key = await wallet(50_000n);
  const made: Purchase[] = [];
  for (let i = 0; i < 4; i++) made.push(await accepted(key, `due-${i}`));
  for (const [i, { id }] of made.entries()) {
    const due = "update inflight set due_at = now() - make_interval(secs => $2) where purchase_id = $1";
    await fresh.pool.query(due, [id, i === 0 ? -30 : i]);
  }
  const claim = async (perBucket: number, limit: number) =>
    (
      await claimPendingDue(database, { groups: [walletIdOf(key) & 63], perGroup: perBucket, limit, leaseSeconds: 90 })
    ).map(({ id }) => id);
  expect(await claim(1, 9)).toEqual([made[3]!.id]);
  expect(await claim(9, 1)).toEqual([made[2]!.id]);
  expect(await claim(9, 9)).toEqual([made[1]!.id]);
});

test("what the supplier calls an attempt is written down once, and only for the present attempt", async () => {
  const key = await wallet(30_000n);
  const purchase = await accepted(key, "named");
  const name = async () => (await findPurchase(database, key, purchase.id))?.providerReference;
  await updateProviderReference(database, { ...purchase, attempt: 2 }, "OF-ANOTHER-ATTEMPT");
  expect(await name()).toBeNull();
  await updateProviderReference(database, purchase, "FIRST");
  await updateProviderReference(database, purchase, "SECOND");
  expect(await name()).toBe("FIRST");
});

test("who lost the lease puts nothing off, and names nothing", async () => {
  const key = await wallet(30_000n);
  const purchase = await accepted(key, "put-off-late");
  expect(await claimPending(database, purchase, 90)).toBe(1);
  const row = async () =>
    (await fresh.pool.query("select step, due_at, last_answer from inflight where purchase_id = $1", [purchase.id]))
      .rows;
  const before = await row();
  const late = { wallet: key, id: purchase.id, epoch: 0, step: "review", dueSeconds: 5, received: null } as const;
  await updatePendingDue(database, [{ ...late, providerReference: "LATE", evidence: "late" }]);
  expect(await row()).toEqual(before);
  expect((await findPurchase(database, key, purchase.id))?.providerReference).toBeNull();
  await updatePendingDue(database, [{ ...late, epoch: 1, providerReference: "HELD", evidence: "held" }]);
  expect(await row()).toMatchObject([{ step: "review", last_answer: "held" }]);
  expect((await findPurchase(database, key, purchase.id))?.providerReference).toBe("HELD");
});
