import fc from "fast-check";
import { expect, test } from "vitest";
import { type Network, networkHint, networks, type Phone, parseNetwork, parsePhone } from "../../src/kernel/phone.ts";

const digits = (count: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: count, maxLength: count });
const gap = fc.string({ unit: fc.constantFrom(" ", "-"), maxLength: 2 });
/** A mobile number without its zero: `8031234567`. */
const subscriber = fc
  .tuple(fc.constantFrom("7", "8", "9"), fc.constantFrom("0", "1"), digits(8))
  .map((parts) => parts.join(""));

const phoneOf = (text: string): Phone => {
  const phone = parsePhone(text);
  if (phone === null) throw new Error(`no phone: ${text}`);
  return phone;
};

test("a number is the same however it is written: local, international, with spaces and dashes between its digits", () => {
  const gaps = fc.array(gap, { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(subscriber, fc.constantFrom("0", "234", "+234"), gaps, (number, prefix, between) => {
      const written = [...`${prefix}${number}`].map((character, at) => `${between[at]}${character}`).join("");
      expect(parsePhone(`${written}${between[15]}`)).toBe(`0${number}`);
    }),
  );
});

test("whatever is read is an 11-digit mobile number, is read again as itself, and ends as the text ended", () => {
  const nearlyPhones = fc.string({ unit: fc.constantFrom(..."00123478900+- .٣"), maxLength: 18 });
  const withAnything = fc
    .tuple(fc.string({ maxLength: 2 }), subscriber, fc.string({ maxLength: 2 }))
    .map((all) => all.join(""));
  fc.assert(
    fc.property(fc.oneof(nearlyPhones, withAnything, fc.string()), (text) => {
      const phone = parsePhone(text);
      if (phone === null) return;
      expect(phone).toMatch(/^0[789][01][0-9]{8}$/);
      expect(parsePhone(phone)).toBe(phone);
      expect(text).toMatch(/^[0-9 +-]+$/);
      expect(text.replace(/[^0-9]/g, "").endsWith(phone.slice(1))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("a number with a digit too many or too few is none", () => {
  fc.assert(
    fc.property(subscriber, fc.constantFrom("0", "234", "+234"), digits(1), (number, prefix, more) => {
      expect(parsePhone(`${prefix}${number}${more}`)).toBeNull();
      expect(parsePhone(`${prefix}${number.slice(0, -1)}`)).toBeNull();
    }),
  );
});

test.each([
  ...["", "0", "8031234567", "06031234567", "08231234567", "00031234567", "2340803123456", "+0803123456"],
  ...[
    "++2348031234567",
    "+234+8031234567",
    "0803.123.4567",
    "(0803)1234567",
    "08031234567\n",
    "٠8031234567",
    "0803123456x",
  ],
])("%j is no Nigerian mobile number", (text) => {
  expect(parsePhone(text)).toBeNull();
});

test("hostile text is read in linear time", () => {
  const started = performance.now();
  for (const text of [" -".repeat(200_000), `+${" ".repeat(400_000)}2`, `0${"-".repeat(400_000)}7`]) {
    expect(parsePhone(text)).toBeNull();
  }
  // Some milliseconds; quadratic it would be minutes.
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("who issued a number is told by its first five digits alone", () => {
  fc.assert(
    fc.property(subscriber, digits(6), (number, others) => {
      const phone = `0${number}`;
      expect(networkHint(phoneOf(phone))).toBe(networkHint(phoneOf(`${phone.slice(0, 5)}${others}`)));
    }),
  );
});

test.each<[string, Network | null]>([
  ...(["MTN", "GLO", "9MOBILE", "AIRTEL"] as const).map((network, at): [string, Network] => [
    ["0803", "0805", "0809", "0802"][at] ?? "",
    network,
  ]),
  ["07025", "MTN"],
  ["07026", "MTN"],
  ["07024", null],
  ["0800", null],
])("a number that begins with %s was issued by %s", (prefix, network) => {
  expect(networkHint(phoneOf(prefix.padEnd(11, "1")))).toBe(network);
});

test("a network is read in any case and with spaces around it, and anything else is none", () => {
  const spaces = fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 3 });
  const name = fc.constantFrom(...networks).chain((network) =>
    fc.array(fc.boolean(), { minLength: network.length, maxLength: network.length }).map((isLower) => ({
      network,
      text: [...network].map((letter, at) => (isLower[at] ? letter.toLowerCase() : letter)).join(""),
    })),
  );
  fc.assert(
    fc.property(name, spaces, spaces, ({ network, text }, before, after) => {
      expect(parseNetwork(`${before}${text}${after}`)).toBe(network);
    }),
  );
  expect(["t2", " T2 "].map(parseNetwork)).toEqual(["9MOBILE", "9MOBILE"]);
  expect(["", "T", "MTN2", "M TN", "9 MOBILE"].map(parseNetwork)).toEqual([null, null, null, null, null]);
});
