import type { Database } from "../../src/platform/database/database.ts";
import { openDatabase, openPool } from "../../src/platform/database/database.ts";
import { type FreshDatabase, freshDatabase } from "./database.ts";

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
