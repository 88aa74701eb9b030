import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { manual } from "../../src/providers/manual/connector.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { operate } from "../support/operate.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { testEncryptionKey } from "../support/webhooks.ts";
import { expectPurchase } from "../support/wire-expectations.ts";

const { folder } = closing(await makeScratchDirectory());
// The whole way of a product that a person fulfils: bought live, found in the queue, ended by a command, told.
const app = closing(await startApp({ suppliers: [manual("desk")] }));
const body = { url: "https://merchant.example/hook" };
await app.call(app.merchant.liveKey, "/webhook", { method: "PUT", body });

const run = (...words: string[]) =>
  operate(words, { DATABASE_URL: app.fresh.url, DATA_DIR: folder, ENCRYPTION_KEY: testEncryptionKey });
const call = (address: string, body?: object) =>
  app.call(app.merchant.liveKey, address, body === undefined ? {} : { body });
const balance = async () => (await call("/wallet/balance")).body.balance;
const by = ["--by", "ada", "--evidence", "vended at the disco's counter, receipt 4711"];

const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", phone: "08031234567" };
const token = "26362054405982757802";
const goods = {
  kind: "electricity",
  token,
  token_formatted: "2636-2054-4059-8275-7802",
  units: "22.20",
  tokens: [{ type: "main", value: token, order: 1 }],
  tariff: null,
  tariff_band: null,
  amount_breakdown: { energy: null, vat: null, debt_recovered: null },
  receipt_number: "4711",
  meter_number: meter.meter_number,
  customer_name: "ADA OBI",
  customer_address: null,
};

/** Bought, and already waiting for a person: nobody is asked about it meanwhile. */
async function parked(reference: string): Promise<string> {
  const bought = await call("/electricity/purchase", { ...meter, amount: "5000.00", reference });
  expectPurchase(bought, "electricity", { status: "pending", mode: "live" });
  const step = async () => (await app.fresh.pool.query("select step from inflight")).rows;
  await expect.poll(step).toEqual([{ step: "review" }]);
  expect(await eventsOf(reference)).toEqual([]);
  return bought.body.transaction_id;
}

async function eventsOf(reference: string) {
  const { rows } = await app.fresh.pool.query(
    `select d.event, d.body
       from webhook_deliveries d
       join webhook_outbox o on o.delivery_id = d.id
      where d.reference = $1`,
    [reference],
  );
  return rows as { event: string; body: string }[];
}

test("what a person handed over is the customer's: token and all, to the buyer alone, and the event is owed", async () => {
  const before = await balance();
  const id = await parked("by-hand");
  const charged = await balance();
  expect(charged).not.toBe(before);
  expect((await run("review", "list", "--json")).lines).toMatchObject([{ transaction_id: id, supplier: "desk" }]);
  const file = path.join(folder, "goods.json");
  writeFileSync(file, JSON.stringify(goods));
  const resolved = await run("review", "resolve", id, "vended", ...by, "--fulfilment", file, "--yes", "--json");
  expect(resolved.lines).toMatchObject([{ transaction_id: id, status: "successful", resolved_by: "ada" }]);

  const { body } = await call("/transactions/by-hand");
  expect(body).toMatchObject({ status: "successful", token, delivery: goods });
  expect(await balance()).toBe(charged);
  const [due, ...more] = await eventsOf("by-hand");
  expect([due?.event, more]).toEqual(["transaction.successful", []]);
  expect(due?.body).not.toContain(token);
  expect(await evidenceOf(id)).toEqual([{ verdict: "vended", evidence: `ada: ${by[3]}` }]);
});

test("what a person could not fulfil is refunded once, with the event, and is never sent again", async () => {
  const before = await balance();
  const id = await parked("no-power");
  const words = ["review", "resolve", id, "declined", ...by, "--code", "OPERATOR_UNAVAILABLE"];
  expect((await run(...words)).out).toBe(`${id} is failed, and refunded.\n`);
  const { body } = await call("/transactions/no-power");
  expect(body).toMatchObject({ status: "failed", error_code: "OPERATOR_UNAVAILABLE", refunded: true, token: null });
  expect(await balance()).toBe(before);
  expect((await eventsOf("no-power")).map(({ event }) => event)).toEqual(["transaction.failed"]);
  const others = words.map((word) => (word === "ada" ? "grace" : word));
  for (const again of [words, others]) expect((await run(...again)).error).toContain("It has ended already: failed.");
  expect(await balance()).toBe(before);
  expect(await evidenceOf(id)).toEqual([{ verdict: "declined", evidence: `ada: ${by[3]}` }]);
});

/** What a person must be told to fulfil it, beside its number, product and biller. */
const toFulfil: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  ["/electricity/purchase", { ...meter, amount: "5000.00" }, ["45012345678", "prepaid", "5000.00", "4500.00"]],
  [
    "/education/purchase",
    { product_id: 5051, phone: meter.phone, profile_code: "1029384756" },
    ["1029384756", "6200.00"],
  ],
  ["/giftcard/purchase", { product_id: 11001, quantity: 2, recipient_email: "ada@example.ng" }, ["ada@example.ng"]],
  ["/esim/purchase", { product_id: 12401, email: "obi@example.ng" }, ["obi@example.ng"]],
  [
    "/recharge-pin/purchase",
    { network: "MTN", denomination: "100.00", quantity: 7, business_name: "Corner Shop" },
    ["Corner Shop", "100.00", "700.00", "7"],
  ],
  [
    "/sms/send",
    { sender_id: "DISPENSE", message: "Your order\nis ready.", recipients: ["08031234567", "08051234567", "12"] },
    ["DISPENSE", "Your order\nis ready.", "08031234567, 08051234567, 12 (not sent to: INVALID_NUMBER)"],
  ],
  [
    "/cable/purchase",
    { product_id: 4004, smartcard_number: "7032145678", phone: meter.phone, months: 2 },
    ["7032145678", "2"],
  ],
  ["/internet/purchase", { product_id: 7008, account_number: "0702123456" }, ["0702123456"]],
  ["/betting/fund", { biller: "bet9ja", customer_id: "1042377", amount: "1500.00" }, ["1042377", "1500.00"]],
];

test.each(toFulfil)(
  "who fulfils %s by hand is told all that was bought, and the commands that end it",
  async (below, wish, facts) => {
    const reference = `told-${below.split("/")[1]}`;
    const bought = (await call(below, { ...wish, reference })).body;
    const id = bought.transaction_id;
    expect(bought.status).toBe("pending");
    const waits = async () => (await app.fresh.pool.query("select 1 from inflight where step = 'review'")).rows.length;
    await expect.poll(waits).toBe(1);
    await app.fresh.pool.query("update suppliers set connector = 'manual' where name = 'desk'");
    const { out } = await run("review", "show", id);
    const [shown] = (await run("review", "show", id, "--json")).lines;
    await app.fresh.pool.query("update suppliers set connector = 'desk' where name = 'desk'");
    expect(shown.bought).toMatchObject({
      product_id: bought.product_id,
      product: bought.product,
      quantity: bought.quantity,
      amount: bought.amount,
      paid_by_the_merchant: bought.total_deducted,
      cost: expect.stringMatching(/^\d+\.\d\d$/),
    });
    const { product, biller, paid_by_the_merchant: paid } = shown.bought;
    for (const fact of [product, biller, paid, ...facts]) expect(out).toContain(fact);
    const resolve = `npm run operator -- review resolve ${id}`;
    expect(shown.next_steps).toEqual([
      "Nobody asks any more: a person decides.",
      "No machine fulfils it: buy or do by hand what was bought, for the customer above.",
      `It is done: ${resolve} vended --by YOU --evidence TEXT --fulfilment FILE`,
      `FILE comes from npm run -s operator -- review resolve ${id} vended --template > FILE; fill in what is empty.`,
      `It can't be done: ${resolve} declined --by YOU --evidence TEXT; the merchant is refunded.`,
    ]);
    for (const step of shown.next_steps) expect(out).toContain(step);
    expect((await run("review", "resolve", id, "declined", ...by)).code).toBe(0);
  },
);

async function evidenceOf(id: string) {
  const { rows } = await app.fresh.pool.query(
    "select verdict, evidence from vend_attempts where supplier_reference = $1",
    [`${id}-1`],
  );
  return rows;
}
