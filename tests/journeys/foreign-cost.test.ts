import { expect, test } from "vitest";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, rawText, vended } from "../support/fake-supplier.ts";

// Two suppliers serve everything: "first" takes dollars, "second" naira.

const refused: VendOutcome = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText };
const first = openFakeSupplier("first");
const second = openFakeSupplier("second");

const app = closing(await startApp({ suppliers: [first, second] }));
second.answer = vended;
await app.fresh.pool.query(
  "update supplier_routes set cost = 37, cost_currency = 'USD', cost_basis_points = null where supplier = 'first'",
);

async function setRate(kobo: number): Promise<void> {
  await app.fresh.pool.query(
    "insert into fx_rates values ('USD', $1) on conflict (currency) do update set rate = excluded.rate",
    [kobo],
  );
  await app.feel("routes");
}

async function bought(reference: string) {
  const body = { reference, product_id: 1002, phone: "08031234567" };
  const answer = await app.call(app.merchant.liveKey ?? "", "/data/purchase", { body });
  const { rows } = await app.fresh.pool.query(
    `select a.supplier, a.verdict, a.cost::integer, a.foreign_cost, p.cost::integer as last, p.foreign_cost as last_foreign
       from purchases p
       join vend_attempts a on a.purchase_id = p.id
      where p.reference = $1
      order by a.attempt`,
    [reference],
  );
  return { status: answer.body.status, rows };
}

test("what a supplier takes in its own currency is kept with the attempt, with the rate of that moment", async () => {
  first.answer = vended;
  await setRate(160_000);
  const kept = { cost: 59_200, foreign_cost: "USD 0.37 at 1600.00", last: 59_200, last_foreign: "USD 0.37 at 1600.00" };
  expect(await bought("dollars-1")).toEqual({
    status: "successful",
    rows: [{ supplier: "first", verdict: "vended", ...kept }],
  });
  await setRate(170_001);
  expect((await bought("dollars-2")).rows).toMatchObject([{ cost: 62_901, foreign_cost: "USD 0.37 at 1700.01" }]);
});

test("after a reroute to a supplier that takes naira, each attempt has its own", async () => {
  first.answer = refused;
  const { rows } = await bought("dollars-3");
  expect(rows).toMatchObject([
    { supplier: "first", verdict: "declined", foreign_cost: "USD 0.37 at 1700.01" },
    { supplier: "second", verdict: "vended", foreign_cost: null, last_foreign: null },
  ]);
});
