import fc from "fast-check";
import { expect, test } from "vitest";
import { type Choosing, chooseRoute } from "../../../src/domain/routing/choose-route.ts";
import { type Cost, costCeiling, foreignCostText, type SupplierRoute } from "../../../src/domain/routing/route.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";

const names = ["alpha", "bravo", "charlie", "delta", "echo"];

const costs: fc.Arbitrary<Cost> = fc.oneof(
  fc.bigInt(1n, 40_000n).map((amount): Cost => ({ kind: "fixed", kobo: kobo(amount) })),
  fc.bigInt(1n, 10_000n).map((share): Cost => ({ kind: "percent", basisPoints: basisPoints(share) })),
  fc
    .record({ hundredths: fc.bigInt(1n, 100_000n), rate: fc.bigInt(1n, 10_000_000n).map(kobo) })
    .map((rest): Cost => ({ kind: "foreign", currency: "USD", ...rest })),
);

const routes: fc.Arbitrary<SupplierRoute[]> = fc
  .subarray(names)
  .chain((suppliers) =>
    fc.tuple(
      ...suppliers.map((supplier) =>
        fc
          .record({ cost: costs, priority: fc.integer({ min: 1, max: 3 }) })
          .map(
            (rest): SupplierRoute => ({ productId: 1 as ProductId, supplier, supplierCode: `${supplier}-1`, ...rest }),
          ),
      ),
    ),
  );

interface Situation extends Omit<Choosing, "admits"> {
  readonly open: ReadonlySet<string>;
}

const situations: fc.Arbitrary<Situation> = fc.record({
  routes,
  by: fc.constantFrom("priority", "cost"),
  amounts: fc.record({ quantity: fc.integer({ min: 1, max: 20 }), faceAmount: fc.bigInt(1n, 10_000_000n).map(kobo) }),
  tried: fc.subarray(names).map((list) => new Set(list)),
  open: fc.subarray(names).map((list) => new Set(list)),
});

function choose({ open, ...situation }: Situation) {
  return chooseRoute({ ...situation, admits: (supplier) => !open.has(supplier) });
}

/** The routes that may be chosen, by the plainest rule. */
function eligible({ routes: all, tried, open }: Situation): SupplierRoute[] {
  return all.filter(({ supplier }) => !tried.has(supplier) && !open.has(supplier));
}

test("a supplier that was tried, or whose breaker is open, is never chosen; one of the others always is", () => {
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

test("where nobody is chosen, it says why: nobody serves it, everybody was tried, or those left have trouble", () => {
  fc.assert(
    fc.property(situations, (situation) => {
      const choice = choose(situation);
      if (choice.kind === "chosen") return;
      const untried = situation.routes.filter(({ supplier }) => !situation.tried.has(supplier));
      const expected = situation.routes.length === 0 ? "unserved" : untried.length === 0 ? "exhausted" : "all_open";
      expect(choice.kind).toBe(expected);
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
  });
  const all = [route("alpha", 90n), route("bravo", 80n), route("charlie", 70n), route("delta", 60n)];
  const amounts = { quantity: 1, faceAmount: kobo(100n) };
  const situation = {
    routes: all,
    by: "cost",
    amounts,
    tried: new Set(["delta"]),
    open: new Set(["charlie"]),
  } as const;
  expect(choose(situation)).toMatchObject({
    supplier: "bravo",
    reason: "least cost of 2; open: charlie; declined: delta",
  });
  expect(choose({ ...situation, by: "priority" })).toMatchObject({
    supplier: "bravo",
    reason: "first in priority of 2; open: charlie; declined: delta",
  });
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
