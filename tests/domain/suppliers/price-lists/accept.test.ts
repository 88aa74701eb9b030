import { beforeEach, expect, test } from "vitest";
import { type AcceptedLine, acceptDifferences } from "../../../../src/domain/suppliers/price-lists/accept.ts";
import type { ProductId } from "../../../../src/kernel/ids.ts";
import { basisPoints } from "../../../../src/kernel/money.ts";
import { closing } from "../../../support/closing.ts";
import { lineOf, naira, openListedRoutes, plans } from "../../../support/price-list/listed-routes.ts";
import { sent } from "../../../support/price-list/price-list-server.ts";

const own = closing(await openListedRoutes());
beforeEach(() => own.empty());

const message = (promise: Promise<unknown>) =>
  promise.then(
    () => "accepted",
    (error: Error) => error.message,
  );

test("each kind of difference is applied, and the next comparison finds none", async () => {
  await own.routed(1002, "dearer", naira(500));
  await own.routed(1003, "gone", naira(500));
  await own.routed(1004, "lost", naira(10));
  await own.routed(1005, "kept", naira(500));
  await own.routed(11001, "card", naira(500));
  const list = [
    sent("data", "dearer", 9_000),
    sent("data", "lost", ["NGN", 90_000_000]),
    sent("data", "kept", ["NGN", 50_000]),
    sent("data", "fresh", ["USD", 450]),
    sent("giftcard", "card", ["NGN", 50_000], ["USD", 99_900]),
  ];
  const { differences } = await own.compareWith(list);
  expect(differences.map(({ kind }) => kind)).toEqual(["loses_money", "value_changed", "gone", "cost_changed", "new"]);
  const lines = differences.map((difference, index) => lineOf(difference, index + 2, 1006 as ProductId));
  expect(await own.accept(lines)).toMatchObject({
    added: 1,
    repriced: 2,
    switchedOff: 2,
    already: 0,
    routes: [{ productId: 1004 }, { productId: 1002 }, { productId: 1006 }],
  });
  const usual = { cost: 50_000, currency: "NGN", share: null, enabled: true, priority: 7 };
  expect(await own.stored()).toEqual([
    { ...usual, id: 1002, code: "dearer", cost: null, share: 9_000 },
    { ...usual, id: 1003, code: "gone", enabled: false },
    { ...usual, id: 1004, code: "lost", cost: 90_000_000 },
    { ...usual, id: 1005, code: "kept" },
    { ...usual, id: 1006, code: "fresh", cost: 450, currency: "USD", priority: 100 },
    { ...usual, id: 11001, code: "card", enabled: false },
  ]);
  expect((await own.compareWith(list)).differences).toEqual([]);
  // Once more: all of it is there.
  const before = await own.stored();
  expect(await own.accept(lines)).toEqual({ added: 0, repriced: 0, switchedOff: 0, already: 5, routes: [] });
  expect(await own.stored()).toEqual(before);
});

test("off takes the new cost and switches the route off, once", async () => {
  await own.routed(1002, "lost", naira(10));
  const { differences } = await own.compareWith([sent("data", "lost", ["NGN", 90_000_000])]);
  const lines = differences.map((each) => ({ ...lineOf(each, 2, null), verdict: "off" as const }));
  expect(await own.accept(lines)).toMatchObject({ switchedOff: 1, routes: [] });
  expect(await own.stored()).toMatchObject([{ cost: 90_000_000, enabled: false }]);
  expect(await own.accept(lines)).toMatchObject({ already: 1 });
});

test("a route that is off keeps off when its cost is taken", async () => {
  await own.routed(1002, "a", naira(10), false);
  const { differences } = await own.compareWith([sent("data", "a", ["NGN", 90_000_000])]);
  expect(await own.accept(differences.map((each) => lineOf(each, 2, null)))).toMatchObject({ repriced: 1, routes: [] });
  expect(await own.stored()).toMatchObject([{ cost: 90_000_000, enabled: false }]);
});

test("the processes that sell feel it within a second, and the supplier is asked anew at once", async () => {
  await own.routed(1002, "a", naira(10));
  const revision = async () =>
    Number((await own.fresh.pool.query("select revision from revisions where subject = 'routes'")).rows[0].revision);
  const { differences } = await own.compareWith([sent("data", "a", ["NGN", 2_000])]);
  const before = await revision();
  await own.accept(differences.map((each) => lineOf(each, 2, null)));
  expect(await revision()).toBeGreaterThan(before);
  const { rows } = await own.fresh.pool.query(
    "select cost_changed, free_at <= now() as due from supplier_catalogues, turns where name = 'supplier catalogue lister'",
  );
  expect(rows).toEqual([{ cost_changed: 0, due: true }]);
});

const base: Omit<AcceptedLine, "kind" | "line"> = {
  verdict: "yes",
  category: "data",
  supplierCode: "a",
  productId: 1002 as ProductId,
  priority: 100,
  cost: naira(20),
  costBefore: naira(10),
  face: null,
};
const faulty: readonly (readonly [string, Partial<AcceptedLine> & Pick<AcceptedLine, "kind">, RegExp])[] = [
  ["something new without a product", { kind: "new", productId: null }, /Line 2: product_id must say/],
  [
    "something new for a product that is not there",
    { kind: "new", productId: 999_999 as ProductId },
    /no product 999999/,
  ],
  ["a gift card as a data plan", { kind: "new", category: "giftcard" }, /Product 1002 is data, .* lists giftcard/],
  ["something new without a cost", { kind: "new", productId: 1003 as ProductId, cost: null }, /says no cost/],
  [
    "a product that goes there by another code",
    { kind: "new", supplierCode: "b" },
    /goes to lister already, .* code a\./,
  ],
  ["a product that goes there at another cost", { kind: "new" }, /goes to lister already/],
  [
    "a card of 10 dollars for one of 100",
    {
      kind: "new",
      category: "giftcard",
      productId: 11001 as ProductId,
      face: { currency: "USD", hundredths: 10_000n },
    },
    /Product 11001 is worth something else/,
  ],
  ["a change of what is not routed", { kind: "cost_changed", productId: 1003 as ProductId }, /no such route any more/],
  ["a change of a route with another code", { kind: "cost_changed", supplierCode: "b" }, /has the code a by now/],
  ["a gone route with another code", { kind: "gone", supplierCode: "b" }, /has the code a by now/],
  ["a change from another cost", { kind: "loses_money", costBefore: naira(11) }, /another cost by now: ask/],
];

test.each(faulty)("%s is refused by its line, and nothing is applied", async (_name, line, reason) => {
  await own.routed(1002, "a", naira(10));
  await own.routed(1004, "good", naira(10));
  const before = await own.stored();
  const good = { ...base, line: 3, kind: "cost_changed" as const, productId: 1004 as ProductId, supplierCode: "good" };
  expect(await message(own.accept([{ ...base, line: 2, ...line }, good]))).toMatch(reason);
  expect(await own.stored()).toEqual(before);
  expect(await message(own.accept([good]))).toBe("accepted");
});

test("faults are told together with those that reading found, a product that comes twice among them", async () => {
  await own.routed(1002, "a", naira(10));
  const lines = [4, 2].map((line) => ({ ...base, line, kind: "cost_changed" as const }));
  const faults = [{ line: 3, sentence: "Line 3 (x): not a number." }];
  const said = await message(acceptDifferences(own.database, { supplier: "lister", lines, faults, mayShrink: false }));
  expect(said.split("\n  ")).toEqual([
    "No route was set: 2 faults.",
    "Product 1002 is accepted in line 4 and in line 2.",
    "Line 3 (x): not a number.",
  ]);
});

test("a supplier that nobody entered is refused", async () => {
  const given = { supplier: "nobody", lines: [], faults: [], mayShrink: false };
  expect(await message(acceptDifferences(own.database, given))).toBe("There is no such supplier.");
});

test("more than half of a category as gone is refused unless it is meant; another supplier's routes do not count", async () => {
  for (const [index, id] of plans.slice(0, 4).entries()) await own.routed(id, `p${index}`, naira(10));
  await own.routed(11001, "card", naira(10));
  await own.fresh.pool.query(
    `insert into supplier_routes (product_id, supplier, supplier_code, cost)
     select id, 'other', 'x', 1000 from products where id = any ($1)`,
    [plans],
  );
  const { differences, shrunk } = await own.compareWith([
    sent("data", "p0", ["NGN", 1_000]),
    sent("giftcard", "card", ["NGN", 1_000]),
  ]);
  expect(shrunk).toEqual([{ category: "data", gone: 3, routes: 4 }]);
  const lines = differences.map((each, index) => lineOf(each, index + 2, null));
  expect(await message(own.accept(lines, false))).toMatch(
    /^3 of the 4 routes of data would be switched off .* --many-gone/,
  );
  expect((await own.stored()).every(({ enabled }) => enabled)).toBe(true);
  // Half of them is what a supplier may take away in a day.
  expect(await own.accept(lines.slice(0, 2), false)).toMatchObject({ switchedOff: 2 });
  expect(await own.accept(lines, true)).toMatchObject({ switchedOff: 1, already: 2 });
});

test("shares and foreign costs are compared as they are, whatever the rate", async () => {
  await own.routed(1002, "share", { kind: "percent", basisPoints: basisPoints(9_750n) });
  await own.routed(1003, "dollars", { kind: "foreign", currency: "USD", hundredths: 450n, rate: null });
  const list = [sent("data", "share", 9_750), sent("data", "dollars", ["USD", 450])];
  expect((await own.compareWith(list)).differences).toEqual([]);
  await own.fresh.pool.query("insert into fx_rates (currency, rate) values ('USD', 200000) on conflict do nothing");
  expect((await own.compareWith(list)).differences).toEqual([]);
});

test("a process that ends in the middle has applied nothing, and the file is applied afterwards", async () => {
  await own.routed(1002, "a", naira(10));
  await own.routed(1003, "b", naira(10));
  const { differences } = await own.compareWith([sent("data", "a", ["NGN", 2_000]), sent("data", "b", ["NGN", 2_000])]);
  const lines = differences.map((each, index) => lineOf(each, index + 2, null));
  const before = await own.stored();
  const holder = await own.fresh.pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from supplier_routes where product_id = 1003 for update");
  const accepting = message(own.accept(lines));
  const waiting = `select pid from pg_stat_activity
    where datname = current_database() and application_name = 'listed routes' and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await own.fresh.pool.query(waiting)).rowCount).toBe(1);
  await own.fresh.pool.query(`select pg_terminate_backend(pid) from (${waiting}) w`);
  expect(await accepting).not.toBe("accepted");
  await holder.query("rollback");
  holder.release();
  expect(await own.stored()).toEqual(before);
  expect(await own.accept(lines)).toMatchObject({ repriced: 2 });
});
