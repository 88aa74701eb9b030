import { describe, expect, test } from "vitest";
import { kobo } from "../../../../src/kernel/money.ts";
import { expectProblem, expectPurchase, expectRequery } from "../../../support/wire-expectations.ts";
import * as accounts from "./account-endpoints.ts";
import * as codes from "./code-endpoints.ts";
import { EndpointUnderTest, openShop } from "./endpoint.ts";
import * as phones from "./phone-endpoints.ts";

// What one category alone promises, beyond the rows of its endpoint.

const shop = await openShop();
const airtime = new EndpointUnderTest(shop, phones.airtime);
const sms = new EndpointUnderTest(shop, phones.sms);
const electricity = new EndpointUnderTest(shop, accounts.electricity);
const cable = new EndpointUnderTest(shop, accounts.cable);
const education = new EndpointUnderTest(shop, codes.education);
const giftcard = new EndpointUnderTest(shop, codes.giftcard);
const esim = new EndpointUnderTest(shop, codes.esim);
const rechargePin = new EndpointUnderTest(shop, codes.rechargePin);

test.each([
  [airtime, { amount: "49.99" }, "Amount must be between 50.00 and 50000.00.", "amount", "Must be at least 50.00."],
  [
    airtime,
    { amount: "50000.01" },
    "Amount must be between 50.00 and 50000.00.",
    "amount",
    "Must be at most 50000.00.",
  ],
  [
    giftcard,
    { product_id: 11010, amount: "2000.01" },
    ...(["Amount must be between 1.00 and 2000.00 USD.", "amount", "Must be at most 2000.00 USD."] as const),
  ],
  [
    education,
    { product_id: 5051 },
    ...([
      "The field profile_code is required for this product.",
      "profile_code",
      "Is required for this product.",
    ] as const),
  ],
])("400 $endpoint.category: %j is refused in words that name the end, and a currency but naira", async (...row) => {
  const [under, change, message, field, sentence] = row;
  const { body } = await under.send(change);
  expect([body.message, body.errors]).toEqual([message, { [field]: [sentence] }]);
});

test("409 airtime that is named by product instead of network is another request", async () => {
  const reference = airtime.reference();
  await airtime.send({ reference });
  const answer = await airtime.send({ reference, network: undefined, product_id: 2001 });
  expectProblem(answer, 409, "REFERENCE_CONFLICT", { meta: { reference } });
});

test.each([
  ["0002", "failed", { status: "failed", cost: "0.00", error_code: "SANDBOX_FORCED_FAILURE" }],
  ["0003", "pending", { status: "pending", cost: "5.80", error_code: null }],
] as const)(
  "sms %s: the first accepted recipient decides, and the results are there and say why",
  async (suffix, status, each) => {
    const reference = sms.reference();
    const recipients = ["0803", `0803123${suffix}`, "08051234567"];
    const answer = await sms.send({ reference, recipients });
    expectPurchase(answer, "sms", { status });
    expect(answer.body.delivery).toMatchObject({ accepted: 2, rejected: 1 });
    expect(answer.body.delivery.results).toEqual([
      phones.rejected("0803", null, "INVALID_NUMBER"),
      { phone: `0803123${suffix}`, network: "MTN", pages: 1, ...each },
      { phone: "08051234567", network: "GLO", pages: 1, ...each },
    ]);
    const calls = await sms.requery(reference);
    expectRequery(calls, status);
    expect(calls.body.delivery).toEqual(answer.body.delivery);
  },
);

describe("electricity", () => {
  test("one token stands in all its places, and the requery tells it again", async () => {
    const reference = electricity.reference();
    const { token, delivery } = await electricity.buy({ reference });
    expect([delivery.token, delivery.token_formatted.replaceAll("-", "")]).toEqual([token, token]);
    expect(delivery.tokens.at(-1).value).toBe(token);
    expect((await electricity.requery(reference)).body).toMatchObject({ token, delivery });
  });

  test("key-change tokens come first, in the order of entry", async () => {
    const { token, delivery } = await electricity.buy({ meter_number: "45012340007" });
    expect(delivery.tokens).toMatchObject([
      { order: 1, type: "kct1" },
      { order: 2, type: "kct2" },
      { order: 3, type: "main", value: token },
    ]);
  });

  test.each([
    ["0002", "failed"],
    ["0003", "pending"],
  ] as const)("%s has a token field, and nothing in it", async (suffix, status) => {
    const reference = electricity.reference();
    const answer = await electricity.send({ reference, meter_number: `4501234${suffix}` });
    expectPurchase(answer, "electricity", { status });
    const calls = await electricity.requery(reference);
    expectRequery(calls, status);
    expect([answer.body.token, calls.body.token]).toEqual([null, null]);
  });
});

describe("a cable renewal after a verify", () => {
  const numbers = Array.from({ length: 12 }, (_, n) => `020345${60_000 + n * 7}`);
  const phone = "08031234567";

  test.each(["dstv", "gotv", "startimes"])("%s pays the bouquet that was told, for its validity", async (biller) => {
    const { app } = shop;
    const { testKey } = await app.createMerchant({ testCredit: kobo(1_000_000_000n) });
    const { products } = (await app.call(testKey, `/billers/${biller}/products`)).body;
    for (const smartcard_number of numbers) {
      const card = { biller, smartcard_number };
      const reply = (await app.call(testKey, "/cable/verify", { body: card })).body;
      const { validity } = products.find((row: { product_id: number }) => row.product_id === reply.current_product_id);
      const renewal = { ...card, phone, subscription_type: "renew", amount: reply.renewal_amount, months: 2 };
      const body = { ...renewal, reference: smartcard_number };
      const { delivery, purchased_at } = (await app.call(testKey, cable.endpoint.path, { body })).body;
      const { customer_name, current_bouquet } = reply;
      expect(delivery).toMatchObject({ customer_name, bouquet: current_bouquet });
      const paidMs = Date.parse(delivery.valid_until) - Date.parse(purchased_at);
      expect(`${paidMs / 2 / 86_400_000} days`).toBe(validity);
    }
  });
});

test("no PIN and no serial of an exam is handed out twice", async () => {
  const bought = await Promise.all([1, 2, 3].map(() => education.buy({ quantity: 5 })));
  const pins = bought.flatMap(({ delivery }) => delivery.pins);
  for (const field of ["pin", "serial"]) expect(new Set(pins.map((row) => row[field])).size).toBe(15);
});

test("a hundred recharge PINs at once: each with its own load code, none twice", async () => {
  const body = await rechargePin.buy({ quantity: 100, network: "T2", phone: "08091234567" });
  expect(body).toMatchObject({ network: "9MOBILE", customer_ref: "08091234567", total_deducted: "9960.00" });
  const { pins } = body.delivery;
  for (const { pin, load_code } of pins) expect(load_code).toBe(`*311*${pin}#`);
  expect(pins.map((row: { sequence: number }) => row.sequence)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  for (const field of ["pin", "serial"]) {
    expect(new Set(pins.map((row: Record<string, string>) => row[field])).size).toBe(100);
  }
});

test("a gift card without a recipient is the buyer's own: its number decides", async () => {
  const { body } = await giftcard.send({ phone: "08031230002" });
  expect(body).toMatchObject({ status: "failed", customer_ref: "08031230002", phone: "08031230002" });
});

test("each eSIM profile is its own, and its code is made of its parts", async () => {
  const { esims } = (await esim.buy({ quantity: 3 })).delivery;
  for (const { lpa, smdp_address, matching_id, qr_code } of esims) {
    expect(lpa).toBe(`LPA:1$${smdp_address}$${matching_id}`);
    const png = Buffer.from(qr_code.slice("data:image/png;base64,".length), "base64");
    expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
    expect(png.length).toBeLessThan(2_000);
  }
  for (const field of ["iccid", "matching_id", "qr_code"]) {
    expect(new Set(esims.map((profile: Record<string, string>) => profile[field])).size).toBe(3);
  }
});
