import { afterAll, beforeAll, expect, test } from "vitest";
import { insertPurchases } from "../../../src/domain/purchases/queries.ts";
import { type Database, openDatabase, openPool } from "../../../src/platform/database.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { fundedWallet, newPurchase, walletKey } from "../../support/wallet.ts";

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  const pool = openPool({ connectionString: fresh.url, connectionsMax: 1, applicationName: "test", plans: "batched" });
  database = openDatabase(pool);
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const key = "p.bucket = $1 and p.merchant_id = $2 and p.mode = $3";
const lookups = {
  purchases_by_reference: `select p.id from purchases p where ${key} and p.reference = $4 and p.reference <> ''`,
  purchases_by_id: `select p.id from purchases p where ${key} and p.id = $4 and p.id > 0`,
  inflight_pkey: `select p.epoch from inflight p where ${key} and p.purchase_id = $4`,
};

/** The indexes that a generic plan reads: what a connection keeps until its next replan. */
async function indexesRead(text: string): Promise<string[]> {
  const rows = await database.query<{ "QUERY PLAN": string }>({ name: "", text: `explain (generic_plan) ${text}` });
  return rows.flatMap((row) => /Index (?:Only )?Scan.* using (\w+)/.exec(row["QUERY PLAN"])?.[1] ?? []);
}

async function expectOwnIndexes(): Promise<void> {
  for (const [index, text] of Object.entries(lookups)) expect(await indexesRead(text)).toEqual([index]);
}

test("a lookup reads its own index whatever the tables hold and the statistics know", async () => {
  await expectOwnIndexes();
  const wallet = await fundedWallet(database, walletKey(1, "live"), 10_000_000_000n);
  for (const [round, count] of [100, 1_000, 4_000].entries()) {
    const purchases = Array.from({ length: count }, (_, i) => newPurchase(wallet, `plan-${round}-${i}`));
    await insertPurchases(database, purchases, "2026-11-20");
    await expectOwnIndexes();
    await fresh.pool.query("analyze");
    await expectOwnIndexes();
  }
});
