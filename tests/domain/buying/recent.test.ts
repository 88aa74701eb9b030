import { expect, test } from "vitest";
import { rememberReferences } from "../../../src/domain/buying/recent.ts";
import type { Reference } from "../../../src/kernel/ids.ts";
import { walletKey } from "../../support/wallet.ts";

const wallet = walletKey(7, "test");
const references = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${prefix}-${n}` as Reference);

test("a reference is remembered by its merchant and mode, and no other is", () => {
  const recent = rememberReferences();
  recent.add(wallet, "order-1" as Reference);
  expect(recent.has(wallet, "order-1" as Reference)).toBe(true);
  expect(recent.has(wallet, "order-2" as Reference)).toBe(false);
  expect(recent.has({ ...wallet, mode: "live" }, "order-1" as Reference)).toBe(false);
  expect(recent.has(walletKey(8, "test"), "order-1" as Reference)).toBe(false);
});

test("nearly all of a hundred thousand references outlast the next two hundred thousand", () => {
  const recent = rememberReferences();
  const early = references("early", 100_000);
  for (const reference of early) recent.add(wallet, reference);
  for (const reference of references("late", 200_000)) recent.add(wallet, reference);
  const kept = early.filter((reference) => recent.has(wallet, reference)).length;
  expect(kept).toBeGreaterThan(98_000);
});

test("the newest are remembered, however many came before", () => {
  const recent = rememberReferences();
  for (const reference of references("many", 1_500_000)) recent.add(wallet, reference);
  const newest = references("newest", 1_000);
  for (const reference of newest) recent.add(wallet, reference);
  expect(newest.filter((reference) => recent.has(wallet, reference)).length).toBe(1_000);
});
