import { expect, test } from "vitest";
import { sharedApp } from "../support/shared-app.ts";

const app = await sharedApp();

test.each([
  ["/wallet/balance/", "balance"],
  ["/billers/mtn-data/products/", "products"],
  ["/transactions/", "transactions"],
  ["/transactions/?per_page=1", "transactions"],
])("GET %s is answered as without the slash at its end", async (path, field) => {
  const { status, body } = await app.call(app.merchant.testKey, path);
  expect(status).toBe(200);
  expect(body).toHaveProperty(field);
});

test("a purchase at a path that ends in a slash is made once", async () => {
  const body = { reference: "slash-1", product_id: 1002, phone: "08031234567" };
  const bought = await app.call(app.merchant.testKey, "/data/purchase/", { body });
  expect(bought.status).toBe(201);
  const replayed = await app.call(app.merchant.testKey, "/data/purchase", { body });
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect(replayed.body).toEqual(bought.body);
});
