import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Product } from "../../../src/categories/product/product.ts";
import type { Fee, Price } from "../../../src/domain/catalogue/pricing.ts";
import { nairaValueFloor, quote, unitFee, unitPrice } from "../../../src/domain/catalogue/pricing.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";
import { makeProduct } from "../../categories/ask.ts";

const amounts = fc.bigInt(100n, 1_000_000_000_000n);
const shares = fc.bigInt(100n, 10_000n);
const quantities = fc.integer({ min: 1, max: 23_500 });

const fees: fc.Arbitrary<Fee | null> = fc.oneof(
  fc.constant(null),
  amounts.map((value): Fee => ({ kind: "flat", kobo: kobo(value) })),
  fc.record({ share: fc.bigInt(1n, 10_000n), cap: fc.option(amounts) }).map(
    ({ share, cap }): Fee => ({
      kind: "percent",
      basisPoints: basisPoints(share),
      cap: cap === null ? null : kobo(cap),
    }),
  ),
);

const fixed = (value: bigint, fee: Fee | null = null): Price => ({ kind: "fixed", kobo: kobo(value), fee });
const percent = (share: bigint, fee: Fee | null = null): Price => ({
  kind: "percent",
  basisPoints: basisPoints(share),
  fee,
});

/** Every way in which a product and its price can go together, and what a client may ask for. */
const sales: fc.Arbitrary<{ product: Product; price: Price; needed: { amount: bigint | null; quantity: number } }> =
  fc.oneof(
    // A variable amount in naira: always a percentage.
    fc.record({ amount: amounts, share: shares, fee: fees, quantity: quantities }).map((sale) => ({
      product: makeProduct({ amountType: "variable" }),
      price: percent(sale.share, sale.fee),
      needed: { amount: sale.amount, quantity: sale.quantity },
    })),
    // A face value, with a share of it or a price of its own, below or above it.
    fc
      .record({ face: amounts, share: shares, own: fc.option(amounts), fee: fees, quantity: quantities })
      .map((sale) => ({
        product: makeProduct({ amountType: "fixed", face: kobo(sale.face) }),
        price: sale.own === null ? percent(sale.share, sale.fee) : fixed(sale.own, sale.fee),
        needed: { amount: null, quantity: sale.quantity },
      })),
    // No face value: the price alone.
    fc.record({ own: amounts, fee: fees, quantity: quantities }).map((sale) => ({
      product: makeProduct({ amountType: "fixed" }),
      price: fixed(sale.own, sale.fee),
      needed: { amount: null, quantity: sale.quantity },
    })),
    // A foreign card, fixed or of a chosen value.
    fc
      .record({
        value: fc.bigInt(100n, 100_000_000n),
        rate: fc.bigInt(1n, 10_000_000n),
        isRange: fc.boolean(),
        share: shares,
        fee: fees,
        quantity: fc.integer({ min: 1, max: 10 }),
      })
      .filter((sale) => sale.value * sale.rate > 100_000n)
      .map((sale) => ({
        product: makeProduct({
          amountType: sale.isRange ? "variable" : "fixed",
          faceCurrency: "USD",
          fxRate: kobo(sale.rate),
          foreignFace: sale.isRange ? null : sale.value,
        }),
        price: percent(sale.share, sale.fee),
        needed: { amount: sale.isRange ? sale.value : null, quantity: sale.quantity },
      })),
  );

describe("whatever is sold", () => {
  test("total = amount − discount + fee, amount = unit × quantity, and no part is negative", () => {
    fc.assert(
      fc.property(sales, ({ product, price, needed }) => {
        const { unitAmount, quantity, amount, faceAmount, fee, discount, total } = quote(product, price, needed);
        expect(total).toBe(amount - discount + fee);
        expect(amount).toBe(unitAmount * BigInt(quantity));
        expect(faceAmount).toBe(amount);
        expect(quantity).toBe(needed.quantity);
        expect([unitAmount > 0n, discount >= 0n, fee >= 0n, total > 0n]).toEqual([true, true, true, true]);
      }),
      { numRuns: 500 },
    );
  });

  test("the total is the exact price and fee, rounded down by less than a kobo and only once", () => {
    fc.assert(
      fc.property(sales, ({ product, price, needed }) => {
        const { amount, total } = quote(product, price, needed);
        // In ten thousandths of a kobo, as a check of its own.
        const exactPrice =
          price.kind === "fixed" ? price.kobo * BigInt(needed.quantity) * 10_000n : amount * price.basisPoints;
        const shortfall = exactPrice + exactFee(price.fee, amount) - total * 10_000n;
        expect(shortfall >= 0n && shortfall < 10_000n).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("the fee that is shown is the one agreed, unless the price lies above the nominal amount", () => {
    fc.assert(
      fc.property(sales, ({ product, price, needed }) => {
        const { amount, fee, discount, total } = quote(product, price, needed);
        const agreed = exactFee(price.fee, amount) / 10_000n;
        if (fee !== agreed) expect({ discount, fee }).toEqual({ discount: 0n, fee: total - amount });
        expect(fee >= agreed).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

function exactFee(fee: Fee | null, amount: bigint): bigint {
  if (fee === null) return 0n;
  if (fee.kind === "flat") return fee.kobo * 10_000n;
  const share = amount * fee.basisPoints;
  return fee.cap !== null && share > fee.cap * 10_000n ? fee.cap * 10_000n : share;
}

describe("what the contract says of the nominal price", () => {
  test("airtime of ₦100 at 96.8 % is nominally ₦100 with ₦3.20 off", () => {
    const airtime = makeProduct({ amountType: "variable" });
    expect(quote(airtime, percent(9_680n), { amount: 10_000n, quantity: 1 })).toEqual({
      unitAmount: 10_000n,
      quantity: 1,
      amount: 10_000n,
      faceAmount: 10_000n,
      fee: 0n,
      discount: 320n,
      total: 9_680n,
    });
  });

  test("a data plan with a face value is nominally that value, one without is its price", () => {
    const retail = makeProduct({ amountType: "fixed", face: kobo(150_000n) });
    const reseller = makeProduct({ amountType: "fixed" });
    const one = { amount: null, quantity: 1 };
    expect(quote(retail, fixed(147_500n), one)).toMatchObject({
      unitAmount: 150_000n,
      discount: 2_500n,
      total: 147_500n,
    });
    expect(quote(reseller, fixed(64_000n), one)).toMatchObject({ unitAmount: 64_000n, discount: 0n, total: 64_000n });
  });

  test("a price above the face value shows the excess as a fee", () => {
    const plan = makeProduct({ amountType: "fixed", face: kobo(10_000n) });
    expect(quote(plan, fixed(11_000n), { amount: null, quantity: 3 })).toMatchObject({
      unitAmount: 10_000n,
      amount: 30_000n,
      discount: 0n,
      fee: 3_000n,
      total: 33_000n,
    });
  });

  test("a percentage is rounded on the total, not on each of many units", () => {
    // 99.6 % of ₦1.01 is 100.596 kobo: a hundred of them are 10,059.6, not 100 × 100.
    const unit = makeProduct({ amountType: "fixed", face: kobo(101n) });
    expect(quote(unit, percent(9_960n), { amount: null, quantity: 100 }).total).toBe(10_059n);
  });

  test("a flat fee is charged once a purchase, a percentage up to its cap", () => {
    const card = makeProduct({ amountType: "fixed", face: kobo(100_000n) });
    const five = { amount: null, quantity: 5 };
    const capped: Fee = { kind: "percent", basisPoints: basisPoints(150n), cap: kobo(5_000n) };
    expect(quote(card, percent(10_000n, { kind: "flat", kobo: kobo(5_000n) }), five).fee).toBe(5_000n);
    expect(quote(card, percent(10_000n, capped), five).fee).toBe(5_000n);
    expect(quote(card, percent(10_000n, { ...capped, cap: null }), five).fee).toBe(7_500n);
  });

  test("a foreign card costs its value at the stored rate, each card rounded down to a kobo", () => {
    const rate = kobo(155_033n);
    const card = makeProduct({ amountType: "fixed", faceCurrency: "USD", foreignFace: 1_055n, fxRate: rate });
    expect(nairaValueFloor(1_055n, rate)).toBe(1_635_598n); // 1,635,598.15
    expect(quote(card, percent(10_000n), { amount: null, quantity: 10 })).toMatchObject({
      unitAmount: 1_635_598n,
      total: 16_355_980n,
    });
  });
});

describe("what a list of products says beforehand", () => {
  test("the price and fee of one unit add up to what one unit is charged", () => {
    fc.assert(
      fc.property(sales, ({ product, price }) => {
        const known = unitPrice(product, price);
        if (product.amountType === "variable") {
          expect(known).toBeNull();
          return;
        }
        const { total } = quote(product, price, { amount: null, quantity: 1 });
        // Both are rounded down, so their sum may lie one kobo below a total that is rounded once.
        const sum = (known ?? 0n) + unitFee(product, price);
        expect(total - sum === 0n || total - sum === 1n).toBe(true);
      }),
    );
  });

  test("a percentage fee of a variable amount is told at its least amount", () => {
    const range = makeProduct({ amountType: "variable", minAmount: 100_000n });
    expect(unitFee(range, percent(10_000n, { kind: "percent", basisPoints: basisPoints(150n), cap: null }))).toBe(
      1_500n,
    );
  });
});
