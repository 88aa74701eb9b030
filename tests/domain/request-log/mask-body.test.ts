import { describe, expect, test } from "vitest";
import { bodyBytesMax, maskBody, maskPath } from "../../../src/domain/request-log/mask-body.ts";

const key = "ds_live_0123456789abcdefghijABCDEFGHIJ01AAAAAA";
const masked = (body: unknown) => JSON.parse(maskBody(body) ?? "null");

describe("secrets are left out", () => {
  test.each([
    ["by name", { pin: "1234" }],
    ["as a number", { pin: 1234 }],
    ["in a list", { pins: [{ a: "1234" }, "1234"] }],
    ["by another spelling", { "API-Key": "1234", accessToken: "1234", webhook_secret: "1234" }],
    ["deep inside", { metadata: { a: { password: "x1234" } } }],
    ["below an innocent name", { note: `my key is ${key}` }],
    ["in a reference", { reference: key, ident: "whsec_1234" }],
    ["as a token's digits", { note: "4512 3456 7890 1234 5678" }],
    ["announced", { note: "PIN: 1234" }],
    ["as a field's name", { [key]: 1 }],
    ["in a webhook's address", { url: "https://user:x1234@example.com/hook?token=x1234#1234" }],
    ["as the text of an SMS", { message: "Your code is 1234" }],
  ])("a secret %s is not kept", (_what, body) => {
    expect(maskBody(body)).not.toMatch(/1234|ds_live_0|whsec_/);
  });
});

test("of customers' numbers and addresses the last two to four characters are kept, whatever they are called", () => {
  expect(
    masked({
      phone: "08031234567",
      mobile_number: 2348031234567,
      meter_number: "45012345678",
      smartcard_number: "7032145678",
      iuc: "70321",
      customer_id: "12345678",
      email: "ada@example.ng",
      recipients: ["08031234567", "+2348035554444"],
      recipient_phone: "0803123",
      account_number: "12",
      metadata: { contact: "ada@example.ng or 0803 123 4567", line: "08031234567" },
    }),
  ).toEqual({
    phone: "***4567",
    mobile_number: "***4567",
    meter_number: "***5678",
    smartcard_number: "***5678",
    iuc: "***21",
    customer_id: "***5678",
    email: "***e.ng",
    recipients: ["***4567", "***4444"],
    recipient_phone: "***23",
    account_number: "***",
    metadata: { contact: "***e.ng or ***4567", line: "***4567" },
  });
});

test("what tells a purchase stays as it was sent", () => {
  const body = {
    reference: "20261120140309",
    ident: "1795176189123",
    product_id: 1002,
    amount: "2000000.00",
    meter_type: "prepaid",
    biller: "ikeja-electric",
    quantity: 2,
    Ported_number: true,
    verification_id: "ver_01KAGZ7Q3M5T8V1X4Y6Z9B2C3D",
    rotate_secret: true,
    lines: [{ reference: "line-1", plan: 4_000_000_001 }],
  };
  expect(masked(body)).toEqual(body);
});

test("a body of any size and depth ends at four KiB, between two characters", () => {
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field-${n}`, "ä€".repeat(800)]));
  let deep: unknown = "bottom";
  for (let level = 0; level < 2_000; level += 1) deep = [deep];
  for (const body of [wide, [wide, wide], deep, "😀".repeat(5_000), new Map([["pin", "1234"]])]) {
    const text = maskBody(body) ?? "";
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bodyBytesMax);
    expect(text).not.toContain("\ufffd");
  }
  expect(maskBody(undefined)).toBeNull();
});

test("a path keeps the merchant's names; its query is masked as a body is", () => {
  expect(maskPath("/api/v1/merchant/transactions/20261120140309", true)).toBe(
    "/api/v1/merchant/transactions/20261120140309",
  );
  expect(maskPath("/api/v1/merchant/transactions?phone=08031234567&status=failed&reference=r-1", true)).toBe(
    "/api/v1/merchant/transactions?phone=***4567&status=failed&reference=r-1",
  );
  expect(maskPath(`/api/v1/merchant/wallet?api_key=${key}&email=ada%40example.ng&a=%00b`, true)).toBe(
    "/api/v1/merchant/wallet?api_key=[redacted]&email=***e.ng&a=b",
  );
  expect(maskPath(`/api/v1/merchant/transactions/${key}`, true)).toBe("/api/v1/merchant/transactions/[redacted]");
  expect(maskPath("/api/v1/merchant/buy/08031234567", false)).toBe("/api/v1/merchant/buy/***4567");
  expect(maskPath(`/${"a".repeat(9_000)}`, false)).toHaveLength(500);
});
