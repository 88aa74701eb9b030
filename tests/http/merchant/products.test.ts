import { describe, expect, test } from "vitest";
import { hideCategory, setPrice } from "../../../src/domain/catalogue/changes/administration.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { openFakeSupplier } from "../../support/fake-supplier.ts";
import { expectProblem } from "../../support/wire-expectations.ts";

// What the list holds is in billers.test.ts; here is the door, and what stands before a list.
const app = closing(await startApp({ suppliers: [openFakeSupplier()] }));

test("200 both modes see the same products at the same prices, and carry the headers of their own", async () => {
  const { testKey, liveKey } = app.merchant;
  const [test, live] = [
    await app.call(testKey, "/billers/dstv/products"),
    await app.call(liveKey, "/billers/dstv/products"),
  ];
  expect([test.status, test.body]).toEqual([200, live.body]);
});

test("200 every listed product that is on sale can be bought by its id at its listed price", async () => {
  const { products } = (await app.call(app.merchant.testKey, "/billers/waec/products")).body;
  for (const { product_id, api_price } of products) {
    const body = { product_id, phone: "08031234567", reference: `waec-${product_id}`, expected_price: api_price };
    const bought = await app.call(app.merchant.testKey, "/education/purchase", { body });
    expect([bought.status, bought.body.total_deducted]).toEqual([201, api_price]);
  }
});

test("200 a merchant with a hidden category that changes its tier is shown what it is charged from then on", async () => {
  const { services, fresh } = app;
  const { id, testKey } = await app.createMerchant();
  await hideCategory(services.database, id, "sms");
  const [productId, tier] = [1002 as ProductId, 7];
  const price = { kind: "fixed", kobo: kobo(50_100n) } as const;
  await setPrice(services.database, { productId, scope: { of: "tier", tier }, price });
  const shown = async () => {
    const { products } = (await app.call(testKey, "/billers/mtn-data/products")).body;
    return products.find(({ product_id }: { product_id: number }) => product_id === productId).api_price;
  };
  // Once the process has the tier's price, only the merchant changes.
  const known = async () => {
    const snapshot = await services.catalogue.current();
    const product = snapshot.findProduct(productId);
    return product && snapshot.priceOf(product, { merchantId: id, priceTier: tier });
  };
  await expect.poll(known).toMatchObject(price);
  expect(await shown()).toBe("640.00");
  await fresh.pool.query("update merchants set price_tier = $1 where id = $2", [tier, id]);
  await fresh.pool.query("update revisions set revision = revision + 1 where subject = 'merchants'");
  await expect.poll(shown).toBe("501.00");
  const body = { product_id: productId, phone: "08031234567", reference: "after-the-change" };
  expect((await app.call(testKey, "/data/purchase", { body })).body.total_deducted).toBe("501.00");
});

describe("404", () => {
  test.each(["nobody", "MTN-DATA", "mtn-data%00", "..%2F..%2Fwallet", "%E2%82%AC", "'%20or%201=1--", "__proto__"])(
    "%s is no biller",
    async (slug) => {
      const answer = await app.call(app.merchant.testKey, `/billers/${slug}/products`);
      expectProblem(answer, 404, "BILLER_NOT_FOUND");
    },
  );

  test("nor is a slug of a thousand characters", async () => {
    const answer = await app.call(app.merchant.testKey, `/billers/${"b".repeat(1_000)}/products`);
    expectProblem(answer, 404, "BILLER_NOT_FOUND");
  });

  test("a biller itself has no address", async () => {
    for (const path of ["/billers/mtn-data", "/billers/mtn-data/", "/billers/mtn-data/products/1002"]) {
      expectProblem(await app.call(app.merchant.testKey, path), 404, "NOT_FOUND");
    }
  });
});
