import { describe, expect, test } from "vitest";
import { chargedOf, nearestKobo, outcomeOf, soldOf } from "../../../../src/legacy/shadow/read-answer.ts";

describe("what became of a purchase is read from all the fields in which older scripts say it", () => {
  test.each([
    [201, { id: 1, Status: "successful" }, "success"],
    [200, { Status: "Successful ", status: "x" }, "success"],
    [200, { status: true }, "success"],
    [200, { success: "true" }, "success"],
    [201, { id: 1, Status: "processing" }, "pending"],
    [201, { id: 1, Status: "failed" }, "failed"],
    [400, { Status: "failed", error: ["x"] }, "refused"],
    [400, { error: ["Insufficient balance"] }, "refused"],
    [401, { detail: "Invalid token." }, "refused"],
    [200, { error: "x" }, "refused"],
    [500, { error: "x" }, null],
    [200, { id: 7 }, null],
  ] as const)("%i %j: %s", (status, answer, outcome) => {
    expect(outcomeOf(status, { ...answer } as never)).toBe(outcome);
  });
});

test.each([
  [275, 27_500n],
  ["₦1,250.5", 125_050n],
  ["NGN 90", 9_000n],
  [999_360.1000000001, 99_936_010n],
  ["0.295", 30n],
  ["-3.1", -310n],
  ["1e21", null],
  ["12,50", null],
  ["", null],
  [null, null],
  [true, null],
])("the amount %j is read as %s kobo", (written, amount) => {
  expect(nearestKobo(written)).toBe(amount);
});

test.each([
  [{ balance_before: "1000.1", balance_after: 725.1000000000001, plan_amount: "₦999" }, false, 27_500n],
  [{ previous_balance: "1000", after_balance: "800.4" }, false, 19_960n],
  [{ balance_before: "1000", balance_after: "1000", paid_amount: 12 }, false, 1_200n],
  [{ plan_amount: "₦640.0" }, false, 64_000n],
  [{ plan_amount: "₦100.0" }, true, null],
])("%j, of face value: %s, charged %s kobo", (answer, isFaceValue, charged) => {
  expect(chargedOf(answer, isFaceValue)).toBe(charged);
});

test.each([
  [
    "/api/data",
    { network: 3, plan_network: "airtel", plan_name: "1.50 gb SME" },
    { network: "AIRTEL", product: "1.5GB" },
  ],
  ["/api/data", { plan_network: "MTN", plan_name: "500MB" }, { network: "MTN", product: "500MB" }],
  ["/api/data", { plan_name: "1000 MB" }, { product: "1GB" }],
  ["/api/data", { network: 3, plan_name: "Unlimited" }, {}],
  ["/api/topup", { network: "etisalat" }, { network: "9MOBILE" }],
  ["/api/cablesub", { cablename: "DStv" }, { biller: "dstv" }],
  ["/api/cablesub", { cablename: "2" }, {}],
  ["/api/billpayment", { disco_name: "Ikeja Electricity" }, { biller: "ikeja-electric" }],
  ["/api/billpayment", { disco_name: "Nowhere" }, {}],
  ["/api/epin", { exam_name: "waec" }, { product: "waec-checker" }],
])("%s %j sold %j, where a number alone says nothing", (route, answer, sold) => {
  expect(soldOf(route, answer as never)).toEqual(sold);
});
