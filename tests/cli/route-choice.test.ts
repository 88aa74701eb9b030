import { beforeEach, expect, test } from "vitest";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import { openBreakers, storeOpenBreakers } from "../../src/domain/suppliers/routing/breaker.ts";
import { openRouteCounts } from "../../src/domain/suppliers/routing/route-counts.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import { kobo } from "../../src/kernel/money.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

const plan = "1002";

// Three suppliers that are people serve one plan; its price is 640.00.
const app = closing(await startApp());
const merchant = formatMerchantId(app.merchant.id);

beforeEach(async () => {
  await app.fresh.pool.query("truncate suppliers cascade; truncate route_choices");
  for (const [name, cost, priority] of [
    ["alpha", "600.00", "1"],
    ["bravo", "590.00", "2"],
    ["charlie", "610.00", "3"],
  ] as const) {
    await app.fresh.pool.query("insert into suppliers (name, connector) values ($1, 'manual')", [name]);
    await run("route", "set", plan, name, "--cost", cost, "--priority", priority);
  }
});

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url, ENCRYPTION_KEY: testEncryptionKey });

const clock = { now: () => Date.now() };

/** A process of the service that sends `supplier` purchases of the plan at 600.00 each. */
async function sell(supplier: string, times: number, kind: "vended" | "declined" = "vended") {
  const options = { database: app.services.database, clock, wallTime: wallTime("Africa/Lagos") };
  const counts = openRouteCounts({ ...options, costOf: () => kobo(60_000n) });
  for (let i = 0; i < times; i++) {
    const sent = counts.sent(supplier, {
      productId: Number(plan),
      category: "data",
      quantity: 1,
      faceAmount: kobo(64_000n),
    });
    counts.answered(sent, { kind, tookMs: 250 });
  }
  await counts.flush();
}

const explain = (...words: string[]) => run("route", "explain", plan, "--merchant", merchant, "--json", ...words);
const placesOf = async (...words: string[]) =>
  (await explain(...words)).lines.map(({ place, supplier, why }) => [place, supplier, why]);

test("an explanation has the order in which suppliers would be asked, with cost and margin at the merchant's price", async () => {
  const first = (await explain()).lines[0];
  expect(first).toMatchObject({ supplier: "alpha", cost: "600.00", weights: null });
  expect(Number(first.margin)).toBeCloseTo(Number(first.price) - 600);
  expect(await placesOf()).toEqual([
    [1, "alpha", "chosen: first in priority of 3"],
    [2, "bravo", "after a decline: first in priority of 2; declined: alpha"],
    [3, "charlie", "after a decline: the only one; declined: alpha bravo"],
  ]);
  await run("route", "choose", plan, "cost");
  expect((await placesOf()).map(([, supplier]) => supplier)).toEqual(["bravo", "alpha", "charlie"]);
  const shown = (await run("route", "explain", plan, "--merchant", merchant)).out;
  expect(shown).toContain(`${merchant} pays`);
  expect(shown).toContain("It goes by cost.");
  expect(shown).toContain("as they stored it in the last seconds");
});

test("each route that is left out says why: off, disabled, no connector, breaker, cap, floor, no rate", async () => {
  await run("route", "set", plan, "alpha", "--cost", "600.00", "--priority", "1", "--off");
  await run("supplier", "disable", "bravo");
  await run("route", "set", plan, "charlie", "--cost", "3.00 CHF");
  expect(await placesOf()).toEqual([
    [null, "alpha", "left out: the route is off"],
    [null, "bravo", "left out: the supplier is disabled"],
    [null, "charlie", "left out: no fx-rate says what CHF is in naira"],
  ]);
  await run("route", "set", plan, "alpha", "--cost", "600.00", "--priority", "1");
  await run("supplier", "enable", "bravo");
  await app.fresh.pool.query("update suppliers set connector = 'gone' where name = 'alpha'");
  const breakers = openBreakers({ clock });
  for (let i = 0; i < 10; i++) breakers.begin("bravo", "data")?.({ kind: "unknown", evidence: "" });
  await storeOpenBreakers(app.services.database, breakers);
  await run("route", "set", plan, "charlie", "--cost", "600.00");
  await run("supplier", "cap", "charlie", "--per-day", "1500.00", "--purchases", "2");
  await sell("charlie", 2);
  expect(await placesOf()).toEqual([
    [null, "alpha", expect.stringMatching(/^left out: no connector: there is no connector gone/)],
    [null, "bravo", "left out: its breaker for data is open in some process"],
    [
      null,
      "charlie",
      "left out: 1200.00 of its cap of 1500.00 are sent today; 2 of its cap of 2 purchases are sent today",
    ],
  ]);
  await run("supplier", "cap", "charlie", "--off");
  await app.fresh.pool.query(
    "insert into supplier_limits (supplier, balance_floor) values ('charlie', 100000) on conflict (supplier) do update set balance_floor = 100000",
  );
  await app.fresh.pool.query(
    "insert into supplier_balances (supplier, balance, reported_at) values ('charlie', 99999, now()) on conflict (supplier) do update set balance = 99999, reported_at = now()",
  );
  expect((await placesOf()).at(-1)).toEqual([
    null,
    "charlie",
    // Nothing was said to be sent before it was told.
    "left out: -200.01 should be left of our money, and its floor is 1000.00",
  ]);
});

test("weights are shown as shares, and with the purchase's reference the one that it draws", async () => {
  await run("route", "choose", plan, "weight");
  await run("route", "weight", plan, "alpha", "60");
  await run("route", "weight", plan, "bravo", "40");
  await run("route", "weight", plan, "charlie", "0");
  expect(new Set(await placesOf())).toEqual(
    new Set([
      [null, "alpha", "weight 60 of 100"],
      [null, "bravo", "weight 40 of 100"],
      [null, "charlie", "stands in for the others"],
    ]),
  );
  const drawn = await placesOf("--reference", "order-7");
  expect(drawn.map(([place]) => place)).toEqual([1, 2, 3]);
  expect(drawn[0]?.[2]).toMatch(/^chosen: weight (60|40) of 100$/);
  expect(drawn[2]?.[1]).toBe("charlie");
  expect(await placesOf("--reference", "order-7")).toEqual(drawn);
});

test("a list of routes tells how each did lately", async () => {
  await sell("alpha", 7);
  await sell("alpha", 1, "declined");
  const [first, second] = (await run("route", "list", plan, "--json")).lines;
  const figures = { attempts: 8, vended_percent: 87.5, average_ms: 250 };
  expect(first).toMatchObject({ supplier: "alpha", weight: 100, hour: figures, day: figures });
  expect(second).toMatchObject({ hour: { attempts: 0, vended_percent: null, average_ms: null } });
  expect((await run("route", "list", plan)).out).toContain("87.5 % of 8, 0.25 s");
});

test("caps and floors are set, shown and taken away", async () => {
  const limits = async () =>
    (await app.fresh.pool.query("select day_cost::int, day_purchases, balance_floor::int from supplier_limits")).rows;
  const set = await run("supplier", "cap", "alpha", "--per-day", "500000.00", "--json");
  expect(set).toMatchObject({ code: 0, lines: [{ supplier: "alpha", per_day: "500000.00", purchases: null }] });
  expect(await limits()).toEqual([{ day_cost: 50_000_000, day_purchases: null, balance_floor: null }]);
  const both = await run("supplier", "cap", "alpha", "--per-day", "10.00", "--purchases", "5");
  expect(both.out).toBe(
    "In a day alpha gets no more than for 10.00 naira and 5 purchases. What it was sent today counts.\n",
  );
  await sell("alpha", 2);
  expect((await run("supplier", "list", "--json")).lines).toMatchObject([
    { supplier: "alpha", sent_today: "1200.00 (2)", cap: "10.00 (5)", floor: null },
    { supplier: "bravo", sent_today: "0.00 (0)", cap: null, floor: null },
    { supplier: "charlie" },
  ]);
  expect((await run("supplier", "cap", "alpha", "--off")).out).toBe(
    "alpha gets as many purchases in a day as there are.\n",
  );
  expect(await limits()).toEqual([{ day_cost: null, day_purchases: null, balance_floor: null }]);

  const settings = '{"base_url":"https://bank.example"}';
  await app.fresh.pool.query("insert into suppliers (name, connector, settings) values ('bank', 'vtpass', $1)", [
    settings,
  ]);
  const floor = await run("supplier", "floor", "bank", "--at", "20000.00");
  expect(floor).toMatchObject({ code: 0, out: "Below 20000.00 NGN at bank, no new purchase goes there.\n" });
  expect(floor.error).toContain("bank has told no balance yet");
  expect((await run("supplier", "floor", "bank", "--off")).out).toBe("bank gets purchases whatever its balance is.\n");
});

test.each<[string[], RegExp]>([
  [["supplier", "cap", "alpha"], /Give --per-day 500000\.00/],
  [["supplier", "cap", "alpha", "--per-day", "1.00", "--off"], /or --off alone/],
  [["supplier", "cap", "alpha", "--per-day", "plenty"], /amount in naira/],
  [["supplier", "cap", "alpha", "--per-day", "0.00"], /amount in naira/],
  [["supplier", "cap", "alpha", "--purchases", "0"], /whole number from 1/],
  [["supplier", "cap", "nobody", "--off"], /There is no supplier nobody/],
  [["supplier", "floor", "alpha", "--at", "5.00"], /alpha holds no money of ours/],
  [["supplier", "floor", "alpha"], /Give either --at/],
  [["supplier", "floor", "nobody", "--at", "5.00"], /There is no supplier nobody/],
  [["route", "weight", plan, "alpha", "101"], /from 0 to 100/],
  [["route", "weight", plan, "nobody", "5"], /There is no such route/],
  [["route", "choose", plan, "luck"], /Allowed choices are priority, cost, weight/],
  [["route", "explain", plan], /required option '--merchant <id>'/],
  [["route", "explain", plan, "--merchant", "mer_999999"], /There is no merchant mer_999999/],
  [["route", "explain", "999999", "--merchant", "1"], /product/i],
  [["route", "explain", plan, "--merchant", "1", "--amount", "5.00"], /has a fixed amount/],
  [["route", "explain", "2001", "--merchant", "1", "--amount", "0.01"], /amount: Must be between/],
  [["route", "explain", plan, "--merchant", "1", "--quantity", "9"], /quantity: Must be from 1 to 1/],
])("what makes no sense is refused and changes nothing: %j", async (words, complaint) => {
  const said = await run(...words);
  expect(said).toMatchObject({ code: 1, out: "" });
  expect(said.error).toMatch(complaint);
  const { rows } = await app.fresh.pool.query("select day_cost, balance_floor from supplier_limits");
  expect(rows).toEqual([]);
});
