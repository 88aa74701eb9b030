import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deleteOldCounts, leaseRequests } from "../../src/platform/rate-limit/request-leases.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";

let nextKey = 1;

const own = closing(await ownDatabase());
const database = own.database;

const minute = Date.parse("2026-11-20T12:00:00Z");

describe("the rule in the database", () => {
  const ask = (
    key: number,
    needed: number,
    at: number,
    more: { spare?: number; returned?: number; slot?: number } = {},
  ) =>
    leaseRequests(
      database,
      [{ key, needed, spare: more.spare ?? 0, returned: more.returned ?? 0, returnedSlot: more.slot ?? 0 }],
      { limit: 120, now: new Date(at) },
    ).then(([answer]) => answer);

  test("says when a request could be granted again, neither too early nor too late", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 132 })), { minLength: 1, maxLength: 15 }),
        async (steps) => {
          const key = nextKey++;
          let at = minute;
          for (const [pause, needed] of steps) {
            at += pause;
            const answer = await ask(key, needed, at);
            if (answer?.retryInMs == null) continue;
            const [early] = [await ask(key, 1, at + answer.retryInMs - 1)];
            expect(early?.granted).toBe(0);
            at += answer.retryInMs;
            expect((await ask(key, 1, at))?.granted).toBe(1);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test("books what comes back to the slot it was leased in", async () => {
    const key = nextKey++;
    const leased = await ask(key, 100, minute + 58_000);
    expect(leased).toMatchObject({ granted: 100, slotEndsInMs: 2_000, remaining: 20 });
    // In the next minute the hundred count for the sliding minute alone; ninety of them come back.
    const next = await ask(key, 120, minute + 61_000, { returned: 90, slot: leased?.slot ?? 0 });
    expect(next).toMatchObject({ granted: 120, remaining: 0 });
    const later = await ask(key, 1, minute + 119_000);
    expect(later?.granted).toBe(0);
  });

  test("ignores what comes back after the table forgot it", async () => {
    const key = nextKey++;
    await ask(key, 1, minute);
    const answer = await ask(key, 120, minute + 3_600_000, { returned: 50, slot: Math.floor(minute / 5_000) });
    expect(answer).toMatchObject({ granted: 120, remaining: 0 });
    await own.fresh.pool.query("truncate request_counts"); // as a crash of PostgreSQL does
    const after = await ask(key, 0, minute + 3_600_000, {
      returned: 50,
      slot: Math.floor((minute + 3_600_000) / 5_000),
    });
    expect(after?.remaining).toBe(120);
  });

  test("gives spare requests only while plenty are free", async () => {
    const key = nextKey++;
    expect(await ask(key, 1, minute, { spare: 2 })).toMatchObject({ granted: 3, remaining: 117 });
    expect(await ask(key, 100, minute, { spare: 2 })).toMatchObject({ granted: 101, remaining: 16 });
    expect(await ask(key, 1, minute, { spare: 2 })).toMatchObject({ granted: 1, remaining: 15 });
  });

  test("stays in a slot that it had reached when the clock is set back, and starts anew after a big jump", async () => {
    const key = nextKey++;
    await ask(key, 120, minute + 30_000);
    expect((await ask(key, 1, minute + 24_000))?.granted).toBe(0);
    expect((await ask(key, 1, minute - 3_600_000))?.granted).toBe(1);
  });

  test("answers many keys in the order asked, each by its own count", async () => {
    const keys = Array.from({ length: 50 }, () => nextKey++).reverse();
    const asks = keys.map((key, i) => ({ key, needed: i + 100, spare: 0, returned: 0, returnedSlot: 0 }));
    const answers = await leaseRequests(database, asks, { limit: 120, now: new Date(minute) });
    expect(answers.map(({ granted }) => granted)).toEqual(keys.map((_, i) => Math.min(120, i + 100)));
  });

  test("forgets keys that have been silent, and no others", async () => {
    const [silent, present] = [nextKey++, nextKey++];
    await ask(silent, 1, Date.now() - 3_600_000);
    await ask(present, 1, Date.now());
    await deleteOldCounts(database);
    const { rows } = await own.fresh.pool.query("select key_id from request_counts where key_id = any ($1)", [
      [silent, present],
    ]);
    expect(rows).toEqual([{ key_id: present }]);
  });
});
