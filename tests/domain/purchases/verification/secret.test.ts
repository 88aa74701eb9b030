import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../../rigs/base/merchants.ts";
import { findVerificationSalt } from "../../../../src/domain/purchases/deployment/deployment-queries.ts";
import { openVerificationIds } from "../../../../src/domain/purchases/verification/verification-id.ts";
import type { MerchantId } from "../../../../src/kernel/ids.ts";
import { keyIdOf, secretBox } from "../../../../src/platform/sealing/secret-box.ts";
import { refused } from "../../../categories/ask.ts";
import { closing } from "../../../support/closing.ts";
import { migrationsDirectory } from "../../../support/database.ts";
import { ownDatabase } from "../../../support/merchants.ts";

const { database, fresh } = closing(await ownDatabase());
const box = secretBox([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
const number = {
  merchantId: 17 as MerchantId,
  mode: "live",
  category: "electricity",
  billerSlug: "eko-electric",
  customerRef: "45012345678",
} as const;

async function secret(): Promise<string> {
  return (await findVerificationSalt(database))!.toString("hex");
}

/** As a new deployment's first start does it: by the statement of the migration that makes the table. */
async function makeAnew(): Promise<void> {
  const migration = await readFile(path.join(migrationsDirectory, "0001_platform.sql"), "utf8");
  const [insert] = /^insert into deployment_secrets [^;]+;/m.exec(migration)!;
  await fresh.pool.query("delete from deployment_secrets");
  await fresh.pool.query(insert);
}

test("each deployment makes a salt of 32 bytes for itself, and no two the same", async () => {
  const secrets = new Set([await secret()]);
  for (let i = 0; i < 5; i++) {
    await makeAnew();
    secrets.add(await secret());
  }
  expect(secrets.size).toBe(6);
  for (const each of secrets) expect(each).toMatch(/^[0-9a-f]{64}$/);
});

test("there is one salt, and no room for another", async () => {
  const another = "insert into deployment_secrets (name, secret) values ($1, sha256('x'))";
  await expect(fresh.pool.query(another, ["verification"])).rejects.toThrow("duplicate key");
  await expect(fresh.pool.query(another, ["other"])).rejects.toThrow("check constraint");
});

test("without its salt the service does not start, rather than accept anything", async () => {
  await fresh.pool.query("delete from deployment_secrets");
  await expect(openVerificationIds({ database, secretBox: box, clock: systemClock })).rejects.toThrow("broken promise");
  await makeAnew();
  await expect(openVerificationIds({ database, secretBox: box, clock: systemClock })).resolves.toBeDefined();
});

test("who has the database and not the encryption key makes no id, and a rotation of keys ends none", async () => {
  const open = (keys: readonly Buffer[]) =>
    openVerificationIds({ database, secretBox: secretBox(keys), clock: systemClock });
  const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const { id } = (await open([first])).issue(number);
  const accepts = async (keys: readonly Buffer[]) => {
    const ids = await open(keys);
    return refused(() => ids.check(number, id));
  };
  expect([await accepts([first]), await accepts([second, first]), await accepts([second])]).toEqual([
    "accepted",
    "accepted",
    "VERIFICATION_EXPIRED",
  ]);
});

test("an id is signed under the key that the database says seals, whichever comes first", async () => {
  const rotating = secretBox([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]);
  rotating.sealUnder(keyIdOf(Buffer.alloc(32, 1)));
  const { id } = (await openVerificationIds({ database, secretBox: rotating, clock: systemClock })).issue(number);
  const lagging = secretBox([Buffer.alloc(32, 1)]);
  (await openVerificationIds({ database, secretBox: lagging, clock: systemClock })).check(number, id);
});
