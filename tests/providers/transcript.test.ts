import { expect, test } from "vitest";
import { maskText, parseJson, redactedJson, transcriptOf } from "../../src/providers/transcript.ts";

const reply = (body: string) => ({ kind: "answered", status: 200, body, tookMs: 12 }) as const;
const question = {
  method: "POST",
  path: "/pay",
  body: { request_id: "2026112012003m580s0r1", amount: "100.00" },
} as const;

test.each([
  ["Token : 2636-2054-4059-8275-7802", "Token : [20 digits]"],
  ["call 0803 123 4567 or ada@example.com", "call [11 digits] or [e-mail]"],
  ["units 79.9 kWh, code 011", "units 79.9 kWh, code 011"],
  ["Your PIN is ABCD-EFGH-JKLM and serial X9Y8Z7", "Your PIN is [12 characters] and serial [6 characters]"],
  ["Pin : AB12CD34EF", "Pin : [10 characters]"],
  [
    "Serial No:WRN12379050A, pin: 37382A||Serial No:B1C2",
    "Serial No:[12 characters], pin: [6 characters]||Serial No:[4 characters]",
  ],
  ["PIN Serial: X9Y8Z7; ePIN AB12 CD34 EF56 for ada", "PIN Serial: [6 characters]; ePIN [12 characters] for ada"],
  ["tokens are A1B2C3, D4E5F6 and 4 more", "tokens are [12 characters] and 4 more"],
  ["pin AB12CD<=>X9Y8Z7", "pin [12 characters]"],
  ['{"user_pin":"qw12er34"}', '{"user_pin":"[8 characters]"}'],
  ["your code is 9K7M-QXR2T-7HWP", "your code is [13 characters]"],
  ["PIN 4821", "PIN [4 characters]"],
  ["INVALID TOKEN PROVIDED, 2 PINs missing", "INVALID TOKEN PROVIDED, 2 PINs missing"],
  ["VARIATION CODE DOES NOT EXIST", "VARIATION CODE DOES NOT EXIST"],
  ["variation code mtn-10mb-100, error code: ERR-1001", "variation code mtn-10mb-100, error code: ERR-1001"],
  ["Token generation failed: pin is re-issued", "Token generation failed: pin is re-issued"],
])("%s is kept as %s", (text, kept) => {
  expect(maskText(text)).toBe(kept);
});

test("secrets go by their names, whatever they are and however deep; references stay", () => {
  const told = redactedJson({
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
  expect(JSON.parse(told)).toEqual({
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

const long = 60_000;

test.each([
  ["a word that no mail address ends", `@${"a".repeat(long)}`],
  ["digits and dashes", "1-".repeat(long / 2)],
  ["digits that a letter ends", `pin ${"1".repeat(28)}a`],
  ["announcements without an end", "pin ".repeat(long / 4)],
  ["white space", `pin${" ".repeat(long)}`],
  ["quotation marks", '"'.repeat(long)],
])("%s, however many, make evidence within a moment", (_, text) => {
  const startedAt = performance.now();
  for (const body of [JSON.stringify({ message: text, [text]: 1 }), text]) {
    expect(transcriptOf(question, reply(body), parseJson(body)).length).toBeLessThanOrEqual(2_000);
  }
  expect(performance.now() - startedAt).toBeLessThan(500);
});

test.each(["PIN ABCDEFGH1234", "ada.lovelace@example.com", "2636-2054-4059-8275-7802"])(
  "wherever a long text is cut, no part of %s shows",
  (secret) => {
    const parts = [secret.slice(4, 7), secret.slice(0, 7)];
    for (let before = 4_000 - secret.length; before <= 4_000; before++) {
      const masked = maskText(`${"x ".repeat(before).slice(0, before - 1)} ${secret} ${"y ".repeat(3_000)}`);
      for (const part of parts) expect(masked).not.toContain(part);
      expect(masked).toMatch(/… of [0-9]+ characters$/);
    }
  },
);

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

test("whole numbers of 16 digits or more are read as their digits, everything else as JSON says", () => {
  const text = `{"a" : 26362054405982757802,"b":[-9007199254740993, 1234567890123456],"c":123456789012345,
    "d":"\\"e\\":26362054405982757802, \\\\","f":1234567890123456.5,"g":79.90,"h":1e3,"i":"","26362054405982757802":null}`;
  expect(parseJson(text)).toEqual({
    a: "26362054405982757802",
    b: ["-9007199254740993", "1234567890123456"],
    c: 123_456_789_012_345,
    d: '"e":26362054405982757802, \\',
    f: 1_234_567_890_123_456.5,
    g: 79.9,
    h: 1_000,
    i: "",
    "26362054405982757802": null,
  });
  for (const broken of ['{"a":26362054405982757802', `{"a":26362054405982757802,"b":"${'\\"'.repeat(100_000)}`]) {
    expect(parseJson(broken)).toBeUndefined();
  }
});
