import { randomBytes } from "node:crypto";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { createMerchants } from "../../src/domain/onboarding/create-merchants.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { openDatabase, openPool } from "../../src/platform/database/database.ts";
import { type FreshDatabase, freshDatabase } from "./database.ts";

export const systemClock = { now: () => Date.now() };

/** A fresh database as the program itself opens one, and how to take both away. */
export async function ownDatabase(): Promise<{ fresh: FreshDatabase; database: Database; drop: () => Promise<void> }> {
  const fresh = await freshDatabase();
  const pool = openPool({
    connectionString: fresh.url,
    connectionsMax: 10,
    applicationName: "dispense test",
    plans: "ordinary",
  });
  const database = openDatabase(pool);
  return { fresh, database, drop: () => database.close().then(() => fresh.drop()) };
}

/** A merchant with its keys and wallets. */
export async function newMerchant(database: Database, wish: { approved?: boolean } = {}): Promise<RegisteredMerchant> {
  const created: RegisteredMerchant[] = [];
  await createMerchants(
    { database, clock: systemClock, randomness: randomBytes },
    {
      name: "Ada's Airtime",
      email: "ada@example.com",
      count: 1,
      approved: wish.approved ?? false,
      credit: null,
      testCredit: null,
      createdBy: "a test",
    },
    (merchants) => created.push(...merchants),
  );
  const [merchant] = created;
  if (merchant === undefined) throw new Error("no merchant was created");
  return merchant;
}
