import { describe, expect, test } from "vitest";
import { describePurchaseEndpoint } from "../../support/purchase-endpoint.ts";
import { expectProblem, expectPurchase, expectRequery } from "../../support/wire-expectations.ts";

/** Phone numbers of MTN, as many as asked for. */
function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `08035${100_000 + index}`);
}

const under = describePurchaseEndpoint({
  path: "/sms/send",
  category: "sms",
  body: { sender_id: "DISPENSE", message: "Hello", recipients: ["08031234567", "08051234567"] },
  total: "11.60",
  numbered: (suffix) => ({ recipients: [`0803123${suffix}`, "08051234567"] }),
  required: ["sender_id", "message", "recipients"],
  respelled: { recipients: "0803-123-4567, +2348051234567", route: "standard" },
  different: { message: "Hello!" },
  malformed: [
    [{ sender_id: "ab" }, "INVALID_SENDER_ID", "sender_id"],
    [{ sender_id: "TWELVELETTER" }, "INVALID_SENDER_ID", "sender_id"],
    [{ sender_id: "MY_SHOP" }, "INVALID_SENDER_ID", "sender_id"],
    [{ sender_id: 12345 }, "VALIDATION_ERROR", "sender_id"],
    [{ message: "" }, "VALIDATION_ERROR", "message"],
    [{ message: "x".repeat(1_531) }, "VALIDATION_ERROR", "message"],
    [{ message: ["Hello"] }, "VALIDATION_ERROR", "message"],
    [{ recipients: [] }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: "" }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: " , ," }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: ["0803", "+1 212 555 0123"] }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: { 0: "08031234567" } }, "VALIDATION_ERROR", "recipients"],
    [{ recipients: ["08031234567", 8_051_234_567] }, "VALIDATION_ERROR", "recipients.1"],
    [{ recipients: numbers(501) }, "TOO_MANY_ITEMS", "recipients"],
    [{ recipients: numbers(501).join() }, "TOO_MANY_ITEMS", "recipients"],
    [{ route: "express" }, "VALIDATION_ERROR", "route"],
  ],
});

function sent(phone: string, network: string | null, cost = "5.80") {
  return { phone, network, status: "sent", pages: 1, cost, error_code: null };
}

function rejected(phone: string, network: string | null, errorCode: string) {
  return { phone, network, status: "rejected", pages: 0, cost: "0.00", error_code: errorCode };
}

describe("201 sms", () => {
  test("answers the whole transaction object, a result for each entry", () =>
    under.expectWhole(
      { recipients: ["0803", "0805 123 4567", "+234 803 123 4567", "2348051234567"] },
      {
        network: null,
        biller: "Bulk SMS, standard route",
        biller_slug: "sms-standard",
        product_id: 9001,
        product: "SMS, standard route",
        plan: "Standard",
        phone: "08051234567",
        customer_ref: "08051234567",
        quantity: 2,
        unit_amount: "5.80",
        amount: "11.60",
        face_amount: "11.60",
        fee: "0.00",
        discount: "0.00",
        total_deducted: "11.60",
        balance_after: "99988.40",
        delivery: {
          kind: "sms",
          encoding: "GSM-7",
          characters: 5,
          pages: 1,
          accepted: 2,
          rejected: 2,
          results: [
            rejected("0803", null, "INVALID_NUMBER"),
            sent("08051234567", "GLO"),
            sent("08031234567", "MTN"),
            rejected("08051234567", "GLO", "DUPLICATE"),
          ],
        },
      },
    ));

  test.each([
    ["160 of GSM-7 are a page", "a".repeat(160), "GSM-7", 1],
    ["161 are two", "a".repeat(161), "GSM-7", 2],
    ["a euro sign takes two places", `€${"a".repeat(159)}`, "GSM-7", 2],
    ["an extension character is not split over two pages", `${"a".repeat(152)}€${"a".repeat(152)}`, "GSM-7", 3],
    ["70 of UCS-2 are a page", "ṣ".repeat(70), "UCS-2", 1],
    ["71 are two", "ṣ".repeat(71), "UCS-2", 2],
    ["a surrogate pair is not split over two pages", `${"ṣ".repeat(66)}😀${"ṣ".repeat(66)}`, "UCS-2", 3],
  ])("pages are counted as they are sent: %s", async (_name, message, encoding, pages) => {
    const answer = await under.send({ message });
    expectPurchase(answer, "sms", { status: "successful" });
    expect(answer.body.delivery).toMatchObject({ encoding, pages, characters: [...message].length });
    expect(answer.body).toMatchObject({ quantity: 2 * pages, unit_amount: "5.80" });
    const cost = (5.8 * pages).toFixed(2);
    expect(answer.body.delivery.results[0]).toMatchObject({ pages, cost });
  });

  test("500 recipients on the route for numbers that opted out", async () => {
    const answer = await under.send({ recipients: numbers(500), route: "dnd" });
    expectPurchase(answer, "sms", { status: "successful" });
    expect(answer.body).toMatchObject({ quantity: 500, unit_amount: "7.50", total_deducted: "3750.00", plan: "DND" });
    expect(answer.body.delivery).toMatchObject({ accepted: 500, rejected: 0 });
  });
});

describe("202 and 422 sms", () => {
  test.each([
    ["0002", "failed", { status: "failed", cost: "0.00", error_code: "SANDBOX_FORCED_FAILURE" }],
    ["0003", "pending", { status: "pending", cost: "5.80", error_code: null }],
  ] as const)(
    "%s: the first accepted recipient decides, and the results are there and say why",
    async (suffix, status, each) => {
      const reference = under.reference();
      const recipients = ["0803", `0803123${suffix}`, "08051234567"];
      const answer = await under.send({ reference, recipients });
      expectPurchase(answer, "sms", { status });
      expect(answer.body.delivery).toMatchObject({ accepted: 2, rejected: 1 });
      expect(answer.body.delivery.results).toEqual([
        rejected("0803", null, "INVALID_NUMBER"),
        { phone: `0803123${suffix}`, network: "MTN", pages: 1, ...each },
        { phone: "08051234567", network: "GLO", pages: 1, ...each },
      ]);
      const asked = await under.requery(reference);
      expectRequery(asked, status);
      expect(asked.body.delivery).toEqual(answer.body.delivery);
    },
  );

  test("a later recipient's ending changes nothing", async () => {
    expectPurchase(await under.send({ recipients: "08051234567,08031230002" }), "sms", { status: "successful" });
  });
});

test("400 TOO_MANY_ITEMS tells how many may be sent", async () => {
  for (const recipients of [numbers(501), numbers(501).join()]) {
    const answer = await under.send({ recipients });
    expectProblem(answer, 400, "TOO_MANY_ITEMS", { fields: ["recipients"], meta: { max_items: 500 } });
  }
});
