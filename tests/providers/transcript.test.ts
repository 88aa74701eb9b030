import { expect, test } from "vitest";
import { redactedJson, transcriptOf } from "../../src/providers/evidence/redacted-json.ts";
import { parseJson } from "../../src/providers/reply.ts";

const reply = (body: string) => ({ kind: "answered", status: 200, body, date: null, tookMs: 12 }) as const;
const question = {
  method: "POST",
  path: "/pay",
  body: { request_id: "2026112012003m580s0r1", amount: "100.00" },
} as const;

test("secrets go by their names, whatever they are and however deep; references stay", () => {
  const found = redactedJson({
    requestId: "202611201200123456789",
    content: {
      cards: [{ Pin: "ABC", Serial: "S" }],
      customer: { a: "ADA" },
      deep: { status: "delivered", note: "1234567" },
    },
    pin_list: ["ABCD-EFGH"],
    mainPin: "QWERTYASDF",
    epin: "ZXCVBN123A",
    "e-PIN": "ZXCVBN123A",
    userPIN2: "ZXCVBN123A",
    rechargepin: "ZXCVBN123A",
    shippingNote: "opinion",
    "08031234567": true,
    number: 8_031_234_567,
  });
  expect(JSON.parse(found)).toEqual({
    requestId: "202611201200123456789",
    content: { cards: "[redacted]", customer: "[redacted]", deep: { status: "delivered", note: "[7 digits]" } },
    pin_list: "[redacted]",
    mainPin: "[redacted]",
    epin: "[redacted]",
    "e-PIN": "[redacted]",
    userPIN2: "[redacted]",
    rechargepin: "[redacted]",
    shippingNote: "opinion",
    "[11 digits]": true,
    number: "[number]",
  });
});

test("an answer that is no JSON shows its beginning, without a digit", () => {
  const evidence = transcriptOf(question, reply("<h1>Token 12345678901234567890</h1>"), undefined);
  expect(evidence).toContain("not JSON");
  expect(evidence.split("->")[1]).not.toMatch(/[0-9]{5}/);
  const spoken = transcriptOf(question, reply("<p>Your PIN is ABCD-EFGH-JKLM</p>"), undefined);
  expect(spoken).toContain("Your PIN is [## characters]");
});

/** What reads each place again from every other takes minutes for it. */
const long = 300_000;

test.each([
  ["a word that no mail address ends", `@${"a".repeat(long)}`],
  ["digits and dashes", "1-".repeat(long / 2)],
  ["digits that a letter ends", `pin ${"1".repeat(28)}a`],
  ["announcements without an end", "pin ".repeat(long / 4)],
  ["white space", `pin${" ".repeat(long)}`],
  ["quotation marks", '"'.repeat(long)],
])("%s, however many, make evidence by being read once", { timeout: 20_000 }, (_, text) => {
  for (const body of [JSON.stringify({ message: text, [text]: 1 }), text]) {
    expect(transcriptOf(question, reply(body), parseJson(body)).length).toBeLessThanOrEqual(2_000);
  }
});

test("the beginning of what is no JSON ends in no half of a PIN", () => {
  const body = `<p>${"x".repeat(40)} Your PIN is ABCDEFGH1234-KLMN</p>`;
  expect(transcriptOf(question, reply(body), undefined)).not.toContain("ABC");
});

test("the deepest and the longest answer makes evidence of bounded length", () => {
  const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
  const wide = JSON.stringify({ list: Array.from({ length: 20_000 }, (_, n) => `item ${n}`) });
  for (const body of [deep, wide]) {
    expect(transcriptOf(question, reply(body), parseJson(body)).length).toBeLessThanOrEqual(2_000);
  }
});
