import { beforeEach, describe, expect, test } from "vitest";
import type { DeliveryClaim } from "../../../src/domain/delivery/claim-queries.ts";
import { noteClaims, placesToClaim, roomAmongSlow, roomForEvents } from "../../../src/domain/delivery/claim-room.ts";
import {
  acquire,
  type DeliveryScheduler,
  evictStalled,
  forget,
  openScheduler,
  release,
} from "../../../src/domain/delivery/delivery-scheduler.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { claimTo } from "../../support/claim-requests.ts";
import { walletKey } from "../../support/wallet.ts";

let nowMs = 0;
let scheduler: DeliveryScheduler;
beforeEach(() => {
  nowMs = 100_000;
  const size = { places: 20, heldMax: 4_000 };
  scheduler = openScheduler({
    pools: { live: size, test: size, manual_live: size, manual_test: size },
    monotonicMs: () => nowMs,
    onRoom: () => {},
  });
});

const claimOf = (merchantId: number, given: Partial<DeliveryClaim> = {}) => claimTo(walletKey(merchantId), given);

/** Claims that wait for their turn, by what becomes of them. */
function stand(merchantId: number, count: number, given: Partial<DeliveryClaim> = {}) {
  const begun: DeliveryClaim[] = [];
  const aside: DeliveryClaim[] = [];
  for (let i = 0; i < count; i++) {
    const claim = claimOf(merchantId, given);
    void acquire(scheduler, claim).then((turn) => {
      if (turn === "begin") begun.push(claim);
      else if (turn === "set_aside") {
        aside.push(claim);
        forget(scheduler, claim);
      }
    });
  }
  return { begun, aside };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const inFlight = () => scheduler.underWay.size;
const held = () => scheduler.pools.live.held;
function end(claim: DeliveryClaim, outcome: "successful" | "failed"): boolean {
  const { opensBreaker } = release(scheduler, claim, outcome);
  forget(scheduler, claim);
  return opensBreaker;
}
/** One attempt after the other, each of which ends so. @returns how many there were when the breaker opened, or null */
async function attempts(merchantId: number, outcomes: readonly ("successful" | "failed")[], eachMs = 10) {
  for (const [index, outcome] of outcomes.entries()) {
    // Where an endpoint is slow, its events come from the slow lane.
    const event = stand(merchantId, 1);
    await settled();
    const slow = event.begun.length > 0 ? event : stand(merchantId, 1, { lane: "slow" });
    await settled();
    nowMs += eachMs;
    if (end(slow.begun[0]!, outcome)) return index + 1;
  }
  return null;
}
const times = (count: number, outcome: "successful" | "failed") => Array.from({ length: count }, () => outcome);
/** A second passes in which nothing ends. */
async function wait(seconds = 1) {
  nowMs += seconds * 1_000 + 1;
  evictStalled(scheduler);
  await settled();
}
/** Claims for so many merchants, beginning with this one: how many have begun, and how many were set aside. */
async function crowd(first: number, count: number, given: Partial<DeliveryClaim> = {}) {
  const each = Array.from({ length: count }, (_, index) => stand(first + index, 1, given));
  await settled();
  return {
    begun: each.filter(({ begun }) => begun.length === 1).length,
    aside: each.filter(({ aside }) => aside.length === 1).length,
  };
}

describe("endpoints that never answer", () => {
  test("and were never heard of take a fifth of the places; what waits for the others is left in the table", async () => {
    expect(await crowd(1, 30)).toEqual({ begun: 4, aside: 26 });
    expect([inFlight(), held()]).toEqual([4, 4]);
  });

  test("leave places for such after a second, as their attempts count as slow; four fifths are never exceeded", async () => {
    let begun = 0;
    for (let second = 0; second < 10; second++) {
      begun += (await crowd(1 + 30 * second, 30)).begun;
      await wait();
    }
    expect([begun, inFlight()]).toEqual([16, 16]);
  });

  test("let go of what waits behind them after a second", async () => {
    const hole = stand(1, 4);
    await settled();
    expect([hole.begun.length, hole.aside.length, held()]).toEqual([1, 0, 4]);
    await wait();
    expect([hole.begun.length, hole.aside.length, held()]).toEqual([1, 3, 1]);
    expect(await crowd(1, 1)).toEqual({ begun: 0, aside: 1 });
  });

  test("and have failed twice hold nothing: their events are set aside, and come back where there is a place", async () => {
    for (let hole = 1; hole <= 30; hole++) await attempts(hole, ["failed", "failed"]);
    expect(await crowd(1, 30)).toEqual({ begun: 0, aside: 30 });
    expect([inFlight(), held(), placesToClaim(scheduler, "slow", "live")]).toEqual([0, 0, 4]);
    expect(await crowd(1, 30, { lane: "slow" })).toEqual({ begun: 4, aside: 26 });
    expect([held(), placesToClaim(scheduler, "slow", "live")]).toEqual([4, 0]);
    expect(Object.fromEntries(roomAmongSlow(scheduler))).toEqual({ "1/1": 0, "2/1": 0, "3/1": 0, "4/1": 0 });
  });

  test("keep nobody waiting who has just succeeded, nor one that has failed once since", async () => {
    for (let healthy = 900; healthy < 904; healthy++) await attempts(healthy, ["successful"]);
    await attempts(903, ["failed"]);
    for (let round = 0; round < 5; round++) {
      await crowd(1 + 100 * round, 100);
      await wait();
    }
    expect(inFlight()).toBe(16);
    expect(await crowd(900, 4)).toEqual({ begun: 4, aside: 0 });
  });

  test("and succeeded a while ago take four fifths of the places at most, too", async () => {
    for (let merchant = 1; merchant <= 30; merchant++) await attempts(merchant, ["successful"]);
    nowMs += 10_000;
    await attempts(900, ["successful"]);
    for (let round = 0; round < 5; round++) {
      await crowd(1, 30);
      await wait();
    }
    expect(inFlight()).toBe(16);
    expect(await crowd(900, 1)).toEqual({ begun: 1, aside: 0 });
  });

  test("take nothing of another pool", async () => {
    for (let hole = 1; hole <= 250; hole++) {
      stand(hole, 1, { wallet: walletKey(hole, "test") });
      if (hole % 50 === 0) await wait();
    }
    expect([scheduler.pools.test.inFlight, scheduler.pools.live.inFlight]).toEqual([16, 0]);
    expect((await crowd(1_000, 4)).begun).toBe(4);
  });
});

test("what waits for an endpoint that fails a second time in a row is set aside", async () => {
  await attempts(1, ["successful", "failed"]);
  const { begun, aside } = stand(1, 3);
  await settled();
  expect(begun).toHaveLength(1);
  expect(end(begun[0]!, "failed")).toBe(false);
  await settled();
  expect([begun.length, aside.length]).toEqual([1, 2]);
});

describe("what was set aside for an endpoint", () => {
  test("may be brought back when it has answered quickly", async () => {
    await attempts(1, ["failed", "failed"]);
    const { aside } = stand(1, 3);
    await settled();
    expect(aside).toHaveLength(3);
    const { begun } = stand(1, 1, { lane: "slow" });
    await settled();
    expect(release(scheduler, begun[0]!, "successful")).toEqual({ opensBreaker: false, bringsBack: true });
  });

  test("stays there while it answers slowly", async () => {
    await attempts(1, times(3, "successful"), 3_000);
    expect(await crowd(1, 1)).toEqual({ begun: 0, aside: 1 });
    const { begun } = stand(1, 1, { lane: "slow" });
    await settled();
    nowMs += 3_000;
    expect(release(scheduler, begun[0]!, "successful").bringsBack).toBe(false);
  });
});

describe("of what other processes have recorded", () => {
  test("two failures are enough for an endpoint that is not known here", async () => {
    expect(await crowd(1, 1, { failures: 1 })).toEqual({ begun: 1, aside: 0 });
    expect(await crowd(2, 1, { failures: 2 })).toEqual({ begun: 0, aside: 1 });
  });

  test("a success lets an endpoint begin anew that failed here", async () => {
    await attempts(1, times(4, "failed"));
    nowMs += 1_001;
    expect(await crowd(1, 1, { failures: 4 })).toEqual({ begun: 0, aside: 1 });
    await attempts(1, ["successful"]);
    nowMs += 1_001;
    expect(await crowd(1, 1, { failures: 0 })).toEqual({ begun: 1, aside: 0 });
  });

  test("an open breaker keeps back events, not what somebody asked for by hand", async () => {
    const isBreakerOpen = true;
    expect(await crowd(1, 1, { isBreakerOpen })).toEqual({ begun: 0, aside: 1 });
    expect(await crowd(1, 1, { isBreakerOpen, lane: "manual" })).toEqual({ begun: 1, aside: 0 });
  });
});

test("an endpoint that is slow and answers is sent more at one time, not less", async () => {
  await attempts(1, times(6, "successful"), 3_000);
  const slow = stand(1, 4, { lane: "slow" });
  await settled();
  expect(slow.begun).toHaveLength(4);
  await wait(2.5);
  expect(slow.aside).toEqual([]);
  expect(roomAmongSlow(scheduler).get("1/1")).toBeGreaterThan(0);
});

const roomAt = () => roomForEvents(scheduler, "live");

describe("a merchant whose claim brought all that it might", () => {
  const claimed = () =>
    noteClaims(scheduler, [claimOf(1), claimOf(1), claimOf(2)], { mode: "live", room: new Map(), perEndpoint: 2 });

  test("gets its whole share next, though all of it is over already", async () => {
    claimed();
    await attempts(1, times(12, "successful"));
    await attempts(2, times(12, "successful"));
    expect([...roomAt().keys()]).toEqual(["1/1"]);
    expect(roomAt().get("1/1")).toBeGreaterThan(300);
  });

  test("gets no more than anybody after a failure, after a quiet second, or when there was less the next time", async () => {
    claimed();
    await attempts(1, [...times(12, "successful"), "failed"]);
    expect(roomAt()).toEqual(new Map());
    await attempts(1, times(12, "successful"));
    noteClaims(scheduler, [claimOf(1)], { mode: "live", room: roomAt(), perEndpoint: 2 });
    expect(roomAt()).toEqual(new Map());
    claimed();
    nowMs += 1_001;
    expect(roomAt()).toEqual(new Map());
  });
});

test("a merchant alone may hold more than beside others, and never more than ten requests at one time", async () => {
  await attempts(1, times(12, "successful"));
  const alone = stand(1, 1);
  const room = roomAt().get("1/1")!;
  expect(room).toBeGreaterThan(300);
  for (let other = 2; other < 600; other++) stand(other, 1);
  expect(roomAt().get("1/1")).toBeLessThan(room / 2);
  stand(1, 30);
  await settled();
  const mine = [...scheduler.underWay.keys()].filter(({ wallet }) => wallet.merchantId === (1 as MerchantId));
  expect([alone.begun.length, mine.length <= 10]).toEqual([1, true]);
});

describe("a breaker opens", () => {
  test("after ten failures in a row, not after nine and a success", async () => {
    expect(await attempts(1, [...times(9, "failed"), "successful", ...times(9, "failed")])).toBe(null);
    expect(await attempts(2, times(12, "failed"))).toBe(10);
  });

  const threes = Array.from({ length: 6 }, () => ["failed", "failed", "successful"] as const).flat();

  test("after fourteen failures among twenty, not after thirteen", async () => {
    expect(await attempts(1, [...threes, "failed", "failed"])).toBe(20);
    expect(await attempts(2, [...threes, "successful", "failed"])).toBe(null);
  });

  test("for what happened within five minutes, and for nothing older", async () => {
    const outcomes = [...threes, "failed", "failed"] as const;
    expect(await attempts(1, outcomes, 15_000)).toBe(20);
    expect(await attempts(2, outcomes, 16_000)).toBe(null);
  });

  test("again when its probe fails, at once", async () => {
    const { begun } = stand(1, 1, { isProbe: true });
    await settled();
    expect(end(begun[0]!, "failed")).toBe(true);
  });

  test("and sets aside what waits", async () => {
    await attempts(1, [...threes, "failed"]);
    const { begun, aside } = stand(1, 3);
    await settled();
    expect(begun).toHaveLength(1);
    expect(end(begun[0]!, "failed")).toBe(true);
    await settled();
    expect(aside).toHaveLength(2);
  });
});
