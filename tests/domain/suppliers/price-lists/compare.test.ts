import fc from "fast-check";
import { expect, test } from "vitest";
import type { Product } from "../../../../src/categories/product/product.ts";
import {
  compareCatalogue,
  type Difference,
  type OwnRoute,
  subjectOf,
} from "../../../../src/domain/suppliers/price-lists/compare.ts";
import type { FindLoss, Loss } from "../../../../src/domain/suppliers/routing/limits.ts";
import type { Cost } from "../../../../src/domain/suppliers/routing/route.ts";
import type { ProductId } from "../../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../../src/kernel/money.ts";
import type { ListedProduct } from "../../../../src/providers/contract.ts";
import { listedOf, type SentProduct } from "../../../support/price-list/price-list-kind.ts";
import { sent } from "../../../support/price-list/price-list-server.ts";

const naira = (whole: number): Cost => ({ kind: "fixed", kobo: kobo(BigInt(whole) * 100n) });
const ngn = (whole: number) => ["NGN", whole * 100] as const;

function product(id: number, category = "data", more: Partial<Product> = {}): Product {
  const biller = { category } as Product["biller"];
  const face = { amountType: "fixed", face: null, foreignFace: null, faceCurrency: "NGN" } as const;
  return { id: id as ProductId, name: `Ours ${id}`, biller, ...face, ...more } as Product;
}

function route(id: number, supplierCode: string, cost: Cost, more: Partial<OwnRoute> = {}): OwnRoute {
  return { product: product(id), supplier: "lister", supplierCode, cost, priority: 100, enabled: true, ...more };
}

/** Everything sells for 1000 naira. */
const findLoss: FindLoss = ({ cost }) =>
  cost.kind === "fixed" && cost.kobo > 100_000n ? ({ cost: cost.kobo, price: kobo(100_000n) } as Loss) : null;

function compare(products: readonly SentProduct[], routes: readonly OwnRoute[], categories = ["data", "giftcard"]) {
  const reply = { categories, products: products.map(listedOf) };
  return compareCatalogue({ listed: reply, routes, findLoss, rateOf: () => kobo(160_000n) });
}

const shown = (differences: readonly Difference[]) =>
  differences.map((difference) => `${difference.kind} ${subjectOf(difference).supplierCode}`);

test("a list that says what our routes say has no difference", () => {
  const routes = [
    route(1, "a", naira(600)),
    route(2, "b", { kind: "percent", basisPoints: basisPoints(9_750n) }),
    route(3, "c", { kind: "foreign", currency: "USD", hundredths: 450n, rate: null }),
  ];
  const found = compare(
    [sent("data", "a", ngn(600)), sent("data", "b", 9_750), sent("data", "c", ["USD", 450])],
    routes,
  );
  expect(found).toMatchObject({ listed: 3, differences: [], unclear: [], shrunk: [], offThoughListed: 0 });
});

test("what is listed and has no route is new, once, with its cost as far as the list says it", () => {
  const twice = sent("data", "b", ngn(5));
  const found = compare([sent("data", "a", null), twice, twice, sent("giftcard", "c", ["USD", 450])], []);
  expect(shown(found.differences)).toEqual(["new a", "new b", "new c"]);
  expect(found.differences.map((each) => "cost" in each && each.cost)).toEqual([
    null,
    naira(5),
    { kind: "foreign", currency: "USD", hundredths: 450n, rate: 160_000n },
  ]);
});

test("the same code in another category is another product", () => {
  const found = compare([sent("giftcard", "1", ngn(5))], [route(1, "1", naira(5))]);
  expect(shown(found.differences)).toEqual(["gone 1", "new 1"]);
});

test("a product is known by each of its codes, and new by none of them", () => {
  const package7 = { ...sent("data", "CKH002", ngn(6)), otherCodes: ["GB_1_7"] };
  expect(shown(compare([package7], [route(1, "GB_1_7", naira(5))]).differences)).toEqual(["cost_changed GB_1_7"]);
  expect(compare([package7], [route(1, "GB_1_7", naira(6)), route(2, "CKH002", naira(6))]).differences).toEqual([]);
  expect(shown(compare([package7], []).differences)).toEqual(["new CKH002"]);
  const another = { ...sent("data", "P1X", ngn(7)), otherCodes: ["GB_1_7"] };
  const found = compare([package7, another], [route(1, "GB_1_7", naira(5))]);
  expect(shown(found.differences)).toEqual(["new CKH002", "new P1X"]);
  const named = { ...sent("data", "P1X", ngn(7)), otherCodes: ["CKH002"] };
  expect(shown(compare([named, package7], [route(1, "CKH002", naira(5))]).differences)).toEqual([
    "cost_changed CKH002",
    "new P1X",
  ]);
});

test("a kind of what is listed once, as seven days of a daily plan, is neither gone nor new, and its cost is not told", () => {
  const daily = { ...sent("data", "P1X", ngn(1)), otherCodes: ["GE_1_Daily"] };
  const routes = [route(1, "GE_1_Daily/7", naira(7)), route(2, "P1X/3", naira(3)), route(3, "other/7", naira(7))];
  expect(shown(compare([daily], routes).differences)).toEqual(["gone other/7"]);
});

test("several of our products may go by one code", () => {
  const routes = [route(1, "a", naira(5)), route(2, "a", naira(6))];
  expect(shown(compare([sent("data", "a", ngn(6))], routes).differences)).toEqual(["cost_changed a"]);
  expect(shown(compare([], routes).differences)).toEqual(["gone a", "gone a"]);
});

test("a route is gone when its category was told of without it, it is on, and no other category counts", () => {
  const routes = [
    route(1, "a", naira(5)),
    route(2, "b", naira(5), { enabled: false }),
    route(3, "c", naira(5), { product: product(3, "airtime") }),
  ];
  expect(shown(compare([], routes).differences)).toEqual(["gone a"]);
  expect(compare([], routes, ["giftcard"]).differences).toEqual([]);
});

test("another cost is a change, and a loss where a price is below it and the route is on", () => {
  const routes = [
    route(1, "cheaper", naira(600)),
    route(2, "dearer", naira(900)),
    route(3, "lost", naira(900)),
    route(4, "off", naira(900), { enabled: false }),
    route(5, "lost-before", naira(1_100)),
    route(6, "share", { kind: "percent", basisPoints: basisPoints(9_750n) }),
  ];
  const products = [
    sent("data", "cheaper", ngn(590)),
    sent("data", "dearer", ngn(1_000)),
    sent("data", "lost", ["NGN", 100_001]),
    sent("data", "off", ngn(1_200)),
    sent("data", "lost-before", ngn(1_100)),
    sent("data", "share", ngn(97)),
  ];
  const { differences } = compare(products, routes);
  expect(shown(differences)).toEqual([
    "loses_money lost",
    "cost_changed cheaper",
    "cost_changed dearer",
    "cost_changed off",
    "cost_changed share",
  ]);
  expect(differences[0]).toMatchObject({ cost: { kobo: 100_001n }, loss: { cost: 100_001n, price: 100_000n } });
});

test("as much of another currency is another cost", () => {
  const dollars: Cost = { kind: "foreign", currency: "USD", hundredths: 450n, rate: null };
  const found = compare([sent("data", "a", ["GBP", 450])], [route(1, "a", dollars)]);
  expect(shown(found.differences)).toEqual(["cost_changed a"]);
});

test("a gift card under our code that is worth something else is no change of its cost", () => {
  const card = product(1, "giftcard", { foreignFace: 2_500n, faceCurrency: "USD" });
  const routes = [route(1, "card", naira(5), { product: card })];
  const listed = (face: SentProduct["face"]) =>
    shown(compare([sent("giftcard", "card", ngn(7), face)], routes).differences);
  expect(listed(["USD", 2_500])).toEqual(["cost_changed card"]);
  expect(listed(null)).toEqual(["cost_changed card"]);
  expect(listed(["USD", 1_000])).toEqual(["value_changed card"]);
  expect(listed(["GBP", 2_500])).toEqual(["value_changed card"]);
});

test.each([
  ["a code that comes twice at two costs", [sent("data", "a", ngn(5)), sent("data", "a", ngn(6))], "listed twice"],
  ["a cost of nothing", [sent("data", "a", ngn(0))], "no route can have this cost"],
  ["a share of more than all", [sent("data", "a", 10_001)], "no route can have this cost"],
  ["a share that is no whole number", [sent("data", "a", 97.5)], "no route can have this cost"],
  ["a currency that is none", [sent("data", "a", ["naira", 5])], "no route can have this cost"],
])("%s is named, and neither gone, new nor changed", (_name, products, why) => {
  for (const routes of [[route(1, "a", naira(5))], []]) {
    const found = compare(products, routes);
    expect(found.differences).toEqual([]);
    expect(found.unclear).toEqual([{ category: "data", supplierCode: "a", why: expect.stringContaining(why) }]);
  }
});

test("a code that no route can have is named, and not new", () => {
  const long = "x".repeat(201);
  expect(compare([sent("data", long, ngn(5)), sent("data", "", ngn(5))], [])).toMatchObject({
    differences: [],
    unclear: [{ supplierCode: long }, { supplierCode: "" }],
  });
});

test("a category of which more than half is gone is pointed out", () => {
  const routes = [1, 2, 3, 4].map((id) => route(id, `p${id}`, naira(5)));
  const card = route(9, "card", naira(5), { product: product(9, "giftcard") });
  const kept = (...codes: string[]) => codes.map((code) => sent("data", code, ngn(5)));
  expect(compare([...kept("p1", "p2"), sent("giftcard", "card", ngn(5))], [...routes, card]).shrunk).toEqual([]);
  expect(compare(kept("p1"), [...routes, card]).shrunk).toEqual([
    { category: "data", gone: 3, routes: 4 },
    { category: "giftcard", gone: 1, routes: 1 },
  ]);
});

test("routes that are off to what is listed are counted", () => {
  const off = route(1, "a", naira(5), { enabled: false });
  expect(compare([sent("data", "a", ngn(5))], [off])).toMatchObject({ differences: [], offThoughListed: 1 });
});

const codes = fc.constantFrom("a", "b", "c", "d", "e");
const listed: fc.Arbitrary<SentProduct[]> = fc
  .uniqueArray(fc.tuple(fc.constantFrom("data", "giftcard"), codes, fc.integer({ min: 1, max: 3 })), {
    selector: ([category, code]) => `${category} ${code}`,
  })
  .map((rows) => rows.map(([category, code, cost]) => sent(category as "data", code, ngn(cost))));
const owned: fc.Arbitrary<OwnRoute[]> = fc
  .array(fc.tuple(fc.constantFrom("data", "giftcard", "esim"), codes, fc.integer({ min: 1, max: 3 }), fc.boolean()))
  .map((rows) =>
    rows.map(([category, code, cost, enabled], n) =>
      route(n + 1, code, naira(cost), { enabled, product: product(n + 1, category) }),
    ),
  );

test("the order in which a supplier lists changes nothing, and no untold category is ever gone", () => {
  fc.assert(
    fc.property(listed, owned, fc.subarray(["data", "giftcard"]), (products, routes, categories) => {
      const reply = products.filter(({ category }) => categories.includes(category));
      const { differences } = compare(reply, routes, categories);
      expect(compare(reply.toReversed(), routes, categories).differences).toEqual(differences);
      for (const difference of differences) {
        if (difference.kind !== "gone") continue;
        expect(categories).toContain(subjectOf(difference).category);
        expect(reply.some((each) => isOf(each, difference.route))).toBe(false);
      }
    }),
  );
});

function isOf({ category, supplierCode }: Pick<ListedProduct, "category" | "supplierCode">, own: OwnRoute): boolean {
  return category === own.product.biller.category && supplierCode === own.supplierCode;
}
