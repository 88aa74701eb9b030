import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StartError } from "../../src/kernel/start-error.ts";
import {
  addOwnEncryptionKey,
  encryptionKeyFile,
  ownEncryptionKeys,
  parseEncryptionKey,
  presentEncryptionKeys,
} from "../../src/platform/sealing/encryption-key.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "dispense-key-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("a key of the service's own", () => {
  test("is made once, for its user alone, and found again by every later start", async () => {
    const directory = path.join(folder, "new", "data");
    const made = await ownEncryptionKeys(directory);
    expect(made).toEqual({ keys: [expect.any(Buffer)], file: path.join(directory, "encryption-key"), isNew: true });
    expect(made.keys[0]).toHaveLength(32);
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    expect(readFileSync(made.file, "utf8")).toBe(`${made.keys[0].toString("base64")}\n`);
    expect(await ownEncryptionKeys(directory)).toEqual({ ...made, isNew: false });
  });

  test("is the same for processes that start at one time, and no draft is left", async () => {
    const found = await Promise.all(Array.from({ length: 20 }, () => ownEncryptionKeys(folder)));
    expect(new Set(found.map(({ keys }) => keys[0].toString("hex"))).size).toBe(1);
    expect(found.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(["encryption-key"]);
  });

  test.each(["", "not a key", "A".repeat(42)])(
    "is never made over a file that holds %j: what it sealed would be lost",
    async (text) => {
      writeFileSync(encryptionKeyFile(folder), text);
      await expect(ownEncryptionKeys(folder)).rejects.toThrow(StartError);
      expect(readFileSync(encryptionKeyFile(folder), "utf8")).toBe(text);
    },
  );

  test("gets another before it, and the file is its user's alone still", async () => {
    const directory = path.join(folder, "several");
    const { isNew: _isNew, ...made } = await ownEncryptionKeys(directory);
    const { keys: before, file } = made;
    await addOwnEncryptionKey(directory, made);
    const { keys } = await ownEncryptionKeys(directory);
    expect([keys.length, keys[1]]).toEqual([2, before[0]]);
    expect(keys[0]?.equals(before[0])).toBe(false);
    expect([statSync(file).mode & 0o777, readdirSync(directory)]).toEqual([0o600, ["encryption-key"]]);
  });

  test("that can't be put before the others leaves no copy of them beside the file", async () => {
    const { keys, file } = await ownEncryptionKeys(folder);
    rmSync(file);
    mkdirSync(file);
    await expect(addOwnEncryptionKey(folder, { keys, file })).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["encryption-key"]);
  });

  test("is there or is not for who only looks, and looking makes nothing", async () => {
    const directory = path.join(folder, "not-there");
    expect(await presentEncryptionKeys(directory)).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    const { isNew: _isNew, ...made } = await ownEncryptionKeys(directory);
    expect(await presentEncryptionKeys(directory)).toEqual(made);
    writeFileSync(made.file, "not a key");
    await expect(presentEncryptionKeys(directory)).rejects.toThrow(StartError);
  });

  test("that can't be written is one sentence", async () => {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    await expect(ownEncryptionKeys(file)).rejects.toThrow(StartError);
  });
});

describe("a key as text", () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));

  test("is base64 of 32 bytes, with padding or without", () => {
    expect(parseEncryptionKey(text)).toEqual(key);
    expect(parseEncryptionKey(text.replace(/=+$/, ""))).toEqual(key);
  });

  const text = key.toString("base64");
  const others = [
    "",
    key.toString("hex"),
    key.toString("base64url"),
    `${text}AAAA`,
    text.slice(0, -3),
    ` ${text}`,
    "correct horse battery staple",
  ];
  test.each(others)("%j is no key", (other) => {
    expect(parseEncryptionKey(other)).toBeNull();
  });
});
