import { describe, expect, test } from "vitest";
import { sms } from "../../src/categories/sms.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, lagos, makeProduct, refused, vendRequestOf } from "./ask.ts";

const body = { sender_id: "DISPENSE", message: "Hello", recipients: ["08031234567", "08051234567"] };
const standard = makeProduct({ amountType: "fixed", face: kobo(562n), attributes: { route: "standard" } });
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
    expect(refused(() => ask(sms, { ...body, recipients: "0803,".repeat(20_000) }))).toBe("TOO_MANY_ITEMS recipients");
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

  test("sender, text and route are compared", () => {
    for (const change of [{ sender_id: "OTHER" }, { message: "Hello " }, { route: "dnd" }]) {
      expect(ask(sms, { ...body, ...change }).intent).not.toEqual(ask(sms, body).intent);
    }
  });
});
