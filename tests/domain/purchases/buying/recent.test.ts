import { expect, test } from "vitest";
import { rememberReferences } from "../../../../src/domain/purchases/buying/recent.ts";

const names = (of: string, count: number) => Array.from({ length: count }, (_, n) => `7 ${of}-${n}`);

test("nearly all of fifty thousand references outlast the next fifty thousand, and strangers are none of them", () => {
  const recent = rememberReferences();
  const early = names("early", 50_000);
  for (const name of [...early, ...names("late", 50_000)]) recent.add(name);
  expect(early.filter((name) => recent.has(name)).length).toBeGreaterThan(49_500);
  expect(names("stranger", 100_000).filter((name) => recent.has(name)).length).toBeLessThan(100);
  expect(recent.has("-7 late-49999")).toBe(false);
});
