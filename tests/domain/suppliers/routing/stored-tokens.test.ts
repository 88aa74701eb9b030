import { expect, test } from "vitest";
import { openTokenStore } from "../../../../src/domain/suppliers/balances.ts";
import { encryptionKeyBytes, secretBox } from "../../../../src/platform/sealing/secret-box.ts";
import type { AccessToken } from "../../../../src/providers/access-token.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";

const own = closing(await ownDatabase());
await own.fresh.pool.query(
  `insert into suppliers (name, connector, settings)
   values ('far', 'reloadly', '{}'), ('near', 'reloadly', '{}')`,
);

const keyOf = (byte: number) => Buffer.alloc(encryptionKeyBytes, byte);
/** A process's store: the database is the deployment's. */
const storeUnder = (...keys: readonly number[]) =>
  openTokenStore({ database: () => own.database, secretBox: secretBox(keys.map(keyOf)) });

const tokenOf = (token: string): AccessToken => ({ token, expiresAt: 1_795_000_000_000, account: "CANARY-account" });

async function stored(supplier: string, audience: string): Promise<string | undefined> {
  const { rows } = await own.fresh.pool.query(
    "select sealed from supplier_tokens where supplier = $1 and audience = $2",
    [supplier, audience],
  );
  return rows[0]?.sealed as string | undefined;
}

test("a token that one process stored, another finds whole, and a later one replaces it", async () => {
  expect(await storeUnder(1).find("far", "cards")).toBeNull();
  await storeUnder(1).save("far", "cards", tokenOf("CANARY-1"));
  expect(await storeUnder(1).find("far", "cards")).toEqual(tokenOf("CANARY-1"));
  await storeUnder(1).save("far", "cards", tokenOf("CANARY-2"));
  expect(await storeUnder(1).find("far", "cards")).toEqual(tokenOf("CANARY-2"));
});

test("suppliers and their parts do not find each other's tokens", async () => {
  await storeUnder(1).save("far", "airtime", tokenOf("CANARY-far-airtime"));
  await storeUnder(1).save("near", "airtime", tokenOf("CANARY-near-airtime"));
  await storeUnder(1).save("near", "", tokenOf("CANARY-near"));
  expect(await storeUnder(1).find("far", "airtime")).toEqual(tokenOf("CANARY-far-airtime"));
  expect(await storeUnder(1).find("near", "airtime")).toEqual(tokenOf("CANARY-near-airtime"));
  expect(await storeUnder(1).find("near", "")).toEqual(tokenOf("CANARY-near"));
  expect(await storeUnder(1).find("far", "")).toBeNull();
});

test("what is stored tells neither the token nor the account, and is never the same twice", async () => {
  await storeUnder(1).save("far", "sealed", tokenOf("CANARY-token"));
  const first = await stored("far", "sealed");
  await storeUnder(1).save("far", "sealed", tokenOf("CANARY-token"));
  const second = await stored("far", "sealed");
  for (const sealed of [first, second]) {
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
    expect(sealed).not.toContain("CANARY");
    expect(Buffer.from(sealed!.split(".")[2]!, "base64url").toString("latin1")).not.toContain("CANARY");
  }
  expect(first).not.toBe(second);
});

test("a token that no longer opens is none, and the next one takes its place", async () => {
  await storeUnder(1).save("far", "rotated", tokenOf("CANARY-1"));
  expect(await storeUnder(2).find("far", "rotated")).toBeNull();
  await storeUnder(2).save("far", "rotated", tokenOf("CANARY-2"));
  expect(await storeUnder(1).find("far", "rotated")).toBeNull();
  expect(await storeUnder(1, 2).find("far", "rotated")).toEqual(tokenOf("CANARY-2"));
});

test("a token that somebody put in another's place, or changed, is none", async () => {
  await storeUnder(1).save("far", "moved", tokenOf("CANARY-far"));
  await storeUnder(1).save("near", "moved", tokenOf("CANARY-near"));
  const theirs = await stored("near", "moved");
  const put = (sealed: string) =>
    own.fresh.pool.query("update supplier_tokens set sealed = $1 where supplier = 'far' and audience = 'moved'", [
      sealed,
    ]);
  await put(theirs!);
  expect(await storeUnder(1).find("far", "moved")).toBeNull();
  await put("no sealed text");
  expect(await storeUnder(1).find("far", "moved")).toBeNull();
});

test("for a supplier that is not stored, as a command tries one out, nothing is kept", async () => {
  await storeUnder(1).save("nobody", "cards", tokenOf("CANARY"));
  expect(await storeUnder(1).find("nobody", "cards")).toBeNull();
  expect(await stored("nobody", "cards")).toBeUndefined();
});

test("while the database is away it says so, and what was stored is found again afterwards", async () => {
  await storeUnder(1).save("far", "away", tokenOf("CANARY-1"));
  const away = openTokenStore({
    database: () => ({ query: () => Promise.reject(new Error("away")) }) as never,
    secretBox: secretBox([keyOf(1)]),
  });
  await expect(away.find("far", "away")).rejects.toThrow("away");
  await expect(away.save("far", "away", tokenOf("CANARY-2"))).rejects.toThrow("away");
  expect(await storeUnder(1).find("far", "away")).toEqual(tokenOf("CANARY-1"));
});
