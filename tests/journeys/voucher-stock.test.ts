import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { importVouchers } from "../../src/domain/suppliers/vouchers/import.ts";
import { clock, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { testWebhooks } from "../support/webhooks.ts";
import { expectProblem } from "../support/wire-expectations.ts";

const app = closing(await startApp());
await app.fresh.pool.query("insert into suppliers (name, connector) values ('shelf', 'voucher-stock')");
const { rows } = await app.fresh.pool.query(
  `select p.id from products p join billers b on b.slug = p.biller_slug
    where b.category = 'recharge_pin' and b.network = 'MTN' order by p.id limit 1`,
);
const productId = rows[0].id;
await app.fresh.pool.query(
  `insert into supplier_routes (product_id, supplier, supplier_code, cost_basis_points) values ($1, 'shelf', '-', 9500)`,
  [productId],
);
await app.fresh.pool.query("update revisions set revision = revision + 1 where subject = 'routes'");
await stock([1, 2, 3].map((n) => ({ line: n + 1, code: `1234567890123456${n}`, serial: `SN${n}`, expiresOn: "" })));

async function stock(rows: readonly { line: number; code: string; serial: string; expiresOn: string }[]) {
  const { database, wallTime } = app.services;
  const services = { database, secretBox: testWebhooks.secretBox, clock, wallTime, randomness: randomBytes };
  const file = {
    productId,
    batch: "mtn.csv",
    rows: (async function* () {
      yield* rows;
    })(),
  };
  await importVouchers(services, file, () => {});
}

function buy(reference: string, quantity: number) {
  const body = { reference, product_id: productId, quantity, business_name: "Corner Shop" };
  return app.call(app.merchant.liveKey, "/recharge-pin/purchase", { body });
}

test("PINs of our own stock are sold live, answered to their buyer again, and to nobody else", async () => {
  const bought = await buy("two", 2);
  expect(bought).toMatchObject({ status: 201, body: { status: "successful", delivery: { kind: "pins" } } });
  const pins = bought.body.delivery.pins.map(({ pin }: { pin: string }) => pin);
  expect(pins).toEqual(["12345678901234561", "12345678901234562"]);
  expect((await buy("two", 2)).body.delivery).toEqual(bought.body.delivery);
  const listed = await app.call(app.merchant.liveKey, "/transactions");
  expect(JSON.stringify(listed.body)).not.toContain("1234567890123456");
});

test("more than are left are refunded as out of stock, and what is left can still be bought", async () => {
  expect(await buy("too-many", 2)).toMatchObject({
    status: 422,
    body: { status: "failed", error_code: "OUT_OF_STOCK", refunded: true, total_deducted: "0.00" },
  });
  expect((await buy("the-last", 1)).body.delivery.pins).toMatchObject([{ pin: "12345678901234563" }]);
});

test("once nothing is left nobody is charged any more: it is refused beforehand, and not in stock until more comes", async () => {
  const inStock = async () => {
    const { body } = await app.call(app.merchant.liveKey, "/billers/mtn-recharge-pin/products");
    return body.products.find(({ product_id }: { product_id: number }) => product_id === productId).available;
  };
  expect(await buy("none-left", 1)).toMatchObject({ status: 422, body: { error_code: "OUT_OF_STOCK" } });
  expect(await inStock()).toBe(false);
  expectProblem(await buy("refused", 1), 503, "PRODUCT_UNAVAILABLE");
  expectProblem(await app.call(app.merchant.liveKey, "/transactions/refused"), 404, "TRANSACTION_NOT_FOUND");

  await stock([{ line: 2, code: "12345678901234564", serial: "SN4", expiresOn: "" }]);
  // As another process would: nothing tells it but its look at the stock.
  const stop = app.services.startWatching();
  for (let look = 0; look < 500 && !(await inStock()); look++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await buy("again", 1)).body.delivery.pins).toMatchObject([{ pin: "12345678901234564" }]);
  await stop();
});

test("no PIN is in what is kept of the attempts", async () => {
  const { rows } = await app.fresh.pool.query("select evidence from vend_attempts");
  expect(rows.length).toBeGreaterThanOrEqual(3);
  expect(JSON.stringify(rows)).not.toMatch(/[0-9]{16}/);
});
