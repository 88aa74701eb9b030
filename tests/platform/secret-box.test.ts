import { createDecipheriv, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { keyIdOf, secretBox, Unopenable } from "../../src/platform/sealing/secret-box.ts";

const key = randomBytes(32);
const box = secretBox([key]);
const place = "webhook_endpoints/17";

describe("a secret box", () => {
  test("gives back what it sealed, in any alphabet and of any length", () => {
    for (const secret of ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "", "Ọlá 🔑 \0", "x".repeat(100_000)]) {
      expect(box.open(box.seal(secret, place), place)).toBe(secret);
    }
  });

  test("seals one text differently each time, and shows nothing of it", () => {
    const sealed = Array.from({ length: 100 }, () => box.seal("whsec_secret", place));
    expect(new Set(sealed).size).toBe(100);
    expect(new Set(sealed.map((text) => text.length)).size).toBe(1);
    for (const text of sealed) {
      expect(text).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
      expect(Buffer.from(text.split(".")[2] ?? "", "base64url").includes("secret")).toBe(false);
    }
  });

  test("draws each text's data key and every nonce anew: one that comes twice gives its secrets away", () => {
    const sealed = Array.from({ length: 100 }, () =>
      Buffer.from(box.seal("x", place).split(".")[2] ?? "", "base64url"),
    );
    const dataKeys = sealed.map((bytes) =>
      createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12))
        .setAAD(Buffer.from(place))
        .update(bytes.subarray(12, 44))
        .toString("hex"),
    );
    const nonces = sealed.flatMap((bytes) => [bytes.subarray(0, 12), bytes.subarray(60, 72)]);
    expect(new Set(dataKeys).size).toBe(100);
    expect(new Set(nonces.map((nonce) => nonce.toString("hex"))).size).toBe(200);
  });

  test("opens only for the row that it was sealed for", () => {
    const sealed = box.seal("secret", place);
    for (const other of ["webhook_endpoints/1", "webhook_endpoints/170", "", "vouchers/17"]) {
      expect(() => box.open(sealed, other)).toThrow(Unopenable);
    }
  });

  test("notices every changed bit, and every missing byte", () => {
    const sealed = box.seal("secret", place);
    const [version, keyId, text = ""] = sealed.split(".");
    const bytes = Buffer.from(text, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => box.open([version, keyId, changed.toString("base64url")].join("."), place)).toThrow(Unopenable);
    }
    for (let length = 0; length < bytes.length; length++) {
      const short = bytes.subarray(0, length).toString("base64url");
      expect(() => box.open(`v1.${keyId}.${short}`, place)).toThrow(Unopenable);
    }
  });

  test("names the key that is missing, and never the secret", () => {
    const other = randomBytes(32);
    const sealed = secretBox([other]).seal("secret", place);
    expect(() => box.open(sealed, place)).toThrow(`sealed under key ${keyIdOf(other)}, which this service lacks`);
    for (const text of ["", "secret", "v2.00000000.AAAA", "v1.zz.AAAA"]) {
      expect(() => box.open(text, place)).toThrow(Unopenable);
    }
  });

  test("with a new key put before the old one, opens what either sealed and seals under the new one", () => {
    const newKey = randomBytes(32);
    const both = secretBox([newKey, key]);
    expect(both.open(box.seal("old", place), place)).toBe("old");
    const sealed = both.seal("new", place);
    expect(sealed).toContain(`.${keyIdOf(newKey)}.`);
    expect(secretBox([newKey]).open(sealed, place)).toBe("new");
    expect(() => box.open(sealed, place)).toThrow(Unopenable);
  });

  test("refuses to be made without a key of 32 bytes", () => {
    expect(() => secretBox([])).toThrow(/has a key/);
    expect(() => secretBox([key, randomBytes(16)])).toThrow(/32 bytes/);
  });
});

test("a secret moves to the key that seals at present, as it is, and is left alone there", () => {
  const both = secretBox([newKeyOf(1), newKeyOf(2)]);
  const sealed = both.seal("secret", place);
  expect(both.rewrap(sealed, place)).toBeNull();
  expect([both.sealUnder(keyIdOf(newKeyOf(3))), both.sealUnder(keyIdOf(newKeyOf(2)))]).toEqual([false, true]);
  const moved = both.rewrap(sealed, place) ?? "";
  expect(secretBox([newKeyOf(2)]).open(moved, place)).toBe("secret");
  expect(() => secretBox([newKeyOf(1)]).open(moved, place)).toThrow(Unopenable);
  expect(() => both.rewrap(sealed, "elsewhere/1")).toThrow(Unopenable);
  expect(secretBox([newKeyOf(2)]).open(both.seal("next", place), place)).toBe("next");
});

function newKeyOf(byte: number): Buffer {
  return Buffer.alloc(32, byte);
}
