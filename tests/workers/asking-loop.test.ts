import { expect, test } from "vitest";
import { startAskingLoop } from "../../src/workers/asking-loop.ts";

/** So many questions for one supplier, each answered at once. @returns how many were asked after a moment */
async function answered(count: number, isPaced: boolean): Promise<number> {
  let left = count;
  let done = 0;
  const loop = startAskingLoop<number>({
    claim: async ({ exceptOf, limit }) => {
      const claimed = exceptOf.length > 0 ? 0 : Math.min(limit, left);
      left -= claimed;
      return Array.from({ length: claimed }, (_, index) => index);
    },
    whomOf: () => "bank",
    ask: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      done += 1;
    },
    questionsMax: 8,
    ofOneMax: 4,
    pollMs: 3_600_000,
    isPaced,
    onError: () => {},
  });
  const startedAt = performance.now();
  while (done < count && performance.now() - startedAt < 2_000) await new Promise((resolve) => setTimeout(resolve, 5));
  await loop.stop();
  return done;
}

test("whoever is asked as much as may be is asked on as soon as it has answered, not with the next poll", async () => {
  expect(await answered(100, false)).toBe(100);
});

test("whoever allows few questions a second is asked on with the next poll", async () => {
  expect(await answered(100, true)).toBeLessThanOrEqual(8);
});
