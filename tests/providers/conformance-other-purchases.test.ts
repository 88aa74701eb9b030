import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import { kobo } from "../../src/kernel/money.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { type Bench, type ConnectorUnderTest, openBench } from "../support/suppliers/connector-under-test.ts";
import { movableClock, type wishes } from "../support/suppliers/vend-requests.ts";

// What a supplier says of another purchase than ours is believed by no connector.

describe.each(connectorsUnderTest)("$name", (under) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench(under, movableClock());
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    bench.stub.play = "vended";
    bench.stub.answersAbout = null;
  });

  test.each(under.sells.airtime === undefined ? [] : others)(
    "asked again, what it says of %s is not believed",
    async (what, change) => {
      for (const play of ["vended", "declined", "pending_then_vended"] as const) {
        bench.stub.play = play;
        const request = bench.request(
          what === "another product" && under.sells.data !== undefined ? "data" : "airtime",
        );
        const first = await bench.connector.vend(request);
        const providerReference = ("providerReference" in first ? first.providerReference : null) ?? null;
        const [evidence, kind] = [`; of another purchase: ${what}`, "unknown"] as const;
        const other = { ...request, providerReference, ...change(under) };
        const again = await bench.connector.requery(other);
        expect(again).toMatchObject({ kind, askNobody: true, evidence: expect.stringContaining(evidence) });
        expect(JSON.stringify(again)).not.toContain("08039876543");
      }
    },
  );

  const naming = ["vended", "declined", "pending_then_vended"] as const;
  const namesNobody = { vended: false, declined: under.namesNoRefusals, pending_then_vended: under.namesOnlyGoods };
  // One that is told no reference of ours can answer with none.
  const isReportedNone = under.repeatsAreExecuted && !under.repeatsOurReference;
  test.each(isReportedNone ? [] : naming.filter((play) => namesNobody[play] !== true))(
    "of the right shape and another's reference, %s is believed neither at once nor when asked again",
    async (play) => {
      bench.stub.play = play;
      const mixedUp = { kind: "unknown", askNobody: true, ofAnother: "another reference" };
      bench.stub.answersAbout = under.referenceAtSupplier(bench.request());
      const sent = bench.request();
      const atOnce = await bench.connector.vend(sent);
      expect(atOnce).toMatchObject(mixedUp);
      expect(bench.vends(sent)).toBe(play === "vended" ? 1 : 0);
      const providerReference = bench.stub.records.get(under.referenceAtSupplier(sent))?.id ?? null;
      expect(await bench.connector.requery({ ...sent, providerReference })).toMatchObject(mixedUp);
    },
  );

  test("asked again about goods of every kind, its own answer is believed", async () => {
    for (const wish of Object.keys(under.sells) as (keyof typeof wishes)[]) {
      const request = bench.request(wish);
      const first = await bench.connector.vend(request);
      const providerReference = first.kind === "vended" ? first.providerReference : null;
      const believed = { kind: under.asksNothing ? "unknown" : "vended" };
      expect(await bench.connector.requery({ ...request, providerReference })).toMatchObject(believed);
    }
  });
});

/** What of a purchase that another deployment sent under our reference is not as in ours. */
const others: readonly [string, (under: ConnectorUnderTest) => Partial<VendRequest>][] = [
  ["another number", () => ({ customerRef: "08039876543", phone: "08039876543" })],
  ["another amount", () => ({ unitAmount: kobo(20_000n), faceAmount: kobo(20_000n) })],
  ["another product", (under) => (under.name === "vtpass" ? { category: "airtime" } : { supplierCode: "4711" })],
];
