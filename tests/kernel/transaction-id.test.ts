import fc from "fast-check";
import { expect, it } from "vitest";
import { type PurchaseId, purchaseIdMinter, readTransactionId, transactionIds } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";

const bought = 912345678901234567n as PurchaseId;

const handedOut: readonly [number, string][] = [
  [0, "TXN01M81ST9MX0AJW72S1M6GRACYN"],
  [0xd15b_e75e, "TXN01M81ST9MX0AJW7RWCA879RWCW"],
  [0xffff_ffff, "TXN01M81ST9MX0AJW7X6YBSF58S9C"],
];

it.each(handedOut)("a purchase of deployment %s keeps the name that merchants have stored: %s", (number, name) => {
  const ids = transactionIds([{ number, from: 0n as PurchaseId }]);
  expect(ids.format(bought, "live")).toBe(name);
  expect(ids.parse(name, "live")).toBe(bought);
});

const anyNumber = fc.integer({ min: 0, max: 0xffff_ffff });
const anyId = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map((id) => id as PurchaseId);
const anyMode = fc.constantFrom<Mode>("live", "test");

it("a name says its purchase, its mode and its deployment, and no other deployment takes it for its own", () => {
  fc.assert(
    fc.property(anyId, anyMode, anyNumber, anyNumber, (id, mode, number, other) => {
      fc.pre(number !== other);
      const [ours, theirs] = [number, other].map((one) => transactionIds([{ number: one, from: 0n as PurchaseId }]));
      const name = ours!.format(id, mode);
      expect(name).toMatch(/^(SBX|TXN)[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(readTransactionId(name, mode)).toEqual({ id, mode, deployment: number });
      expect(ours!.parse(name, mode)).toBe(id);
      expect(theirs!.format(id, mode)).not.toBe(name);
      expect([theirs!.parse(name, mode), transactionIds([]).parse(name, mode)]).toEqual([null, null]);
    }),
  );
});

it("a purchase keeps the number that its deployment had when it was made", () => {
  const from = (id: bigint) => id as PurchaseId;
  const before = transactionIds([{ number: 1, from: from(0n) }]);
  const after = transactionIds([
    { number: 2, from: from(200n) },
    { number: 1, from: from(0n) },
  ]);
  for (const id of [0n, 99n, 100n, 199n].map(from)) expect(after.format(id, "live")).toBe(before.format(id, "live"));
  expect(after.parse(before.format(from(199n), "live"), "live")).toBe(199n);
  expect(after.format(from(200n), "live")).not.toBe(before.format(from(200n), "live"));
  expect(after.parse(before.format(from(200n), "live"), "live")).toBeNull();
});

it("no purchase is made below the first that carries the number, wherever the clock stands", () => {
  const first = (1_000n << 22n) as PurchaseId;
  const mint = purchaseIdMinter({ now: () => 0 }, 7, first);
  const ids = Array.from({ length: 10_000 }, () => mint());
  expect(ids.every((id) => id >= first)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
});

it("a name with one character changed names nothing", () => {
  const ids = transactionIds([{ number: 4_711, from: 0n as PurchaseId }]);
  const name = ids.format(bought, "live");
  const changed = Array.from(name.slice(3), (character, i) => {
    const other = character === "7" ? "8" : "7";
    return `${name.slice(0, 3 + i)}${other}${name.slice(4 + i)}`;
  });
  expect(changed.filter((text) => ids.parse(text, "live") !== null)).toEqual([]);
  expect(ids.parse(name, "test")).toBeNull();
});
