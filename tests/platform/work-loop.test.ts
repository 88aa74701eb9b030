import { expect, test } from "vitest";
import { startWatch, startWorkLoop } from "../../src/platform/work-loop.ts";

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

test("a watch looks at once and again and again, never twice at one time, also after a look that failed", async () => {
  let looks = 0;
  let present = 0;
  let presentMost = 0;
  const errors: unknown[] = [];
  const watch = startWatch({
    async look() {
      looks += 1;
      present += 1;
      presentMost = Math.max(presentMost, present);
      await new Promise((resolve) => setTimeout(resolve, 5));
      present -= 1;
      if (looks === 2) throw new Error("the database is away");
    },
    pollMs: 1,
    onError: (error) => errors.push(error),
  });
  expect(looks).toBe(1);
  await expect.poll(() => looks).toBeGreaterThan(3);
  await watch.stop();
  expect([present, presentMost, errors.length]).toEqual([0, 1, 1]);
});
