import { expect, test } from "vitest";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";

const supplier = openFakeSupplier();

const app = closing(await startApp({ suppliers: [supplier], workers: true }));

const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", phone: "08031234567" };

function buy(key: string | null, reference: string): Promise<Answer> {
  const body = { reference, amount: "5000.00", ...meter };
  return app.call(key, "/electricity/purchase", { body });
}

const requery = (key: string | null, reference: string) => app.call(key, `/transactions/${reference}`);

async function stored(reference: string): Promise<string> {
  const { rows } = await app.fresh.pool.query("select fulfilment::text as text from purchases where reference = $1", [
    reference,
  ]);
  return rows[0].text;
}

/** Twenty digits in a row, or in groups: a token however it is written. */
const tokenShape = /(\d{4}-?){4}\d{4}/;

test("a live token is answered to its buyer, again and again, and the database holds none of it in the open", async () => {
  supplier.answer = vended;
  const { liveKey } = app.merchant;
  const bought = await buy(liveKey, "live-1");
  expect(bought).toMatchObject({ status: 201, body: { status: "successful", delivery: { kind: "electricity" } } });
  expect(bought.body.token).toMatch(/^\d{20}$/);
  const row = await stored("live-1");
  expect(row).not.toMatch(tokenShape);
  expect(JSON.parse(row)).toEqual({
    kind: "electricity",
    ends: expect.any(String),
    sealed: expect.stringMatching(/^v1\.[0-9a-f]{8}\./),
  });
  for (const again of [await buy(liveKey, "live-1"), await requery(liveKey, "live-1")]) {
    expect(again.body).toMatchObject({ token: bought.body.token, delivery: bought.body.delivery });
  }
  const listed = await app.call(liveKey, "/transactions");
  expect(listed.body.transactions[0].delivery).toEqual({ kind: "electricity", has_delivery: true });
});

test("a token that came with a later question is sealed by the same door", async () => {
  supplier.answer = silent;
  expect((await buy(app.merchant.liveKey, "late-1")).status).toBe(202);
  supplier.answer = vended;
  await expect.poll(async () => (await requery(app.merchant.liveKey, "late-1")).body.token).toMatch(/^\d{20}$/);
  expect(await stored("late-1")).not.toMatch(tokenShape);
});

test("a fulfilment that was moved to another purchase is answered to nobody", async () => {
  supplier.answer = vended;
  const { liveKey } = app.merchant;
  const token = (await buy(liveKey, "mine")).body.token;
  await buy(liveKey, "theirs");
  await app.fresh.pool.query(
    `update purchases p set fulfilment = m.fulfilment
       from purchases m
      where p.reference = 'theirs' and m.reference = 'mine'`,
  );
  const answered = await requery(liveKey, "theirs");
  expect(answered.status).toBe(500);
  expect(JSON.stringify(answered.body)).not.toContain(token);
});

test("what was stored before fulfilments were sealed is answered as before", async () => {
  supplier.answer = vended;
  const { liveKey } = app.merchant;
  const { delivery } = (await buy(liveKey, "old")).body;
  await app.fresh.pool.query("update purchases set fulfilment = $1 where reference = 'old'", [
    JSON.stringify(delivery),
  ]);
  expect((await requery(liveKey, "old")).body.delivery).toEqual(delivery);
});

test("data hands over nothing, so nothing is sealed", async () => {
  supplier.answer = vended;
  const { liveKey } = app.merchant;
  const { billers } = (await app.call(liveKey, "/billers?category=data")).body;
  const { products } = (await app.call(liveKey, `/billers/${billers[0].slug}/products`)).body;
  const body = { reference: "data-1", product_id: products[0].product_id, phone: "08031234567" };
  expect(await app.call(liveKey, "/data/purchase", { body })).toMatchObject({
    status: 201,
    body: { delivery: { kind: "topup" } },
  });
  expect(JSON.parse(await stored("data-1"))).toEqual({ kind: "topup" });
});

test("what the sandbox makes up stays open: it is worth nothing, and costs nothing to keep", async () => {
  const bought = await buy(app.merchant.testKey, "sandboxConnector");
  expect(await stored("sandboxConnector")).toContain(bought.body.token);
});
