import { expect, test } from "vitest";
import type { VendRequest, VerifyRequest } from "../../src/categories/supplier-request.ts";
import { kobo } from "../../src/kernel/money.ts";
import { simulator } from "../../src/providers/simulator.ts";

const supplier = simulator(
  async (request) => ({ kind: "topup", for: request.transactionId }),
  (request) => ({ customer_name: `owner of ${request.customerRef}` }),
);

function request(customerRef: string | null, mode: VendRequest["mode"] = "test"): VendRequest {
  return {
    transactionId: "SBX1",
    attempt: 1,
    supplierReference: "SBX1-1",
    supplierCode: null,
    providerReference: null,
    notReceivedMs: null,
    at: 0,
    mode,
    category: "data",
    productId: 1,
    productCode: "code",
    productName: "name",
    plan: null,
    billerSlug: "biller",
    billerName: "Biller",
    network: null,
    attributes: {},
    customerRef,
    phone: null,
    quantity: 1,
    unitAmount: kobo(100n),
    faceAmount: kobo(100n),
    details: {},
  };
}

test.each([
  ["08031230002", "declined", "declined", "failed"],
  ["08031230003", "unknown", "vended", "pending_then_successful"],
  ["08031230004", "unknown", "declined", "pending_then_failed"],
  ["08031230009", "vended", "vended", "successful"],
  ["08031230001", "vended", "vended", "successful"],
  ["0002", "declined", "declined", "failed"],
  ["00021", "vended", "vended", "successful"],
  ["002", "vended", "vended", "successful"],
  [null, "vended", "vended", "successful"],
])("a number that ends like %s is %s at once, and %s when asked again", async (customerRef, vend, requery, verdict) => {
  expect(supplier.verdict(customerRef)).toBe(verdict);
  expect((await supplier.vend(request(customerRef))).kind).toBe(vend);
  expect((await supplier.requery(request(customerRef))).kind).toBe(requery);
});

test("a forced failure says so, in the code that a merchant reads", async () => {
  for (const outcome of [await supplier.vend(request("0002")), await supplier.requery(request("0004"))]) {
    expect(outcome).toMatchObject({ kind: "declined", errorCode: "SANDBOX_FORCED_FAILURE" });
  }
});

test("the goods and the reference are the same by requery as they would have been at once", async () => {
  const late = await supplier.requery(request("08031230003"));
  expect(late).toEqual(await supplier.vend(request("08031234567")));
  expect(late).toMatchObject({ fulfilment: { for: "SBX1" }, providerReference: "SIM-SBX1-1" });
});

test("a live purchase never gets sandbox goods", async () => {
  await expect(supplier.vend(request("08031234567", "live"))).rejects.toThrow("only sandbox purchases");
  await expect(supplier.requery(request("08031234567", "live"))).rejects.toThrow("only sandbox purchases");
});

function question(customerRef: string, mode: VerifyRequest["mode"] = "test"): VerifyRequest {
  const biller = { category: "electricity", billerSlug: "biller", billerName: "Biller" };
  return { mode, ...biller, customerRef, supplierCode: null, details: {}, products: [], at: 0 };
}

test.each(["45012345678", "45012340002", "45012340003", "45012340004", "00091", "009"])(
  "%s is verified, whatever becomes of a purchase for it",
  async (customerRef) => {
    const findings = { customer_name: `owner of ${customerRef}` };
    expect(await supplier.verify(question(customerRef))).toEqual({ kind: "verified", findings });
  },
);

test.each(["45012340009", "0009"])("%s belongs to nobody", async (customerRef) => {
  expect(await supplier.verify(question(customerRef))).toMatchObject({ kind: "unverifiable" });
});

test("a live number is never looked up among sandbox names", async () => {
  await expect(supplier.verify(question("45012345678", "live"))).rejects.toThrow("only sandbox numbers");
});
