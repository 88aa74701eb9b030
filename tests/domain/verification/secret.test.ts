import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findVerificationSecret } from "../../../src/domain/verification/queries.ts";
import { openVerificationIds } from "../../../src/domain/verification/verification-id.ts";
import type { Database } from "../../../src/platform/database.ts";
import { type FreshDatabase, migrationsDirectory } from "../../support/database.ts";
import { ownDatabase, systemClock } from "../../support/merchants.ts";

let database: Database;
let fresh: FreshDatabase;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ database, fresh, drop } = await ownDatabase());
});

afterAll(() => drop());

async function secret(): Promise<string> {
  return (await findVerificationSecret(database))!.toString("hex");
}

/** As a new deployment's first start does it. */
async function makeAnew(): Promise<void> {
  await fresh.pool.query("drop table deployment_secrets");
  await fresh.pool.query(await readFile(path.join(migrationsDirectory, "0007_verification.sql"), "utf8"));
}

test("each deployment makes a secret of 32 bytes for itself, and no two the same", async () => {
  const secrets = new Set([await secret()]);
  for (let i = 0; i < 5; i++) {
    await makeAnew();
    secrets.add(await secret());
  }
  expect(secrets.size).toBe(6);
  for (const each of secrets) expect(each).toMatch(/^[0-9a-f]{64}$/);
});

test("there is one secret, and no room for another", async () => {
  const another = "insert into deployment_secrets (name, secret) values ($1, sha256('x'))";
  await expect(fresh.pool.query(another, ["verification"])).rejects.toThrow("duplicate key");
  await expect(fresh.pool.query(another, ["other"])).rejects.toThrow("check constraint");
});

test("without its secret the service does not start, rather than accept anything", async () => {
  await fresh.pool.query("delete from deployment_secrets");
  await expect(openVerificationIds({ database, clock: systemClock })).rejects.toThrow("broken promise");
  await makeAnew();
  await expect(openVerificationIds({ database, clock: systemClock })).resolves.toBeDefined();
});
