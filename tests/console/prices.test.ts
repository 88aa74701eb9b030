import { expect, test } from "vitest";
import { setPrice } from "../../src/domain/catalogue/changes/administration.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, startConsole } from "../support/console.ts";
import { stockedDatabase } from "../support/database.ts";

const fresh = closing(await stockedDatabase());
await fresh.pool.query("update products set updated_at = now() - interval '2 days'");
await fresh.pool.query("update products set updated_at = now() - interval '23 hours' where id = 1002");
await fresh.pool.query("update products set name = '=cmd()<b>1GB</b>' where id = 1003");
const service = closing(await startConsole({ database: fresh }));
const viewer = await service.member("viewer");
const other = await service.app.createMerchant();
const stranger = await service.member("developer", other.id);

/** The table's row of a product, without its markup. */
function rowOf({ text }: ConsoleAnswer, id: number): string {
  const row = [...text.matchAll(/<tr[^>]*>.*?<\/tr>/gs)].find(([each]) => each.includes(`<code>${id}</code>`));
  return (row?.[0] ?? "").replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

test("every product stands with what the merchant pays, as a purchase would be charged", async () => {
  const { catalogue } = service.app.services;
  const product = (await catalogue.current()).findProduct(1002 as ProductId);
  const list = await viewer.get("/live/prices?q=1002");
  const bought = await service.app.call(service.app.merchant.testKey, "/data/purchase", {
    body: { product_id: 1002, phone: "08031234567", reference: "price-1" },
  });
  expect(bought.status).toBeLessThan(300);
  const paid = Number(bought.body.total_deducted).toLocaleString("en-NG", { minimumFractionDigits: 2 });
  expect(rowOf(list, 1002)).toContain(paid);
  expect(rowOf(list, 1002)).toContain(product?.name);
});

test("a merchant's own price is shown to it alone", async () => {
  const { merchant } = service.app;
  const scope = { of: "merchant", merchantId: merchant.id } as const;
  const price = { kind: "fixed", kobo: kobo(12_345n) } as const;
  await setPrice(service.app.services.database, { productId: 1004 as ProductId, scope, price });
  await expect.poll(async () => rowOf(await viewer.get("/live/prices?q=1004"), 1004)).toContain("123.45");
  expect(rowOf(await stranger.get("/live/prices?q=1004"), 1004)).not.toContain("123.45");
  expect((await stranger.get("/live/prices/prices.csv?q=1004")).text).not.toContain("123.45");
});

test("what changed in the last day is marked and can be listed alone", async () => {
  const all = await viewer.get("/live/prices?category=data&biller=mtn-data");
  expect(rowOf(all, 1002)).toContain("New, ");
  expect(rowOf(all, 1001)).not.toContain("New, ");
  const changed = await viewer.get("/live/prices?changed=day");
  expect([rowOf(changed, 1002) !== "", rowOf(changed, 1001)]).toEqual([true, ""]);
  expect((await viewer.get("/live/prices?changed=day&category=cable")).text).toContain("No price changed");
});

test("a name is text in the page, and no formula in the file", async () => {
  const list = await viewer.get("/live/prices?q=1003");
  expect(list.text).toContain("=cmd()&lt;b>1GB&lt;/b>");
  expect(list.text).not.toContain("<b>1GB</b>");
  expect((await viewer.get("/live/prices/prices.csv?q=1003")).text).toContain(",'=cmd()<b>1GB</b>,");
});

test("only those who may buy are led to buying", async () => {
  expect((await viewer.get("/live/prices?q=1002")).text).not.toContain("/live/buy/data?product=1002");
  const finance = await service.member("finance");
  expect((await finance.get("/live/prices?q=1002")).text).toContain("/live/buy/data?product=1002");
  expect((await service.guest().get("/live/prices/prices.csv")).status).toBe(303);
});
