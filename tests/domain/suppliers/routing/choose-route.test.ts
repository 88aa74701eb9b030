import fc from "fast-check";
import { expect, test } from "vitest";
import { type Choosing, chooseRoute } from "../../../../src/domain/suppliers/routing/choose-route.ts";
import {
  type Cost,
  costCeiling,
  foreignCostText,
  routeOrders,
  type SupplierRoute,
} from "../../../../src/domain/suppliers/routing/route.ts";
import type { MerchantId, ProductId } from "../../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../../src/kernel/money.ts";

const names = ["alpha", "bravo", "charlie", "delta", "echo"];

const costs: fc.Arbitrary<Cost> = fc.oneof(
  fc.bigInt(1n, 40_000n).map((amount): Cost => ({ kind: "fixed", kobo: kobo(amount) })),
  fc.bigInt(1n, 10_000n).map((share): Cost => ({ kind: "percent", basisPoints: basisPoints(share) })),
  fc
    .record({ hundredths: fc.bigInt(1n, 100_000n), rate: fc.bigInt(1n, 10_000_000n).map(kobo) })
    .map((rest): Cost => ({ kind: "foreign", currency: "USD", ...rest })),
);

const routes: fc.Arbitrary<SupplierRoute[]> = fc.subarray(names).chain((suppliers) =>
  fc.tuple(
    ...suppliers.map((supplier) =>
      fc
        .record({
          cost: costs,
          priority: fc.integer({ min: 1, max: 3 }),
          weight: fc.constantFrom(0, 1, 30, 30, 100),
        })
        .map(
          (rest): SupplierRoute => ({ productId: 1 as ProductId, supplier, supplierCode: `${supplier}-1`, ...rest }),
        ),
    ),
  ),
);

interface Situation extends Omit<Choosing, "admits" | "limitOf"> {
  readonly open: ReadonlySet<string>;
  readonly capped: ReadonlySet<string>;
  readonly floored: ReadonlySet<string>;
}

const merchantId = 17 as MerchantId;

const situations: fc.Arbitrary<Situation> = fc.record({
  routes,
  by: fc.constantFrom(...routeOrders),
  purchase: fc.string().map((reference) => ({ merchantId, reference })),
  amounts: fc.record({ quantity: fc.integer({ min: 1, max: 20 }), faceAmount: fc.bigInt(1n, 10_000_000n).map(kobo) }),
  tried: fc.subarray(names).map((list) => new Set(list)),
  open: fc.subarray(names).map((list) => new Set(list)),
  capped: fc.subarray(names, { maxLength: 2 }).map((list) => new Set(list)),
  floored: fc.subarray(names, { maxLength: 2 }).map((list) => new Set(list)),
});

function choose({ open, capped, floored, ...situation }: Situation) {
  return chooseRoute({
    ...situation,
    admits: (supplier) => !open.has(supplier),
    limitOf: (supplier) => (capped.has(supplier) ? "cap" : floored.has(supplier) ? "floor" : null),
  });
}

/** The routes that may be chosen, by the plainest rule. */
function eligible({ routes: all, tried, open, capped, floored }: Situation): SupplierRoute[] {
  return all.filter(({ supplier }) => [tried, open, capped, floored].every((names) => !names.has(supplier)));
}

test("whoever was tried, has an open breaker or is at a limit is never chosen; one of the others always is", () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const choice = choose(situation);
      const able = eligible(situation).map(({ supplier }) => supplier);
      expect(choice.kind === "chosen" ? able : ["nobody"]).toContain(
        choice.kind === "chosen" ? choice.supplier : "nobody",
      );
      expect(choice.kind === "chosen").toBe(able.length > 0);
    }),
  );
});

test("nobody eligible is cheaper, or comes before it, than the one chosen", () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const choice = choose(situation);
      if (choice.kind !== "chosen") return;
      const costOf = (route: SupplierRoute) => costCeiling(route.cost, situation.amounts);
      const chosen = situation.routes.find(({ supplier }) => supplier === choice.supplier)!;
      expect(choice).toMatchObject({ cost: costOf(chosen), supplierCode: chosen.supplierCode });
      for (const other of eligible(situation)) {
        if (situation.by === "weight") continue;
        const isBetter = situation.by === "cost" ? costOf(other) < choice.cost : other.priority < chosen.priority;
        expect(isBetter, `${other.supplier} is better than ${choice.supplier}`).toBe(false);
      }
    }),
  );
});

test("the order in which routes were entered makes no difference", () => {
  fc.assert(
    fc.property(situations, (situation) => {
      expect(choose({ ...situation, routes: situation.routes.toReversed() })).toMatchObject({
        ...choose(situation),
        ...(choose(situation).kind === "chosen" ? { reason: expect.any(String) } : {}),
      });
    }),
  );
});

test("where nobody is chosen, it says why: nobody serves it, all were tried, those left have trouble or are at limits", () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const choice = choose(situation);
      if (choice.kind === "chosen") return;
      const untried = situation.routes.filter(({ supplier }) => !situation.tried.has(supplier));
      const isOpen = untried.some(({ supplier }) => situation.open.has(supplier));
      const left = untried.length === 0 ? "exhausted" : isOpen ? "all_open" : "all_limited";
      expect(choice.kind).toBe(situation.routes.length === 0 ? "unserved" : left);
    }),
  );
});

test("the reason tells the rule, how many there were to choose from, and who was left out", () => {
  const route = (supplier: string, cost: bigint): SupplierRoute => ({
    productId: 1 as ProductId,
    supplier,
    supplierCode: "code",
    cost: { kind: "fixed", kobo: kobo(cost) },
    priority: 1,
    weight: 50,
  });
  const all = [route("alpha", 90n), route("bravo", 80n), route("charlie", 70n), route("delta", 60n)];
  const amounts = { quantity: 1, faceAmount: kobo(100n) };
  const situation = {
    routes: all,
    by: "cost",
    amounts,
    tried: new Set(["delta"]),
    open: new Set(["charlie"]),
    capped: new Set<string>(),
    floored: new Set<string>(),
    purchase: { merchantId, reference: "one" },
  } as const;
  expect(choose(situation)).toMatchObject({
    supplier: "bravo",
    reason: "least cost of 2; open: charlie; declined: delta",
  });
  expect(choose({ ...situation, by: "priority" })).toMatchObject({
    supplier: "bravo",
    reason: "first in priority of 2; open: charlie; declined: delta",
  });
  const limited = { ...situation, capped: new Set(["alpha"]), tried: new Set<string>(), floored: new Set(["delta"]) };
  expect(choose(limited)).toMatchObject({
    supplier: "bravo",
    reason: "the only one; open: charlie; at its cap: alpha; below its floor: delta",
  });
  expect(choose({ ...situation, by: "weight", open: new Set<string>() })).toMatchObject({
    reason: "weight 50 of 150; declined: delta",
  });
});

const weighed = (weights: Record<string, number>) =>
  Object.entries(weights).map(
    ([supplier, weight]): SupplierRoute => ({
      productId: 1 as ProductId,
      supplier,
      supplierCode: "code",
      cost: { kind: "fixed", kobo: kobo(1n) },
      priority: 1,
      weight,
    }),
  );

const nobody: ReadonlySet<string> = new Set();

function byWeight(weights: Record<string, number>, more: Partial<Situation> & Pick<Situation, "purchase">): Situation {
  const amounts = { quantity: 1, faceAmount: kobo(100n) };
  const leaving = { tried: nobody, open: nobody, capped: nobody, floored: nobody };
  return { routes: weighed(weights), by: "weight", amounts, ...leaving, ...more };
}

/** How many of 10,000 purchases each supplier gets. */
function sharesOf(weights: Record<string, number>, nameOf: (i: number) => string, left: Partial<Situation> = {}) {
  const shares = new Map(Object.keys(weights).map((name) => [name, 0]));
  const purchase = { merchantId, reference: "" };
  const situation = byWeight(weights, { ...left, purchase });
  for (let i = 0; i < 10_000; i++) {
    purchase.reference = nameOf(i);
    const choice = choose(situation);
    if (choice.kind === "chosen") shares.set(choice.supplier, (shares.get(choice.supplier) ?? 0) + 1);
  }
  return Object.fromEntries(shares);
}

/** Four standard deviations of 10,000 draws are at most 200. */
const about = (share: number) => expect.closeTo(share, -Math.log10(2 * 200));

test.each<[string, (i: number) => string]>([
  ["numbers in a row", (i) => String(i)],
  ["padded numbers", (i) => `ORDER-2026-11-25-${String(i).padStart(8, "0")}`],
  ["UUIDs that differ at the front", (i) => `${i.toString(16).padStart(8, "0")}-5a0c-4b7e-9d7e-3f1c0b1e2a44`],
  ["one letter more each", (i) => "x".repeat(i % 100) + Math.floor(i / 100)],
])("10,000 purchases are spread by weight to within two percent, whatever merchants call them: %s", (_, nameOf) => {
  const weights = { alpha: 60, bravo: 30, charlie: 10, delta: 0 };
  expect(sharesOf(weights, nameOf)).toEqual({
    alpha: about(6_000),
    bravo: about(3_000),
    charlie: about(1_000),
    delta: 0,
  });
  expect(sharesOf({ alpha: 1, bravo: 1 }, nameOf)).toEqual({ alpha: about(5_000), bravo: about(5_000) });
  expect(sharesOf({ "sup-1": 20, "sup-2": 80 }, nameOf)).toEqual({ "sup-1": about(2_000), "sup-2": about(8_000) });
});

test.each(["open", "capped", "floored", "tried"] as const)(
  "the share of a supplier that is left out (%s) goes to the others by their weights, and nothing else moves",
  (why) => {
    const weights = { alpha: 60, bravo: 30, charlie: 10 };
    const without = { [why]: new Set(["alpha"]) };
    const nameOf = (i: number) => `order-${i}`;
    expect(sharesOf(weights, nameOf, without)).toEqual({ alpha: 0, bravo: about(7_500), charlie: about(2_500) });
    for (let i = 0; i < 1_000; i++) {
      const purchase = { merchantId, reference: nameOf(i) };
      const choice = choose(byWeight(weights, { purchase }));
      if (choice.kind !== "chosen" || choice.supplier === "alpha") continue;
      expect(choose(byWeight(weights, { ...without, purchase }))).toMatchObject({ supplier: choice.supplier });
    }
  },
);

test("a weight of 0 stands in where no other is left; two of them go by priority, cost and name", () => {
  const purchase = { merchantId, reference: "stand-in" };
  const weights = { bravo: 0, alpha: 0, charlie: 1 };
  expect(choose(byWeight(weights, { purchase }))).toMatchObject({ supplier: "charlie" });
  expect(choose(byWeight(weights, { purchase, open: new Set(["charlie"]) }))).toMatchObject({ supplier: "alpha" });
});

test("two merchants' purchases of one name are two draws, and each falls the same way for ever", () => {
  const draws = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => {
    const choice = choose(
      byWeight({ alpha: 50, bravo: 50 }, { purchase: { merchantId: id as MerchantId, reference: "order-1" } }),
    );
    return choice.kind === "chosen" ? choice.supplier[0] : "";
  });
  expect(draws.join("")).toBe("baaabaab");
});

test("a cost in percent is rounded up to the kobo, one in kobo is a unit's", () => {
  const amounts = { quantity: 3, faceAmount: kobo(333n) };
  expect(costCeiling({ kind: "percent", basisPoints: basisPoints(9_750n) }, amounts)).toBe(325n);
  expect(costCeiling({ kind: "fixed", kobo: kobo(100n) }, amounts)).toBe(300n);
});

test("a cost in another currency is rounded up to the kobo at its rate, and told with it", () => {
  const amounts = { quantity: 3, faceAmount: kobo(333n) };
  // Three times 0.07 USD at 1,550.55 naira: 325.6155.
  const cost: Cost = { kind: "foreign", currency: "USD", hundredths: 7n, rate: kobo(155_055n) };
  expect(costCeiling(cost, amounts)).toBe(32_562n);
  expect(foreignCostText(cost, amounts)).toBe("USD 0.21 at 1550.55");
  expect(foreignCostText({ kind: "fixed", kobo: kobo(1n) }, amounts)).toBeNull();
});
