import fc from "fast-check";
import { expect, test } from "vitest";
import { type PurchaseId, purchaseIdMinter, transactionIds } from "../../src/kernel/ids.ts";
import { isOfToday, requestIdFor, requestIdOf, supplierReferenceOf } from "../../src/providers/vtpass/request-id.ts";
import { testTransactionIds } from "../support/transaction-ids.ts";

const moment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2050, 0, 1) });

function named(at: number, attempt: number, { process = 0, ids = testTransactionIds } = {}) {
  const transactionId = ids.format(purchaseIdMinter({ now: () => at }, process)(), "live");
  return { transactionId, attempt, supplierReference: `${transactionId}-${attempt}` };
}

test("a request id begins with the minute in Lagos and leads back to the one attempt it was made of", () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 1, max: 31 }), fc.integer({ min: 0, max: 1_023 }), (at, attempt, process) => {
      const request = named(at, attempt, { process });
      const id = requestIdOf(request)!;
      expect(id).toMatch(/^[0-9]{12}[0-9a-v]{15}$/);
      expect(id.slice(0, 12)).toBe(new Date(at + 3_600_000).toISOString().slice(0, 16).replace(/\D/g, ""));
      expect(supplierReferenceOf(id)).toBe(request.supplierReference);
      expect(requestIdFor(request.supplierReference)).toBe(id);
    }),
  );
});

test("two deployments never share a request id", () => {
  const at = Date.UTC(2026, 10, 20, 12);
  const numbered = [0, 1, 4_711].map((number) => transactionIds([{ number, from: 0n as PurchaseId }]));
  const names = numbered.map((ids) => requestIdOf(named(at, 1, { ids })));
  expect(new Set(names).size).toBe(3);
});

test("two attempts never share a request id, also within one millisecond", () => {
  const mint = purchaseIdMinter({ now: () => Date.UTC(2026, 10, 20, 23, 30) }, 3);
  const ids = Array.from({ length: 500 }, () => testTransactionIds.format(mint(), "live")).flatMap((transactionId) =>
    [1, 2, 3].map((attempt) => requestIdOf({ transactionId, attempt })),
  );
  expect(new Set(ids).size).toBe(1_500);
});

test("what was not derived from an attempt of ours leads nowhere", () => {
  for (const text of ["", "202611201200", "2026112012003m580s0r1x", "2025031013366434255", "209913991399000000000"]) {
    expect(supplierReferenceOf(text) ?? "none").toMatch(/^none$/);
  }
  expect(requestIdOf({ transactionId: "TXN1", attempt: 1 })).toBeNull();
  expect(requestIdOf({ transactionId: named(Date.now(), 1).transactionId, attempt: 32 })).toBeNull();
});

test("a purchase of yesterday, as Lagos has it, is sent no more", () => {
  const beforeMidnight = Date.UTC(2026, 10, 20, 22, 59, 59);
  expect(isOfToday(beforeMidnight, beforeMidnight)).toBe(true);
  expect(isOfToday(beforeMidnight, beforeMidnight + 1_000)).toBe(false);
});
