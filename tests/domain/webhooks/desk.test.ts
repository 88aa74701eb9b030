import { beforeEach, describe, expect, test } from "vitest";
import type { Claim } from "../../../src/domain/webhooks/claim-queries.ts";
import {
  type Desk,
  forgetClaim,
  leaveDesk,
  makeWay,
  noteClaims,
  openDesk,
  roomAt,
  takeTurn,
} from "../../../src/domain/webhooks/desk.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { walletKey } from "../../support/wallet.ts";
import { mintDeliveryId } from "../../support/webhooks.ts";

let nowMs = 0;
let desk: Desk;
beforeEach(() => {
  nowMs = 10_000;
  desk = openDesk({ slots: { live: 20, test: 5, manual: 5 }, monotonicMs: () => nowMs, onRoom: () => {} });
});

const claimOf = (merchantId: number, isProbe = false): Claim => ({
  wallet: walletKey(merchantId),
  endpointNumber: 1,
  deliveryId: mintDeliveryId(),
  epoch: 1,
  attempt: 1,
  lane: "event",
  isProbe,
  event: "transaction.successful",
  body: "{}",
  isExample: false,
});

/** Stands in line. `begun` lists those whose turn came, `away` those that were turned away. */
function stand(merchantId: number, count: number, isProbe = false) {
  const begun: Claim[] = [];
  const away: Claim[] = [];
  for (let i = 0; i < count; i++) {
    const claim = claimOf(merchantId, isProbe);
    void takeTurn(desk, claim).then((mayBegin) => (mayBegin ? begun : away).push(claim));
  }
  return { begun, away };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
function end(claim: Claim, outcome: "successful" | "failed"): boolean {
  const opens = leaveDesk(desk, claim, outcome);
  forgetClaim(desk, claim);
  return opens;
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

describe("endpoints that never answer", () => {
  test("hold a slot for a second and no longer, however many they are", async () => {
    for (let hole = 1; hole <= 20; hole++) stand(hole, 4);
    const healthy = stand(100, 1);
    await settled();
    expect([desk.underWay.size, healthy.begun.length]).toEqual([20, 0]);
    nowMs += 1_001;
    makeWay(desk);
    await settled();
    expect([desk.underWay.size, healthy.begun.length]).toEqual([21, 1]);
  });

  test("let go of what waits behind them, and are given nothing more", async () => {
    const hole = stand(1, 4);
    nowMs += 1_001;
    expect(roomAt(desk)).toEqual({ "1/1": 0 });
    makeWay(desk);
    await settled();
    expect([hole.begun.length, hole.away.length]).toEqual([1, 3]);
  });

  test("are bounded beside the slots as well", async () => {
    for (let hole = 1; hole <= 60; hole++) stand(hole, 1);
    for (let tick = 0; tick < 5; tick++) {
      nowMs += 1_001;
      makeWay(desk);
      await settled();
    }
    expect(desk.underWay.size).toBe(40);
  });

  test("once they have failed get a quarter of the slots, slow or not", async () => {
    for (let hole = 1; hole <= 30; hole++) await attempts(hole, ["failed"]);
    for (let hole = 1; hole <= 30; hole++) stand(hole, 1);
    for (let tick = 0; tick < 3; tick++) {
      nowMs += 1_001;
      makeWay(desk);
      await settled();
    }
    expect(desk.underWay.size).toBe(5);
    const healthy = Array.from({ length: 20 }, (_, index) => stand(100 + index, 1));
    await settled();
    expect(healthy.filter(({ begun }) => begun.length === 1)).toHaveLength(20);
  });
});

test("an endpoint that is slow and answers is sent more at one time, not less", async () => {
  await attempts(1, times(6, "successful"), 3_000);
  const slow = stand(1, 10);
  await settled();
  const before = slow.begun.length;
  expect(before).toBeGreaterThan(1);
  nowMs += 2_500;
  makeWay(desk);
  await settled();
  expect(slow.away).toEqual([]);
  expect(roomAt(desk)["1/1"]).toBeGreaterThan(0);
});

describe("a merchant whose claim brought all that it might", () => {
  const claimed = () => noteClaims(desk, [claimOf(1), claimOf(1), claimOf(2)], {}, 2);

  test("gets its whole share next, though all of it is over already", async () => {
    claimed();
    await attempts(1, times(12, "successful"));
    await attempts(2, times(12, "successful"));
    expect(Object.keys(roomAt(desk))).toEqual(["1/1"]);
    expect(roomAt(desk)["1/1"]).toBeGreaterThan(300);
  });

  test("gets no more than anybody after a failure, after a quiet second, or when there was less the next time", async () => {
    claimed();
    await attempts(1, [...times(12, "successful"), "failed"]);
    expect(roomAt(desk)).toEqual({});
    await attempts(1, times(12, "successful"));
    noteClaims(desk, [claimOf(1)], roomAt(desk), 2);
    expect(roomAt(desk)).toEqual({});
    claimed();
    nowMs += 1_001;
    expect(roomAt(desk)).toEqual({});
  });
});

test("a merchant alone may hold more than beside others, and never more than ten requests at one time", async () => {
  await attempts(1, times(12, "successful"));
  const alone = stand(1, 1);
  const room = roomAt(desk)["1/1"]!;
  expect(room).toBeGreaterThan(300);
  for (let other = 2; other < 600; other++) stand(other, 1);
  expect(roomAt(desk)["1/1"]).toBeLessThan(room / 2);
  stand(1, 30);
  await settled();
  const mine = [...desk.underWay.keys()].filter(({ wallet }) => wallet.merchantId === (1 as MerchantId));
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
    const { begun } = stand(1, 1, true);
    await settled();
    expect(end(begun[0]!, "failed")).toBe(true);
  });

  test("and turns away what waits", async () => {
    await attempts(1, times(9, "failed"));
    const { begun, away } = stand(1, 3);
    await settled();
    expect(end(begun[0]!, "failed")).toBe(true);
    await settled();
    expect(away).toHaveLength(2);
  });
});
