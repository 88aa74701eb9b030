import { expect, test } from "vitest";
import type { Product } from "../../../src/categories/product/product.ts";
import type { Price } from "../../../src/domain/catalogue/pricing.ts";
import type { SupplierRoute } from "../../../src/domain/suppliers/routing/route.ts";
import { isBelowCost, marginOf } from "../../../src/domain/suppliers/selling-prices/margin.ts";
import { newPrice, type PriceRule, type Rounding } from "../../../src/domain/suppliers/selling-prices/price-rule.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";

const plan = { amountType: "fixed", face: null, foreignFace: null, minQuantity: 1, maxQuantity: 1 } as Product;
const airtime = { ...plan, amountType: "variable", minAmount: 5_000n, maxAmount: 5_000_000n, fxRate: null } as Product;
const naira = (amount: bigint): Price => ({ kind: "fixed", kobo: kobo(amount), fee: null });
const share = (points: bigint): Price => ({ kind: "percent", basisPoints: basisPoints(points), fee: null });
const route = (cost: SupplierRoute["cost"]) => ({ supplier: "one", cost }) as SupplierRoute;
const routes = [route({ kind: "fixed", kobo: kobo(61_500n) }), route({ kind: "fixed", kobo: kobo(62_000n) })];
const shares = [route({ kind: "percent", basisPoints: basisPoints(9_650n) })];
const exact: Rounding = { step: 1n, direction: "nearest" };
const by = (how: "percent" | "amount" | "margin", amount: bigint, rounding = exact): PriceRule => ({
  ...{ change: { how, by: amount }, rounding },
});

test("a rule rounds a price as it says, half a step to the company", () => {
  const of = (step: bigint, direction: Rounding["direction"]) =>
    newPrice(by("margin", 300n, { step, direction }), { product: plan, present: naira(64_000n), routes });
  // 615.00 and 3 % are 633.45.
  expect(of(1n, "nearest")).toEqual({ kind: "fixed", kobo: 63_345n });
  expect(of(100n, "nearest")).toEqual({ kind: "fixed", kobo: 63_300n });
  expect(of(100n, "up")).toEqual({ kind: "fixed", kobo: 63_400n });
  expect(of(500n, "down")).toEqual({ kind: "fixed", kobo: 63_000n });
  const half = by("amount", 50n, { step: 100n, direction: "nearest" });
  expect(newPrice(half, { product: plan, present: naira(64_000n), routes })).toEqual({ kind: "fixed", kobo: 64_100n });
});

test("a share of the amount stays a share, and no rule makes a price that can't be", () => {
  const present = share(9_800n);
  expect(newPrice(by("percent", 100n), { product: airtime, present, routes: shares })).toEqual({
    ...{ kind: "percent", basisPoints: 9_898n },
  });
  expect(newPrice(by("margin", 100n), { product: airtime, present, routes: shares })).toMatchObject({
    basisPoints: 9_747n,
  });
  expect(newPrice(by("percent", 300n), { product: airtime, present, routes: shares })).toBe("not possible");
  expect(newPrice(by("amount", 100n), { product: airtime, present, routes: shares })).toBe("a share of the amount");
  expect(newPrice(by("margin", 100n), { product: plan, present: naira(1n), routes: [] })).toBe("no route");
  const away = { product: plan, present: naira(64_000n), routes };
  expect(newPrice(by("percent", -10_000n), away)).toBe("not possible");
  expect(newPrice({ change: { how: "set", price: share(9_700n) }, rounding: exact }, away)).toBe("not possible");
});

test("a price is below cost where even the cheapest route takes more, and a margin is never shown too high", () => {
  expect(isBelowCost(plan, naira(61_499n), routes)).toBe(true);
  expect(isBelowCost(plan, naira(61_500n), routes)).toBe(false);
  expect(isBelowCost(plan, naira(1n), [])).toBe(false);
  expect(marginOf(plan, naira(61_501n), routes)?.share).toBe(0n);
  expect(marginOf(plan, naira(61_499n), routes)?.share).toBe(-1n);
  expect([isBelowCost(airtime, share(9_649n), shares), isBelowCost(airtime, share(9_650n), shares)]).toEqual([
    true,
    false,
  ]);
});
