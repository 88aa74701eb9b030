import { describe, expect, test } from "vitest";
import { type Breakers, openBreakers } from "../../../src/domain/routing/breaker.ts";
import type { VendOutcome } from "../../../src/providers/contract.ts";

const vended: VendOutcome = { kind: "vended", providerReference: null, fulfilment: null };
const unknown: VendOutcome = { kind: "unknown", evidence: "timeout" };
const person: VendOutcome = { kind: "unknown", evidence: "a person fulfils", askNobody: true };

function declined(errorCode: "OPERATOR_UNAVAILABLE" | "PROVIDER_DECLINED" | "RECIPIENT_INVALID" | "OUT_OF_STOCK") {
  return { kind: "declined", errorCode, evidence: "no" } as const;
}

function setUp() {
  let now = Date.UTC(2026, 10, 20);
  const news: unknown[] = [];
  const breakers = openBreakers({ clock: { now: () => now }, tell: (one) => news.push(one) });
  const admits = () => breakers.admits("sup", "data");
  return { breakers, admits, news, advance: (ms: number) => (now += ms) };
}

function vend(breakers: Breakers, outcome: VendOutcome, times = 1): void {
  for (let i = 0; i < times; i++) {
    breakers.began("sup", "data");
    breakers.ended("sup", "data", outcome);
  }
}

describe("what was not sent for a reason of ours", () => {
  const unsent: VendOutcome = { ...declined("OPERATOR_UNAVAILABLE"), ownFault: true };

  test("opens no breaker", () => {
    const { breakers, admits } = setUp();
    vend(breakers, unsent, 40);
    expect(admits()).toBe(true);
  });

  test("closes none as a probe: the next purchase is the probe", () => {
    const { breakers, admits, advance } = setUp();
    vend(breakers, unknown, 10);
    advance(30_000);
    vend(breakers, unsent);
    expect(breakers.open()).toEqual([]);
    breakers.began("sup", "data");
    expect([admits(), breakers.open()]).toEqual([false, ["sup data"]]);
    breakers.ended("sup", "data", unknown);
    expect(admits()).toBe(false);
  });
});

describe("a supplier that takes no more at this moment", () => {
  const notNow: VendOutcome = { ...declined("OPERATOR_UNAVAILABLE"), notNow: true };

  test("gets no purchase for half a minute each time, and no breaker opens however often it says so", () => {
    const { breakers, admits, news, advance } = setUp();
    for (let minute = 0; minute < 3; minute++) {
      vend(breakers, notNow, 20);
      expect([admits(), breakers.open()]).toEqual([false, ["sup data"]]);
      advance(29_999);
      expect(admits()).toBe(false);
      advance(1);
      expect(admits()).toBe(true);
    }
    expect(news).toEqual([]);
  });

  test("is tried out by the next purchase where its breaker was open", () => {
    const { breakers, admits, advance } = setUp();
    vend(breakers, unknown, 10);
    advance(30_000);
    vend(breakers, notNow);
    expect(admits()).toBe(false);
    advance(30_000);
    expect(admits()).toBe(true);
    vend(breakers, vended);
    expect(admits()).toBe(true);
  });
});

describe("a breaker opens", () => {
  test.each([
    ["silence", unknown],
    ["no connection", declined("OPERATOR_UNAVAILABLE")],
  ])("after ten in a row of: %s", (_name, outcome) => {
    const { breakers, admits } = setUp();
    vend(breakers, outcome, 9);
    expect(admits()).toBe(true);
    vend(breakers, outcome);
    expect(admits()).toBe(false);
    expect(breakers.open()).toEqual(["sup data"]);
  });

  test("after 14 of 20 within five minutes, never ten in a row", () => {
    const { breakers, admits } = setUp();
    for (let i = 0; i < 6; i++) {
      vend(breakers, unknown, 2);
      vend(breakers, vended);
    }
    vend(breakers, unknown);
    expect(admits()).toBe(true);
    vend(breakers, unknown);
    expect(admits()).toBe(false);
  });

  test("for its category alone, and its supplier alone", () => {
    const { breakers } = setUp();
    vend(breakers, unknown, 10);
    expect([breakers.admits("sup", "cable"), breakers.admits("other", "data")]).toEqual([true, true]);
  });
});

test("an operator is told once when it opens, when its pause grows, and when it closes", () => {
  const { breakers, news, advance } = setUp();
  const of = { supplier: "sup", category: "data" };
  vend(breakers, vended, 3);
  vend(breakers, unknown, 12);
  expect(news).toEqual([{ ...of, pauseMs: 30_000 }]);
  advance(30_000);
  vend(breakers, unknown);
  advance(60_000);
  vend(breakers, vended, 2);
  expect(news.slice(1)).toEqual([
    { ...of, pauseMs: 60_000 },
    { ...of, pauseMs: null },
  ]);
});

describe("a breaker stays closed", () => {
  test.each([
    ["customers' numbers that are wrong", declined("RECIPIENT_INVALID")],
    ["declines that don't say why, which one merchant's bad numbers may be", declined("PROVIDER_DECLINED")],
    ["a product that ran out", declined("OUT_OF_STOCK")],
    ["purchases that wait for a person", person],
  ])("whatever comes of: %s", (_name, outcome) => {
    const { breakers, admits } = setUp();
    vend(breakers, outcome, 50);
    expect(admits()).toBe(true);
  });

  test("when trouble lies further back than five minutes", () => {
    const { breakers, admits, advance } = setUp();
    for (let i = 0; i < 30; i++) {
      vend(breakers, unknown, 2);
      vend(breakers, vended);
      advance(60_000);
    }
    expect(admits()).toBe(true);
  });
});

describe("an open breaker", () => {
  test("lets one probe through after 30 s, and opens to everybody when that went well", () => {
    const { breakers, admits, advance } = setUp();
    vend(breakers, unknown, 10);
    advance(29_999);
    expect(admits()).toBe(false);
    advance(1);
    expect(admits()).toBe(true);
    breakers.began("sup", "data");
    expect(admits(), "a second one").toBe(false);
    breakers.ended("sup", "data", vended);
    expect(admits()).toBe(true);
    vend(breakers, unknown, 9);
    expect(admits(), "what lay before is forgotten").toBe(true);
  });

  test("waits twice as long after each probe that went badly, five minutes at most", () => {
    const { breakers, admits, advance } = setUp();
    vend(breakers, unknown, 10);
    for (const pauseMs of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
      advance(pauseMs - 1);
      expect(admits(), `before ${pauseMs} ms`).toBe(false);
      advance(1);
      expect(admits(), `after ${pauseMs} ms`).toBe(true);
      vend(breakers, unknown);
    }
  });

  test("is not closed by an answer to what was sent before it opened", () => {
    const { breakers, admits } = setUp();
    breakers.began("sup", "data");
    vend(breakers, unknown, 10);
    breakers.ended("sup", "data", vended);
    expect(admits()).toBe(false);
  });

  test("takes nothing for its probe that leaves before its pause is over", () => {
    const { breakers, admits } = setUp();
    vend(breakers, unknown, 10);
    vend(breakers, vended);
    expect(admits()).toBe(false);
  });

  test("tries again when its probe was never heard of again", () => {
    const { breakers, admits, advance } = setUp();
    vend(breakers, unknown, 10);
    advance(30_000);
    breakers.began("sup", "data");
    advance(60_001);
    expect(admits()).toBe(true);
  });
});
