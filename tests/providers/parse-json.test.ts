import { expect, test } from "vitest";
import { parseJson } from "../../src/providers/reply.ts";

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
