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
    "08031234567": true,
    number: 8_031_234_567,
  });
  expect(JSON.parse(told)).toEqual({
    requestId: "202611201200123456789",
    content: { cards: "[redacted]", customer: "[redacted]", deep: { status: "delivered", note: "[7 digits]" } },
    pin_list: "[redacted]",
    "[11 digits]": true,
    number: "[number]",
  });
});

test("an answer that is no JSON shows its beginning, without a digit", () => {
  const evidence = transcriptOf(question, reply("<h1>Token 12345678901234567890</h1>"), undefined);
  expect(evidence).toContain("not JSON");
  expect(evidence.split("->")[1]).not.toMatch(/[0-9]{5}/);
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
