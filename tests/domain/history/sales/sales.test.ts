import { expect, test } from "vitest";
import { listPurchaseDays, updatePurchaseCounts } from "../../../../src/domain/history/lists/count-queries.ts";
import { hoursLeft, readToday } from "../../../../src/domain/history/sales/sales.ts";
import {
  findPendingSum,
  findRefundedLater,
  listSoldProducts,
} from "../../../../src/domain/history/sales/sales-queries.ts";
import { insertPurchases, type NewPurchase } from "../../../../src/domain/purchases/queries.ts";
import { insertGivenBack } from "../../../../src/domain/wallet/queries.ts";
import { wallTime } from "../../../../src/kernel/clock.ts";
import {
  firstPurchaseIdAt,
  type ProductId,
  purchaseIdMinter,
  type WalletKey,
  walletIdOf,
} from "../../../../src/kernel/ids.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { fundedWallet, newPurchase, walletKey } from "../../../support/wallet.ts";

const [shop, sandbox, neighbour] = [walletKey(1, "live"), walletKey(1, "test"), walletKey(2, "live")];
const lagos = wallTime("Africa/Lagos");
/** A Thursday. */
const now = Date.parse("2026-11-26T14:05:00+01:00");
type End = "delivered" | "failed" | "pending" | "refunded later";

/** When, for how many naira, how it ended, of which product and in which wallet. */
const sales: readonly (readonly [string, bigint, End?, number?, WalletKey?])[] = [
  ["2026-11-26T00:00:00.000", 100n],
  ["2026-11-26T10:20:00.000", 200n, "delivered", 1_002],
  ["2026-11-26T13:59:59.999", 300n],
  ["2026-11-26T14:02:00.000", 400n],
  ["2026-11-26T11:00:00.000", 700n, "failed"],
  ["2026-11-26T12:00:00.000", 500n, "refunded later"],
  ["2026-11-26T13:00:00.000", 800n, "pending"],
  ["2026-11-26T13:30:00.000", 50n, "pending"],
  ["2026-11-26T10:00:00.000", 6_000n, "delivered", 1_001, sandbox],
  ["2026-11-26T10:00:00.000", 7_000n, "delivered", 1_001, neighbour],
  ["2026-11-25T23:59:59.999", 3_000n, "delivered", 1_003],
  ["2026-11-20T12:00:00.000", 40n, "delivered", 1_002],
  ["2026-11-19T09:00:00.000", 150n],
  ["2026-11-19T14:04:59.999", 250n],
  ["2026-11-19T14:05:00.000", 1_000n],
  ["2026-11-19T20:00:00.000", 2_000n],
  ["2026-11-18T10:00:00.000", 9_000n],
];

function made([at, naira, end = "delivered", product = 1_001, wallet = shop]: (typeof sales)[number]): NewPurchase {
  const id = purchaseIdMinter({ now: () => Date.parse(`${at}+01:00`) }, 1)();
  const amount = kobo(naira * 100n);
  const vended = end === "pending" ? null : { providerReference: null, fulfilment: null };
  const amounts = { unitAmount: amount, faceAmount: amount, total: amount };
  return newPurchase(wallet, `${end} ${at}`, { id, vended, productId: product as ProductId, ...amounts });
}

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 1, plans: "ordinary" }));
for (const wallet of [shop, sandbox, neighbour]) await fundedWallet(database, wallet, 1_000_000_000n);
await insertPurchases(database, sales.map(made), "2026-11-26");
await fresh.pool.query(
  `update purchases
      set status = 'failed', error_code = 'PROVIDER_DECLINED', refunded_at = completed_at, fulfilment = null
    where reference like 'failed%'`,
);
const refunded = made(["2026-11-26T12:00:00.000", 500n, "refunded later"]).terms.id;
await database.transaction((tx) =>
  insertGivenBack(tx, { kind: "reversal", wallet: shop, purchaseId: refunded, amount: kobo(50_000n), reason: "test" }),
);
await fresh.pool.query("update purchases set refunded_at = now() where reference like 'refunded later%'");

const daysOf = (wallet: WalletKey, days = 10) => listPurchaseDays(database, wallet, { now, days });
const naira = (amounts: readonly bigint[]) => amounts.map((amount) => Number(amount) / 100);

test("today is compared with the same weekday last week up to the same time, in the zone's own hours", async () => {
  const read = await readToday(database, shop, { now, wallTime: lagos, days: await daysOf(shop) });
  expect(read?.today.soFar).toEqual({ sales: 4, refunds: 2, sold: 100_000n });
  expect(read?.lastWeek.soFar).toEqual({ sales: 2, refunds: 0, sold: 40_000n });
  expect(read?.lastWeekAt).toBe(Date.parse("2026-11-19T14:05:00+01:00"));
  // The hours that are over: what is sold in the present one is not yet drawn.
  expect(naira(read?.today.hours ?? [])).toEqual([100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 300]);
  const lastWeek = naira(read?.lastWeek.hours ?? []);
  expect([lastWeek.length, lastWeek[9], lastWeek[14], lastWeek[20]]).toEqual([24, 150, 1_250, 2_000]);
});

test("a wallet that never sold has nothing to be compared with", async () => {
  const empty = await fundedWallet(database, walletKey(3, "live"), 0n);
  const read = await readToday(database, empty, { now, wallTime: lagos, days: await daysOf(empty) });
  expect([read?.today.soFar, read?.lastWeek.soFar]).toEqual(
    Array.from({ length: 2 }, () => ({ sales: 0, refunds: 0, sold: 0n })),
  );
});

test.each(["before", "after"])(
  "days, products and pace leave out what was refunded later, %s it is counted",
  async (when) => {
    if (when === "after") {
      for (const wallet of [shop, sandbox, neighbour])
        await updatePurchaseCounts(database, walletIdOf(wallet), firstPurchaseIdAt(now), 100);
    }
    const days = await daysOf(shop);
    expect(days.at(-1)).toMatchObject({
      date: "2026-11-26",
      successful: 4,
      failed: 2,
      sold: 100_000n,
      refunded: 120_000n,
    });
    expect(days.at(-2)).toMatchObject({ date: "2026-11-25", successful: 1, sold: 300_000n });
    expect(await listSoldProducts(database, shop, { now, days: 7 })).toEqual([
      { productId: 1_003, sales: 1, sold: 300_000n },
      { productId: 1_001, sales: 3, sold: 80_000n },
      { productId: 1_002, sales: 2, sold: 24_000n },
    ]);
    expect(await listSoldProducts(database, sandbox, { now, days: 7 })).toEqual([
      { productId: 1_001, sales: 1, sold: 600_000n },
    ]);
    // The seven whole days before today sold as much as that together, and today's sales say nothing.
    expect(hoursLeft(kobo(644_000n), days)).toBe(168);
  },
);

test("a balance lasts as long as the days since the first sale tell, and nothing is told before three of them", async () => {
  const day = (sold: bigint) => ({
    ...{ date: "", successful: sold === 0n ? 0 : 1, failed: 0 },
    ...{ sold: kobo(sold), refunded: kobo(0n) },
  });
  const none = Array.from({ length: 26 }, () => day(0n));
  expect(hoursLeft(kobo(600n), [...none, day(0n), day(0n), day(100n), day(999n)])).toBeNull();
  // Two whole days at 100 each; today is not over, and says nothing.
  expect(hoursLeft(kobo(600n), [...none, day(0n), day(100n), day(100n), day(999n)])).toBe(144);
  expect(hoursLeft(kobo(0n), [...none, day(0n), day(100n), day(100n), day(999n)])).toBe(0);
  // A week without a sale has no pace.
  expect(hoursLeft(kobo(600n), [day(1n), day(1n), day(1n), ...none])).toBeNull();
});

test("what is pending is summed with its oldest, and a refund is told for as long as it is news", async () => {
  const first = made(["2026-11-26T13:00:00.000", 800n, "pending"]).terms.id;
  expect(await findPendingSum(database, shop)).toEqual({
    purchases: 2,
    total: 85_000n,
    oldest: { id: first, at: Date.parse("2026-11-26T13:00:00+01:00") },
  });
  expect(await findPendingSum(database, sandbox)).toEqual({ purchases: 0, total: 0n, oldest: null });
  const madeSince = now - 30 * 86_400_000;
  const since = Date.now() - 3_600_000;
  expect(await findRefundedLater(database, shop, { since, madeSince })).toEqual({ purchases: 1, lastId: refunded });
  expect(await findRefundedLater(database, shop, { since: Date.now() + 3_600_000, madeSince })).toBeNull();
  expect(await findRefundedLater(database, neighbour, { since, madeSince })).toBeNull();
});

test("two days are read and no more, of the one wallet", async () => {
  const days = await daysOf(shop);
  const read = await rowsRead(database, "purchases", () => readToday(database, shop, { now, wallTime: lagos, days }));
  expect(read).toBe(12);
  const many = days.map((day) => ({ ...day, successful: 100_000 }));
  expect(await readToday(database, shop, { now, wallTime: lagos, days: many })).toBeNull();
});
