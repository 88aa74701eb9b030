import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openLineRows } from "../../../src/domain/bulk-orders/line-rows.ts";
import { insertBulkOrder } from "../../../src/domain/bulk-orders/queries.ts";
import { insertPurchases, type NewPurchase } from "../../../src/domain/purchases/queries.ts";
import { updateSettled } from "../../../src/domain/purchases/settle-queries.ts";
import type { Reference } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { rowsRead } from "../../support/rows-read.ts";
import { fundedWallet, mintPurchaseId, newPurchase, walletKey } from "../../support/wallet.ts";

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 1, plans: "batched" }));

const day = "2026-11-20";

function failed({ terms }: NewPurchase): Parameters<typeof updateSettled>[1][number] {
  const { wallet, id, reference } = terms;
  const said = {
    errorCode: "PROVIDER_DECLINED",
    supplierReference: "1",
    evidence: "declined",
    providerReference: null,
  };
  const rest = { fulfilment: null, bulkReference: null, completedAt: Date.now(), events: [], codes: [] };
  return { wallet, id, reference, epoch: 0, attempt: 1, status: "failed", ...said, ...rest };
}

const purchasesRead = (act: () => Promise<unknown>) => rowsRead(database, "purchases", act);

test("a refund reads its own purchase and not all that its wallet bought, by a plan made when nothing was bought", async () => {
  const wallet = await fundedWallet(database, walletKey(2, "live"), 10_000_000_000n);
  const purchases = Array.from({ length: 2_000 }, (_, i) => newPurchase(wallet, `refunded-${i}`));
  const settleCounted = async (some: readonly NewPurchase[]) => {
    await fresh.pool.query(
      "update wallets w set counted_id = (select max(p.id) from purchases p) where abs(wallet_id) = 2",
    );
    return updateSettled(database, some.map(failed));
  };
  await insertPurchases(database, purchases.slice(0, 1), day);
  await settleCounted(purchases.slice(0, 1));
  await insertPurchases(database, purchases.slice(1), day);
  const read = await purchasesRead(async () => {
    expect(await settleCounted(purchases.slice(1, 21))).toHaveLength(20);
  });
  expect(read).toBeLessThan(500);
});

test("an order's taken references are found by their index and not among all that its wallet bought", async () => {
  const wallet = await fundedWallet(database, walletKey(3), 10_000_000_000n);
  const purchases = Array.from({ length: 2_000 }, (_, i) => newPurchase(wallet, `taken-${i}`));
  const placeTaken = (name: string, first: number, count: number) => {
    const rows = openLineRows();
    for (let i = first; i < first + count; i++) {
      rows.add(newPurchase(wallet, `taken-${i}`, { channel: "bulk", bulk: { reference: name as Reference, line: i } }));
    }
    const total = kobo(purchases.slice(0, count).reduce((sum, { terms }) => sum + terms.total, 0n));
    const order = {
      id: mintPurchaseId(),
      reference: name as Reference,
      category: "data",
      amount: total,
      total,
    } as const;
    return insertBulkOrder(database, wallet, { ...order, fingerprint: randomUUID() }, { ...rows.written, day });
  };
  await insertPurchases(database, purchases.slice(0, 1), day);
  expect((await placeTaken("taken-order-1", 0, 1))?.outcome).toBe("taken");
  await insertPurchases(database, purchases.slice(1), day);
  const read = await purchasesRead(async () => {
    expect((await placeTaken("taken-order-2", 1, 20))?.outcome).toBe("taken");
  });
  expect(read).toBeLessThan(500);
});

const lookups = {
  purchases_reference_once:
    "select p.id from purchases p where p.wallet_id = $1 and p.reference = $2 and p.reference <> ''",
  purchases_pkey: "select p.reference from purchases p where p.wallet_id = $1 and p.id = $2",
  inflight_pkey: "select p.epoch from inflight p where p.wallet_id = $1 and p.purchase_id = $2",
  bulk_orders_reference_once:
    "select b.id from bulk_orders b where b.wallet_id = $1 and b.reference = $2 and b.reference <> ''",
  bulk_orders_pkey: "select b.lines from bulk_orders b where b.wallet_id = $1 and b.id = $2",
};

/** The indexes that a generic plan reads, which these sessions are set to: what they keep until the next replan. */
async function indexesRead(text: string): Promise<string[]> {
  const run = (statement: string) => database.query<{ "QUERY PLAN": string }>({ name: "", text: statement });
  await run(`prepare lookup as ${text}`);
  const rows = await run("explain execute lookup (null, null)");
  await run("deallocate lookup");
  return rows.flatMap((row) => /Index (?:Only )?Scan.* using (\w+)/.exec(row["QUERY PLAN"])?.[1] ?? []);
}

async function expectOwnIndexes(): Promise<void> {
  for (const [index, text] of Object.entries(lookups)) {
    expect(await indexesRead(text)).toEqual([index]);
  }
}

test("a lookup reads its own index whatever the tables hold and the statistics know", async () => {
  await expectOwnIndexes();
  const wallet = await fundedWallet(database, walletKey(1, "live"), 10_000_000_000n);
  for (const [round, count] of [100, 1_000, 4_000].entries()) {
    const purchases = Array.from({ length: count }, (_, i) => newPurchase(wallet, `plan-${round}-${i}`));
    await insertPurchases(database, purchases, day);
    await expectOwnIndexes();
    await fresh.pool.query("analyze");
    await expectOwnIndexes();
  }
});
