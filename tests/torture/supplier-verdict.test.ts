import { describe, expect, test } from "vitest";
import { type Deed, faultIn, marksIn, type StoredAttempt } from "../../rigs/torture/suppliers/truth.ts";
import { bookChecks } from "../../rigs/torture/suppliers/verdict.ts";
import type { StoredPurchase } from "../../rigs/torture/verdict.ts";
import type { MerchantId, PurchaseId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import type { StubRecord } from "../support/suppliers/stub-dialect.ts";

const bought: StoredPurchase = {
  id: 1n as PurchaseId,
  transactionId: "TXN1",
  merchantId: 7 as unknown as MerchantId,
  reference: "ware-0000001",
  status: "successful",
  total: kobo(9_000n),
  unitAmount: kobo(10_000n),
  faceAmount: kobo(10_000n),
  quantity: 1,
  number: "08030000001",
  category: "airtime",
  details: null,
};
const attempt: StoredAttempt = {
  id: 1n,
  supplier: "vtpass",
  supplierReference: "TXN1-1",
  supplierCode: "mtn",
  verdict: "vended",
};
const deed: Deed = { supplier: "vtpass", name: "there-1", purchase: bought, attempt, isReversed: false, fault: null };
const declined: StoredAttempt = { ...attempt, verdict: "declined" };
const failed: StoredPurchase = { ...bought, status: "failed" };
const refund = { id: 1n, kind: "refund", amount: kobo(9_000n) } as const;
const reversal = { ...refund, kind: "reversal" } as const;

type Books = Parameters<typeof bookChecks>[0];

const sound: Books = { purchases: [bought], attempts: [attempt], deeds: [deed], givenBack: [] };

function broken(books: Partial<Books>): string[] {
  const checks = bookChecks({ ...sound, ...books });
  return checks.filter((check) => check.broken.length > 0).map(({ promise }) => promise.split(",")[0] ?? "");
}

const net = "what merchants paid";

describe("the suppliers' books against ours", () => {
  test("a purchase that went out once, by the attempt that we name, breaks nothing", () => {
    expect(broken({})).toEqual([]);
  });

  test("a failed one that went nowhere and was refunded breaks nothing", () => {
    const purchases = [failed];
    expect(broken({ purchases, attempts: [declined], deeds: [], givenBack: [refund] })).toEqual([]);
  });

  test("what went out twice, nowhere, or elsewhere than we say is told", () => {
    const other = { ...attempt, supplier: "dispense", supplierReference: "TXN1-2", verdict: "declined" as const };
    const elsewhere = { ...deed, supplier: "dispense", attempt: other };
    const promise = "a successful purchase went out exactly once";
    expect(broken({ attempts: [attempt, other], deeds: [deed, elsewhere] })).toEqual([promise]);
    expect(broken({ deeds: [] })).toEqual([promise, net]);
    expect(broken({ attempts: [attempt, other], deeds: [elsewhere] })).toEqual([promise]);
  });

  test("a refunded one that went out is told", () => {
    const refunded = { purchases: [failed], attempts: [declined], givenBack: [refund] };
    const deeds = [{ ...deed, purchase: failed, attempt: declined }];
    expect(broken({ ...refunded, deeds })).toEqual(["a failed purchase never went out", net]);
  });

  test("what went out and is no attempt of ours is told", () => {
    const stray = { ...deed, name: "there-2", purchase: null, attempt: null };
    expect(broken({ deeds: [deed, stray] })).toEqual(["everything that went out is an attempt of ours"]);
  });

  test("a failed one without its refund, or with half of it, is told", () => {
    const unpaid = { purchases: [failed], attempts: [declined], deeds: [] };
    expect(broken(unpaid)).toEqual(["exactly the failed purchases were refunded", net]);
    const half = [{ ...refund, amount: kobo(4_500n) }];
    expect(broken({ ...unpaid, givenBack: half })).toEqual(["exactly the failed purchases were refunded", net]);
  });

  test("what was taken back after a success has to be booked back, and nothing else", () => {
    const deeds = [{ ...deed, isReversed: true }];
    const promise = "exactly what suppliers took back after a success was booked back";
    expect(broken({ deeds, givenBack: [reversal] })).toEqual([]);
    expect(broken({ deeds })).toEqual([promise, net]);
    expect(broken({ givenBack: [reversal] })).toEqual([promise, net]);
  });

  test("what was taken back before we knew of it is as if it never had gone out", () => {
    const deeds = [{ ...deed, purchase: failed, attempt: declined, isReversed: true }];
    expect(broken({ purchases: [failed], attempts: [declined], deeds, givenBack: [refund] })).toEqual([]);
  });

  test("what is still pending is told", () => {
    const purchases = [{ ...bought, status: "pending" as const }];
    expect(broken({ purchases, attempts: [], deeds: [] })).toEqual(["nothing is pending any more"]);
  });
});

describe("what a supplier was asked for", () => {
  const record = (body: Record<string, unknown>) => ({ calls: { body } }) as StubRecord;
  const of = (body: Record<string, unknown>, purchase = bought) =>
    faultIn(record(body), { purchase, code: "mtn", supplier: "vtpass" });

  test("is compared to the kobo, in units or in whole", () => {
    expect(of({ serviceID: "mtn", amount: "100.00" })).toBeNull();
    expect(of({ serviceID: "mtn", amount: 100 })).toBeNull();
    expect(of({ serviceID: "mtn", amount: "100.01" })).toContain("instead of");
  });

  test("is compared to the cent where the card is in another currency", () => {
    const card = { ...bought, details: { value: "12.50" } };
    expect(of({ productId: "mtn", unitPrice: 12.5 }, card)).toBeNull();
    expect(of({ productId: "mtn", unitPrice: 12.51 }, card)).toContain("instead of");
  });

  test("has the code of the route and the count of the purchase", () => {
    expect(of({ serviceID: "glo", amount: "100.00" })).toBe("it was not asked for mtn");
    expect(of({ serviceID: "mtn", quantity: 2 })).toBe("it was asked for quantity 2 instead of 1");
  });

  test("names the purchase by number or by the merchant's reference, whatever it looks like there", () => {
    const marks = marksIn(record({ to: ["2348030000001"], sms: "Your order is ready: ware-0000001" }));
    expect(marks.numbers).toContain("8030000001");
    expect(marks.references).toEqual(["ware-0000001"]);
  });
});
