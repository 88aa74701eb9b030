import { Compile } from "typebox/compile";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { categoryOf } from "../../src/categories/category-slugs.ts";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { quietMs } from "../../src/providers/http-connector.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { type Bench, type ConnectorUnderTest, openBench } from "../support/suppliers/connector-under-test.ts";
import { type Play, plays } from "../support/suppliers/stub-dialect.ts";
import { isTrouble } from "../support/suppliers/troubled-outcome.ts";
import { movableClock, noon, type wishes } from "../support/suppliers/vend-requests.ts";
import { closed } from "../support/wire-expectations.ts";

/** What each of a supplier's plays must come to, for every connector alike. */
interface Expectation {
  /** What the vend may answer: the only final words are explicit ones. */
  readonly vend: VendOutcome["kind"];
  /** What asking until the supplier has told all it knows must come to. */
  readonly end: "vended" | "declined" | "unknown";
  /** How often goods went out, by the supplier's own log. */
  readonly goods: 0 | 1;
  /** Whether its first answer named the attempt, for suppliers that can only be asked so. */
  readonly reply: boolean;
}

const expectations: Readonly<Record<Play, Expectation>> = {
  vended: { vend: "vended", end: "vended", goods: 1, reply: true },
  declined: { vend: "declined", end: "declined", goods: 0, reply: true },
  pending_then_vended: { vend: "unknown", end: "vended", goods: 1, reply: true },
  pending_then_declined: { vend: "unknown", end: "declined", goods: 0, reply: true },
  vended_answer_dropped: { vend: "unknown", end: "vended", goods: 1, reply: false },
  never_received: { vend: "unknown", end: "declined", goods: 0, reply: false },
  // The sender before is unknown: a person finds out whose it is.
  duplicate_reference: { vend: "unknown", end: "unknown", goods: 1, reply: false },
  garbage: { vend: "unknown", end: "vended", goods: 1, reply: false },
  error_after_vending: { vend: "unknown", end: "vended", goods: 1, reply: false },
  slow: { vend: "unknown", end: "vended", goods: 1, reply: false },
  undocumented_code: { vend: "unknown", end: "vended", goods: 1, reply: true },
  endless_answer: { vend: "unknown", end: "vended", goods: 1, reply: false },
  dripping_answer: { vend: "unknown", end: "vended", goods: 1, reply: false },
};

describe.each(connectorsUnderTest)("$name", (under) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench(under, movableClock());
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    bench.clock.time = noon;
    bench.stub.play = "vended";
    bench.stub.trap = null;
    bench.stub.pendingRequeries = 1;
  });

  /** Asks as the pipeline does: with what was told so far, over time, until the answer is final or nobody can tell. */
  async function askUntilReported(request: VendRequest, first: VendOutcome): Promise<VendOutcome> {
    let outcome = first;
    let known = request;
    let notReceivedSince: number | null = null;
    for (let times = 0; times < 6 && outcome.kind === "unknown" && outcome.askNobody !== true; times++) {
      known = { ...known, providerReference: outcome.providerReference ?? known.providerReference };
      bench.clock.time += (under.quietMs ?? quietMs) / 3;
      const notReceivedMs: number | null = notReceivedSince === null ? null : bench.clock.time - notReceivedSince;
      outcome = await bench.connector.requery({ ...known, notReceivedMs });
      if (outcome.kind !== "unknown" || outcome.received === undefined) continue;
      notReceivedSince = outcome.received ? null : (notReceivedSince ?? bench.clock.time);
    }
    return outcome;
  }

  /** No key, number, name, token or PIN is in the evidence. */
  function expectNothingSecret(request: VendRequest, outcome: VendOutcome): void {
    const evidence = outcome.evidence ?? "";
    expect(evidence).toMatch(/^(POST|GET) \//);
    for (const secret of [...under.keys, ...secretsOf(request, outcome)]) expect(evidence).not.toContain(secret);
    expect(evidence).not.toMatch(/(?<![0-9])[0-9]{20}(?![0-9])/);
  }

  const hidesRepeats = under.repeatsAreExecuted ?? under.repeatsAreAnsweredAlike ?? false;
  const playsHere = plays.filter((play) => play !== "duplicate_reference" || !hidesRepeats);
  test.each(playsHere)(
    "%s: the answer is as sure as the supplier's own word, else trouble; the end as its log, and no secret is told",
    async (play) => {
      const expected = expectations[play];
      bench.stub.play = play;
      const request = bench.request();
      const outcome = await bench.vend(request);
      expect([outcome.kind, bench.vends(request) <= expected.goods]).toEqual([expected.vend, true]);
      expectNothingSecret(request, outcome);
      if (outcome.kind === "unknown") expect(isTrouble(outcome)).toBe(true);

      const end = await askUntilReported(request, outcome);
      // A supplier that is asked by its own reference, and never told it, leaves the purchase to a person, never failed.
      const canAsk = under.asksNothing !== true && (expected.reply || under.canAskUnanswered);
      if (outcome.kind === "unknown" && !canAsk) {
        expect(outcome).toMatchObject({ kind: "unknown", askNobody: true });
      } else {
        expect(end.kind).toBe(expected.end);
      }
      // What the stub left open stays open where it is never asked.
      const staysOpen = under.asksNothing === true && play.startsWith("pending");
      expect(bench.vends(request)).toBe(staysOpen ? 0 : expected.goods);
      // Whatever became of it.
      expect(bench.sends(request)).toBeLessThanOrEqual(1);
    },
  );

  test.each(Object.entries(under.stub.traps ?? {}))("trap %s: it comes to what it is", async (_name, trap) => {
    bench.stub.trap = trap;
    const request = bench.request(trap.wish as keyof typeof wishes | undefined);
    const outcome = await bench.connector.vend(request);
    expect([outcome.kind, outcome.evidence]).toEqual([trap.vend, expect.anything()]);
    expect((await askUntilReported(request, outcome)).kind).toBe(trap.end);
    expect(bench.sends(request)).toBe(1);
    expectNothingSecret(request, outcome);
  });

  test.each(Object.keys(under.sells) as (keyof typeof wishes)[])("%s: the goods fit their category", async (wish) => {
    const request = bench.request(wish);
    const outcome = await bench.connector.vend(request);
    if (outcome.kind !== "vended") throw new Error(`${outcome.kind}: ${outcome.evidence}`);
    expect(Compile(closed(categoryOf(request.category).fulfilment)).Errors(outcome.fulfilment)).toEqual([]);
    expect(outcome.providerReference).toMatch(/./);
    for (const secret of secretsOf(request, outcome)) expect(outcome.evidence).not.toContain(secret);
  });

  test.skipIf(under.stub.outOfMoney === undefined)("without our money there, another supplier may serve", async () => {
    bench.stub.conduct = () => ({ refused: under.stub.outOfMoney! });
    const outcome = await bench.connector.vend(bench.request());
    bench.stub.conduct = null;
    expect(outcome).toMatchObject({ kind: "declined", errorCode: "OPERATOR_UNAVAILABLE" });
  });

  test("asked again, it hands over the same goods as at once", async () => {
    const request = bench.request();
    const first = await bench.connector.vend(request);
    if (first.kind !== "vended") throw new Error(first.evidence);
    const again = await bench.connector.requery({ ...request, providerReference: first.providerReference });
    expect(again).toMatchObject(under.asksNothing ? nobody : { kind: "vended", fulfilment: first.fulfilment });
  });

  test("a no that comes with the supplier's name for the purchase keeps the name, and takes nothing back", async () => {
    bench.stub.play = "declined";
    const request = bench.request();
    const outcome = await bench.connector.vend(request);
    const reply = bench.stub.records.get(under.referenceAtSupplier(request))?.id;
    expect(outcome.kind).toBe("declined");
    if (under.namesNoRefusals) expect(outcome).not.toHaveProperty("providerReference");
    else expect(outcome).toMatchObject({ providerReference: expect.stringContaining(reply ?? "none") });
    expect(outcome).not.toHaveProperty("reversed");
  });

  test("only a word for goods that were taken back books a reversal", async () => {
    const request = bench.request();
    const first = await bench.connector.vend(request);
    bench.stub.records.get(under.referenceAtSupplier(request))!.state = "reversed";
    const providerReference = first.kind === "vended" ? first.providerReference : null;
    const again = await bench.connector.requery({ ...request, providerReference });
    const unchanged = under.asksNothing ? nobody : { kind: "vended" };
    expect(again).toMatchObject(under.saysReversed ? { kind: "declined", reversed: true } : unchanged);
  });

  test.skipIf(under.repeatsAreExecuted)(
    "a reference that is sent twice vends once, and the second answer declines nothing",
    async () => {
      const request = bench.request();
      await bench.connector.vend(request);
      expect((await bench.connector.vend(request)).kind).not.toBe("declined");
      expect(bench.vends(request)).toBe(1);
    },
  );

  test.skipIf(hidesRepeats)(
    "a reference that was used before waits for a person, and is asked about no more",
    async () => {
      bench.stub.play = "duplicate_reference";
      expect(await bench.connector.vend(bench.request())).toMatchObject({ kind: "unknown", askNobody: true });
    },
  );

  test("that it never received an attempt is not believed once, nor twice within the quiet period", async () => {
    // A supplier that named the order cannot say that it never received it.
    const request = { ...bench.request(), providerReference: under.canAskUnanswered ? null : "404404" };
    for (const notReceivedMs of [null, 0, (under.quietMs ?? quietMs) - 1]) {
      const outcome = await bench.connector.requery({ ...request, notReceivedMs });
      // A supplier that can only be asked by its own reference cannot say that it never received an attempt.
      expect(outcome).toMatchObject({ kind: "unknown", ...(under.canAskUnanswered ? { received: false } : {}) });
    }
  });

  test("where no connection can be made nothing was sent: declined when vending, unknown when asking", async () => {
    const request = { ...bench.request(), providerReference: "90000" };
    expect((await bench.unreachable.vend(request)).kind).toBe("declined");
    expect((await bench.unreachable.requery(request)).kind).toBe("unknown");
  });

  test("refused access declines a purchase, and says nothing about an earlier one", async () => {
    const request = { ...bench.request(), providerReference: "90000" };
    expect((await bench.deniedAccess.vend(request)).kind).toBe("declined");
    bench.clock.time += 2 * quietMs;
    expect((await bench.deniedAccess.requery(request)).kind).toBe("unknown");
    bench.clock.time += 2 * quietMs;
    expect((await bench.deniedAccess.requery(request)).kind).toBe("unknown");
  });

  test("what the route names no code for is declined before a byte leaves", async () => {
    const before = bench.stub.log.length;
    expect((await bench.connector.vend({ ...bench.request(), supplierCode: null })).kind).toBe("declined");
    expect(bench.stub.log).toHaveLength(before);
  });

  verification(under, () => bench);
  callbacks(under, () => bench);
});

/** The end of asking a supplier that has no question about a purchase. */
const nobody = { kind: "unknown", askNobody: true };

/** The customer's data, the message to the customer and the fulfilment: no evidence may hold them. */
function secretsOf(request: VendRequest, outcome: VendOutcome): readonly string[] {
  const { customerRef, phone, details } = request;
  // A text of which only the digits are masked is still there.
  const letter = typeof details.message === "string" ? details.message.slice(0, 9) : null;
  const people = [customerRef, phone, letter, details.email, details.recipient_email, "ADA OBI", "reseller@"];
  const goods = outcome.kind === "vended" ? secretsIn(outcome.fulfilment) : [];
  return [...people, ...goods].filter((text) => typeof text === "string");
}

/** Every text of a fulfilment that is worth money. */
function secretsIn(value: unknown, name = ""): readonly string[] {
  if (typeof value === "string") {
    return /^(token|value|pin|serial|code|claim_url|iccid|lpa|matching_id)$/.test(name) && value.length > 6
      ? [value]
      : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, Array.isArray(value) ? name : key));
}

function verification(under: ConnectorUnderTest, bench: () => Bench): void {
  const { verifies, balance } = under;
  test.runIf(verifies !== null)("a number is verified in its category's words, or is not, or nobody told", async () => {
    const { known, unknown } = verifies!;
    const { connector, unreachable, deniedAccess } = bench();
    const outcome = await connector.verify!(known);
    if (outcome.kind !== "verified") throw new Error(outcome.evidence);
    const schema = Compile(closed(categoryOf(known.category).verify!.findings));
    expect(schema.Errors(outcome.findings)).toEqual([]);
    expect((await connector.verify!(unknown)).kind).toBe("unverifiable");
    expect((await unreachable.verify!(known)).kind).toBe("unavailable");
    expect((await deniedAccess.verify!(known)).kind).toBe("unavailable");
  });

  test.runIf(verifies !== null)("a number that it has no words for is not asked about", async () => {
    const { connector, stub } = bench();
    const before = stub.log.length;
    const stranger = { ...verifies!.known, category: "airtime", supplierCode: null };
    expect((await connector.verify!(stranger)).kind).toBe("unasked");
    expect(stub.log).toHaveLength(before);
  });

  test.runIf(balance !== null)("what is left of our money is told to the kobo", async () => {
    expect(await bench().connector.balance!()).toMatchObject({ balance, status: 200, date: expect.any(Number) });
    expect(await bench().unreachable.balance!()).toMatchObject({ balance: null, status: null, date: null });
  });
}

function callbacks(under: ConnectorUnderTest, bench: () => Bench): void {
  test.runIf(under.callbacks !== null)("a callback names our attempt, twice and in any order alike", async () => {
    const { stub, connector, request } = bench();
    stub.play = "pending_then_vended";
    const sent = request();
    await connector.vend(sent);
    const read = (status: "vended" | "pending") =>
      connector.callbacks!.read(
        under.callbacks!.genuine(stub.callback(under.referenceAtSupplier(sent), status), bench().clock.time),
      );
    for (const status of ["vended", "pending", "vended"] as const) {
      const named = under.callbacks!.saysOnlyTheirs
        ? { supplierReference: null, providerReference: expect.stringMatching(/./) }
        : { supplierReference: sent.supplierReference };
      expect(read(status)).toMatchObject({ kind: "news", ...named });
    }
    expect(read("vended")).not.toMatchObject({ status: (read("pending") as { status: string }).status });
  });

  test.runIf(under.callbacks !== null)("a forged callback is told apart, however close it comes", async () => {
    const { stub, connector, request, clock } = bench();
    const sent = request();
    await connector.vend(sent);
    const message = stub.callback(under.referenceAtSupplier(sent), "vended");
    for (const forged of under.callbacks!.forged(message, clock.time)) {
      expect(connector.callbacks!.read(forged).kind).toBe("forged");
    }
    const genuine = under.callbacks!.genuine(message, clock.time);
    const reply = JSON.stringify(connector.callbacks!.read(genuine));
    for (const secret of secretsOf(sent, { kind: "unknown", evidence: "" })) expect(reply).not.toContain(secret);
  });
}
