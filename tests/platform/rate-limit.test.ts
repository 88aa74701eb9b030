import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { Queryable } from "../../src/platform/database/database.ts";
import { openRateLimit, type RateLimit, type RateState } from "../../src/platform/rate-limit/rate-limit.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";

let nextKey = 1;

const own = closing(await ownDatabase());
const database = own.database;

const minute = Date.parse("2026-11-20T12:00:00Z");
const minuteMs = 60_000;

/** Time that only moves when it is told to; the database and every process live in it. */
class SimulatedTime {
  ms = minute;
  readonly now = () => new Date(this.ms);
  readonly monotonicMs = () => this.ms;
}

const open: RateLimit[] = [];
afterEach(async () => {
  for (const limit of open.splice(0)) await limit.stop();
});

function processes(count: number, time: SimulatedTime, limit = 120, on: Queryable = database): RateLimit[] {
  const made = Array.from({ length: count }, () =>
    openRateLimit({ database: on, limit, monotonicMs: time.monotonicMs, databaseNow: time.now }),
  );
  open.push(...made);
  return made;
}

/** How many keys each statement asked for. */
function countingDatabase(): { readonly counting: Queryable; readonly calls: number[] } {
  const calls: number[] = [];
  const counting: Queryable = {
    query: (statement, values) => {
      calls.push(String(values?.[0]).split(",").length);
      return database.query(statement, values);
    },
  };
  return { counting, calls };
}

function most(instants: readonly number[], windowMs: number): number {
  return Math.max(0, ...instants.map((start) => instants.filter((at) => at >= start && at < start + windowMs).length));
}

function mostAligned(instants: readonly number[]): number {
  const perMinute = new Map<number, number>();
  for (const at of instants)
    perMinute.set(Math.floor(at / minuteMs), (perMinute.get(Math.floor(at / minuteMs)) ?? 0) + 1);
  return Math.max(0, ...perMinute.values());
}

describe("one process", () => {
  test("accepts exactly 120 of 130 requests of a minute and says where the key stands", async () => {
    const time = new SimulatedTime();
    const [limit] = processes(1, time) as [RateLimit];
    const key = nextKey++;
    const states: RateState[] = [];
    for (let i = 0; i < 130; i++) {
      states.push(await limit.take(key));
      time.ms += 100;
    }
    expect(states.map(({ accepted }) => accepted)).toEqual([...Array(120).fill(true), ...Array(10).fill(false)]);
    expect(states.slice(0, 120).map(({ remaining }) => remaining)).toEqual(
      Array.from({ length: 120 }, (_, i) => 119 - i),
    );
    expect(states[0]).toMatchObject({ resetSeconds: 60, retryAfterSeconds: 0 });
    // 12 s into the minute; at its end old slots still fill the sliding minute, but 12 of the 132 are free.
    expect(states[120]).toMatchObject({ remaining: 0, resetSeconds: 48, retryAfterSeconds: 48 });
    time.ms = minute + minuteMs;
    expect((await limit.take(key)).accepted).toBe(true);
  });

  test("tells a refused key one moment, also where the next minute's first slots are still full", async () => {
    const time = new SimulatedTime();
    time.ms += 32_000;
    const [limit] = processes(1, time, 6) as [RateLimit];
    const key = nextKey++;
    for (let i = 0; i < 6; i++) expect((await limit.take(key)).accepted).toBe(true);
    expect(await limit.take(key)).toMatchObject({ accepted: false, resetSeconds: 63, retryAfterSeconds: 63 });
    time.ms += 62_000;
    expect((await limit.take(key)).accepted).toBe(false);
    time.ms += 1_000;
    expect((await limit.take(key)).accepted).toBe(true);
  });

  test("accepts exactly 120 of 130 requests that come at once", async () => {
    const [limit] = processes(1, new SimulatedTime()) as [RateLimit];
    const key = nextKey++;
    const states = await Promise.all(Array.from({ length: 130 }, () => limit.take(key)));
    expect(states.filter(({ accepted }) => accepted)).toHaveLength(120);
  });

  test("answers a spent key from memory until the slot ends", async () => {
    const { counting, calls } = countingDatabase();
    const [limit] = processes(1, new SimulatedTime(), 5, counting) as [RateLimit];
    const key = nextKey++;
    for (let i = 0; i < 6; i++) await limit.take(key);
    const sent = calls.length;
    for (let i = 0; i < 1_000; i++) expect(await limit.take(key)).toMatchObject({ accepted: false });
    expect(calls).toHaveLength(sent);
  });

  test("asks the database a few times a slot for a busy key under a high limit", async () => {
    const { counting, calls } = countingDatabase();
    const time = new SimulatedTime();
    const [limit] = processes(1, time, 100_000_000, counting) as [RateLimit];
    const key = nextKey++;
    for (let i = 0; i < 20_000; i++) expect((await limit.take(key)).accepted).toBe(true);
    expect(calls.length).toBeLessThan(25);
    time.ms += 5_000;
    const sent = calls.length;
    for (let i = 0; i < 20_000; i++) await limit.take(key);
    expect(calls.length - sent).toBeLessThan(3);
  });

  test("renews busy keys together as a slot begins, so that their requests need not wait, and leaves quiet ones", async () => {
    const { counting, calls } = countingDatabase();
    const time = new SimulatedTime();
    time.ms = minute + 4_900;
    const [limit] = processes(1, time, 6_000, counting) as [RateLimit];
    const quiet = nextKey++;
    const busy = Array.from({ length: 100 }, () => nextKey++);
    await Promise.all([quiet, ...busy, ...busy, ...busy].map((key) => limit.take(key)));
    calls.length = 0;
    time.ms += 100;
    await expect.poll(() => calls.reduce((sum, keys) => sum + keys, 0)).toBe(busy.length);
    expect(calls.length).toBeLessThan(5);
    const renewed = calls.length;
    for (const key of busy) await limit.take(key);
    expect(calls.length).toBe(renewed);
    await limit.take(quiet);
    expect(calls.length).toBe(renewed + 1);
  });

  test("lets nobody through while the database does not answer", async () => {
    const broken: Queryable = { query: () => Promise.reject(new Error("Connection terminated")) };
    const [limit] = processes(1, new SimulatedTime(), 120, broken) as [RateLimit];
    await expect(limit.take(nextKey++)).rejects.toThrow(/Connection terminated/);
  });
});

describe("an evenly paced client at the limit", () => {
  test.each([1, 3])("is never refused, over %d processes", async (count) => {
    const time = new SimulatedTime();
    const limits = processes(count, time);
    const key = nextKey++;
    time.ms += 137;
    let refused = 0;
    for (let i = 0; i < 480; i++) {
      const state = await limits[i % count]?.take(key);
      if (state?.accepted !== true) refused += 1;
      time.ms += 500;
    }
    expect(refused).toBe(0);
  });
});

describe("three processes on one database", () => {
  test("never accept more than 120 of a minute, and reach at least 114, when all comes at once", async () => {
    const limits = processes(3, new SimulatedTime());
    const key = nextKey++;
    const states = await Promise.all(Array.from({ length: 390 }, (_, i) => limits[i % 3]?.take(key)));
    const accepted = states.filter((state) => state?.accepted).length;
    expect(accepted).toBeLessThanOrEqual(120);
    expect(accepted).toBeGreaterThanOrEqual(114);
  });

  test("reach at least 114 of a minute when the load is spread over it", async () => {
    const time = new SimulatedTime();
    const limits = processes(3, time);
    const key = nextKey++;
    let accepted = 0;
    for (let i = 0; i < 390; i++) {
      if ((await limits[i % 3]?.take(key))?.accepted) accepted += 1;
      time.ms += 100;
    }
    expect(accepted).toBeLessThanOrEqual(120);
    expect(accepted).toBeGreaterThanOrEqual(114);
  });

  test("keep both promises under any timing of concurrent requests", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pauseMs: fc.nat(9_000), burst: fc.integer({ min: 1, max: 90 }) }), {
          minLength: 5,
          maxLength: 40,
        }),
        async (steps) => {
          const time = new SimulatedTime();
          const limits = processes(3, time);
          const key = nextKey++;
          const accepted: number[] = [];
          for (const { pauseMs, burst } of steps) {
            time.ms += pauseMs;
            const at = time.ms;
            const states = await Promise.all(Array.from({ length: burst }, (_, i) => limits[i % 3]?.take(key)));
            for (const state of states) if (state?.accepted) accepted.push(at);
          }
          expect(mostAligned(accepted)).toBeLessThanOrEqual(120);
          expect(most(accepted, minuteMs)).toBeLessThanOrEqual(132);
        },
      ),
      { numRuns: 15 },
    );
  });

  test("give back what one of them leased and did not use, also when its key falls silent", async () => {
    const time = new SimulatedTime();
    const [first, second] = processes(2, time) as [RateLimit, RateLimit];
    const key = nextKey++;
    for (let i = 0; i < 4; i++) await first.take(key); // holds two spare requests now
    time.ms += 5_000;
    await new Promise((resolve) => setTimeout(resolve, 1_300)); // the sweep runs by real time
    let accepted = 0;
    for (let i = 0; i < 130; i++) if ((await second.take(key)).accepted) accepted += 1;
    expect(accepted).toBe(116);
  });

  test("leave the third at least 114 less what they used, when two fall silent in the middle of a slot", async () => {
    const time = new SimulatedTime();
    for (let each = 1; each <= 30; each++) {
      const [first, second, third] = processes(3, time) as [RateLimit, RateLimit, RateLimit];
      const key = nextKey++;
      for (let i = 0; i < each; i++) await Promise.all([first.take(key), second.take(key)]);
      let accepted = 0;
      while ((await third.take(key)).accepted) accepted += 1;
      expect(accepted + 2 * each).toBeGreaterThanOrEqual(114);
    }
  });

  test("keep the promise on the real clock, too", async () => {
    const limits = Array.from({ length: 3 }, () =>
      openRateLimit({ database, limit: 60, monotonicMs: () => performance.now() }),
    );
    open.push(...limits);
    const key = nextKey++;
    const accepted: number[] = [];
    for (let round = 0; round < 20; round++) {
      const states = await Promise.all(Array.from({ length: 30 }, (_, i) => limits[i % 3]?.take(key)));
      for (const state of states) if (state?.accepted) accepted.push(Date.now());
    }
    expect(accepted.length).toBeGreaterThanOrEqual(57);
    expect(accepted.length).toBeLessThanOrEqual(66); // 60 of one minute, or of two when the test ran over an edge
  });
});
