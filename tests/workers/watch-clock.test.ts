import { expect, test } from "vitest";
import { clockWatch } from "../../src/workers/watch/watch-commits.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { startWatch } from "../support/watch.ts";

const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
const said: { readonly event: string; readonly skewSeconds: number; readonly advice: string }[] = [];
const log = {
  error: (line: { event: string; skewSeconds: number }, advice: string) => said.push({ ...line, advice }),
} as never;

const app = closing(await startApp({ clock, log }));

const skewIn = (text: string) => Number(/^dispense_clock_skew_seconds (\S+)$/m.exec(text)?.[1]);

/** A round trip of up to two seconds, on a busy machine, puts it off by one. */
const isAbout = (aheadMs: number, skewSeconds: number) => Math.abs(skewSeconds - aheadMs / 1_000) < 1;

/** Looks a few times at a database that answers so late. @returns the figure, and what the log says */
async function look(aheadMs: number, answersAfterMs = 0) {
  said.length = 0;
  let laterMs = 0;
  const database: typeof app.services.database = {
    ...app.services.database,
    async query<Row>(...calls: Parameters<typeof app.services.database.query>) {
      const rows = await app.services.database.query<Row>(...calls);
      laterMs = answersAfterMs;
      return rows;
    },
  };
  const now = () => {
    const time = Date.now() + aheadMs + laterMs;
    laterMs = 0;
    return time;
  };
  const { metrics, stop } = startWatch(clockWatch, { database, clock: { now }, log });
  await expect.poll(async () => skewIn(await metrics.text())).not.toBeNaN();
  await stop();
  return { skewSeconds: skewIn(await metrics.text()), events: [...new Set(said.map(({ event }) => event))] };
}

test.each([
  ["30 s ahead", 30_000],
  ["4 s ahead", 4_000],
  ["4 s behind", -4_000],
])("a process whose clock is %s says so, and what to do", async (_name, aheadMs) => {
  const { skewSeconds, events } = await look(aheadMs);
  expect(events).toEqual(["clock.skewed"]);
  expect(isAbout(aheadMs, skewSeconds)).toBe(true);
  expect(said[0]?.advice).toContain("synchronise both machines' clocks");
  expect(isAbout(aheadMs, said[0]?.skewSeconds ?? 0)).toBe(true);
});

test.each([0, 1_500, -1_500])("a clock that is %i ms off is a figure and no error", async (aheadMs) => {
  const { skewSeconds, events } = await look(aheadMs);
  expect(isAbout(aheadMs, skewSeconds)).toBe(true);
  expect(events).toEqual([]);
});

test("a database that answers late is not taken for a clock that is off", async () => {
  // The middle of the round trip is 2.5 s after the database read its clock.
  expect((await look(0, 5_000)).events).toEqual([]);
  expect((await look(4_000, 5_000)).events).toEqual(["clock.skewed"]);
});

test("a service looks when it starts, and says it where the collector reads", async () => {
  clock.aheadMs = -40_000;
  said.length = 0;
  const stop = app.services.startWatching();
  const metrics = async () => skewIn(await (await fetch(`${app.url}/metrics`)).text());
  await expect.poll(async () => isAbout(clock.aheadMs, await metrics())).toBe(true);
  await stop();
  expect(said.map(({ event }) => event)).toContain("clock.skewed");
});
