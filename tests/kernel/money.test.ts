import fc from "fast-check";
import { expect, test } from "vitest";
import {
  add,
  basisPoints,
  formatNaira,
  kobo,
  multiply,
  notAnAmount,
  parseNaira,
  readAmount,
  shareCeiling,
  shareFloor,
  subtract,
  zeroKobo,
} from "../../src/kernel/money.ts";

/** Ten billion naira: a digit more than an amount may have. */
const bound = 1_000_000_000_000n;
const anyAmount = fc.bigInt({ min: 0n, max: bound }).map(kobo);
const payable = fc.bigInt({ min: 1n, max: bound - 1n }).map(kobo);
const anyShare = fc.bigInt({ min: 0n, max: 10_000n }).map(basisPoints);

test("every amount that may be paid is read back from its text as it was", () => {
  fc.assert(
    fc.property(payable, (amount) => {
      const text = formatNaira(amount);
      expect(text).toMatch(/^(0|[1-9][0-9]*)\.[0-9]{2}$/);
      expect(parseNaira(text)).toBe(amount);
    }),
    { examples: [[kobo(1n)], [kobo(99n)], [kobo(100n)], [kobo(bound - 1n)]] },
  );
});

test("an amount below zero has the text of the amount above zero, with a minus before it", () => {
  fc.assert(fc.property(payable, (amount) => formatNaira(kobo(-amount)) === `-${formatNaira(amount)}`));
  expect(formatNaira(zeroKobo)).toBe("0.00");
});

test("an amount that a double can't hold is never written rounded", () => {
  expect(formatNaira(kobo(2n ** 53n - 1n))).toBe("90071992547409.91");
  expect(() => formatNaira(kobo(2n ** 53n))).toThrow();
});

test("naira with none, one or two decimals is read as the same kobo, as text and as a number", () => {
  const naira = fc.integer({ min: 1, max: 9_999_999_999 });
  fc.assert(
    fc.property(naira, fc.integer({ min: 0, max: 9 }), (whole, tenths) => {
      const amount = BigInt(whole) * 100n + BigInt(tenths) * 10n;
      expect(parseNaira(`${whole}.${tenths}`)).toBe(amount);
      expect(parseNaira(`${whole}.${tenths}0`)).toBe(amount);
      expect(parseNaira(Number(`${whole}.${tenths}`))).toBe(amount);
      expect(parseNaira(`${whole}`)).toBe(BigInt(whole) * 100n);
      expect(parseNaira(whole)).toBe(BigInt(whole) * 100n);
    }),
  );
});

test("whatever is read is a plain positive decimal with at most two decimals, within the bound", () => {
  const nearlyNumbers = fc.string({ unit: fc.constantFrom(..."0123456789.,-+eE \n٣"), maxLength: 16 });
  fc.assert(
    fc.property(fc.oneof(nearlyNumbers, fc.double(), fc.anything()), (value) => {
      const amount = parseNaira(value);
      if (amount === null) return;
      const [whole = "", cents = ""] = String(value).split(".");
      expect(`${whole}${cents}`).toMatch(/^[0-9]+$/);
      expect(cents.length).toBeLessThanOrEqual(2);
      expect(amount).toBe(BigInt(`${whole}${cents.padEnd(2, "0")}`));
      expect(amount > 0n && amount <= bound).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ...["0", "0.00", "-1", "+1", "01", "1.", ".5", "1.005", "1e3", "1,000", " 1", "1 ", "1\n", "", "١"],
  ...[
    "10000000000",
    "10000000000.00",
    "99999999999",
    0,
    -1,
    0.001,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    true,
    [1],
    5n,
  ],
])("%s is no amount", (value) => {
  expect(parseNaira(value)).toBeNull();
});

test("a share and what is left of it make the whole, whoever gets the kobo that can't be divided", () => {
  fc.assert(
    fc.property(anyAmount, anyShare, (amount, share) => {
      const rest = basisPoints(10_000n - share);
      expect(add(shareFloor(amount, share), shareCeiling(amount, rest))).toBe(amount);
    }),
  );
});

test("a share is rounded by less than a kobo, down by the floor and up by the ceiling", () => {
  fc.assert(
    fc.property(anyAmount, anyShare, (amount, share) => {
      const exact = amount * share;
      const [floor, ceiling] = [shareFloor(amount, share) * 10_000n, shareCeiling(amount, share) * 10_000n];
      expect(floor <= exact && exact - floor < 10_000n).toBe(true);
      expect(ceiling >= exact && ceiling - exact < 10_000n).toBe(true);
    }),
  );
  expect([shareFloor(kobo(101n), basisPoints(250n)), shareCeiling(kobo(101n), basisPoints(250n))]).toEqual([2n, 3n]);
});

test("no share is less than none or more than all", () => {
  for (const share of [-1n, 10_001n]) expect(() => basisPoints(share)).toThrow();
  fc.assert(
    fc.property(anyAmount, (amount) => {
      expect(shareFloor(amount, basisPoints(10_000n))).toBe(amount);
      expect(shareCeiling(amount, basisPoints(0n))).toBe(zeroKobo);
    }),
  );
});

test("what was added can be taken off again, and a multiple is as many additions", () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, fc.integer({ min: 0, max: 50 }), (one, other, count) => {
      expect(subtract(add(one, other), other)).toBe(one);
      expect(multiply(one, count)).toBe(Array.from({ length: count }, () => one).reduce(add, zeroKobo));
    }),
  );
});

test.each([
  ["1500", 150_000n],
  ["1,500", 150_000n],
  ["1,234,567.50", 123_456_750n],
  ["₦1,500.5", 150_050n],
  ["NGN 200", 20_000n],
  ["200 NGN", 20_000n],
  ["\u00A0n200\u200E", 20_000n],
])("an amount as people write it is read as it stands: %j", (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});

test.each(
  [
    "100,00",
    "1,50",
    "1,00,000",
    "1,2345",
    ",500",
    "1,500,",
    "1,,500",
    "0,500",
    "1.500",
    "1.500,00",
    "1 500",
    "1,500.005",
  ].concat(["1E3", "1e+05", "-5", "(500)", "5k", "$5", "₦", "", "0", "0.00", "12,345,678,901", "١٠٠"]),
)("what may mean two amounts, or none, is no amount: %j", (text) => {
  expect(readAmount(text)).toBeNull();
});

test("whatever is read has its commas between groups of three, and is read the same without them", () => {
  const nearlyAmounts = fc.string({ unit: fc.constantFrom(..."0123456789,,..₦ N"), maxLength: 14 });
  fc.assert(
    fc.property(nearlyAmounts, (text) => {
      const amount = readAmount(text);
      if (amount === null) return;
      expect(text).toMatch(/^ *(₦|N)? ?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]{1,2})? ?(₦)? *$/i);
      expect(parseNaira(text.replace(/[^0-9.]/g, ""))).toBe(amount);
    }),
    { numRuns: 2_000 },
  );
});

test("a refused amount is told with what was read, and with both amounts that a comma may have meant", () => {
  expect(notAnAmount("100,00")).toBe("“100,00” isn't read as an amount: write 100.00 or 10,000.");
  expect(notAnAmount("1500,5")).toBe("“1500,5” isn't read as an amount: write 1500.5 or 15,005.");
  expect(notAnAmount("x".repeat(100))).toMatch(/^“x{40}” isn't read as an amount: write 1500, 1,500 or 1,500\.00\.$/);
});
