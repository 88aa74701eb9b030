import pg from "pg";
import { describe, expect, test } from "vitest";
import { type Batcher, batcher, Overloaded } from "../../src/platform/database/batcher.ts";

/** Batches as they were sent, each ended by the test. */
function openBatches() {
  const sent: { readonly items: readonly number[]; finish(): void }[] = [];
  const run = (items: readonly number[]) =>
    new Promise<readonly number[]>((resolve) => {
      sent.push({ items, finish: () => resolve(items.map((item) => item * 10)) });
    });
  return { sent, run };
}

function callMany(call: Batcher<number, number>, first: number, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => call(first + i)));
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const bounds = { sizeMax: 128, waitingMax: 1_000 };

describe("batcher", () => {
  test("calls of one turn share a batch, and those that come while it is in flight share the next", async () => {
    const { sent, run } = openBatches();
    const call = batcher({ ...bounds, run });
    const early = callMany(call, 0, 3);
    await nextTurn();
    const late = callMany(call, 3, 100);
    await nextTurn();
    expect(sent.map(({ items }) => items)).toEqual([[0, 1, 2]]);
    sent[0]?.finish();
    expect(await early).toEqual([0, 10, 20]);
    expect(sent).toHaveLength(2);
    sent[1]?.finish();
    expect(await late).toHaveLength(100);
  });

  test("a second batch goes out behind the first only when many calls wait, and a third one never", async () => {
    const { sent, run } = openBatches();
    const call = batcher({ ...bounds, run, inFlightMax: 2 });
    const all = [callMany(call, 0, 1)];
    await nextTurn();
    all.push(callMany(call, 1, 47));
    await nextTurn();
    expect(sent).toHaveLength(1);
    all.push(callMany(call, 48, 1));
    expect(sent.map(({ items }) => items.length)).toEqual([1, 48]);
    all.push(callMany(call, 49, 100));
    await nextTurn();
    expect(sent).toHaveLength(2);
    sent[1]?.finish();
    await nextTurn();
    expect(sent.map(({ items }) => items.length)).toEqual([1, 48, 100]);
    for (const batch of sent) batch.finish();
    expect((await Promise.all(all)).flat()).toEqual(Array.from({ length: 149 }, (_, i) => i * 10));
  });

  test("a second batch goes out behind the first at once while there are few calls in all", async () => {
    const { sent, run } = openBatches();
    const call = batcher({ ...bounds, run, inFlightMax: 2 });
    const all = [callMany(call, 0, 1)];
    await nextTurn();
    all.push(callMany(call, 1, 3));
    await nextTurn();
    expect(sent.map(({ items }) => items)).toEqual([[0], [1, 2, 3]]);
    all.push(callMany(call, 4, 1));
    await nextTurn();
    expect(sent).toHaveLength(2);
    sent[0]?.finish();
    await nextTurn();
    expect(sent.map(({ items }) => items)).toEqual([[0], [1, 2, 3], [4]]);
    all.push(callMany(call, 5, 1));
    sent[2]?.finish();
    await nextTurn();
    all.push(callMany(call, 6, 1));
    await nextTurn();
    expect(sent.map(({ items }) => items)).toEqual([[0], [1, 2, 3], [4], [5]]);
    for (const batch of sent) batch.finish();
    await nextTurn();
    for (const batch of sent) batch.finish();
    expect((await Promise.all(all)).flat()).toEqual([0, 10, 20, 30, 40, 50, 60]);
  });

  test("two items of one key never share a batch", async () => {
    const { sent, run } = openBatches();
    const call = batcher({ ...bounds, run, keyOf: (item: number) => String(item % 2) });
    const all = callMany(call, 0, 3);
    await nextTurn();
    sent[0]?.finish();
    await nextTurn();
    sent[1]?.finish();
    await all;
    expect(sent.map(({ items }) => items)).toEqual([[0, 1], [2]]);
  });

  test("an item that the database refuses fails alone", async () => {
    const run = async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error("refused");
      return items;
    };
    const call = batcher({ ...bounds, run });
    const outcomes = await Promise.allSettled([call(1), call(2), call(3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  test.each([
    ["too many connections", ["53300"], "stored"],
    ["too many connections after a loss", ["08006", "53300"], "stored"],
    ["a full disk", ["53100"], "53100"],
    ["a full disk after a loss: what became of the lost try is open", ["08006", "53100"], "08006"],
  ])("%s (%j) comes to %s", async (_what, codes, expected) => {
    const left = [...codes];
    const run = async (items: readonly number[]) => {
      const code = left.shift();
      if (code !== undefined) throw Object.assign(new pg.DatabaseError("no", 2, "error"), { code });
      return items.map(() => "stored");
    };
    const call = batcher({ ...bounds, run });
    expect(await call(1).catch((error: { code?: string }) => error.code)).toBe(expected);
  });

  test("a batch whose connection was lost is sent again", async () => {
    let tries = 0;
    const run = async (items: readonly number[]) => {
      tries += 1;
      if (tries === 1) throw Object.assign(new Error("lost"), { code: "ECONNRESET" });
      return items;
    };
    expect(await batcher({ ...bounds, run })(7)).toBe(7);
    expect(tries).toBe(2);
  });

  test("one call more than may wait is refused at once", async () => {
    const { sent, run } = openBatches();
    const call = batcher({ run, sizeMax: 1, waitingMax: 2 });
    const kept = [call(1), call(2)];
    await expect(call(3)).rejects.toThrow(Overloaded);
    await nextTurn();
    sent[0]?.finish();
    await nextTurn();
    sent[1]?.finish();
    expect(await Promise.all(kept)).toEqual([10, 20]);
  });

  test("idle resolves when nothing waits and nothing is in flight", async () => {
    const { sent, run } = openBatches();
    const call = batcher({ ...bounds, run });
    await call.idle();
    const answer = call(1);
    let isIdle = false;
    const idle = call.idle().then(() => {
      isIdle = true;
    });
    await nextTurn();
    await nextTurn();
    expect(isIdle).toBe(false);
    sent[0]?.finish();
    await Promise.all([answer, idle]);
  });
});
