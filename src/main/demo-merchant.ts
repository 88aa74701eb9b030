import { randomBytes } from "node:crypto";
import { createMerchants } from "../domain/members/new-merchants/create-merchants.ts";
import { listMerchants } from "../domain/merchants/queries.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../platform/database/database.ts";
import { lockFirstStart } from "../platform/database/migrate.ts";

/** The demo merchant is recognised by this email address, which belongs to nobody. */
export const demoMerchantEmail = "demo@example.com";

/**
 * Creates a merchant to try the sandbox with, where there is no merchant at all. Never in production.
 * @returns its sandbox key, which cannot be read again; null where merchants exist
 */
export function createDemoMerchant(database: Database, clock: Clock): Promise<string | null> {
  // The lock is held while another connection creates the merchant: a second process that starts meanwhile sees it.
  return database.transaction(async (tx) => {
    await lockFirstStart(tx);
    return (await listMerchants(tx, 0, 1)).length > 0 ? null : createOne(database, clock);
  });
}

async function createOne(database: Database, clock: Clock): Promise<string | null> {
  let testKey: string | null = null;
  await createMerchants(
    { database, clock, randomness: randomBytes },
    {
      name: "Demo merchant",
      email: demoMerchantEmail,
      count: 1,
      approved: false,
      credit: null,
      testCredit: null,
      createdBy: "first start",
    },
    ([merchant]) => {
      testKey = merchant?.testKey ?? null;
    },
  );
  return testKey;
}
