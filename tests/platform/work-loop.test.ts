import { expect, test } from "vitest";
import { NotSent } from "../../src/platform/database/database-errors.ts";
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

test("a claim that finds no connection is tried again and not said by each loop; another error is", async () => {
  const errors: unknown[] = [];
  const failures = [new NotSent("no connection"), new Error("out of order")];
  let claims = 0;
  const loop = startWorkLoop<number>({
    async claim() {
      claims += 1;
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return [];
    },
    act: async () => {},
    concurrencyMax: 1,
    pollMs: 1,
    onError: (error) => errors.push(String(error)),
  });
  await expect.poll(() => claims).toBeGreaterThan(2);
  await loop.stop();
  expect(errors).toEqual(["Error: out of order"]);
});
