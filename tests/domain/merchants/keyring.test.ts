import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import {
  approveMerchant,
  setAllowlist,
  setMerchantStatus,
  switchSandbox,
} from "../../../src/domain/merchants/administration.ts";
import { createKey, revokeKey, rotateKey } from "../../../src/domain/merchants/api-keys.ts";
import { mintKey } from "../../../src/domain/merchants/key-format.ts";
import { type Keyring, openKeyring } from "../../../src/domain/merchants/keyring.ts";
import type { Account } from "../../../src/domain/merchants/merchant.ts";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import { Overloaded } from "../../../src/platform/database/batcher.ts";
import type { Queryable } from "../../../src/platform/database/database.ts";
import { type RevisionWatch, watchRevisions } from "../../../src/platform/revisions.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";

let merchant: RegisteredMerchant;
let now = Date.now();
const clock = { now: () => now };

const own = closing(await ownDatabase());

/** A process of its own: its watch, its memory, and a count of the key lookups it sent. */
class Process {
  lookups = 0;
  broken = false;
  readonly watch: RevisionWatch;
  readonly keyring: Keyring;

  constructor() {
    const database: Queryable = {
      query: (statement, values) => {
        if (this.broken) return Promise.reject(new Error("Connection terminated"));
        if (statement.name === "list_accounts_by_key") this.lookups += 1;
        return own.database.query(statement, values);
      },
    };
    this.watch = watchRevisions({ database, monotonicMs: () => performance.now() });
    this.keyring = openKeyring({ database, watch: this.watch, clock });
  }

  /** What the keyring answers from memory, else undefined. */
  async remembered(key: string): Promise<Account | null | undefined> {
    const before = this.lookups;
    const found = await this.keyring.find(key);
    return this.lookups === before ? found : undefined;
  }
}

let first: Process;
let second: Process;

beforeEach(async () => {
  merchant = await newMerchant(own.database);
  first = new Process();
  second = new Process();
});
afterEach(() => {
  first.watch.stop();
  second.watch.stop();
});

/** Waits until a process answers as expected: whatever is asked a second from now must. */
async function feels(process: Process, key: string, expected: (account: Account | null) => boolean): Promise<boolean> {
  const began = performance.now();
  for (;;) {
    const isLast = performance.now() - began > 1_000;
    if (expected(await process.keyring.find(key))) return true;
    if (isLast) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("an account", () => {
  test("is loaded once and then answered from memory", async () => {
    const loaded = await first.keyring.find(merchant.testKey);
    expect(loaded).toMatchObject({
      principal: { merchantId: merchant.id, mode: "test", priceTier: 1, limits: null },
      status: "active",
      apiApproved: false,
      sandboxOn: true,
      allowlist: [],
    });
    expect(await first.remembered(merchant.testKey)).toEqual(loaded);
    expect(first.lookups).toBe(1);
  });

  test("sought by many at one time is loaded once", async () => {
    await Promise.all(Array.from({ length: 50 }, () => first.keyring.find(merchant.testKey)));
    expect(first.lookups).toBe(1);
  });
});

describe("a key that is none", () => {
  test("for its shape or checksum is refused without a lookup", async () => {
    expect(await first.remembered("ds_test_short")).toBe(null);
    expect(
      await first.remembered(`${merchant.testKey.slice(0, -1)}${merchant.testKey.endsWith("0") ? "1" : "0"}`),
    ).toBe(null);
    expect(first.lookups).toBe(0);
  });

  test("though well-formed, is looked up once and remembered as unknown", async () => {
    const { text } = mintKey("test", randomBytes);
    expect(await first.keyring.find(text)).toBe(null);
    expect(await first.remembered(text)).toBe(null);
    expect(first.lookups).toBe(1);
  });
});

describe("every process feels within a second", () => {
  beforeEach(async () => {
    await first.keyring.find(merchant.testKey);
    await second.keyring.find(merchant.testKey);
  });
  const services = () => ({ database: own.database, clock, randomness: randomBytes });
  const felt = async (key: string, expected: (account: Account | null) => boolean) => {
    for (const process of [first, second]) expect(await feels(process, key, expected)).toBe(true);
  };

  test("a revoked key", async () => {
    const keyId = (await first.keyring.find(merchant.testKey))?.principal.keyId ?? null;
    if (keyId === null) throw new Error("no key");
    await revokeKey(services(), keyId);
    await felt(merchant.testKey, (account) => account === null);
  });

  test("a suspension, and its end", async () => {
    await setMerchantStatus(services(), merchant.id, "suspended");
    await felt(merchant.testKey, (account) => account?.status === "suspended");
    await setMerchantStatus(services(), merchant.id, "active");
    await felt(merchant.testKey, (account) => account?.status === "active");
  });

  test("an allowlist, and its end", async () => {
    await setAllowlist(services(), merchant.id, ["203.0.113.7/24", "2001:db8::1"]);
    await felt(merchant.testKey, (account) => account?.allowlist.length === 2);
    const account = await first.keyring.find(merchant.testKey);
    expect(account?.allowlist.map(({ text }) => text)).toEqual(["203.0.113.0/24", "2001:db8::1/128"]);
    await setAllowlist(services(), merchant.id, []);
    await felt(merchant.testKey, (present) => present?.allowlist.length === 0);
  });

  test("the sandbox switch", async () => {
    await switchSandbox(services(), false);
    try {
      await felt(merchant.testKey, (account) => account?.sandboxOn === false);
    } finally {
      await switchSandbox(services(), true);
    }
    await felt(merchant.testKey, (account) => account?.sandboxOn === true);
  });

  test("an approval, and a new key that was unknown before", async () => {
    await approveMerchant(services(), merchant.id);
    await felt(merchant.testKey, (account) => account?.apiApproved === true);
    const { text } = await createKey(services(), { merchantId: merchant.id, mode: "live", label: "", createdBy: "t" });
    await felt(text, (account) => account?.principal.mode === "live");
  });
});

test("a rotated key ends at its time by the clock, without any change to load", async () => {
  const services = { database: own.database, clock, randomness: randomBytes };
  const keyId = (await first.keyring.find(merchant.testKey))?.principal.keyId ?? null;
  if (keyId === null) throw new Error("no key");
  await rotateKey(services, { keyId, grace: "1h", createdBy: "a test" });
  await first.watch.refresh();
  expect(await first.keyring.find(merchant.testKey)).not.toBe(null);
  now += 3_600_000;
  expect(await first.remembered(merchant.testKey)).toBe(null);
});

test("nothing remembered is used once the database was silent for a second, and nobody is let in on a guess", async () => {
  await first.keyring.find(merchant.testKey);
  first.broken = true;
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await expect(first.keyring.find(merchant.testKey)).rejects.toThrow(/Connection terminated/);
  first.broken = false;
  expect(await first.keyring.find(merchant.testKey)).not.toBe(null);
});

test("those that seek a key have a bound while the database says nothing: one more is refused at once", async () => {
  const never = () => new Promise<void>(() => {});
  const silent: RevisionWatch = { known: () => null, refresh: never, refreshAnew: never, stop: () => {} };
  const keyring = openKeyring({ database: own.database, watch: silent, clock });
  const seek = () => Promise.resolve(keyring.find(mintKey("test", randomBytes).text));
  for (let n = 0; n < 20_000; n++) void seek();
  await expect(seek()).rejects.toThrow(Overloaded);
});

test("more than fifty address ranges, and one that is none, are refused and change nothing", async () => {
  const services = { database: own.database, clock };
  await setAllowlist(services, merchant.id, ["203.0.113.7"]);
  const many = Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`);
  await expect(setAllowlist(services, merchant.id, many)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(setAllowlist(services, merchant.id, ["localhost"])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect((await first.keyring.find(merchant.testKey))?.allowlist).toHaveLength(1);
  expect(await setAllowlist(services, merchant.id, [...many.slice(0, 50), "10.0.0.1"])).toHaveLength(50);
});

test("what may be an older script's token is looked up once, and a text that is none, or a bent key of ours, never", async () => {
  const olderToken = randomBytes(20).toString("hex");
  expect(await first.keyring.find(olderToken)).toBeNull();
  expect(first.lookups).toBe(1);
  expect(await first.remembered(olderToken)).toBeNull();
  const bent = `${mintKey("live", randomBytes).text.slice(0, -1)}!`;
  for (const text of ["short", "with a blank in it, and long enough", `ü${olderToken}`, "x".repeat(201), bent]) {
    expect(await first.remembered(text), text).toBeNull();
  }
});
