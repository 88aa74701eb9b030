import { describe, expect, test } from "vitest";
import { type Breakers, openBreakers } from "../../../../src/domain/suppliers/routing/breaker.ts";
import type { VendOutcome } from "../../../../src/providers/contract.ts";

const vended: VendOutcome = { kind: "vended", providerReference: null, fulfilment: null };
const unknown: VendOutcome = { kind: "unknown", evidence: "timeout" };
const nobodyToAsk: VendOutcome = { kind: "unknown", evidence: "502", askNobody: true };
const mixedUp: VendOutcome = { ...nobodyToAsk, ofAnother: "another reference" };
const person: VendOutcome = { kind: "unknown", evidence: "a person fulfils", askNobody: true, byHand: true };

function declined(errorCode: "OPERATOR_UNAVAILABLE" | "PROVIDER_DECLINED" | "RECIPIENT_INVALID" | "OUT_OF_STOCK") {
  return { kind: "declined", errorCode, evidence: "no" } as const;
}

function setUp() {
  let now = Date.UTC(2026, 10, 20);
  const news: unknown[] = [];
  const breakers = openBreakers({ clock: { now: () => now }, publish: (one) => news.push(one) });
  const admits = () => breakers.admits("sup", "data");
  return { breakers, admits, news, advance: (ms: number) => (now += ms) };
}

function begin(breakers: Breakers) {
  const end = breakers.begin("sup", "data");
  if (end === null) throw new Error("it is kept back");
  return end;
}

function vend(breakers: Breakers, outcome: VendOutcome | null, times = 1): void {
  for (let i = 0; i < times; i++) begin(breakers)(outcome);
}

describe("what was not sent for a reason of ours", () => {
  const unsent: VendOutcome = { ...declined("OPERATOR_UNAVAILABLE"), ownFault: true };

  test("opens no breaker", () => {
    const { breakers, admits } = setUp();
    vend(breakers, unsent, 40);
    expect(admits()).toBe(true);
  });
});

/** All are on their way before the first is answered. */
function vendAtOnce(breakers: Breakers, outcome: VendOutcome, times: number): void {
  for (const end of Array.from({ length: times }, () => begin(breakers))) end(outcome);
}

describe("a supplier that takes no more at this moment", () => {
  const notNow: VendOutcome = { ...declined("OPERATOR_UNAVAILABLE"), notNow: true };

  test("gets no purchase for half a minute each time, and no breaker opens however often it says so", () => {
    const { breakers, admits, news, advance } = setUp();
    for (let minute = 0; minute < 3; minute++) {
      vendAtOnce(breakers, notNow, 20);
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
    ["silence of whoever cannot be asked again", nobodyToAsk],
    ["answers about other purchases", mixedUp],
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
  vendAtOnce(breakers, declined("OPERATOR_UNAVAILABLE"), 12);
  expect(news).toEqual([{ event: "supplier.breaker_opened", ...of, pauseMs: 30_000 }]);
  advance(30_000);
  vend(breakers, declined("OPERATOR_UNAVAILABLE"));
  advance(60_000);
  vend(breakers, vended, 2);
  expect(news.slice(1)).toEqual([
    { event: "supplier.breaker_opened", ...of, pauseMs: 60_000 },
    { event: "supplier.breaker_closed", ...of },
  ]);
});

test("an operator is told of the first silence, and once a minute while it lasts", () => {
  const { breakers, news, advance } = setUp();
  const silent = { event: "supplier.silent", supplier: "sup", category: "data" };
  vend(breakers, person, 3);
  vend(breakers, nobodyToAsk, 5);
  expect(news).toEqual([{ ...silent, troubledInARow: 1 }]);
  advance(60_000);
  vend(breakers, unknown, 2);
  expect(news.slice(1)).toEqual([{ ...silent, troubledInARow: 6 }]);
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
    const end = begin(breakers);
    expect([admits(), breakers.begin("sup", "data")], "a second one").toEqual([false, null]);
    end(vended);
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

  test.each([
    ["silence", unknown],
    ["silence of whoever cannot be asked again", nobodyToAsk],
  ])("stays open longer after a probe that came to: %s", (_name, outcome) => {
    const { breakers, admits, advance } = setUp();
    vend(breakers, outcome, 10);
    advance(30_000);
    vend(breakers, outcome);
    advance(59_999);
    expect(admits()).toBe(false);
    advance(1);
    expect(admits()).toBe(true);
  });

  test.each([
    ["a decline that does not say why", declined("PROVIDER_DECLINED")],
    ["a product that ran out", declined("OUT_OF_STOCK")],
    ["what was not sent for a reason of ours", { ...declined("OPERATOR_UNAVAILABLE"), ownFault: true } as const],
    ["what waits for a person", person],
    ["an error in our own program", null],
  ])("is not closed by a probe without a verdict, whose place the next one takes: %s", (_name, outcome) => {
    const { breakers, news, advance } = setUp();
    vend(breakers, declined("OPERATOR_UNAVAILABLE"), 10);
    advance(30_000);
    for (let i = 0; i < 3; i++) {
      vend(breakers, outcome);
      const end = begin(breakers);
      expect(breakers.begin("sup", "data"), "beside it").toBeNull();
      end(outcome);
    }
    expect(news).toHaveLength(1);
    vend(breakers, vended);
    expect(news).toHaveLength(2);
  });

  test("lets one purchase through of all that were chosen for it before", () => {
    const { breakers, admits, advance } = setUp();
    vend(breakers, unknown, 10);
    advance(30_000);
    expect([admits(), admits(), admits()]).toEqual([true, true, true]);
    const sent = Array.from({ length: 3 }, () => breakers.begin("sup", "data"));
    expect(sent.map((end) => end !== null)).toEqual([true, false, false]);
  });

  test.each([
    ["well", vended],
    ["silent", unknown],
  ])(
    "takes nothing from a purchase that was sent before it opened, before and beside its probe: %s",
    (_name, outcome) => {
      const { breakers, news, advance } = setUp();
      const stragglers = [begin(breakers), begin(breakers)];
      vend(breakers, declined("OPERATOR_UNAVAILABLE"), 10);
      stragglers[0]?.(outcome);
      advance(30_000);
      const end = begin(breakers);
      stragglers[1]?.(outcome);
      expect([news.length, breakers.begin("sup", "data")]).toEqual([1, null]);
      end(vended);
      expect(news).toHaveLength(2);
    },
  );
});
