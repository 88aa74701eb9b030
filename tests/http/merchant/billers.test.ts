import { describe, expect, test } from "vitest";
import { categorySlugs } from "../../../src/categories/category-slugs.ts";
import {
  hideCategory,
  offerProduct,
  setPrice,
  withdrawProduct,
} from "../../../src/domain/catalogue/changes/administration.ts";
import { addBiller } from "../../../src/domain/catalogue/changes/new-product.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { openFakeSupplier } from "../../support/fake-supplier.ts";

interface Listed {
  readonly slug: string;
  readonly category: string;
}

const app = closing(await startApp({ suppliers: [openFakeSupplier()] }));
const key = app.merchant.testKey;

const get = (path: string, as = key) => app.call(as, path);

/** Makes a change and waits until the service has felt it. */
async function felt(change: () => Promise<unknown>): Promise<void> {
  const { catalogue } = app.services;
  const before = await catalogue.current();
  await change();
  const now = () => catalogue.current();
  await expect.poll(now, { interval: 20 }).not.toBe(before);
}

describe("GET /billers", () => {
  test("200 lists every category's billers with all of the contract's fields", async () => {
    const { status, body, headers } = await get("/billers");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(new Set(body.billers.map((biller: Listed) => biller.category))).toEqual(new Set(categorySlugs));
    expect(body.billers.find((biller: Listed) => biller.slug === "ikeja-electric")).toEqual({
      slug: "ikeja-electric",
      name: "Ikeja Electric (IKEDC)",
      category: "electricity",
      network: null,
      customer_field: "meter_number",
      customer_label: "Meter number",
      requires_verification: true,
      supports_bulk: false,
      meter_types: ["prepaid", "postpaid"],
      min_amount: "1000.00",
      max_amount: "200000.00",
      status: "available",
      product_count: 2,
    });
  });

  test("200 both modes see the same catalogue", async () => {
    expect((await get("/billers", app.merchant.liveKey ?? "")).body).toEqual((await get("/billers")).body);
  });

  test("200 a biller of which nothing can be bought is unavailable, until something can", async () => {
    const biller = async (slug: string) =>
      (await get("/billers")).body.billers.find((listed: Listed) => listed.slug === slug);
    const { database } = app.services;
    await felt(() => withdrawProduct(database, 6001 as ProductId, null));
    expect(await biller("bet9ja")).toMatchObject({ status: "unavailable", product_count: 1 });
    await felt(() => offerProduct(database, 6001 as ProductId));
    expect(await biller("bet9ja")).toMatchObject({ status: "available", product_count: 1 });

    await felt(() => addBiller(database, { slug: "newbet", name: "NewBet", category: "betting" }));
    expect(await biller("newbet")).toMatchObject({ status: "unavailable", product_count: 0 });
  });

  test.each(categorySlugs)("200 ?category=%s lists its billers alone", async (category) => {
    const { body } = await get(`/billers?category=${category}`);
    expect(body.billers.length).toBeGreaterThan(0);
    expect(body.billers.filter((biller: Listed) => biller.category !== category)).toEqual([]);
  });

  test("200 ?q= finds words of the name, slug or network in any case, within the category", async () => {
    const slugs = async (query: string) =>
      (await get(`/billers?${query}`)).body.billers.map((biller: Listed) => biller.slug);
    expect(await slugs("q=MTN%20air")).toEqual(["mtn-airtime"]);
    expect(await slugs("q=ikedc")).toEqual(["ikeja-electric"]);
    expect(await slugs("q=mtn&category=data")).toEqual(["mtn-data"]);
    expect(await slugs("q=nothing-like-it")).toEqual([]);
    expect(await slugs("q=")).toHaveLength((await get("/billers")).body.billers.length);
  });

  test.each(["category=groceries", "category=", "category=data&category=sms", "category=DATA"])(
    "400 ?%s is INVALID_CATEGORY",
    async (query) => {
      const { status, body } = await get(`/billers?${query}`);
      expect([status, body.code]).toEqual([400, "INVALID_CATEGORY"]);
      expect(body.errors.category).toHaveLength(1);
    },
  );

  test.each(["q=%00", `q=${"x".repeat(101)}`, "q=a&q=b"])("400 ?%s is VALIDATION_ERROR", async (query) => {
    const { status, body } = await get(`/billers?${query}`);
    expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("GET /billers/{slug}/products", () => {
  test("200 every biller's list has as many products as promised and all of the contract's fields", async () => {
    const { billers } = (await get("/billers")).body;
    for (const { slug, name, category, product_count } of billers) {
      const { status, body } = await get(`/billers/${slug}/products`);
      expect(status).toBe(200);
      expect(body.biller).toEqual({ slug, name, category });
      expect(body.products).toHaveLength(product_count);
    }
  });

  test("200 fixed, percentage, variable and foreign prices read as the contract says", async () => {
    const listed = async (slug: string, id: number) =>
      (await get(`/billers/${slug}/products`)).body.products.find(
        (product: { product_id: number }) => product.product_id === id,
      );
    expect(await listed("mtn-data", 1002)).toMatchObject({
      code: "mtn-sme-1gb-30d",
      plan: "1GB",
      plan_type: "SME",
      validity: "30 days",
      amount_type: "fixed",
      face_amount: null,
      api_price: "640.00",
      discount_percent: null,
      fee: "0.00",
      min_amount: null,
      max_amount: null,
    });
    expect(await listed("mtn-data", 1062)).toMatchObject({
      face_amount: "1500.00",
      api_price: "1470.00",
      discount_percent: "2.00",
    });
    expect(await listed("mtn-airtime", 2001)).toMatchObject({
      amount_type: "variable",
      face_amount: null,
      api_price: null,
      discount_percent: "3.20",
      min_amount: "50.00",
      max_amount: "50000.00",
      currency: "NGN",
      face_currency: "NGN",
    });
    expect(await listed("amazon-us", 11001)).toMatchObject({
      face_amount: "15500.00",
      api_price: "15500.00",
      fee: "232.50",
      min_amount: "10.00",
      max_amount: "10.00",
      currency: "NGN",
      face_currency: "USD",
    });
  });

  test("200 a merchant's own price is shown to it alone, and is what a purchase deducts", async () => {
    const other = await app.createMerchant({});
    const scope = { of: "merchant", merchantId: other.id } as const;
    const price = { kind: "fixed", kobo: kobo(60_050n) } as const;
    await felt(() => setPrice(app.services.database, { productId: 1002 as ProductId, scope, price }));
    const priceFor = async (as: string) =>
      (await get("/billers/mtn-data/products", as)).body.products.find(
        (product: { product_id: number }) => product.product_id === 1002,
      ).api_price;
    expect(await priceFor(key)).toBe("640.00");
    expect(await priceFor(other.testKey)).toBe("600.50");

    const body = { product_id: 1002, phone: "08031234567", reference: "own-price" };
    const bought = await app.call(other.testKey, "/data/purchase", { body });
    expect(bought.body).toMatchObject({ status: "successful", total_deducted: "600.50", unit_amount: "600.50" });
  });

  test("200 a withdrawn product stays listed, not available, with its successor", async () => {
    await felt(() => withdrawProduct(app.services.database, 1003 as ProductId, 1004 as ProductId));
    const { body } = await get("/billers/mtn-data/products");
    const product = body.products.find((row: { product_id: number }) => row.product_id === 1003);
    expect(product).toMatchObject({ available: false, replaced_by: 1004 });
    const purchase = { product_id: 1003, phone: "08031234567", reference: "withdrawn" };
    const refused = await app.call(key, "/data/purchase", { body: purchase });
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      503,
      "PRODUCT_UNAVAILABLE",
      "60",
    ]);
  });

  test("404 an unknown biller", async () => {
    const { status, body } = await get("/billers/nobody/products");
    expect([status, body.code]).toEqual([404, "BILLER_NOT_FOUND"]);
  });

  test("404 a hidden category's biller, which is gone from the list and refused in purchases", async () => {
    const other = await app.createMerchant({});
    await felt(() => hideCategory(app.services.database, other.id, "recharge_pin"));
    const hidden = await get("/billers/mtn-recharge-pin/products", other.testKey);
    expect([hidden.status, hidden.body.code]).toEqual([404, "BILLER_NOT_FOUND"]);
    const { billers } = (await get("/billers", other.testKey)).body;
    expect(billers.filter((biller: Listed) => biller.category === "recharge_pin")).toEqual([]);
    expect((await get("/billers?category=recharge_pin", other.testKey)).body).toEqual({ billers: [] });
    expect((await get("/recharge-pin/denominations", other.testKey)).body).toEqual({ denominations: [] });
    expect((await get("/billers?category=recharge_pin")).body.billers).toHaveLength(4);

    const body = { network: "MTN", denomination: 100, quantity: 1, reference: "hidden" };
    const refused = await app.call(other.testKey, "/recharge-pin/purchase", { body });
    expect([refused.status, refused.body.code]).toEqual([403, "CATEGORY_NOT_ALLOWED"]);
  });
});

describe("GET /recharge-pin/denominations", () => {
  test("200 lists each network's denominations at the merchant's price", async () => {
    const { status, body } = await get("/recharge-pin/denominations");
    expect(status).toBe(200);
    expect(body.denominations).toHaveLength(15);
    expect(body.denominations.find((row: { product_id: number }) => row.product_id === 10005)).toEqual({
      product_id: 10005,
      network: "MTN",
      biller_slug: "mtn-recharge-pin",
      face_amount: "1000.00",
      api_price: "998.00",
      min_quantity: 1,
      max_quantity: 100,
      in_stock: true,
      load_code: "*311*PIN#",
    });
  });

  test.each([
    ["MTN", 5],
    ["glo", 4],
    ["T2", 2],
  ])("200 ?network=%s lists its denominations alone", async (network, count) => {
    expect((await get(`/recharge-pin/denominations?network=${network}`)).body.denominations).toHaveLength(count);
  });

  test("200 a tier's price and a withdrawal show", async () => {
    const price = { kind: "percent", basisPoints: basisPoints(9_890n) } as const;
    await felt(() =>
      setPrice(app.services.database, { productId: 10001 as ProductId, scope: { of: "tier", tier: 1 }, price }),
    );
    await felt(() => withdrawProduct(app.services.database, 10001 as ProductId, null));
    const { denominations } = (await get("/recharge-pin/denominations?network=MTN")).body;
    expect(denominations[0]).toMatchObject({ product_id: 10001, api_price: "98.90", in_stock: false });
  });

  test("400 an unknown network is VALIDATION_ERROR", async () => {
    const { status, body } = await get("/recharge-pin/denominations?network=VODAFONE");
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, "VALIDATION_ERROR", ["network"]]);
  });
});
