import { beforeEach, describe, expect, test } from "vitest";
import type { DeliveryClaim } from "../../../../src/domain/webhooks/delivery/claim-queries.ts";
import {
  awaitTurn,
  countAnew,
  endAttempt,
  leave,
  openPlaces,
  type Places,
  placesLeft,
  postponeHanging,
  roomOf,
} from "../../../../src/domain/webhooks/delivery/places.ts";
import { claimTo } from "../../../support/claim-requests.ts";
import { walletKey } from "../../../support/wallet.ts";

let nowMs = 0;
let places: Places;
beforeEach(() => {
  nowMs = 100_000;
  places = openPlaces({
    sizes: { live: 40, test: 40, manual_live: 40, manual_test: 40 },
    monotonicMs: () => nowMs,
    onRoom: () => {},
  });
});

const claimOf = (merchantId: number, given: Partial<DeliveryClaim> = {}) => claimTo(walletKey(merchantId), given);

/** Claims that wait for their turn, by what becomes of them. */
function stand(merchantId: number, count: number, given: Partial<DeliveryClaim> = {}) {
  const begun: DeliveryClaim[] = [];
  const postponed: DeliveryClaim[] = [];
  for (let i = 0; i < count; i++) {
    const claim = claimOf(merchantId, given);
    void awaitTurn(places, claim).then((turn) => {
      if (turn === "begin") begun.push(claim);
      else if (turn === "postpone") postponed.push(claim);
    });
  }
  return { begun, postponed };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const inFlight = () => places.underWay.size;
const kept = () => places.taken.live;
function end(claim: DeliveryClaim, outcome: "successful" | "failed") {
  const opensBreaker = endAttempt(places, claim, outcome);
  leave(places, claim);
  return opensBreaker;
}
/** One attempt after the other, each of which ends so. @returns how many there were when the breaker opened, or null */
async function attempts(merchantId: number, outcomes: readonly ("successful" | "failed")[], eachMs = 10) {
  for (const [index, outcome] of outcomes.entries()) {
    const { begun } = stand(merchantId, 1);
    await settled();
    nowMs += eachMs;
    if (end(begun[0]!, outcome)) return index + 1;
  }
  return null;
}
const times = (count: number, outcome: "successful" | "failed") => Array.from({ length: count }, () => outcome);
/** A second passes in which nothing ends. */
async function wait(seconds = 1) {
  nowMs += seconds * 1_000 + 1;
  postponeHanging(places);
  await settled();
}
/** Claims for so many merchants, beginning with this one: how many have begun, and how many are to be postponed. */
async function crowd(first: number, count: number, given: Partial<DeliveryClaim> = {}) {
  const each = Array.from({ length: count }, (_, index) => stand(first + index, 1, given));
  await settled();
  return {
    begun: each.filter(({ begun }) => begun.length === 1).length,
    postponed: each.filter(({ postponed }) => postponed.length === 1).length,
  };
}

describe("endpoints that never answer", () => {
  test("and were never heard of take a fifth of the places; what waits for the others is postponed", async () => {
    expect(await crowd(1, 30)).toEqual({ begun: 8, postponed: 22 });
    expect([inFlight(), kept()]).toEqual([8, 8]);
  });

  test("and are known to fail begin only what was postponed, in a fifth of the places", async () => {
    expect(await crowd(1, 30, { isFailing: true })).toEqual({ begun: 0, postponed: 30 });
    expect(await crowd(1, 30, { isFailing: true, lane: "postponed" })).toEqual({ begun: 8, postponed: 22 });
  });

  test("are sent one at a time, and let go of what waits behind it after a second", async () => {
    const silent = stand(1, 4);
    await settled();
    expect([silent.begun.length, silent.postponed.length, kept()]).toEqual([1, 0, 4]);
    await wait();
    expect([silent.begun.length, silent.postponed.length, kept()]).toEqual([1, 3, 1]);
    expect(await crowd(1, 1)).toEqual({ begun: 0, postponed: 1 });
  });

  test("keep nobody waiting who has just succeeded, nor one that has failed once since", async () => {
    for (let healthy = 900; healthy < 904; healthy++) await attempts(healthy, ["successful"]);
    await attempts(903, ["failed"]);
    for (let round = 0; round < 5; round++) {
      await crowd(1 + 100 * round, 100);
      await wait();
    }
    expect(inFlight()).toBe(8);
    expect(await crowd(900, 3)).toEqual({ begun: 3, postponed: 0 });
    expect(await crowd(903, 1, { isFailing: true })).toEqual({ begun: 1, postponed: 0 });
  });

  test("and succeeded a while ago take three fifths of the places at most", async () => {
    for (let merchant = 1; merchant <= 30; merchant++) await attempts(merchant, ["successful"]);
    nowMs += 10_001;
    await attempts(900, ["successful"]);
    expect(await crowd(101, 30)).toEqual({ begun: 8, postponed: 22 });
    expect(await crowd(1, 30)).toEqual({ begun: 16, postponed: 14 });
    expect(inFlight()).toBe(24);
    expect(await crowd(900, 1)).toEqual({ begun: 1, postponed: 0 });
  });

  test("take nothing of another pool", async () => {
    await crowd(1, 250, { wallet: walletKey(1, "test") });
    for (let silent = 1; silent <= 250; silent++) stand(silent, 1, { wallet: walletKey(silent, "test") });
    expect([places.taken.test, places.taken.live]).toEqual([8, 0]);
    expect((await crowd(1_000, 4)).begun).toBe(4);
  });
});

describe("an endpoint that takes long and answers", () => {
  test("is sent up to ten at one time", async () => {
    await attempts(1, times(3, "successful"), 3_000);
    const slow = stand(1, 12);
    await settled();
    expect(slow.begun).toHaveLength(10);
    await wait(2.5);
    expect(slow.postponed).toEqual([]);
  });

  test("takes no places that quick ones could use", async () => {
    for (let merchant = 101; merchant <= 130; merchant++) await attempts(merchant, ["successful"]);
    nowMs += 10_001;
    await attempts(1, times(3, "successful"), 3_000);
    await attempts(900, ["successful"]);
    await crowd(101, 30);
    expect(await crowd(1, 1)).toEqual({ begun: 0, postponed: 1 });
    expect(await crowd(900, 1)).toEqual({ begun: 1, postponed: 0 });
  });
});

describe("what somebody asked for by hand", () => {
  test("goes out beside an attempt that may never be answered, one at a time", async () => {
    stand(1, 1);
    await wait();
    const byHand = stand(1, 2, { lane: "manual" });
    await settled();
    expect([byHand.begun.length, byHand.postponed.length]).toEqual([1, 1]);
    expect(roomOf(places, "manual", "live").get("1/1")).toBe(0);
  });

  test("goes out before the events that wait", async () => {
    await attempts(1, ["successful"]);
    const events = stand(1, 20);
    const byHand = stand(1, 1, { lane: "manual" });
    await settled();
    expect([events.begun.length, byHand.begun.length]).toEqual([10, 0]);
    end(events.begun[0]!, "successful");
    await settled();
    expect([events.begun.length, byHand.begun.length]).toEqual([10, 1]);
  });

  test("is not kept back by an open breaker, as events are", async () => {
    const isBreakerOpen = true;
    expect(await crowd(1, 1, { isBreakerOpen })).toEqual({ begun: 0, postponed: 1 });
    expect(await crowd(1, 1, { isBreakerOpen, lane: "manual" })).toEqual({ begun: 1, postponed: 0 });
  });
});

describe("the next claim", () => {
  /** Of live events; it begins to count anew. */
  const nextRoom = () => {
    const room = roomOf(places, "event", "live");
    countAnew(places);
    return room;
  };

  test("brings the more of an endpoint the more it got through since the last one", async () => {
    await attempts(1, times(12, "successful"));
    expect(nextRoom()).toEqual(new Map([["1/1", 58]]));
    // Nothing came of it since: it gets the usual few.
    expect(nextRoom()).toEqual(new Map());
    await attempts(1, times(200, "successful"));
    expect(nextRoom().get("1/1")).toBe(400);
  });

  test("brings few of an endpoint that may never answer, less what is held", async () => {
    stand(1, 3);
    expect(nextRoom().get("1/1")).toBe(1);
    await attempts(2, ["failed"]);
    expect(nextRoom().get("2/1")).toBe(4);
  });

  test("brings of what is postponed what has a place, and none of an endpoint that may have no more", async () => {
    expect(placesLeft(places, "postponed", "live")).toBe(8);
    expect(await crowd(1, 30, { lane: "postponed" })).toEqual({ begun: 8, postponed: 22 });
    expect([placesLeft(places, "postponed", "live"), placesLeft(places, "event", "live")]).toEqual([0, 32]);
    expect(roomOf(places, "postponed", "live").get("1/1")).toBe(0);
    expect(roomOf(places, "postponed", "live").has("9/1")).toBe(false);
  });
});

describe("a breaker opens", () => {
  test("after ten failures in a row, not after nine and a success", async () => {
    expect(await attempts(1, [...times(9, "failed"), "successful", ...times(4, "failed")])).toBe(null);
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

  test("and postpones the events that wait, not what was asked for by hand", async () => {
    await attempts(1, [...threes, "failed"]);
    nowMs += 10_001;
    const { begun, postponed } = stand(1, 3);
    const byHand = stand(1, 3, { lane: "manual" });
    await settled();
    expect([begun.length, byHand.begun.length]).toEqual([1, 1]);
    expect(end(begun[0]!, "failed")).toBe(true);
    await settled();
    expect([postponed.length, byHand.begun.length, byHand.postponed.length]).toEqual([2, 2, 0]);
  });
});
