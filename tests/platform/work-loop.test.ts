import { expect, test } from "vitest";
import { startWorkLoop } from "../../src/platform/work-loop.ts";

test("a claim that brought more than there was room for is followed by none until there is room again", async () => {
  const limits: number[] = [];
  const ends: (() => void)[] = [];
  const loop = startWorkLoop<number>({
    async claim(limit) {
      limits.push(limit);
      return limits.length === 1 ? [1, 2, 3] : [];
    },
    act: () => new Promise<void>((resolve) => ends.push(resolve)),
    concurrencyMax: 2,
    pollMs: 5,
    onError: () => {},
  });
  await expect.poll(() => ends.length).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(limits).toEqual([2]);
  for (const end of ends) end();
  await expect.poll(() => limits.length).toBeGreaterThan(1);
  await loop.stop();
  expect(Math.min(...limits)).toBe(2);
});
