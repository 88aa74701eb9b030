import fc from "fast-check";
import { expect, test } from "vitest";
import { formatNaira, kobo } from "../../../src/kernel/money.ts";
import {
  accountNumberAt,
  momentIn,
  nairaAt,
  pageAfter,
  paymentIdAt,
  settledNairaAt,
} from "../../../src/providers/payments/answer-fields.ts";
import { parseJson } from "../../../src/providers/reply.ts";

test("every amount below ten billion naira is read to the kobo, as a text and as a number", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), (amount) => {
      const written = formatNaira(kobo(amount));
      for (const text of [`{"a":${written}}`, `{"a":"${written}"}`, `{"a":"${written}00"}`]) {
        expect([nairaAt(parseJson(text), "a"), settledNairaAt(parseJson(text), "a")]).toEqual([amount, amount]);
      }
    }),
  );
});

test.each([
  "1,000.00",
  "100.005",
  "1e3",
  "-5",
  "+5",
  ".5",
  "5.",
  "N500",
  "12345678901",
  "12345678901.00",
  "９９",
  "NaN",
])("%s is no amount", (text) => {
  expect(nairaAt({ a: text }, "a")).toBeNull();
});

test("of what is settled parts of a kobo fall away, and of nothing else any digit", () => {
  const settled = (text: string) => settledNairaAt({ a: text }, "a");
  expect([settled("2462.379"), settled("0.009"), settled("7"), settled("7.5")]).toEqual([246_237n, 0n, 700n, 750n]);
  expect([settled("12345678901"), settled("12345678901.005"), settled("1.2.3"), settled("-1")]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("an id that was cut, mended or is too long is none", () => {
  expect(paymentIdAt({ a: "MNFY|04|2026|1" }, "a")).toBe("MNFY|04|2026|1");
  expect(paymentIdAt({ a: "9".repeat(100) }, "a")).toHaveLength(100);
  for (const id of ["9".repeat(101), "9".repeat(900), "a\u0000b", "a\ufffdb", " ", ""]) {
    expect(paymentIdAt({ a: id }, "a")).toBeNull();
  }
});

test("an account number has ten digits: masked, or without its leading zeros, it names nobody's account", () => {
  expect(accountNumberAt({ a: "0123456789" }, "a")).toBe("0123456789");
  for (const number of ["XXXXXX6789", 123_456_789, "01234567890", "0123 45678"]) {
    expect(accountNumberAt({ a: number }, "a")).toBeNull();
  }
});

test("a page is followed by another one only where it says that it is the page that was asked for", () => {
  expect(pageAfter(1, { page: "1", pages: "3" })).toEqual({ nextPage: 2 });
  expect(pageAfter(3, { page: "3", pages: "3" })).toEqual({ nextPage: null });
  expect(pageAfter(1, { page: "1", pages: "0" })).toEqual({ nextPage: null });
  for (const [page, pages] of [
    ["2", "3"],
    [null, "3"],
    ["1", null],
    ["1", "-1"],
    ["1", "1e9"],
  ] as const) {
    expect(pageAfter(1, { page, pages })).toBeNull();
  }
});

test("a moment without an offset is none", () => {
  expect(momentIn("2026-11-17T10:28:42.615Z")).toBe(Date.UTC(2026, 10, 17, 10, 28, 42, 615));
  expect(momentIn("2026-11-17T11:28:42.6+0100")).toBe(Date.UTC(2026, 10, 17, 10, 28, 42, 600));
  for (const text of ["2026-11-17T10:28:42", "2026-11-17", "yesterday", null]) expect(momentIn(text)).toBeNaN();
});
