import { expect, test } from "vitest";
import { voice } from "../../src/categories/voice.ts";
import { ask, refused } from "./ask.ts";

test("a voice plan is bought for a phone number", () => {
  expect(ask(voice, { product_id: "41", phone: "+2348031234567" })).toMatchObject({
    customerRef: "08031234567",
    intent: { product_id: 41, phone: "08031234567" },
  });
  expect(refused(() => ask(voice, { product_id: 41, phone: "123" }))).toBe("INVALID_PHONE phone");
  expect(refused(() => ask(voice, {}))).toBe("VALIDATION_ERROR product_id phone");
});
