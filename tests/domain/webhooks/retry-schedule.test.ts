import { describe, expect, test } from "vitest";
import { nextWaitMs } from "../../../src/domain/webhooks/log/delivery-state.ts";

const now = Date.parse("2026-11-20T13:00:00Z");
const wait = (mode: "live" | "test", attempt: number, chance: number, retryAfter: string | null = null) =>
  nextWaitMs({ mode, attempt, retryAfter, now }, chance);
const minute = 60_000;
const hour = 60 * minute;

describe("failed attempts are repeated", () => {
  test("in live 12 times over three days, then never", () => {
    const waits = Array.from({ length: 13 }, (_, index) => wait("live", index + 1, 0.5));
    expect(waits).toEqual([
      5_000,
      30_000,
      2 * minute,
      10 * minute,
      30 * minute,
      hour,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
      null,
    ]);
  });

  test("in sandbox 4 times, then never", () => {
    const waits = Array.from({ length: 5 }, (_, index) => wait("test", index + 1, 0.5));
    expect(waits).toEqual([5_000, 30_000, 2 * minute, 5 * minute, null]);
  });

  test("a fifth earlier or later, by chance", () => {
    expect([wait("live", 1, 0), wait("live", 1, 0.999_999)]).toEqual([4_000, 5_999]);
  });
});

describe("Retry-After", () => {
  test.each([
    ["asks for more than is due", "8", 8_000],
    ["asks for more than twice of it", "3600", 10_000],
    ["asks for less", "1", 5_000],
    ["asks for a date", "Fri, 20 Nov 2026 13:00:07 GMT", 7_000],
    ["asks for a date long past", "Fri, 20 Nov 2020 13:00:07 GMT", 5_000],
    ["says nothing that can be read", "soon", 5_000],
    ["asks for a negative number", "-5", 5_000],
  ])("that %s is heeded within bounds", (_what, text, expected) => {
    expect(wait("live", 1, 0.5, text)).toBe(expected);
  });

  test("does not make another attempt where none is left", () => {
    expect(wait("test", 5, 0.5, "10")).toBeNull();
  });
});
