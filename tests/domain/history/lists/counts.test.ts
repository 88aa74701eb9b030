import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beforeAllWallets, daySpan, updatePurchaseCounts } from "../../../../src/domain/history/lists/count-queries.ts";
import { countWallets, findUncounted, listPage, noFilter } from "../../../../src/domain/history/lists/list.ts";
import type { PurchaseFilter } from "../../../../src/domain/history/lists/list-queries.ts";
import { deleteOldPurchases } from "../../../../src/domain/maintenance/sandbox/queries.ts";
import { openAccept } from "../../../../src/domain/purchases/accept.ts";
import type { Purchase, PurchaseTerms } from "../../../../src/domain/purchases/purchase.ts";
import { insertPurchases } from "../../../../src/domain/purchases/queries.ts";
import { openSettle } from "../../../../src/domain/purchases/settle.ts";
import { updateSettled } from "../../../../src/domain/purchases/settle-queries.ts";
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
import { kobo } from "../../../../src/kernel/money.ts";
import { type OpenDatabase, openDatabase, openPool } from "../../../../src/platform/database/database.ts";
import { type FreshDatabase, freshDatabase } from "../../../support/database.ts";
import { testTransactionIds } from "../../../support/transaction-ids.ts";
import { fundedWallet, newPurchase, noAnnouncements, walletKey } from "../../../support/wallet.ts";
import { testSecretBox } from "../../../support/webhooks.ts";

let fresh: FreshDatabase;
let database: OpenDatabase;
const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const everything = firstPurchaseIdAt(start + 400 * 24 * hourMs);

beforeAll(async () => {
  fresh = await freshDatabase();
  const pool = openPool({ connectionString: fresh.url, connectionsMax: 8, applicationName: "test", plans: "ordinary" });
  database = openDatabase(pool);
});

afterAll(async () => {
  const broken = (await checkLedger(database)).filter((check) => check.broken.length > 0);
  await database.close();
  await fresh.drop();
  // The clock of these tests stands in the past, so what is pending looks overdue.
  expect(broken.filter((check) => !check.invariant.startsWith("12"))).toEqual([]);
});

interface Made {
  readonly purchase: Purchase;
  readonly end: "successful" | "failed" | "pending";
}

const phones = ["08030000001", "08030000002", "08030000003"] as const;
const meters = ["45000000001", "08030000002"] as const;
const amounts = [kobo(10_000n), kobo(20_000n), kobo(50_000n)] as const;
const channelsUsed = ["api", "legacy", "bulk"] as const;

/** Customers with and without a phone of their own, and numbers that are one purchase's phone, another's customer. */
function someTerms(line: number, random: () => number): Partial<PurchaseTerms> {
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const phone = one([...phones, null]);
  const channel = one(channelsUsed);
  const amount = one(amounts);
  return {
    productId: (1_000 + Math.floor(random() * 4)) as ProductId,
    channel,
    phone,
    customerRef: random() < 0.6 ? phone : one([...meters, null]),
    ...{ unitAmount: amount, faceAmount: amount, total: amount },
    bulk: channel === "bulk" ? { reference: one(["order-1", "order-2"]) as Reference, line } : null,
  };
}

/** A year of sandbox purchases with random gaps, products and ends; some are settled long after they were counted. */
async function makePurchases(key: WalletKey, count: number, random: () => number): Promise<Made[]> {
  let now = start;
  const clock = { now: () => now };
  const mint = purchaseIdMinter(clock, 3);
  const options = {
    database,
    clock,
    wallTime: wallTime("Africa/Lagos"),
    announcements: noAnnouncements,
    secretBox: testSecretBox,
    transactionIds: testTransactionIds,
  };
  const [accept, settle] = [openAccept(options), openSettle(options)];
  const made: Made[] = [];
  for (let i = 0; i < count; i++) {
    now += Math.floor(random() * 60 * hourMs);
    const end = (["successful", "failed", "pending"] as const)[Math.floor(random() * 2.2)] ?? "pending";
    const acceptance = await accept(newPurchase(key, `p${i}`, { id: mint(), ...someTerms(i, random) }));
    if (acceptance.kind !== "accepted") throw new Error(acceptance.kind);
    made.push({ purchase: acceptance.purchase, end });
    if (random() < 0.3)
      await updatePurchaseCounts(database, walletIdOf(key), firstPurchaseIdAt(now), 1 + Math.floor(random() * 20));
    if (end !== "pending" && random() < 0.8) await finish(settle, acceptance.purchase, end);
  }
  for (const { purchase, end } of made) if (end !== "pending") await finish(settle, purchase, end);
  return made;
}

async function finish(settle: ReturnType<typeof openSettle>, purchase: Purchase, end: "successful" | "failed") {
  const failure = { status: "failed", errorCode: "SANDBOX_FORCED_FAILURE" } as const;
  const success = { status: "successful", providerReference: null, fulfilment: null } as const;
  await settle(purchase, end === "failed" ? failure : success, { epoch: 0, evidence: null });
}

function isMeant({ purchase, end }: Made, filter: PurchaseFilter): boolean {
  const { status, productIds, fromId, beforeId, bulkReference, amount, ...equal } = filter;
  return (
    Object.entries(equal).every(([name, value]) => value === null || purchase[name as keyof Purchase] === value) &&
    (status === null || end === status) &&
    (productIds === null || productIds.includes(purchase.productId)) &&
    (bulkReference === null || purchase.bulk?.reference === bulkReference) &&
    purchase.total >= (amount?.from ?? 0n) &&
    purchase.total <= (amount?.to ?? 50_000n) &&
    (fromId === null || purchase.id >= fromId) &&
    (beforeId === null || purchase.id < beforeId)
  );
}

/** A small generator, so that a failing seed can be run again. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const exactly = { from: amounts[0], to: amounts[0] };

test("every filter's total and pages equal what reading everything finds", async () => {
  const key = await fundedWallet(database, walletKey(1, "test"), 1_000_000_000n);
  const made = await makePurchases(key, 160, seeded(20_261_120));
  const filters = fc.record({
    status: fc.constantFrom(null, "successful" as const, "failed" as const, "pending" as const),
    productIds: fc.constantFrom<readonly number[] | null>(null, [1_000], [1_001, 1_003], []),
    fromHour: fc.option(fc.integer({ min: -100, max: 5_000 })),
    beforeHour: fc.option(fc.integer({ min: -100, max: 5_000 })),
    phone: fc.constantFrom(null, null, null, ...phones),
    customerRef: fc.constantFrom(null, null, null, ...meters, phones[1]),
    channel: fc.constantFrom(null, null, ...channelsUsed, "dashboard"),
    bulkReference: fc.constantFrom(null, null, null, null, "order-1", "order-3"),
    amount: fc.constantFrom(null, null, { from: amounts[1], to: null }, { from: null, to: amounts[1] }, exactly),
    named: fc.option(fc.record({ position: fc.nat(159), by: fc.constantFrom("reference", "id") }), { freq: 6 }),
    page: fc.record({ page: fc.integer({ min: 1, max: 12 }), perPage: fc.integer({ min: 1, max: 30 }) }),
  });
  const property = fc.asyncProperty(filters, async ({ fromHour, beforeHour, named, page, ...same }) => {
    const fromId = fromHour === null ? null : firstPurchaseIdAt(start + fromHour * hourMs);
    const beforeId = beforeHour === null ? null : firstPurchaseIdAt(start + beforeHour * hourMs);
    const one = named === null ? undefined : made[named.position]?.purchase;
    const reference = named?.by === "reference" ? (one?.reference ?? null) : null;
    const id = named?.by === "id" ? (one?.id ?? null) : null;
    const filter: PurchaseFilter = { ...same, fromId, beforeId, reference, id, sought: null };
    const expected = made
      .filter((one) => isMeant(one, filter))
      .map(({ purchase }) => purchase)
      .reverse();
    const { purchases, meta } = await listPage(database, key, filter, page);
    expect(meta.total).toBe(expected.length);
    const first = (page.page - 1) * page.perPage;
    expect(purchases.map((row) => row.id)).toEqual(expected.slice(first, first + page.perPage).map((row) => row.id));
  });
  await fc.assert(property, { numRuns: 500 });
});

test("buying, settling, counting and purging at one time keep the counts exact", async () => {
  const key = await fundedWallet(database, walletKey(2, "test"), 1_000_000_000n);
  const clock = { now: () => Date.now() };
  const options = {
    database,
    clock,
    wallTime: wallTime("Africa/Lagos"),
    announcements: noAnnouncements,
    secretBox: testSecretBox,
    transactionIds: testTransactionIds,
  };
  const [accept, settle] = [openAccept(options), openSettle(options)];
  const mint = purchaseIdMinter(clock, 4);
  let buying = true;
  const buyers = Array.from({ length: 4 }, async (_, buyer) => {
    for (let i = 0; i < 60; i++) {
      const purchase = newPurchase(key, `c${buyer}-${i}`, { id: mint(), productId: (1_000 + (i % 3)) as ProductId });
      const acceptance = await accept(purchase);
      // The counter runs up to this very moment, so that some come late: they are refused and nothing else happens.
      if (acceptance.kind === "accepted")
        await finish(settle, acceptance.purchase, i % 5 === 0 ? "failed" : "successful");
      else expect(acceptance.kind).toBe("late");
    }
  });
  const counters = Array.from({ length: 2 }, async () => {
    while (buying) await updatePurchaseCounts(database, walletIdOf(key), firstPurchaseIdAt(Date.now()), 7);
  });
  const purger = (async () => {
    while (buying) await deleteOldPurchases(database, key.merchantId, firstPurchaseIdAt(Date.now() - 50), 5);
  })();
  await Promise.all(buyers);
  buying = false;
  await Promise.all([...counters, purger]);
  expect((await checkLedger(database)).filter((check) => check.broken.length > 0)).toEqual([]);
});

test("a purchase never slips below what is counted already", async () => {
  const key = await fundedWallet(database, walletKey(3, "test"), 1_000_000n);
  const early = newPurchase(key, "early");
  const later = newPurchase(key, "later");
  const known = newPurchase(key, "later");
  expect((await insertPurchases(database, [later], "2026-11-20"))[0]?.outcome).toBe("accepted");
  await updatePurchaseCounts(database, walletIdOf(key), everything, 10);
  const rows = await insertPurchases(database, [early], "2026-11-20");
  expect(rows.map((row) => row.outcome)).toEqual(["late"]);
  expect((await insertPurchases(database, [known], "2026-11-20"))[0]?.outcome).toBe("known");
});

test("a clock that is ahead closes no time that is still to come", async () => {
  const key = await fundedWallet(database, walletKey(6, "test"), 1_000_000n);
  const aheadByADay = { now: () => Date.now() + 24 * hourMs };
  const made = newPurchase(key, "ahead", { id: purchaseIdMinter({ now: () => Date.now() + 23 * hourMs }, 5)() });
  expect((await insertPurchases(database, [made], "2026-11-20"))[0]?.outcome).toBe("accepted");
  const found = await findUncounted({ database, clock: aheadByADay }, beforeAllWallets, 100);
  await countWallets({ database, clock: aheadByADay }, { ...found, wallets: [walletIdOf(key)] });
  const now = newPurchase(key, "now", { id: purchaseIdMinter({ now: () => Date.now() }, 6)() });
  expect((await insertPurchases(database, [now], "2026-11-20"))[0]?.outcome).toBe("accepted");
});

test("a purchase that is just ending when it is counted is counted once", async () => {
  const key = await fundedWallet(database, walletKey(4, "test"), 1_000_000n);
  const ending = newPurchase(key, "ending");
  await insertPurchases(database, [ending], "2026-11-20");
  await database.transaction(async (tx) => {
    const settlement = { wallet: key, id: ending.terms.id, epoch: 0, status: "successful", errorCode: null } as const;
    const rest = { providerReference: null, fulfilment: null, supplierReference: "S-1", evidence: null, attempt: 1 };
    const reply = { reference: ending.terms.reference, completedAt: Date.now(), events: [], codes: [] };
    const rows = await updateSettled(tx, [{ ...settlement, ...rest, ...reply }]);
    expect(rows).toHaveLength(1);
    // Its commit is still to come: whoever counts now stops before it.
    expect(await updatePurchaseCounts(database, walletIdOf(key), everything, 10)).toBe(0);
  });
  expect(await updatePurchaseCounts(database, walletIdOf(key), everything, 10)).toBe(1);
  const filter = { ...noFilter, status: "successful" } as const;
  expect((await listPage(database, key, filter, { page: 1, perPage: 10 })).meta.total).toBe(1);
});

test("a range of time is whole days and what is left at its ends", () => {
  const at = (hours: number) => firstPurchaseIdAt(start + hours * hourMs);
  const whole = daySpan(at(23), at(23 + 48)); // a Lagos day begins at 23:00 UTC
  expect([whole.lastDay - whole.firstDay, whole.edges]).toEqual([1, []]);
  const parts = daySpan(at(22), at(24 + 48));
  expect([parts.lastDay - parts.firstDay, parts.edges.length]).toEqual([1, 2]);
  const within = daySpan(at(1), at(5));
  expect([within.lastDay < within.firstDay, within.edges]).toEqual([true, [{ from: at(1), before: at(5) }]]);
  expect(daySpan(null, null)).toEqual({ firstDay: -1, lastDay: -1, edges: [] });
});
