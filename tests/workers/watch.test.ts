import { expect, test } from "vitest";
import { type Job, startWatches } from "../../src/workers/watch.ts";

interface Line {
  readonly event: string;
}

function watching(open: Job<unknown>["open"], everyMs: number) {
  const lines: Line[] = [];
  const log = { error: (line: Line) => lines.push(line) } as never;
  return { lines, ...startWatches([{ name: "post", everyMs, open }], { log }) };
}

test("a watch looks at once and again and again, never twice at one time, also after a look that failed", async () => {
  let looks = 0;
  let present = 0;
  let presentMost = 0;
  const { lines, stop } = watching(
    () => async () => {
      looks += 1;
      present += 1;
      presentMost = Math.max(presentMost, present);
      await new Promise((resolve) => setTimeout(resolve, 5));
      present -= 1;
      if (looks === 2) throw new Error("the database is away");
    },
    1,
  );
  expect(looks).toBe(1);
  await expect.poll(() => looks).toBeGreaterThan(3);
  await stop();
  expect([present, presentMost]).toEqual([0, 1]);
  expect(lines).toEqual([{ event: "watch.failed", watch: "post", error: "Error: the database is away" }]);
});

test("a watch that found more to do looks again at once", async () => {
  let looks = 0;
  const { stop } = watching(() => async () => (++looks < 5 ? "again" : undefined), 60_000);
  await expect.poll(() => looks).toBe(5);
  await stop();
});
