import { expect, test } from "vitest";
import { openPersonTurns } from "../../src/console/kit/person-turns.ts";

const waitMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("one page of a person is answered at a time, in the order they came, and another person's beside it", async () => {
  const awaitTurn = openPersonTurns(() => performance.now());
  const [first, other] = await Promise.all([awaitTurn(1), awaitTurn(2)]);
  const order: string[] = [];
  const later = ["second", "third"].map(async (name) => {
    const end = await awaitTurn(1);
    order.push(name);
    end();
  });
  await waitMs(20);
  expect(order).toEqual([]);
  first();
  first();
  other();
  await Promise.all(later);
  expect(order).toEqual(["second", "third"]);
});

test("whoever clicks never waits, and whoever reloads without an end gets a share of the time", async () => {
  let now = 0;
  const awaitTurn = openPersonTurns(() => now);
  const open = async (tookMs: number) => {
    const startedMs = performance.now();
    const end = await awaitTurn(7);
    now += tookMs;
    end();
    return performance.now() - startedMs;
  };
  for (let page = 0; page < 50; page++) {
    now += 2_000;
    expect(await open(200)).toBeLessThan(200);
  }
  now += 10_000;
  await open(550);
  expect(await open(20)).toBeLessThan(200);
  await open(400);
  expect(await open(0)).toBeGreaterThan(200);
});

test("no more than twenty pages of a person wait, and the next is told to come again", async () => {
  const awaitTurn = openPersonTurns(() => performance.now());
  const end = await awaitTurn(3);
  const waiting = Array.from({ length: 19 }, async () => (await awaitTurn(3))());
  await expect(awaitTurn(3)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  end();
  await Promise.all(waiting);
  (await awaitTurn(3))();
});
