import { expect, test } from "vitest";
import { type CategorySlug, categoryOf } from "../../../src/categories/category-slugs.ts";
import { fulfilmentTemplate, maskedFulfilment } from "../../../src/domain/resolution/review/review.ts";
import { checkedFulfilment, simulatedFulfilment } from "../../../src/domain/resolution/review/review-fulfilment.ts";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { filled, requestOf } from "./fulfilment-by-hand.ts";

const pieces = (goods: Record<string, Json>, list: string) => goods[list] as Record<string, Json>[];

test("a template says what the purchase decides, and asks for the rest", async () => {
  const templateOf = (slug: CategorySlug) => fulfilmentTemplate(categoryOf(slug), requestOf(slug));
  expect(await templateOf("electricity")).toEqual({
    kind: "electricity",
    token: "",
    units: null,
    tokens: [{ type: "main", value: "", order: 1 }],
    tariff: null,
    tariff_band: null,
    amount_breakdown: { energy: null, vat: null, debt_recovered: null },
    receipt_number: "",
    meter_number: "45012345678",
    customer_name: null,
    customer_address: null,
  });
  expect(await templateOf("education")).toEqual({
    kind: "pins",
    exam: "WAEC",
    pins: [1, 2, 3].map((sequence) => ({ sequence, pin: "", serial: null, expires_at: null })),
    check_url: "https://waecdirect.example",
  });
  expect(await templateOf("cable")).toEqual({
    kind: "cable",
    smartcard_number: "7032145678",
    customer_name: null,
    bouquet: "",
    months: 1,
    valid_until: null,
  });
});

test("what follows from other fields is filled in: load codes, an activation code's parts and picture, a printed token", async () => {
  const handedOver = async (slug: CategorySlug) => {
    const [category, request] = [categoryOf(slug), requestOf(slug)];
    const goods = await simulatedFulfilment(category, request);
    const given = filled(await fulfilmentTemplate(category, request), goods) as JsonObject;
    return { goods, result: await checkedFulfilment(category, request, given) };
  };
  const cards = await handedOver("recharge_pin");
  const codes = (goods: JsonObject) => pieces({ ...goods }, "pins").map(({ load_code: code }) => code);
  expect(codes(cards.result)).toEqual(codes(cards.goods));
  const profiles = await handedOver("esim");
  const [profile] = pieces({ ...profiles.result }, "esims");
  expect(profile).toEqual({ ...pieces({ ...profiles.goods }, "esims")[0], expires_at: null });
  const electricity = await handedOver("electricity");
  expect(electricity.result.token_formatted).toBe(electricity.goods.token_formatted);
});

test("what is shown of goods tells no secret, and all the rest", async () => {
  const shownOf = async (slug: CategorySlug) => {
    const category = categoryOf(slug);
    const goods = await simulatedFulfilment(category, requestOf(slug));
    return { goods: { ...goods }, shown: { ...maskedFulfilment(category, goods) } };
  };
  const { goods, shown } = await shownOf("electricity");
  const token = String(goods.token);
  const hint = `${token.slice(0, 2)}…${token.slice(-2)}`;
  expect(shown).toEqual({
    ...goods,
    token: hint,
    token_formatted: hint,
    tokens: [{ type: "main", value: hint, order: 1 }],
  });
  const pins = await shownOf("education");
  expect(pieces(pins.shown, "pins").map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  for (const { pin, serial } of pieces(pins.goods, "pins")) {
    expect(JSON.stringify(pins.shown)).not.toContain(pin);
    expect(JSON.stringify(pins.shown)).not.toContain(serial);
  }
  const card = { ...(await shownOf("giftcard")).goods, cards: [{ code: "TEST-1234", pin: "4821", value: "25.00" }] };
  expect(maskedFulfilment(categoryOf("giftcard"), card as JsonObject).cards).toEqual([
    { code: "TE…34", pin: "…", value: "25.00" },
  ]);
});
