import { readFile } from "node:fs/promises";
import { StartError } from "../kernel/start-error.ts";
import type { Config } from "../main/configuration/config.ts";
import type { DatabaseAddresses } from "../main/prepare-database.ts";
import type { OpenDatabase } from "../platform/database/database.ts";
import { openDatabase, openPool } from "../platform/database/database.ts";
import { isConnectionLost } from "../platform/database/database-errors.ts";
import { connectionFile, serviceAddress } from "../platform/embedded-postgres/embedded-postgres.ts";

/**
 * The database of `DATABASE_URL`, else that of the service which runs on the data directory. Connects at the first
 * statement. @throws StartError when there is neither
 */
export async function openOperatorDatabase(config: Config): Promise<OpenDatabase> {
  const connectionString = await operatorConnection(config);
  const pool = openPool({
    connectionString,
    connectionsMax: 2,
    // A command may read hundreds of thousands of rows beside each other, or be busy with them while it connects.
    connectionSecondsMax: 30,
    applicationName: "dispense operator",
    plans: "ordinary",
  });
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    if (!isConnectionLost(error)) throw new StartError(`The database refused: ${(error as Error).message}.`);
    throw new StartError(
      config.databaseUrl === null
        ? `The service on ${config.dataDirectory} does not answer: start it again with npm start.`
        : "No database answers at DATABASE_URL: check the address and that the server runs.",
      { cause: error },
    );
  }
  return openDatabase(pool);
}

/** `DATABASE_URL`, else where the service that runs on the data directory keeps its own. @throws StartError */
export async function operatorConnection(config: Config): Promise<string> {
  return (await databaseAddresses(config)).connectionString;
}

/** The same for both roles. @throws StartError */
export async function databaseAddresses(config: Config): Promise<DatabaseAddresses> {
  const { databaseUrl, migrationsDatabaseUrl: migrationsConnectionString } = config;
  if (databaseUrl !== null) return { connectionString: databaseUrl, migrationsConnectionString };
  const connectionString = await readConnection(config.dataDirectory);
  return { connectionString: serviceAddress(connectionString), migrationsConnectionString: connectionString };
}

async function readConnection(dataDirectory: string): Promise<string> {
  const file = connectionFile(dataDirectory);
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === "ENOENT" || code === "ENOTDIR"
        ? `No service runs on ${dataDirectory} and DATABASE_URL is not set: start one with npm start, or set DATA_DIR or DATABASE_URL.`
        : `The file ${file} can't be read (${code}): run this as the user who runs the service.`,
      { cause: error },
    );
  }
}
