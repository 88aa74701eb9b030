import { expect, test } from "vitest";
import { setPrice } from "../../../src/domain/catalogue/changes/administration.ts";
import { type Fee, quote } from "../../../src/domain/catalogue/pricing.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, formatNaira, kobo } from "../../../src/kernel/money.ts";
import { sharedApp } from "../../support/shared-app.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

/** What a client reads of a product to know what it costs. */
interface Listed {
  readonly product_id: number;
  readonly amount_type: "fixed" | "variable";
  readonly face_amount: string | null;
  readonly api_price: string | null;
  readonly discount_percent: string | null;
  readonly fee: string;
  readonly fee_percent: string | null;
  readonly fee_cap: string | null;
  readonly fx_rate: string | null;
}

const app = await sharedApp();

const flat: Fee = { kind: "flat", kobo: kobo(2_550n) };
const capped: Fee = { kind: "percent", basisPoints: basisPoints(333n), cap: kobo(150_000n) };
const endless: Fee = { kind: "percent", basisPoints: basisPoints(101n), cap: null };

const ownPrices = [
  [1001, { kind: "fixed", kobo: kobo(33_333n) }, endless],
  [1002, { kind: "fixed", kobo: kobo(64_001n) }, flat],
  [1062, { kind: "fixed", kobo: kobo(160_001n) }, capped],
  [2001, { kind: "percent", basisPoints: basisPoints(9_683n) }, endless],
  [2002, { kind: "percent", basisPoints: basisPoints(9_501n) }, flat],
  [11001, { kind: "percent", basisPoints: basisPoints(9_777n) }, capped],
] as const;

/** With prices of its own, of every form. */
const merchant = await app.createMerchant({ testCredit: kobo(1_000_000_000n) });
const scope = { of: "merchant", merchantId: merchant.id } as const;
for (const [id, price, fee] of ownPrices) {
  await setPrice(app.services.database, { productId: id as ProductId, scope, price, fee });
}
await app.feel();

const hundredths = (text: string) => BigInt(text.replace(".", ""));

/** As the reference tells it, with nothing but what is listed. Amounts in hundredths. */
function costOf(product: Listed, needed: { readonly amount: bigint | null; readonly quantity: number }): string {
  const { amount_type, face_amount, api_price, discount_percent, fee, fee_percent, fee_cap, fx_rate } = product;
  const price = hundredths(api_price ?? "0");
  const rate = fx_rate === null ? 100n : hundredths(fx_rate);
  const fixed = face_amount === null ? price : hundredths(face_amount);
  const unit = amount_type === "variable" ? ((needed.amount ?? 0n) * rate) / 100n : fixed;
  const quantity = BigInt(needed.quantity);
  const nominal = unit * quantity;
  // From here in ten thousandths of a kobo, so that percentages are exact.
  const discounted = discount_percent === null ? null : nominal * (10_000n - hundredths(discount_percent));
  const share = fee_percent === null ? hundredths(fee) * 10_000n : nominal * hundredths(fee_percent);
  const most = fee_percent === null || fee_cap === null ? share : hundredths(fee_cap) * 10_000n;
  const total = (discounted ?? price * quantity * 10_000n) + (share < most ? share : most);
  return formatNaira(kobo(total / 10_000n));
}

async function listedProducts(): Promise<Listed[]> {
  const { billers } = (await app.call(merchant.testKey, "/billers")).body;
  const lists = await Promise.all(
    billers.map(({ slug }: { slug: string }) => app.call(merchant.testKey, `/billers/${slug}/products`)),
  );
  return lists.flatMap(({ body }) => body.products);
}

async function listed(id: number): Promise<Listed> {
  const product = (await listedProducts()).find(({ product_id }) => product_id === id);
  if (product === undefined) throw new Error(`no product ${id}`);
  return product;
}

test("what any product costs, at any amount and quantity, follows from what is listed", async () => {
  const snapshot = await app.services.catalogue.current();
  const buyer = { merchantId: merchant.id, priceTier: 1 };
  const lists = await listedProducts();
  expect(lists).toHaveLength(snapshot.products.length);
  for (const row of lists) {
    const product = snapshot.findProduct(row.product_id as ProductId);
    if (product === null) throw new Error(`no product ${row.product_id}`);
    const { minAmount, maxAmount, minQuantity, maxQuantity } = product;
    const odd = minAmount === null ? null : minAmount + 37n;
    for (const amount of new Set([minAmount, odd, maxAmount])) {
      for (const quantity of new Set([minQuantity, maxQuantity])) {
        const { total } = quote(product, snapshot.priceOf(product, buyer), { amount, quantity });
        expect([product.code, costOf(row, { amount, quantity })]).toEqual([product.code, formatNaira(total)]);
      }
    }
  }
});

interface Requested {
  readonly product_id: number;
  readonly phone?: string;
  readonly amount?: string;
  readonly quantity?: number;
}

const phone = "08031234567";
const purchases: readonly (readonly [name: string, path: string, body: Requested])[] = [
  ["a plan with a price alone and a percentage fee", "data", { product_id: 1001, phone }],
  ["a plan with a price alone and a flat fee", "data", { product_id: 1002, phone }],
  ["a plan that costs more than its face value", "data", { product_id: 1062, phone }],
  ["airtime at a percentage, with a percentage fee", "airtime", { product_id: 2001, phone, amount: "777.77" }],
  ["airtime at a percentage, with a flat fee", "airtime", { product_id: 2002, phone, amount: "777.77" }],
  ["a foreign card", "giftcard", { product_id: 11001, quantity: 3 }],
  ["a foreign card of one's own value", "giftcard", { product_id: 11010, amount: "50.00" }],
  ["several of them, odd, above the fee's cap", "giftcard", { product_id: 11010, amount: "123.45", quantity: 3 }],
];
test.each(purchases)("a purchase takes and deducts the price that was worked out: %s", async (name, path, body) => {
  const amount = body.amount === undefined ? null : hundredths(body.amount);
  const expected_price = costOf(await listed(body.product_id), { amount, quantity: body.quantity ?? 1 });
  const request = { ...body, reference: name.replaceAll(/[^a-z]+/g, "-"), expected_price };
  const bought = await app.call(merchant.testKey, `/${path}/purchase`, { body: request });
  expect([bought.status, bought.body.total_deducted]).toEqual([201, expected_price]);
});

test("a range in another currency lists its rate, its fee's percentage and that fee's cap", async () => {
  const card = await listed(11010);
  expect(card).toMatchObject({ api_price: null, fx_rate: "1550.00", fee_percent: "1.50", fee_cap: "5000.00" });
  expect(costOf(card, { amount: 5_000n, quantity: 1 })).toBe("78662.50");
  expect(await listed(2003)).toMatchObject({ fx_rate: null, fee_percent: null, fee_cap: null });
});

// What the list holds is in billers.test.ts; here is the door, and that a purchase keeps what the list promised.

const denominations = "/recharge-pin/denominations";

test("200 every denomination in stock is sold by network and value at its listed price", async () => {
  const { testKey } = app.merchant;
  const answer = await app.call(testKey, denominations);
  for (const { product_id, network, face_amount, api_price, load_code } of answer.body.denominations) {
    const wish = { network, denomination: face_amount, quantity: 1, expected_price: api_price };
    const body = { reference: `pin-${product_id}`, ...wish };
    const bought = await app.call(testKey, "/recharge-pin/purchase", { body });
    expect([bought.status, bought.body.product_id]).toEqual([201, product_id]);
    expect(bought.body).toMatchObject({ total_deducted: api_price, delivery: { face_amount, load_code } });
  }
});

test.each(["network=", "network=VODAFONE", "network=MTN&network=GLO", "network=MTN%00"])(
  "400 ?%s is VALIDATION_ERROR",
  async (query) => {
    const answer = await app.call(app.merchant.testKey, `${denominations}?${query}`);
    expectProblem(answer, 400, "VALIDATION_ERROR", { fields: ["network"] });
  },
);
