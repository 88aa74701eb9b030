import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claimedMode, isWellFormedKey, keyHint, mintKey } from "../../../src/domain/merchants/key-format.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const fixed = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7) % 248);

describe("a minted key", () => {
  test.each(["live", "test"] as const)("of mode %s says so in its prefix and passes its checksum", (mode) => {
    const key = mintKey(mode, randomBytes);
    expect(key.text).toMatch(new RegExp(`^ds_${mode}_[0-9A-Za-z]{38}$`));
    expect(isWellFormedKey(key.text)).toBe(true);
    expect(claimedMode(key.text)).toBe(mode);
  });

  test("is kept as SHA-256 of its whole text, with eight characters to recognise it by", () => {
    const key = mintKey("live", randomBytes);
    expect(key.hash).toBe(createHash("sha256").update(key.text).digest("hex"));
    const row = { first_characters: key.firstCharacters, last_characters: key.lastCharacters, is_older_token: false };
    expect(keyHint({ mode: "live", ...row })).toBe(`${key.text.slice(0, 12)}…${key.text.slice(-4)}`);
  });

  test("is made of nothing but the randomness that it was given", () => {
    expect(mintKey("test", fixed).text).toBe(mintKey("test", fixed).text);
    expect(mintKey("test", randomBytes).text).not.toBe(mintKey("test", randomBytes).text);
  });

  test("never uses a byte that would make some characters likelier than others", () => {
    // 248 to 255 would fold onto the first eight characters once more.
    const unfair = (length: number) => Uint8Array.from({ length }, (_, i) => (i % 2 === 0 ? 255 : 61));
    expect(mintKey("test", unfair).text.slice(8, 40)).toBe("z".repeat(32));
    const useless = (length: number) => new Uint8Array(length).fill(250);
    expect(() => mintKey("test", useless)).toThrow(/broken promise/);
  });
});

describe("what cannot be a key is known without asking the database", () => {
  test("every single changed character is noticed", () => {
    const { text } = mintKey("live", fixed);
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 45 }), fc.constantFrom(...base62), (at, character) => {
        fc.pre(text[at] !== character);
        expect(isWellFormedKey(text.slice(0, at) + character + text.slice(at + 1))).toBe(false);
      }),
    );
  });

  test("a sandbox key passed off as a live one is noticed", () => {
    const { text } = mintKey("test", randomBytes);
    expect(isWellFormedKey(text.replace("ds_test_", "ds_live_"))).toBe(false);
  });

  test.each([
    "",
    "ds_live_",
    "sk_live_abc",
    `ds_live_${"0".repeat(38)}`,
    `${mintKey("live", fixed).text} `,
    "ds_live_é",
  ])("%j is none", (text) => {
    expect(isWellFormedKey(text)).toBe(false);
  });
});
