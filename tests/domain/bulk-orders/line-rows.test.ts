import { describe, expect, test } from "vitest";
import { openLineRows } from "../../../src/domain/bulk-orders/line-rows.ts";
import type { NewPurchase } from "../../../src/domain/purchases/queries.ts";
import type { Phone } from "../../../src/kernel/phone.ts";
import { newPurchase, walletKey } from "../../support/wallet.ts";

const vended = { providerReference: "SIM-1", fulfilment: { kind: "topup" } };
const one = newPurchase(walletKey(1), "one", { vended, metadata: { note: "a" }, details: { a: 1 } });
/** What is a line's own, or the same for a whole order. */
const ownFields = ["id", "reference", "fingerprint", "customerRef", "phone"];
const orderFields = ["wallet", "channel", "bulk"];

function kindsOf(...lines: readonly NewPurchase[]): number {
  const rows = openLineRows();
  for (const line of lines) rows.add(line);
  expect(rows.written.lines).toHaveLength(lines.length);
  return rows.written.kinds.length;
}

function changed(value: unknown): unknown {
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}2`;
  return { another: value };
}

describe("lines of an order", () => {
  test("that differ in what is their own alone are of one kind", () => {
    const own = { id: 7n, reference: "other", fingerprint: "0", customerRef: "0805" as Phone, phone: "0805" as Phone };
    const other = newPurchase(walletKey(1), "x", { ...one.terms, ...own } as never);
    expect(kindsOf(one, { ...other, vended: { ...vended, providerReference: "SIM-2" } }, one)).toBe(1);
  });

  test.each(Object.keys(one.terms).filter((field) => ![...ownFields, ...orderFields].includes(field)))(
    "that differ in %s are of two kinds",
    (field) => {
      const other = changed(one.terms[field as keyof NewPurchase["terms"]]);
      expect(kindsOf(one, { ...one, terms: { ...one.terms, [field]: other } }, one)).toBeGreaterThan(1);
    },
  );

  test.each(Object.keys(one).filter((field) => field !== "terms" && field !== "predicted"))(
    "that differ in %s, which is not of the terms, are of two kinds",
    (field) => {
      const other = field === "vended" ? { ...vended, fulfilment: null } : changed(one[field as keyof NewPurchase]);
      expect(kindsOf(one, { ...one, [field]: other })).toBe(2);
    },
  );

  test("of which only one is vended are of two kinds", () => {
    expect(kindsOf(one, { ...one, vended: null })).toBe(2);
  });
});
