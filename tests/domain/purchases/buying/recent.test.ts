import { expect, test } from "vitest";
import { rememberReferences } from "../../../../src/domain/purchases/buying/recent.ts";

const names = (of: string, count: number) => Array.from({ length: count }, (_, n) => `7 ${of}-${n}`);

test("nearly all of a hundred thousand references outlast the next two hundred thousand, and strangers are none of them", () => {
  const recent = rememberReferences();
  const early = names("early", 100_000);
  for (const name of [...early, ...names("late", 200_000)]) recent.add(name);
  expect(early.filter((name) => recent.has(name)).length).toBeGreaterThan(99_900);
  expect(names("stranger", 100_000).filter((name) => recent.has(name)).length).toBeLessThan(100);
  expect(recent.has("-7 late-199999")).toBe(false);
});
