import { expect, test } from "vitest";
import { rateWindow } from "../../src/platform/rate-limit/request-leases.ts";

function windowAt(start: number, namesMax = 100) {
  let now = start;
  const window = rateWindow({ limit: 3, windowMs: 60_000, namesMax, monotonicMs: () => now });
  return { window, move: (ms: number) => (now += ms) };
}

test("counts up to its limit and no further, each name for itself", () => {
  const { window } = windowAt(0);
  expect([1, 2, 3, 4, 5].map(() => window.count("a"))).toEqual([true, true, true, false, false]);
  expect(window.count("b")).toBe(true);
});

test("starts anew with the next window, and says when that is", () => {
  const { window, move } = windowAt(59_000);
  for (let i = 0; i < 4; i++) window.count("a");
  expect(window.resetSeconds()).toBe(1);
  expect(window.count("a")).toBe(false);
  move(1_000);
  expect(window.count("a")).toBe(true);
  expect(window.resetSeconds()).toBe(60);
});

test("a flood of names costs no more than the names it may keep, and forgets the oldest", () => {
  const { window } = windowAt(0, 2);
  for (let i = 0; i < 3; i++) window.count("old");
  expect(window.count("old")).toBe(false);
  window.count("b");
  window.count("c"); // makes room by forgetting "old"
  expect(window.count("old")).toBe(true);
});
