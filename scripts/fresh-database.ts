import { loadStartingCatalogue } from "../src/domain/catalogue/starting/starting-catalogue.ts";
import { listMerchants } from "../src/domain/merchants/queries.ts";
import { readRouteTable } from "../src/domain/suppliers/routing/route-table.ts";
import { StartError } from "../src/kernel/start-error.ts";
import { loadEnvironment, readConfig } from "../src/main/configuration/config.ts";
import { demoMerchantEmail } from "../src/main/welcome.ts";
import { holdDirectory, projectRoot } from "../src/platform/data-directory/data-directory.ts";
import { type Database, openDatabase, openPool } from "../src/platform/database/database.ts";
import { migrate } from "../src/platform/database/migrate.ts";
import { startEmbeddedPostgres } from "../src/platform/embedded-postgres/embedded-postgres.ts";

// npm run db:fresh: empties the database, migrates it and loads the starting catalogue. For development.

async function main(): Promise<void> {
  const config = readConfig(loadEnvironment());
  const isConfirmed = process.argv.includes("--yes");
  if (config.databaseUrl !== null && !isConfirmed) {
    throw new StartError("DATABASE_URL is set: everything in that database will be deleted. Repeat with -- --yes.");
  }
  const hold = config.databaseUrl === null ? await holdDirectory(config.dataDirectory) : null;
  const postgres =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDirectory: config.dataDirectory, log: () => {} })
      : null;
  // Connects as the role that owns everything. The role that serves gets its rights at the next start.
  const connectionString = config.migrationsDatabaseUrl ?? config.databaseUrl ?? postgres?.connectionString ?? "";
  const pool = openPool({ connectionString, connectionsMax: 2, applicationName: "db:fresh", plans: "ordinary" });
  const database = openDatabase(pool);
  try {
    if (!isConfirmed && (await isInUse(database))) {
      throw new StartError(
        `The database in ${config.dataDirectory} has merchants or suppliers of yours: everything in it will be deleted. ` +
          "Repeat with -- --yes.",
      );
    }
    await pool.query("drop schema public cascade; create schema public");
    await migrate({ pool, directory: `${projectRoot()}/migrations`, log: (message) => console.log(message) });
    const added = await loadStartingCatalogue(database);
    const place = config.databaseUrl === null ? `in ${config.dataDirectory}` : "of DATABASE_URL";
    console.log(`The database ${place} is empty but for ${added} products.`);
  } finally {
    await pool.end();
    await postgres?.stop();
    await hold?.release();
  }
}

/** Whether somebody would miss what is there: suppliers, or merchants besides the one that every first start makes. */
async function isInUse(database: Database): Promise<boolean> {
  try {
    const merchants = await listMerchants(database, 0, 2);
    if (merchants.length > 1 || merchants.some(({ email }) => email !== demoMerchantEmail)) return true;
    return (await readRouteTable(database)).suppliers.length > 0;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "42P01") return false; // undefined_table: never set up
    if (code === "42703") return true; // undefined_column: of another release, so nobody can tell
    throw error;
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
});
