import { beforeEach, expect, test } from "vitest";
import { listCategoryHours } from "../../../../src/domain/history/suppliers/health-queries.ts";
import { keepBalance } from "../../../../src/domain/suppliers/balances.ts";
import { percentileOf } from "../../../../src/domain/suppliers/routing/answer-times.ts";
import {
  type Breakers,
  listBreakersOf,
  listStoredBreakers,
  openBreakers,
  storeOpenBreakers,
} from "../../../../src/domain/suppliers/routing/breaker.ts";
import { openRouteCounts, type RouteCounts } from "../../../../src/domain/suppliers/routing/route-counts.ts";
import { purgeHours, ratesOf, readFigures } from "../../../../src/domain/suppliers/routing/route-figures.ts";
import { wallTime } from "../../../../src/kernel/clock.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { openDatabase, openPool, type Queryable } from "../../../../src/platform/database/database.ts";
import { closing } from "../../../support/closing.ts";
import { stockedDatabase } from "../../../support/database.ts";

const lagos = wallTime("Africa/Lagos");
const bought = { productId: 1002, category: "data", quantity: 1, faceAmount: kobo(100n) };

let nowMs = 0;
const clock = { now: () => nowMs };

const fresh = closing(await stockedDatabase());
const options = { connectionString: fresh.url, connectionsMax: 4, applicationName: "counts" };
const database = closing(openDatabase(openPool({ ...options, plans: "ordinary" })));

beforeEach(async () => {
  nowMs = Date.parse("2026-11-25T12:20:00+01:00");
  await fresh.pool.query("truncate suppliers cascade");
  await fresh.pool.query("insert into suppliers (name, connector) values ('bank', 'bank'), ('shop', 'shop')");
});

/** A process, whose purchases cost 90 kobo each. */
function open(through: Queryable = database): RouteCounts {
  return openRouteCounts({ database: through, clock, wallTime: lagos, costOf: () => kobo(90n) });
}

function sell(counts: RouteCounts, times: number, kind: "vended" | "declined" | "unknown" = "vended"): void {
  for (let i = 0; i < times; i++) counts.answered(counts.sent("bank", bought), { kind, tookMs: 40 });
}

const standing = (counts: RouteCounts) => {
  const { purchases, cost } = counts.standingOf("bank");
  return [purchases, cost];
};

test("what a process sends counts at once, before its answer; what is declined does not count any more", () => {
  const counts = open();
  const attempt = counts.sent("bank", bought);
  expect(standing(counts)).toEqual([1, 90n]);
  sell(counts, 2);
  sell(counts, 1, "unknown");
  counts.answered(attempt, { kind: "declined", tookMs: 1 });
  expect(standing(counts)).toEqual([3, 270n]);
});

test("two processes know what both have sent, once each has flushed, and a new one knows it from its start", async () => {
  const [one, other] = [open(), open()];
  sell(one, 3);
  sell(other, 4);
  await Promise.all([one.flush(), other.flush()]);
  await one.flush();
  await other.flush();
  expect([standing(one), standing(other)]).toEqual([
    [7, 630n],
    [7, 630n],
  ]);
  // Nothing that was stored counts again.
  sell(one, 1);
  for (let i = 0; i < 3; i++) await one.flush();
  expect(standing(one)).toEqual([8, 720n]);

  const restarted = open();
  await restarted.flush();
  expect(standing(restarted)).toEqual([8, 720n]);
});

test("what a process has not stored is stored when it ends in order", async () => {
  const ending = open();
  sell(ending, 5);
  await ending.idle();
  const next = open();
  await next.flush();
  expect(standing(next)).toEqual([5, 450n]);
});

test("the count begins anew at midnight in Lagos, and an answer after it belongs to the day of its attempt", async () => {
  nowMs = Date.parse("2026-11-25T23:59:59.999+01:00");
  const [counts, other] = [open(), open()];
  sell(counts, 2);
  const last = counts.sent("bank", bought);
  await counts.flush();
  nowMs += 1;
  expect(standing(counts)).toEqual([0, 0n]);
  counts.answered(last, { kind: "declined", tookMs: 2 });
  sell(counts, 1);
  expect(standing(counts)).toEqual([1, 90n]);
  await counts.flush();
  await other.flush();
  expect([standing(counts), standing(other)]).toEqual([
    [1, 90n],
    [1, 90n],
  ]);
  const { rows } = await fresh.pool.query(
    "select day::text, purchases::int, cost::int from supplier_days where supplier = 'bank' order by day",
  );
  expect(rows).toEqual([
    { day: "2026-11-25", purchases: 2, cost: 180 },
    { day: "2026-11-26", purchases: 1, cost: 90 },
  ]);
});

test("what could not be stored is kept and counts, and so does what was stored but not read back", async () => {
  let refused = "";
  const faulty: Queryable = {
    query: (calls, values) =>
      (calls as { name: string }).name === refused
        ? Promise.reject(new Error("the database is away"))
        : database.query(calls as never, values as never),
  } as Queryable;
  const counts = open(faulty);
  sell(counts, 2);
  for (const name of ["insert_route_counts", "list_supplier_standings"]) {
    refused = name;
    await expect(counts.flush()).rejects.toThrow("the database is away");
    sell(counts, 1);
  }
  expect(standing(counts)).toEqual([4, 360n]);
  refused = "";
  await counts.flush();
  const another = open();
  await another.flush();
  expect([standing(counts), standing(another)]).toEqual([
    [4, 360n],
    [4, 360n],
  ]);
});

const balanceOf = (counts: RouteCounts) => counts.standingOf("bank").balance;

test("a balance is what the supplier told less what all have sent since; unknown or an hour old it is none", async () => {
  nowMs = Date.now(); // the database's clock says when a balance was told, and of which days the sum is
  const [one, other] = [open(), open()];
  sell(one, 10);
  await one.flush();
  expect(balanceOf(one)).toBe(null);
  await keepBalance(database, "bank", 10_000n, "NGN");
  sell(one, 1);
  expect(balanceOf(one)).toBe(null);
  await one.flush();
  expect(balanceOf(one)).toBe(9_910n);
  sell(one, 2);
  expect(balanceOf(one)).toBe(9_730n);
  sell(other, 5);
  await other.flush();
  await one.flush();
  expect(balanceOf(one)).toBe(9_280n);
  await keepBalance(database, "bank", 9_280n, "NGN");
  await one.flush();
  expect(balanceOf(one)).toBe(9_280n);

  const restarted = open();
  sell(other, 1);
  await other.flush();
  await restarted.flush();
  expect(balanceOf(restarted)).toBe(9_190n);
  nowMs += 3_599_000;
  expect(balanceOf(restarted)).toBe(9_190n);
  nowMs += 2_000;
  expect(balanceOf(restarted)).toBe(null);
});

test("from an account in another currency nothing is taken away: what is sent is known in naira", async () => {
  nowMs = Date.now(); // the database's clock says when a balance was told, and of which days the sum is
  await keepBalance(database, "bank", 5_000n, "USD");
  const counts = open();
  await counts.flush();
  sell(counts, 3);
  expect(balanceOf(counts)).toBe(5_000n);
});

test("a route's hours tell what its attempts came to, and are gone after 30 days", async () => {
  const counts = open();
  sell(counts, 6);
  sell(counts, 1, "declined");
  sell(counts, 1, "unknown");
  counts.answered(counts.sent("bank", bought), { kind: "vended", tookMs: 230.9 });
  await counts.flush();
  const services = { database, clock };
  const figures = await readFigures(services, 1);
  expect(figures).toEqual([
    {
      ...{ supplier: "bank", productId: 1002, category: "data" },
      ...{ vended: 7, declined: 1, unknown: 1, tookMs: 550, slowestMs: 230 },
    },
  ]);
  expect(ratesOf(figures)).toEqual({ attempts: 9, vendedShare: 7 / 9, averageSeconds: 550 / 9 / 1_000 });
  // 12:20: the hour before this one ends at 13:00 plus two hours.
  nowMs += 3_600_000 + 2_399_000;
  expect(await readFigures(services, 1)).toHaveLength(1);
  nowMs += 1_000;
  expect(await readFigures(services, 1)).toEqual([]);
  nowMs += 29 * 86_400_000;
  expect(await purgeHours(services)).toBe(0);
  nowMs += 86_400_000;
  expect(await purgeHours(services)).toBe(1);
});

test("how long answers took is kept by bounds, whichever process counted, and percentiles come from it", async () => {
  const took = (counts: RouteCounts, tookMs: number, times: number) => {
    for (let i = 0; i < times; i++) counts.answered(counts.sent("bank", bought), { kind: "unknown", tookMs });
  };
  const [one, other] = [open(), open()];
  took(one, 320, 60);
  took(other, 400, 34);
  took(other, 30_001, 6);
  await one.flush();
  await other.flush();
  await other.flush();
  const [row, ...others] = await listCategoryHours(database, "bank", nowMs - 3_600_000);
  expect([row, others]).toMatchObject([{ category: "data", vended: 0, unknown: 100, cost: 9_000n }, []]);
  const answers = row?.answers ?? [];
  expect(percentileOf(answers, 0.5)).toBe(Math.ceil(300 + (50 / 94) * 100));
  expect(percentileOf(answers, 0.95)).toBeGreaterThan(25_600);
  expect(percentileOf([], 0.5)).toBeNull();
  // Hours that were counted before answers were timed.
  await fresh.pool.query("update supplier_category_hours set answers = '{}'");
  took(one, 40, 1);
  await one.flush();
  const [timed] = await listCategoryHours(database, "bank", nowMs - 3_600_000);
  expect([timed?.unknown, percentileOf(timed?.answers ?? [], 1)]).toEqual([101, 50]);
});

test("a breaker says since when it is open and why, by the first process that opened it and the last answer", async () => {
  const [first, second] = [openBreakers({ clock }), openBreakers({ clock })];
  const trouble = (breakers: Breakers, evidence: string) => {
    for (let i = 0; i < 10; i++) breakers.begin("bank", "data")?.({ kind: "unknown", evidence });
  };
  const opened = nowMs;
  trouble(first, "502 bad gateway");
  await storeOpenBreakers(database, first);
  nowMs += 5_000;
  trouble(second, "timed out");
  await storeOpenBreakers(database, second);
  expect(await listBreakersOf(database, "bank")).toEqual([
    { category: "data", isOpen: true, openedAt: opened, openAt: expect.anything(), lastTrouble: "timed out" },
  ]);
  // A trial that fails is the same trouble, not a new one.
  nowMs += 25_000;
  first.begin("bank", "data")?.({ kind: "unknown", evidence: "still 502" });
  await storeOpenBreakers(database, first);
  expect(await listBreakersOf(database, "bank")).toMatchObject([{ openedAt: opened, lastTrouble: "still 502" }]);
  // A word of long ago is another trouble.
  await fresh.pool.query("update supplier_breakers set open_at = open_at - interval '11 s', opened_at = '2026-01-01'");
  expect(await listBreakersOf(database, "bank")).toMatchObject([{ isOpen: false }]);
  await storeOpenBreakers(database, first);
  expect(await listBreakersOf(database, "bank")).toMatchObject([{ isOpen: true, openedAt: opened }]);
});

test("an open breaker leaves word of itself, which ends soon after it", async () => {
  const breakers = openBreakers({ clock });
  await storeOpenBreakers(database, breakers);
  for (let i = 0; i < 10; i++) breakers.begin("bank", "data")?.({ kind: "unknown", evidence: "" });
  await storeOpenBreakers(database, breakers);
  expect(await listStoredBreakers(database)).toEqual([{ supplier: "bank", category: "data" }]);
  await fresh.pool.query("update supplier_breakers set open_at = open_at - interval '11 s'");
  expect(await listStoredBreakers(database)).toEqual([]);
});

test("a purchase of several vouchers counts each of them for how long the stock lasts", async () => {
  const counts = open();
  counts.answered(counts.sent("shop", { ...bought, quantity: 3 }), { kind: "vended", tookMs: 1 });
  counts.answered(counts.sent("shop", { ...bought, quantity: 5 }), { kind: "declined", tookMs: 1 });
  await counts.flush();
  counts.answered(counts.sent("shop", { ...bought, quantity: 4 }), { kind: "vended", tookMs: 1 });
  await counts.flush();
  const text = "select vended, units from supplier_hours where supplier = 'shop'";
  expect((await fresh.pool.query(text)).rows).toEqual([{ vended: "2", units: "7" }]);
});
