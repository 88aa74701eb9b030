import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { newMerchant } from "../../../rigs/base/merchants.ts";
import { approveMerchant } from "../../../src/domain/merchants/administration.ts";
import { createKey, revokeKey, rotateKey } from "../../../src/domain/merchants/api-keys.ts";
import { listApiKeys } from "../../../src/domain/merchants/key-queries.ts";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import type { ApiKeyId, MerchantId } from "../../../src/kernel/ids.ts";
import type { Mode } from "../../../src/kernel/mode.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";

let merchant: RegisteredMerchant;
let now = Date.parse("2026-11-20T12:00:00Z");

const own = closing(await ownDatabase());
const services = { database: own.database, clock: { now: () => now }, randomness: randomBytes };
beforeEach(async () => {
  merchant = await newMerchant(own.database, { approved: true });
});

const create = (mode: Mode = "test", merchantId: MerchantId = merchant.id) =>
  createKey(services, { merchantId, mode, label: "till", createdBy: "a test" });

async function fillUp(mode: Mode = "test"): Promise<ApiKeyId[]> {
  const ids: ApiKeyId[] = [];
  for (let i = 0; i < 4; i++) ids.push((await create(mode)).id);
  return ids;
}

const active = async (mode: Mode) =>
  (await listApiKeys(own.database, merchant.id)).filter((key) => key.mode === mode && key.revoked_at === null).length;

const revision = async () =>
  (await own.fresh.pool.query("select revision from revisions where subject = 'merchants'")).rows[0].revision;

describe("five active keys of a mode", () => {
  test("are the most an account can have, for each mode of its own", async () => {
    await fillUp("test");
    await expect(create("test")).rejects.toMatchObject({ code: "KEY_LIMIT_REACHED" });
    await fillUp("live");
    await expect(create("live")).rejects.toMatchObject({ code: "KEY_LIMIT_REACHED" });
    expect([await active("test"), await active("live")]).toEqual([5, 5]);
  });

  test("stay five when twenty are asked for at one time", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => create("test")));
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(refused).toEqual(Array(16).fill("KEY_LIMIT_REACHED")); // each told so, none run into another one
    expect(await active("test")).toBe(5);
  });

  test("are held by the database, also against a program that forgets to ask", async () => {
    const insert = (slot: number) =>
      own.fresh.pool.query(
        `insert into api_keys (merchant_id, mode, slot, hash, first_characters, last_characters, created_by, created_at)
         values ($1, 'test', $2, $3, 'abcd', 'efgh', 'a test', now())`,
        [merchant.id, slot, randomBytes(32)],
      );
    await expect(insert(1)).rejects.toThrow(/api_keys_five_active/);
    await expect(insert(6)).rejects.toThrow(/api_keys_slot_check/);
  });

  test("count no revoked key", async () => {
    const [first] = await fillUp();
    await revokeKey(services, first as ApiKeyId);
    await create();
    expect(await active("test")).toBe(5);
  });

  test("count no expired key, though nobody revoked it", async () => {
    const ids = await fillUp();
    await revokeKey(services, ids[0] as ApiKeyId);
    await rotateKey(services, { keyId: ids[1] as ApiKeyId, grace: "1h", createdBy: "a test" });
    await expect(create()).rejects.toMatchObject({ code: "KEY_LIMIT_REACHED" });
    now += 3_600_000;
    await create();
    await expect(create()).rejects.toMatchObject({ code: "KEY_LIMIT_REACHED" });
  });
});

describe("a rotation", () => {
  test.each([
    ["1h", 3_600_000],
    ["24h", 86_400_000],
    ["7d", 604_800_000],
  ] as const)("with a grace of %s ends the old key then, and takes a slot meanwhile", async (grace, ms) => {
    const old = await create();
    const fresh = await rotateKey(services, { keyId: old.id, grace, createdBy: "a test" });
    const rows = await listApiKeys(own.database, merchant.id);
    expect(rows.find(({ id }) => id === old.id)).toMatchObject({ expires_at: now + ms, revoked_at: null });
    expect(rows.find(({ id }) => id === fresh.id)).toMatchObject({ label: "till", expires_at: null, mode: "test" });
    expect(await active("test")).toBe(3);
  });

  test("without a grace works with five keys, as the old one's slot becomes free", async () => {
    const [first] = await fillUp();
    await rotateKey(services, { keyId: first as ApiKeyId, grace: "0", createdBy: "a test" });
    expect(await active("test")).toBe(5);
    await expect(
      rotateKey(services, { keyId: first as ApiKeyId, grace: "0", createdBy: "a test" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("with a grace is refused with five keys, and leaves the old one as it was", async () => {
    const [first] = await fillUp();
    const rotation = rotateKey(services, { keyId: first as ApiKeyId, grace: "7d", createdBy: "a test" });
    await expect(rotation).rejects.toMatchObject({ code: "KEY_LIMIT_REACHED" });
    const row = (await listApiKeys(own.database, merchant.id)).find(({ id }) => id === first);
    expect(row).toMatchObject({ expires_at: null, revoked_at: null });
  });

  test("never makes a key live longer than it would have", async () => {
    const old = await create();
    await rotateKey(services, { keyId: old.id, grace: "1h", createdBy: "a test" });
    await rotateKey(services, { keyId: old.id, grace: "7d", createdBy: "a test" });
    const row = (await listApiKeys(own.database, merchant.id)).find(({ id }) => id === old.id);
    expect(row?.expires_at).toBe(now + 3_600_000);
  });
});

describe("a key", () => {
  test("for live mode needs the approval, one for the sandbox doesn't", async () => {
    const unapproved = await newMerchant(own.database);
    expect(unapproved.liveKey).toBe(null);
    await expect(create("live", unapproved.id)).rejects.toMatchObject({ code: "API_ACCESS_NOT_APPROVED" });
    await create("test", unapproved.id);
    await approveMerchant(services, unapproved.id);
    expect((await create("live", unapproved.id)).text).toMatch(/^ds_live_/);
  });

  test("is stored as a hash: neither its text nor a part to guess it by is in the row", async () => {
    const key = await create();
    const { rows } = await own.fresh.pool.query("select k::text as text from api_keys k where id = $1", [key.id]);
    expect(rows[0].text).not.toContain(key.text.slice(12, 24));
    expect(rows[0].text).toContain(key.text.slice(8, 12));
  });

  test("that is unknown, or its merchant, is not found", async () => {
    await expect(create("test", 999_999 as MerchantId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(revokeKey(services, 999_999 as ApiKeyId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("that is made, rotated or revoked makes every process reload", async () => {
    const before = await revision();
    const { id } = await create();
    const afterCreate = await revision();
    const rotated = await rotateKey(services, { keyId: id, grace: "1h", createdBy: "a test" });
    const afterRotate = await revision();
    await revokeKey(services, rotated.id);
    expect(new Set([before, afterCreate, afterRotate, await revision()]).size).toBe(4);
  });
});
