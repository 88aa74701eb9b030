import { describe, expect, test } from "vitest";
import { sms } from "../../src/categories/sms.ts";
import type { FailureCode } from "../../src/kernel/failure-codes.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

const body = { sender_id: "DISPENSE", message: "Hello", recipients: ["08031234567", "08051234567"] };
const standard = makeProduct({ amountType: "fixed", face: kobo(562n), attributes: { route: "standard" } });
const dnd = makeProduct({ amountType: "fixed", face: kobo(700n), attributes: { route: "dnd" } });
const request = (sent: JsonObject) => vendRequestOf(sms, ask(sms, { ...body, ...sent }), standard, "SBX1");
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `0803${String(1_000_000 + index)}`);

describe("recipients", () => {
  test("an array and a comma list in any spelling are the same purchase", () => {
    const { intent } = ask(sms, body);
    expect(ask(sms, { ...body, recipients: "0803 123 4567, +2348051234567," }).intent).toEqual(intent);
    expect(ask(sms, { ...body, recipients: ["08031234567"] }).intent).not.toEqual(intent);
    expect(ask(sms, { ...body, recipients: [...body.recipients, "nobody"] }).intent).not.toEqual(intent);
  });

  test("the first number that is accepted is the customer", () => {
    expect(ask(sms, { ...body, recipients: "none,0805 123 4567,08031234567" })).toMatchObject({
      customerRef: "08051234567",
      phone: "08051234567",
      quantity: 2,
    });
  });

  test("more than 500 are TOO_MANY_ITEMS in either form; 500 are taken", () => {
    expect(ask(sms, { ...body, recipients: numbers(500) }).quantity).toBe(500);
    expect(ask(sms, { ...body, recipients: numbers(500).join(",") }).quantity).toBe(500);
    expect(refused(() => ask(sms, { ...body, recipients: numbers(501) }))).toBe("TOO_MANY_ITEMS recipients");
    expect(refused(() => ask(sms, { ...body, recipients: numbers(501).join(",") }))).toBe("TOO_MANY_ITEMS recipients");
    expect(refused(() => ask(sms, { ...body, recipients: "0803,".repeat(20_000) }))).toBe("TOO_MANY_ITEMS recipients");
  });

  test("none that is a number, or none at all, is refused on recipients", () => {
    for (const recipients of [["0803", "x"], "0803,x", ",,", "", []]) {
      expect(refused(() => ask(sms, { ...body, recipients }))).toBe("VALIDATION_ERROR recipients");
    }
    expect(refused(() => ask(sms, { ...body, recipients: [8_031_234_567] }))).toBe("VALIDATION_ERROR recipients.0");
  });

  test("a long entry of dashes is answered in milliseconds, cut short", () => {
    const started = process.cpuUsage();
    const fulfilment = sms.simulate(request({ recipients: `08031234567,${"-".repeat(60_000)}` }), lagos) as JsonObject;
    expect(process.cpuUsage(started).user).toBeLessThan(200_000); // microseconds
    expect(fulfilment.results).toMatchObject([{ status: "sent" }, { phone: "-".repeat(40), status: "rejected" }]);
  });
});

describe("sender, message and route", () => {
  test("a sender id is 3 to 11 letters, digits and inner spaces, else INVALID_SENDER_ID", () => {
    for (const sender_id of ["AB", "TWELVELETTER", "MY_SHOP", "  A", "ABC ", "ẸBA", ""]) {
      expect(refused(() => ask(sms, { ...body, sender_id }))).toBe("INVALID_SENDER_ID sender_id");
    }
    for (const sender_id of ["ABC", "My Shop 24", "ELEVENCHARS"]) {
      expect(refused(() => ask(sms, { ...body, sender_id }))).toBe("accepted");
    }
  });

  test("a message has 1 to 1,530 characters, an emoji counting as one", () => {
    expect(refused(() => ask(sms, { ...body, message: "" }))).toBe("VALIDATION_ERROR message");
    expect(refused(() => ask(sms, { ...body, message: "a".repeat(1_531) }))).toBe("VALIDATION_ERROR message");
    expect(ask(sms, { ...body, message: "a".repeat(1_530) }).quantity).toBe(2 * 10);
    expect(ask(sms, { ...body, message: "😀".repeat(1_530) }).quantity).toBe(2 * 47);
  });

  test("the quantity is accepted recipients times pages", () => {
    const recipients = "08031234567,0803,08031234567,08051234567";
    expect(ask(sms, { ...body, recipients, message: "ẹ".repeat(71) }).quantity).toBe(4);
  });

  test("the route selects the one product of it, and is standard unless said", () => {
    const fits = (sent: JsonObject) => {
      const { selector } = ask(sms, { ...body, ...sent });
      expect(selector.by).toBe("category");
      return [standard, dnd].filter((product) => selector.claims.every((claim) => claim.holds(product)));
    };
    expect(fits({})).toEqual([standard]);
    expect(fits({ route: "dnd" })).toEqual([dnd]);
    expect(ask(sms, { ...body, route: "standard" }).intent).toEqual(ask(sms, body).intent);
    expect(refused(() => ask(sms, { ...body, route: "fast" }))).toBe("VALIDATION_ERROR route");
  });

  test("sender, text and route are compared", () => {
    for (const change of [{ sender_id: "OTHER" }, { message: "Hello " }, { route: "dnd" }]) {
      expect(ask(sms, { ...body, ...change }).intent).not.toEqual(ask(sms, body).intent);
    }
  });
});

describe("results", () => {
  const recipients = ["08031234567", "12", "0805 123 4567", "+2348031234567"];

  test("one for each entry, in order; only what is sent costs, and the costs sum to the price", () => {
    const fulfilment = sms.simulate(request({ recipients, message: "a".repeat(161) }), lagos) as JsonObject;
    expect(fulfilment).toMatchObject({ encoding: "GSM-7", characters: 161, pages: 2, accepted: 2, rejected: 2 });
    expect(fulfilment.results).toEqual([
      { phone: "08031234567", network: "MTN", status: "sent", pages: 2, cost: "11.24", error_code: null },
      { phone: "12", network: null, status: "rejected", pages: 0, cost: "0.00", error_code: "INVALID_NUMBER" },
      { phone: "08051234567", network: "GLO", status: "sent", pages: 2, cost: "11.24", error_code: null },
      { phone: "08031234567", network: "MTN", status: "rejected", pages: 0, cost: "0.00", error_code: "DUPLICATE" },
    ]);
    expect(request({ recipients, message: "a".repeat(161) }).faceAmount).toBe(2n * 1_124n);
  });

  test("they are there while the message is pending, and once it failed they cost nothing and say why", () => {
    const told = (status: "pending" | "failed", errorCode: FailureCode | null) => {
      const report = sms.unfulfilled?.(request({ recipients }), { status, errorCode }) ?? {};
      return (report.results as JsonObject[]).map((result) => [result.status, result.cost, result.error_code]);
    };
    const [invalid, repeated] = ["INVALID_NUMBER", "DUPLICATE"].map((code) => ["rejected", "0.00", code]);
    const [waiting, failed] = [
      ["pending", "5.62", null],
      ["failed", "0.00", "OPERATOR_UNAVAILABLE"],
    ];
    expect(told("pending", null)).toEqual([waiting, invalid, waiting, repeated]);
    expect(told("failed", "OPERATOR_UNAVAILABLE")).toEqual([failed, invalid, failed, repeated]);
  });
});
