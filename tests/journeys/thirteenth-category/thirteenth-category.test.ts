import { afterAll, expect, test } from "vitest";
import type { CategorySlug } from "../../../src/categories/category-slugs.ts";
import type { ApiDocument } from "../../../src/http/openapi/api-document.ts";
import { closing } from "../../support/closing.ts";
import { addParking, takeParkingAway } from "./with-parking.ts";

const slug = "parking" as CategorySlug;
const day = { product_id: 99001, phone: "08031234567" };

afterAll(takeParkingAway);
const database = closing(await addParking());
const wire = await import("../../support/wire-expectations.ts");
const { openFakeSupplier } = await import("../../support/fake-supplier.ts");
const { startApp } = await import("../../support/app.ts");
const supplier = openFakeSupplier();
const app = closing(await startApp({ suppliers: [supplier], database }));

const call = (path: string, body?: object, key: string | null = app.merchant.testKey) =>
  app.call(key, path, body === undefined ? {} : { body });
const balanceOf = async (key: string | null) => (await call("/wallet/balance", undefined, key)).body.balance;

test("it is sold in sandbox: charged once, delivered, found again with its secret, listed without", async () => {
  const { testKey } = await app.createMerchant();
  const bought = await call("/parking/purchase", { ...day, reference: "day" }, testKey);
  wire.expectPurchase(bought, slug, { status: "successful" });
  expect(bought.body).toMatchObject({
    category: "parking",
    biller_slug: "lagos-parking",
    customer_ref: "08031234567",
    total_deducted: "500.00",
    delivery: { kind: "parking", gate_code: expect.stringMatching(/^[0-9]{6}$/) },
  });
  expect(await balanceOf(testKey)).toBe("99500.00");

  const again = await call("/parking/purchase", { ...day, reference: "day" }, testKey);
  expect([again.headers.get("idempotent-replayed"), again.body]).toEqual(["true", bought.body]);
  expect(await balanceOf(testKey)).toBe("99500.00");
  expect((await call("/transactions/day", undefined, testKey)).body.delivery).toEqual(bought.body.delivery);

  const { body: listed } = await call("/transactions?category=parking", undefined, testKey);
  expect(listed.transactions).toMatchObject([{ reference: "day", delivery: { kind: "parking", has_delivery: true } }]);
  expect(JSON.stringify(listed)).not.toContain(bought.body.delivery.gate_code);
  expect((await call("/transactions?category=cable", undefined, testKey)).body.transactions).toEqual([]);
});

test("what the simulator declines and what is malformed is refused as of every category", async () => {
  const { testKey } = await app.createMerchant();
  const declined = await call("/parking/purchase", { ...day, phone: "08031230002" }, testKey);
  expect(declined.body.code).toBe("VALIDATION_ERROR");
  const failed = await call("/parking/purchase", { ...day, phone: "08031230002", reference: "declined" }, testKey);
  expect([failed.status, failed.body.status, failed.body.refunded]).toEqual([422, "failed", true]);
  const malformed = await call("/parking/purchase", { ...day, phone: "A", reference: "bad" }, testKey);
  wire.expectProblem(malformed, 400, "INVALID_PHONE", { fields: ["phone"] });
  expect(await balanceOf(testKey)).toBe("100000.00");
});

test("it is sold live by a supplier that an operator entered", async () => {
  const bought = await call("/parking/purchase", { ...day, reference: "live-day" }, app.merchant.liveKey);
  wire.expectPurchase(bought, slug, { status: "successful", mode: "live" });
  expect(supplier.calls.map(({ request }) => [request.category, request.supplierCode, request.customerRef])).toEqual([
    ["parking", "lagos-parking-1d", "08031234567"],
  ]);
  expect(bought.body.delivery.kind).toBe("parking");
});

test("its number is verified, and the verification buys", async () => {
  const verified = await call("/parking/verify", day);
  expect([verified.status, verified.body]).toMatchObject([
    200,
    {
      verified: true,
      biller_slug: "lagos-parking",
      phone: "08031234567",
      holder: expect.stringMatching(/^TEST /),
    },
  ]);
  const { verification_id } = verified.body;
  const bought = await call("/parking/purchase", { ...day, verification_id, reference: "verified" });
  expect([bought.status, bought.body.status]).toEqual([201, "successful"]);
  const other = { ...day, phone: "08051234567", verification_id, reference: "another" };
  wire.expectProblem(await call("/parking/purchase", other), 400, "VERIFICATION_EXPIRED");
});

test("a beneficiary is saved for it, listed by it, and bought for", async () => {
  const sent = {
    label: "Ada's garage",
    category: "parking",
    customer_ref: "08031234567",
    biller_slug: "lagos-parking",
  };
  const saved = await call("/beneficiaries", sent);
  expect([saved.status, saved.body]).toMatchObject([201, sent]);
  const { beneficiaries } = (await call("/beneficiaries?category=parking")).body;
  expect(beneficiaries).toEqual([saved.body]);
  const { product_id } = day;
  const bought = await call("/parking/purchase", { product_id, beneficiary_id: saved.body.id, reference: "saved" });
  expect([bought.status, bought.body.customer_ref]).toEqual([201, "08031234567"]);
  wire.expectProblem(await call("/beneficiaries", { ...sent, customer_ref: "A" }), 400, "INVALID_PHONE", {
    fields: ["customer_ref"],
  });
});

test("its billers and products are listed, and a merchant from whom it is hidden neither sees nor buys it", async () => {
  const { billers } = (await call("/billers?category=parking")).body;
  expect(billers).toMatchObject([
    { slug: "lagos-parking", category: "parking", supports_bulk: true, product_count: 2 },
  ]);
  const { products } = (await call("/billers/lagos-parking/products")).body;
  expect(products).toMatchObject([
    { product_id: 99001, api_price: "500.00" },
    { product_id: 99002, api_price: "3000.00" },
  ]);

  const { id, testKey } = await app.createMerchant();
  const { hideCategory } = await import("../../../src/domain/catalogue/changes/administration.ts");
  await hideCategory(app.services.database, id, slug);
  const seen = async () => (await call("/billers?category=parking", undefined, testKey)).body.billers;
  await expect.poll(seen).toEqual([]);
  wire.expectProblem(
    await call("/parking/purchase", { ...day, reference: "hidden" }, testKey),
    403,
    "CATEGORY_NOT_ALLOWED",
  );
});

test("a bulk order buys many of it, a line each", async () => {
  const { testKey } = await app.createMerchant();
  const items = ["08031234567", "08051234567", "08031230002"].map((phone) => ({ ...day, phone }));
  const order = await call("/parking/bulk", { reference: "many", items }, testKey);
  expect([order.status, order.body]).toMatchObject([201, { total: 3, successful: 2, failed: 1 }]);
  expect(order.body.total_deducted).toBe("1000.00");
  expect(await balanceOf(testKey)).toBe("99000.00");
  const { transactions } = (await call("/transactions?category=parking&channel=bulk", undefined, testKey)).body;
  expect(transactions).toHaveLength(3);
});

test("the API's document names its paths, its delivery and its slug", async () => {
  const document = (await (await fetch(`${app.url}/openapi.json`)).json()) as ApiDocument;
  const below = (path: string) => document.paths[`/api/v1/merchant${path}`]?.post?.operationId;
  expect([below("/parking/purchase"), below("/parking/bulk"), below("/parking/verify")]).toEqual([
    "buyParking",
    expect.any(String),
    "verifyParking",
  ]);
  expect(document.components.schemas).toMatchObject({
    ParkingDelivery: { properties: { kind: { const: "parking" } } },
    Category: { enum: expect.arrayContaining(["parking"]) },
  });
});
