import { describe, expect, test } from "vitest";
import type { Purchase } from "../../../src/domain/purchases/purchase.ts";
import { nextCheckSeconds, nextRequery } from "../../../src/domain/resolution/requery/reschedule-requery.ts";

const hourMs = 3_600_000;

describe("a pending purchase is asked about", () => {
  test("after 5, 10, 20, 40 and 80 seconds, then every five minutes", () => {
    const waits = Array.from({ length: 8 }, (_, tries) => nextRequery({ tries, ageMs: 0, askNobody: false }));
    expect(waits.map(({ dueSeconds }) => dueSeconds)).toEqual([5, 10, 20, 40, 80, 300, 300, 300]);
    expect(new Set(waits.map(({ step }) => step))).toEqual(new Set(["requery"]));
  });

  test("for 24 hours, however often that was; then it goes to a person, and never into a refund", () => {
    expect(nextRequery({ tries: 500, ageMs: 24 * hourMs - 1, askNobody: false }).step).toBe("requery");
    expect(nextRequery({ tries: 293, ageMs: 24 * hourMs, askNobody: false }).step).toBe("review");
  });

  test("some times more when nobody could ask during those 24 hours", () => {
    expect(nextRequery({ tries: 1, ageMs: 48 * hourMs, askNobody: false }).step).toBe("requery");
    expect(nextRequery({ tries: 6, ageMs: 48 * hourMs, askNobody: false }).step).toBe("review");
  });

  test("not at all where asking can never tell", () => {
    expect(nextRequery({ tries: 0, ageMs: 0, askNobody: true }).step).toBe("review");
  });
});

test("a client is told to look again ever less often", () => {
  const purchase = { wallet: { mode: "live" }, purchasedAt: 0 } as unknown as Purchase;
  const seconds = [0, 59_999, 60_000, 299_999, 300_000, 20 * hourMs].map((now) => nextCheckSeconds(purchase, now, 20));
  expect(seconds).toEqual([10, 10, 60, 60, 300, 300]);
});
