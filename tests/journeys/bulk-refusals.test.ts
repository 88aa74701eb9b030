import { expect, test } from "vitest";
import { type Answer, startApp } from "../support/app.ts";
import { expectRefusedOrder } from "../support/bulk-orders.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { expectProblem } from "../support/wire-expectations.ts";

const phone = "08031234567";
const balance = "1000000.00";

// What a live order is refused for after its lines were read and priced: it names every such line.
const app = closing(await startApp({ suppliers: [openFakeSupplier()] }));
await app.fresh.pool.query("delete from supplier_routes where product_id in (2002, 1202)");
await app.fresh.pool.query("update limit_tiers set per_transaction = 100000 where tier = 1");
const key = app.merchant.liveKey ?? "";

const place = (category: "airtime" | "data", body: object) =>
  app.call(key, `/${category}/bulk`, { body: { reference: "refused", ...body } });

async function expectNothingPlaced(): Promise<void> {
  expect((await app.call(key, "/wallet/balance")).body.balance).toBe(balance);
  expectProblem(await app.call(key, "/bulk/refused"), 404, "BULK_NOT_FOUND");
}

const airtime = { phone, product_id: 2001, amount: "100.00" };
const unserved = { ...airtime, product_id: 2002 };
const dear = { ...airtime, amount: "5000.00" };

test("503 under every line that no supplier serves", async () => {
  const items = [airtime, unserved, airtime, { phone, network: "GLO", amount: "200.00" }];
  const fields = ["items.1.product_id", "items.3.product_id"];
  expectRefusedOrder(await place("airtime", { items }), 503, "PRODUCT_UNAVAILABLE", { fields });
  const plans = [1202, 1002].map((product_id) => ({ phone, product_id }));
  expectRefusedOrder(await place("data", { items: plans }), 503, "PRODUCT_UNAVAILABLE", {
    fields: ["items.0.product_id"],
  });
  const shorthand = await place("data", { product_id: 1202, phones: [phone, "08061234567"] });
  expectRefusedOrder(shorthand, 503, "PRODUCT_UNAVAILABLE", { fields: ["product_id"] });
  await expectNothingPlaced();
});

test("503 under what no supplier serves before 403 under what costs too much", async () => {
  const items = [dear, unserved, { ...dear, product_id: 2002 }];
  const fields = ["items.1.product_id", "items.2.product_id"];
  expectRefusedOrder(await place("airtime", { items }), 503, "PRODUCT_UNAVAILABLE", { fields });
  await expectNothingPlaced();
});

function expectTooDear(answer: Answer, fields: readonly string[]): void {
  const meta = expect.objectContaining({ limit: "1000.00" });
  expectProblem(answer, 403, "TRANSACTION_LIMIT_EXCEEDED", { fields, meta });
}

test("403 under every line that costs more than one purchase may: its amount, or its product", async () => {
  const items = [airtime, dear, airtime, { ...dear, amount: "6000.00" }];
  const answer = await place("airtime", { items });
  expectTooDear(answer, ["items.1.amount", "items.3.amount"]);
  expect(answer.body.errors["items.3.amount"]).toEqual([
    "One transaction may cost at most 1000.00; this one costs 5808.00.",
  ]);
  expectTooDear(await place("airtime", { network: "MTN", amount: 5_000, phones: [phone, "08061234567"] }), ["amount"]);
  const { rows } = await app.fresh.pool.query(
    "select id from products where price > 100000 and id between 1002 and 1199 limit 1",
  );
  const plans = [
    { phone, product_id: 1002 },
    { phone, product_id: rows[0].id },
  ];
  expectTooDear(await place("data", { items: plans }), ["items.1.product_id"]);
  await expectNothingPlaced();
});

test("400 repeated references and unknown products are told in one answer", async () => {
  const items = [
    { ...airtime, reference: "r" },
    { ...airtime, product_id: 1 },
    { ...airtime, reference: "r" },
  ];
  const fields = ["items.0.reference", "items.1.product_id", "items.2.reference"];
  expectRefusedOrder(await place("airtime", { items }), 400, "VALIDATION_ERROR", { fields });
  await expectNothingPlaced();
});
