import { expect, test } from "vitest";
import { openSightings, quietMs } from "../../src/providers/sightings.ts";

function setUp() {
  let now = Date.UTC(2026, 10, 20);
  const sightings = openSightings({ now: () => now });
  return { sightings, advance: (ms: number) => (now += ms) };
}

test("that an attempt was never received is proven by the second no, a quiet period after the first", () => {
  const { sightings, advance } = setUp();
  expect(sightings.isProof("a")).toBe(false);
  advance(quietMs - 1);
  expect(sightings.isProof("a")).toBe(false);
  advance(1);
  expect(sightings.isProof("a")).toBe(true);
});

test("another answer in between takes the first no back", () => {
  const { sightings, advance } = setUp();
  sightings.isProof("a");
  sightings.forget("a");
  advance(quietMs);
  expect(sightings.isProof("a")).toBe(false);
});

test("however many wait for their second no, each comes to it", () => {
  const { sightings, advance } = setUp();
  const waiting = new Set(Array.from({ length: 25_000 }, (_, i) => `attempt ${i}`));
  for (let round = 0; round < 10 && waiting.size > 0; round++) {
    for (const one of waiting) if (sightings.isProof(one)) waiting.delete(one);
    advance(300_000);
  }
  expect(waiting.size).toBe(0);
});

test("those that ended otherwise make room after half an hour", () => {
  const { sightings, advance } = setUp();
  for (let i = 0; i < 10_000; i++) sightings.isProof(`ended ${i}`);
  expect(sightings.isProof("late")).toBe(false);
  advance(1_800_000);
  sightings.isProof("late");
  advance(quietMs);
  expect(sightings.isProof("late")).toBe(true);
});
