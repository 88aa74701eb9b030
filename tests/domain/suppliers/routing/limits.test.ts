import fc from "fast-check";
import { expect, test } from "vitest";
import { passedLimit, type Standing, type SupplierLimits } from "../../../../src/domain/suppliers/routing/limits.ts";
import { add, kobo } from "../../../../src/kernel/money.ts";

const amounts = fc.bigInt(1n, 1_000n).map(kobo);
const limits: fc.Arbitrary<SupplierLimits> = fc.record({
  dayCost: fc.option(amounts),
  dayPurchases: fc.option(fc.integer({ min: 1, max: 8 })),
  balanceFloor: fc.option(fc.bigInt(1n, 1_000n)),
});

test("whatever is bought, the day's purchases that were let through never pass the cap in cost or number", () => {
  fc.assert(
    fc.property(limits, fc.array(amounts, { maxLength: 20 }), (given, costs) => {
      let standing: Standing = { purchases: 0, cost: kobo(0n), balance: null };
      for (const cost of costs) {
        if (passedLimit(given, standing, cost) !== null) continue;
        standing = { ...standing, purchases: standing.purchases + 1, cost: add(standing.cost, cost) };
      }
      if (given.dayCost !== null) expect(standing.cost <= given.dayCost).toBe(true);
      if (given.dayPurchases !== null) expect(standing.purchases).toBeLessThanOrEqual(given.dayPurchases);
    }),
  );
});

test("a cap is reached by what would pass it, not by what fits it to the kobo", () => {
  const given = { dayCost: kobo(100n), dayPurchases: 2, balanceFloor: null };
  const sent = (purchases: number, cost: bigint) => ({ purchases, cost: kobo(cost), balance: null });
  expect(passedLimit(given, sent(1, 60n), kobo(40n))).toBe(null);
  expect(passedLimit(given, sent(1, 60n), kobo(41n))).toBe("cap");
  expect(passedLimit(given, sent(2, 10n), kobo(1n))).toBe("cap");
});

test("a balance at its floor is not below it, and an unknown one keeps nothing away", () => {
  const given = { dayCost: null, dayPurchases: null, balanceFloor: 500n };
  const left = (balance: bigint | null) => passedLimit(given, { purchases: 0, cost: kobo(0n), balance }, kobo(1n));
  expect([left(500n), left(499n), left(-1n), left(null)]).toEqual([null, "floor", "floor", null]);
});
