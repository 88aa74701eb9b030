import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openLineRows } from "../../../src/domain/bulk-orders/line-rows.ts";
import { insertBulkOrder, type PlaceRow } from "../../../src/domain/bulk-orders/queries.ts";
import { insertPurchases, type NewPurchase } from "../../../src/domain/purchases/queries.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import { type PurchaseId, type Reference, type WalletKey, walletIdOf } from "../../../src/kernel/ids.ts";
import type { Mode } from "../../../src/kernel/mode.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { type OpenDatabase, openDatabase, openPool } from "../../../src/platform/database/database.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { fundedWallet, mintPurchaseId, newPurchase, walletKey } from "../../support/wallet.ts";

let fresh: FreshDatabase;
let database: OpenDatabase;
const day = "2026-11-20";
const fingerprint = "00000000-0000-0000-0000-000000000000";

beforeAll(async () => {
  fresh = await freshDatabase();
  database = openDatabase(
    openPool({ connectionString: fresh.url, connectionsMax: 2, applicationName: "test", plans: "batched" }),
  );
});

afterAll(async () => {
  const broken = (await checkLedger(database)).filter((check) => check.broken.length > 0);
  await database.close();
  await fresh.drop();
  expect(broken).toEqual([]);
});

let merchants = 0;
async function wallet(balance: bigint, mode: Mode = "test"): Promise<WalletKey> {
  merchants += 1;
  const key = await fundedWallet(database, walletKey(merchants, mode), balance);
  await fresh.pool.query("update wallets set low_balance_threshold = 1000000 where abs(wallet_id) = $1", [merchants]);
  return key;
}

function place(reference: string, purchases: readonly NewPurchase[], id: PurchaseId = mintPurchaseId(), on = day) {
  const [first] = purchases;
  const rows = openLineRows();
  for (const purchase of purchases) rows.add(purchase);
  const sum = kobo(purchases.reduce((total, { terms }) => total + terms.total, 0n));
  const order = { id, reference: reference as Reference, category: "data", amount: sum, total: sum } as const;
  return insertBulkOrder(database, first!.terms.wallet, { ...order, fingerprint }, { ...rows.written, day: on });
}

/** Lines that differ in all that lines may differ in. */
function lines(key: WalletKey, order: string, count = 60): NewPurchase[] {
  return Array.from({ length: count }, (_, line) => {
    const total = kobo(BigInt(10_000 + (line % 7)));
    const vended = { providerReference: `SIM-${line}`, fulfilment: line % 4 === 1 ? { kind: "topup", line } : null };
    const phone = `0803${String(line).padStart(7, "0")}`;
    return newPurchase(key, `${order}-${line + 1}`, {
      channel: "bulk",
      bulk: { reference: order as Reference, line },
      customerRef: phone,
      phone: phone as never,
      productId: (1 + (line % 3)) as never,
      fee: kobo(BigInt(line % 2)),
      total,
      unitAmount: total,
      details: line % 5 === 0 ? { 'a "quoted" \\ name,': line } : {},
      ...(key.mode === "live" ? { cost: total, routeReason: "priority" } : {}),
      ...(key.mode === "test" && line % 3 !== 2 ? { vended } : { step: "queued", dueSeconds: line % 2 }),
    });
  });
}

/** Everything that is stored about a wallet's purchases, but for whose they are. */
async function storedOf(wallet: WalletKey) {
  const read = async (text: string) => (await fresh.pool.query(text, [walletIdOf(wallet)])).rows;
  const without = "- '{wallet_id,id,purchase_id,created_at,updated_at,due_at}'::text[]";
  return {
    purchases: await read(
      `select to_jsonb(p) - 'purchased_at' - 'completed_at' ${without} as row, p.completed_at - p.purchased_at as took
         from purchases p where p.wallet_id = $1 order by p.number`,
    ),
    entries: await read(
      `select to_jsonb(e) ${without} as row, (select p.reference from purchases p where p.id = e.purchase_id) as of
         from ledger_entries e where e.wallet_id = $1 order by e.seq`,
    ),
    inflight: await read(
      `select to_jsonb(f) ${without} as row, round(extract(epoch from f.due_at - p.purchased_at)) as due, p.reference
         from inflight f join purchases p on p.id = f.purchase_id where f.wallet_id = $1 order by p.number`,
    ),
    wallet: await read(`select to_jsonb(w) ${without} as row from wallets w where w.wallet_id = $1`),
  };
}

describe("a placed order", () => {
  test.each(["test", "live"] as const)("stores in %s what its lines bought one by one would store", async (mode) => {
    const [alone, ordered] = [await wallet(1_000_000n, mode), await wallet(1_000_000n, mode)];
    const rows = await insertPurchases(database, lines(alone, "order"), day);
    expect(new Set(rows.map((row) => row.outcome))).toEqual(new Set(["accepted"]));
    expect(await place("order", lines(ordered, "order"))).toMatchObject({ outcome: "placed", balance: 1_000_000n });
    expect(await storedOf(ordered)).toEqual(await storedOf(alone));
    expect((await storedOf(ordered)).wallet[0].row.low_balance_due).toBe(true);
    const [order] = (
      await fresh.pool.query("select lines, open_lines from bulk_orders where abs(wallet_id) = $1", [
        ordered.merchantId,
      ])
    ).rows;
    expect(order).toMatchObject({ lines: 60, open_lines: (await storedOf(ordered)).inflight.length });
  });

  test("is charged once when it is sent again", async () => {
    const key = await wallet(10_000_000n);
    const [sent, id] = [lines(key, "again"), mintPurchaseId()];
    const first = await place("again", sent, id);
    const before = await storedOf(key);
    expect(await place("again", sent, id)).toEqual({ ...first, spentToday: 600_174n });
    expect(await storedOf(key)).toEqual(before);
    expect(await place("again", lines(key, "again"))).toMatchObject({ outcome: "known" });
    expect(await storedOf(key)).toEqual(before);
  });

  test("may take the whole balance and all that is left of the day, which what was bought before counts for", async () => {
    const key = await wallet(600_174n + 10_000n, "live");
    const limited = (order: string) => lines(key, order).map((line) => ({ ...line, dayLimit: kobo(610_174n) }));
    await insertPurchases(database, [newPurchase(key, "before")], day);
    expect(await place("whole", limited("whole"))).toMatchObject({ outcome: "placed", spentToday: 10_000n });
    const { balance, day_spent } = (await storedOf(key)).wallet[0].row;
    expect([balance, day_spent]).toEqual([0, 610_174]);
    await fresh.pool.query("update wallets set balance = balance + 1000000 where abs(wallet_id) = $1", [
      key.merchantId,
    ]);
    expect(await place("more", limited("more"))).toMatchObject({ outcome: "over_limit", spentToday: 610_174n });
    const alone = [newPurchase(key, "one", { dayLimit: kobo(610_174n), total: kobo(1n), unitAmount: kobo(1n) })];
    expect(await insertPurchases(database, alone, day)).toMatchObject([{ outcome: "over_limit" }]);
    await fresh.pool.query("update wallets set balance = 0 where abs(wallet_id) = $1", [key.merchantId]);
  });

  test("counts on the day that another process has begun already", async () => {
    const key = await wallet(10_000_000n, "live");
    const limited = (order: string) => lines(key, order).map((line) => ({ ...line, dayLimit: kobo(700_000n) }));
    expect(await place("tomorrow", limited("tomorrow"), undefined, "2026-11-21")).toMatchObject({ outcome: "placed" });
    expect(await place("today", limited("today"))).toMatchObject({ outcome: "over_limit", spentToday: 600_174n });
    expect((await storedOf(key)).wallet[0].row).toMatchObject({ day: "2026-11-21", day_spent: 600_174 });
    expect(await place("small", limited("small").slice(0, 1))).toMatchObject({ outcome: "placed" });
    expect((await storedOf(key)).wallet[0].row).toMatchObject({ day: "2026-11-21", day_spent: 610_174 });
  });

  test("owes nothing where the balance comes to stand at its threshold, and an event for the fall from there", async () => {
    const key = await wallet(1_600_174n);
    const due = async () => (await storedOf(key)).wallet[0].row.low_balance_due;
    await place("to-the-threshold", lines(key, "to-the-threshold"));
    expect(await due()).toBe(false);
    await place("below-it", lines(key, "below-it", 1));
    expect(await due()).toBe(true);
  });

  test("knows no reference of another merchant, nor of the other mode", async () => {
    const key = await wallet(10_000_000n);
    const others = [
      await fundedWallet(database, { ...key, mode: "live" }, 10_000_000n),
      await fundedWallet(database, walletKey(key.merchantId + 6_400, key.mode), 10_000_000n),
    ];
    for (const other of others) {
      for (const order of ["a", "b", "f-1"]) await place(order, lines(other, `of-${order}`, 1));
      await insertPurchases(
        database,
        ["c", "d", "e-1"].map((reference) => newPurchase(other, reference)),
        day,
      );
    }
    const alone = await insertPurchases(
      database,
      ["a", "c"].map((reference) => newPurchase(key, reference)),
      day,
    );
    expect(alone.map(({ outcome }) => outcome)).toEqual(["accepted", "accepted"]);
    for (const reference of ["b", "d", "e", "f"]) {
      expect(await place(reference, lines(key, reference, 1))).toMatchObject({ outcome: "placed" });
    }
  });

  test("may have as many kinds of lines as lines", async () => {
    const key = await wallet(1_000_000_000n);
    const many = lines(key, "many", 4_000).map((line, n) => {
      const total = kobo(10_000n + BigInt(n));
      return { ...line, terms: { ...line.terms, unitAmount: total, total } };
    });
    const startedMs = performance.now();
    expect(await place("many", many)).toMatchObject({ outcome: "placed" });
    // Each line compared with each kind took 7 s.
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });
});

describe("a refused order leaves nothing behind", () => {
  async function refused(key: WalletKey, act: () => Promise<PlaceRow | null>): Promise<PlaceRow | null> {
    const before = await storedOf(key);
    const row = await act();
    expect(await storedOf(key)).toEqual(before);
    return row;
  }

  test("where lines have references that are used already, even if it is not covered", async () => {
    const key = await wallet(1_000_000n);
    await insertPurchases(database, [newPurchase(key, "order-2"), newPurchase(key, "order-60")], day);
    await place("order-3", lines(key, "order-3", 1));
    const row = { outcome: "taken", takenLines: [1, 2, 59] };
    expect(await refused(key, () => place("order", lines(key, "order")))).toMatchObject(row);
    const dear = lines(key, "order").map((line) => ({ ...line, terms: { ...line.terms, total: kobo(9_999_999n) } }));
    expect(await refused(key, () => place("order", dear))).toMatchObject(row);
    expect(await refused(key, () => place("order-2", lines(key, "x")))).toMatchObject({ outcome: "purchase" });
  });

  test("where the wallet does not cover it, or the day's limit, which is said first", async () => {
    const key = await wallet(500_000n);
    const insufficient = await refused(key, () => place("order", lines(key, "order")));
    expect(insufficient).toMatchObject({ outcome: "insufficient", balance: 500_000n, takenLines: null });
    const limited = lines(key, "order").map((line) => ({ ...line, dayLimit: kobo(400_000n) }));
    expect(await refused(key, () => place("order", limited))).toMatchObject({ outcome: "over_limit" });
  });

  test("where its ids lie below what is counted already", async () => {
    const key = await wallet(10_000_000n);
    const late = lines(key, "late");
    await fresh.pool.query("update wallets set counted_id = $1 where abs(wallet_id) = $2", [
      mintPurchaseId(),
      key.merchantId,
    ]);
    expect(await refused(key, () => place("late", late))).toMatchObject({ outcome: "late" });
    await fresh.pool.query("update wallets set counted_id = 0 where abs(wallet_id) = $1", [key.merchantId]);
  });

  test("where its total is not that of its lines", async () => {
    const key = await wallet(10_000_000n);
    const rows = openLineRows();
    for (const line of lines(key, "wrong")) rows.add(line);
    const order = { id: mintPurchaseId(), reference: "wrong" as Reference, category: "data" } as const;
    const wrong = { ...order, fingerprint, amount: kobo(1n), total: kobo(1n) };
    const act = () => insertBulkOrder(database, key, wrong, { ...rows.written, day });
    await refused(key, async () => {
      await expect(act()).rejects.toThrow("make its total");
      return null;
    });
  });
});
