import { type OpenDatabase, openDatabase, openPool, type PoolOptions } from "../../src/platform/database/database.ts";
import { type FreshDatabase, freshDatabase } from "./database.ts";

/** A fresh database as the program itself opens one, and how to take both away. */
export async function ownDatabase(
  options: Partial<Pick<PoolOptions, "connectionsMax" | "plans">> = {},
): Promise<{ fresh: FreshDatabase; database: OpenDatabase; drop: () => Promise<void> }> {
  const fresh = await freshDatabase();
  const usual = { connectionsMax: 10, applicationName: "dispense test", plans: "ordinary" } as const;
  const database = openDatabase(openPool({ connectionString: fresh.url, ...usual, ...options }));
  return { fresh, database, drop: () => database.close().then(() => fresh.drop()) };
}
