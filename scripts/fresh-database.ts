// npm run db:fresh: empties the database, migrates it and loads the starting catalogue. For development.
import { loadStartingCatalogue } from "../src/domain/catalogue/starting-catalogue.ts";
import { StartError } from "../src/kernel/start-error.ts";
import { readConfig } from "../src/main/config.ts";
import { openDatabase, openPool } from "../src/platform/database.ts";
import { holdDirectory } from "../src/platform/directory-lock.ts";
import { startEmbeddedPostgres } from "../src/platform/embedded-postgres.ts";
import { migrate } from "../src/platform/migrate.ts";

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.databaseUrl !== null && !process.argv.includes("--yes")) {
    throw new StartError("DATABASE_URL is set: everything in that database will be deleted. Repeat with -- --yes.");
  }
  const hold = config.databaseUrl === null ? await holdDirectory(config.dataDirectory) : null;
  const postgres =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDirectory: config.dataDirectory, log: () => {} })
      : null;
  const connectionString = config.databaseUrl ?? postgres?.connectionString ?? "";
  const pool = openPool({ connectionString, connectionsMax: 2, applicationName: "db:fresh", plans: "ordinary" });
  try {
    await pool.query("drop schema public cascade; create schema public");
    await migrate({ pool, directory: "migrations", log: (message) => console.log(message) });
    const added = await loadStartingCatalogue(openDatabase(pool));
    console.log(`The database is empty but for ${added} products.`);
  } finally {
    await pool.end();
    await postgres?.stop();
    await hold?.release();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
});
