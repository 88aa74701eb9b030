import { expect, test } from "vitest";
import { refusalOfAll } from "../../../src/domain/bulk-orders/lines.ts";
import { type ProblemCode, refuse } from "../../../src/kernel/problems.ts";

const tooLittle = (field: string, least: string) =>
  refuse("AMOUNT_OUT_OF_RANGE", {
    errors: { [field]: [`Must be at least ${least} NGN.`] },
    meta: { min_amount: least, max_amount: "50000.00", currency: "NGN" },
  });
const away = (code: ProblemCode, field: string, retryAfterSeconds: number) =>
  refuse(code, { errors: { [field]: ["Cannot be bought now."] }, retryAfterSeconds });

test("lines that are refused alike are one refusal, whose meta says no more than holds for each", () => {
  const refusal = refusalOfAll([tooLittle("items.0.amount", "50.00"), tooLittle("items.2.amount", "100.00")]);
  expect(refusal.code).toBe("AMOUNT_OUT_OF_RANGE");
  expect(refusal.detail.meta).toEqual({ max_amount: "50000.00", currency: "NGN" });
  expect(Object.keys(refusal.detail.errors ?? {})).toEqual(["items.0.amount", "items.2.amount"]);
});

test("lines that are refused for different reasons are wrong fields of the order", () => {
  const mismatch = refuse("NETWORK_MISMATCH", { errors: { "items.1.phone": ["Of GLO."] }, meta: { network: "GLO" } });
  const refusal = refusalOfAll([tooLittle("items.0.amount", "50.00"), mismatch]);
  expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", message: "The order has 2 wrong fields." });
  expect(refusal.detail.meta).toBeUndefined();
  expect(Object.keys(refusal.detail.errors ?? {})).toEqual(["items.0.amount", "items.1.phone"]);
});

test("lines that wait for different things are waited for, as long as the one that nobody supplies", () => {
  const refused = [away("BILLER_UNAVAILABLE", "items.0.product_id", 30), away("PRODUCT_UNAVAILABLE", "items.1", 300)];
  const refusal = refusalOfAll(refused, "PRODUCT_UNAVAILABLE");
  expect(refusal).toMatchObject({ code: "PRODUCT_UNAVAILABLE", detail: { retryAfterSeconds: 300 } });
  expect(refusal.message).toBe(refused[1]?.message);
  expect(Object.keys(refusal.detail.errors ?? {})).toEqual(["items.0.product_id", "items.1"]);
});
