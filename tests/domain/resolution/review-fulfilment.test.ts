import { describe, expect, test } from "vitest";
import { type CategorySlug, categoryOf } from "../../../src/categories/category-slugs.ts";
import { categories } from "../../../src/categories/registry.ts";
import { fulfilmentTemplate } from "../../../src/domain/resolution/review/review.ts";
import {
  checkedFulfilment,
  fulfilmentFaults,
  simulatedFulfilment,
} from "../../../src/domain/resolution/review/review-fulfilment.ts";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { Refusal } from "../../../src/kernel/problems.ts";
import { makeProduct } from "../../categories/ask.ts";
import { filled, requestOf } from "./fulfilment-by-hand.ts";

async function refusalOf(slug: CategorySlug, given: JsonObject | null): Promise<string> {
  const outcome = await checkedFulfilment(categoryOf(slug), requestOf(slug), given).catch(
    (refusal: unknown) => refusal,
  );
  return outcome instanceof Refusal ? outcome.message : "accepted";
}

describe.each(categories)("$slug", (category) => {
  const request = requestOf(category.slug);
  const isTopUp = category.byHand === null;

  test("the sandbox's goods for the purchase are right, as they are", async () => {
    const goods = await simulatedFulfilment(category, request);
    expect(await fulfilmentFaults(category, request, goods)).toEqual([]);
    expect(await checkedFulfilment(category, request, goods)).toEqual(goods);
  });

  test("its template is refused as it stands, and taken once it is filled in", async () => {
    const template = await fulfilmentTemplate(category, request);
    const bare = await refusalOf(category.slug, template);
    if (isTopUp) expect([template, bare]).toEqual([{ kind: "topup" }, "accepted"]);
    else expect(bare).toContain(" must not be empty");
    const goods = filled(template, await simulatedFulfilment(category, request)) as JsonObject;
    const { fulfilment } = category;
    const handedOver = await checkedFulfilment(category, request, goods);
    expect(Object.keys(handedOver).toSorted()).toEqual(Object.keys(fulfilment.properties).toSorted());
  });

  test("goods must be given, unless nothing is handed over", async () => {
    expect(isTopUp).toBe(Object.keys(category.fulfilment.properties).length === 1);
    expect(await refusalOf(category.slug, null)).toBe(
      isTopUp ? "accepted" : "Say what the customer gets: only a top-up hands nothing over.",
    );
  });

  test("goods of another category are refused by their kind alone", async () => {
    expect(await fulfilmentFaults(category, request, { kind: "other", pins: [] })).toEqual([
      `/kind must be "${category.fulfilment.properties.kind.const}"`,
    ]);
  });

  test("an empty list of pieces, a missing field and an unknown one are refused", async () => {
    const goods = await simulatedFulfilment(category, request);
    for (const [name, value] of Object.entries(goods)) {
      if (name === "kind") continue;
      const { [name]: _, ...without } = goods;
      const isDerived = category.byHand?.derived?.includes(name) === true;
      if (!isDerived) expect(await fulfilmentFaults(category, request, without)).toContain(`/${name} is missing`);
      if (!Array.isArray(value)) continue;
      expect((await fulfilmentFaults(category, request, { ...goods, [name]: [] })).join()).toContain(
        `/${name} must hold `,
      );
    }
    expect(await fulfilmentFaults(category, request, { ...goods, tokn: "1" })).toEqual([
      "/tokn is no field of these goods",
    ]);
  });
});

/** Each changes right goods; what is expected is all that is told. */
type Change = (goods: Record<string, Json>) => object;
const pieces = (goods: Record<string, Json>, list: string) => goods[list] as Record<string, Json>[];
const withPiece =
  (list: string, index: number, change: object): Change =>
  (goods) => ({
    [list]: pieces(goods, list).with(index, { ...pieces(goods, list)[index], ...change }),
  });

const wrong: readonly (readonly [CategorySlug, Change, readonly string[]])[] = [
  ["electricity", () => ({ meter_number: "45012345679" }), ['/meter_number must be "45012345678", as it was bought']],
  [
    "electricity",
    () => ({ token: null, token_formatted: null }),
    [
      "/token must have 20 digits: the meter is prepaid",
      "/tokens must hold what /token says, as its token of type main",
    ],
  ],
  [
    "electricity",
    () => ({ token: "2636-2054-4059-8275" }),
    [
      "/token must have 20 digits: the meter is prepaid",
      "/tokens must hold what /token says, as its token of type main",
      "/token_formatted must have the digits of /token; left out, it is made from it",
    ],
  ],
  [
    "electricity",
    () => ({ tokens: [{ type: "kct1", value: "1".repeat(20), order: 1 }] }),
    ["/tokens must hold what /token says, as its token of type main"],
  ],
  [
    "electricity",
    () => ({ units: "22.2", receipt_number: " " }),
    ["/receipt_number must not be empty", '/units must be like "22.20"'],
  ],
  [
    "education",
    (goods) => ({ pins: pieces(goods, "pins").slice(0, 2) }),
    ["/pins must hold 3, as many as were bought, and holds 2"],
  ],
  [
    "education",
    (goods) => ({ pins: [...pieces(goods, "pins"), {}] }),
    [
      "/pins must hold 3, as many as were bought, and holds 4",
      "/pins/3/sequence is missing",
      "/pins/3/pin is missing",
      "/pins/3/serial is missing",
      "/pins/3/expires_at is missing",
    ],
  ],
  [
    "education",
    (goods) =>
      withPiece("pins", 2, { pin: String(pieces(goods, "pins")[0]?.pin).replace(/(.{4})(?=.)/g, "$1-") })(goods),
    ["/pins/2/pin is the same as in /pins/0"],
  ],
  [
    "education",
    withPiece("pins", 1, { pin: "12 34", sequence: 7 }),
    ["/pins/1/pin must have 4 to 30 letters, digits or dashes", "/pins/1/sequence must be 2, as it was bought"],
  ],
  ["recharge_pin", () => ({ face_amount: "200.00" }), ['/face_amount must be "100.00", as it was bought']],
  [
    "recharge_pin",
    withPiece("pins", 0, { load_code: "*311*1#" }),
    ["/pins/0/load_code must hold the PIN; left out, it is made from it"],
  ],
  [
    "giftcard",
    withPiece("cards", 1, { value: "10.00", currency: "EUR", code: "" }),
    [
      "/cards/1/code must not be empty",
      '/cards/1/value must be "25.00", as it was bought',
      '/cards/1/currency must be "USD", as it was bought',
    ],
  ],
  [
    "giftcard",
    (goods) => ({ cards: [pieces(goods, "cards")[0], pieces(goods, "cards")[0]] }),
    ["/cards/1/code is the same as in /cards/0", "/cards/1/sequence must be 2, as it was bought"],
  ],
  [
    "esim",
    (goods) => ({ esims: [pieces(goods, "esims")[0], pieces(goods, "esims")[0]] }),
    ["/esims/1/iccid is the same as in /esims/0"],
  ],
  ["esim", withPiece("esims", 0, { lpa: "smdp.example$CODE" }), ["/esims/0/lpa must be like LPA:1$SERVER$CODE"]],
  [
    "esim",
    withPiece("esims", 0, { matching_id: "OTHER", iccid: "123" }),
    [
      "/esims/0/matching_id must be as in /esims/0/lpa; left out, it is made from it",
      '/esims/0/iccid must be like "8923400482107736591"',
    ],
  ],
  ["internet", () => ({ account_number: "0702123457" }), ['/account_number must be "0702123456", as it was bought']],
  ["internet", () => ({ pins: [] }), ["/pins must hold 1, as many as were bought, and holds 0"]],
  ["internet", () => ({ pins: null }), []],
  [
    "cable",
    () => ({ smartcard_number: "7032145679", months: 2 }),
    ['/smartcard_number must be "7032145678", as it was bought', "/months must be 1, as it was bought"],
  ],
  [
    "betting",
    () => ({ customer_id: "1", operator_reference: "" }),
    ["/operator_reference must not be empty", '/customer_id must be "1042377", as it was bought'],
  ],
  [
    "sms",
    withPiece("results", 2, { phone: "08051234568" }),
    ['/results/2/phone must be "08051234567", as it was bought'],
  ],
  [
    "sms",
    withPiece("results", 1, { status: "sent" }),
    ["/results/1/status must be rejected: nothing was charged for it"],
  ],
  [
    "sms",
    (goods) => ({ results: pieces(goods, "results").slice(1) }),
    expect.arrayContaining(["/results must hold 3, one for each recipient, and holds 2"]),
  ],
];

test.each(wrong)("wrong goods of %s are refused with every fault named", async (slug, change, faults) => {
  const [category, request] = [categoryOf(slug), requestOf(slug)];
  const goods = await simulatedFulfilment(category, request);
  expect(await fulfilmentFaults(category, request, { ...goods, ...change(goods) } as JsonObject)).toEqual(faults);
});

test("more faults than eight are all told, and thousands are counted", async () => {
  const pins = Array.from({ length: 100 }, (_, index) => ({
    sequence: index + 1,
    pin: "1",
    serial: 7,
    expires_at: "soon",
  }));
  const [category, request] = [categoryOf("recharge_pin"), requestOf("recharge_pin", { body: { quantity: 100 } })];
  const goods = { ...(await simulatedFulfilment(category, request)), pins };
  const faults = await fulfilmentFaults(category, request, goods);
  // Each piece has a wrong PIN, serial and expiry, and no load code: that is made from the PIN when it is completed.
  expect(faults).toHaveLength(400);
  const refusal = await checkedFulfilment(category, request, goods).catch((thrown: unknown) => thrown);
  expect((refusal as Refusal).message.split("\n")).toHaveLength(201);
  expect((refusal as Refusal).message).toMatch(/;\n {2}and 100 more\.$/);
});

test("PINs have the product's own number of digits where it has one", async () => {
  const product = makeProduct({ amountType: "fixed", attributes: { pin_digits: 16 } });
  const [category, request] = [categoryOf("education"), requestOf("education", { product })];
  const goods = await simulatedFulfilment(category, request);
  expect(await fulfilmentFaults(category, request, goods)).toEqual([]);
  const short = { ...goods, ...withPiece("pins", 0, { pin: "123456789012" })({ ...goods }) };
  expect(await fulfilmentFaults(category, request, short)).toEqual(["/pins/0/pin must have 16 digits"]);
});

test("a postpaid meter gets no token, and its template asks for none", async () => {
  const product = makeProduct({ meterType: "postpaid" });
  const [category, request] = [categoryOf("electricity"), requestOf("electricity", { product })];
  const template = await fulfilmentTemplate(category, request);
  expect(template).toMatchObject({ token: null, tokens: [], receipt_number: "", meter_number: "45012345678" });
  const goods = { ...template, receipt_number: "4711" };
  expect(await checkedFulfilment(category, request, goods)).toEqual({ ...goods, token_formatted: null });
  const prepaid = await simulatedFulfilment(category, requestOf("electricity"));
  expect(await fulfilmentFaults(category, request, prepaid)).toEqual([
    "/token must be null: the meter is postpaid",
    "/token_formatted must be null: the meter is postpaid",
    "/tokens must be empty: the meter is postpaid",
  ]);
});
