import type { Command } from "commander";
import { StartError } from "../../kernel/start-error.ts";
import type { Config } from "../../main/configuration/config.ts";
import { prepareDatabase } from "../../main/prepare-database.ts";
import { holdDirectory, projectRoot } from "../../platform/data-directory/data-directory.ts";
import { failureToSetUp } from "../../platform/database/reach-database.ts";
import {
  connectionFile,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../platform/embedded-postgres/embedded-postgres.ts";
import { openLog } from "../../platform/telemetry/log.ts";
import { databaseAddresses } from "../connection.ts";
import { interruptible, type Work } from "../operator-command.ts";
import { asJson, type JsonOption, printJson, printLine, printWarning } from "../printing.ts";

/** Runs a command that needs the settings and no database that answers. */
export type WithSettings = (work: Work<Config>) => Promise<void>;

/** Commands about the database as such, whatever is in it. */
export function addDatabaseCommands(program: Command, withSettings: WithSettings): void {
  program
    .command("run-database")
    .description(
      "the embedded PostgreSQL alone, until Ctrl-C: nobody buys, sends or migrates; to restore a backup into",
    )
    .option(...asJson)
    .action((options: JsonOption) => withSettings((config) => runDatabase(config, options)));
  program
    .command("migrate")
    .description("bring the database to this checkout's tables and functions, as a start does, without starting")
    .option(...asJson)
    .action((options: JsonOption) => withSettings((config) => migrateDatabase(config, options)));
}

async function migrateDatabase(config: Config, { json }: JsonOption): Promise<void> {
  const addresses = await databaseAddresses(config);
  const setUpAt = addresses.migrationsConnectionString ?? addresses.connectionString;
  const files = await prepareDatabase(addresses, `${projectRoot()}/migrations`, openLog({ level: "silent" })).catch(
    (error: unknown) => {
      throw failureToSetUp(error, setUpAt);
    },
  );
  if (json) printJson({ files });
  else printLine(files === 0 ? "The database was up to date." : `The database is up to date: ${files} files applied.`);
}

/** Holds the data directory meanwhile, so that no service starts on what is half restored. */
async function runDatabase({ databaseUrl, dataDirectory }: Config, options: JsonOption): Promise<void> {
  if (databaseUrl !== null) {
    throw new StartError("DATABASE_URL is set: that PostgreSQL runs by itself. Restore into an empty database there.");
  }
  await interruptible(async ({ signal }) => {
    const hold = await holdDirectory(dataDirectory);
    try {
      const postgres = await startEmbeddedPostgres({ dataDirectory, log: printWarning });
      print(dataDirectory, options);
      await untilInterrupted(postgres, signal).finally(() => postgres.stop());
    } finally {
      await hold.release();
    }
  });
}

function print(dataDirectory: string, { json }: JsonOption): void {
  const connection = connectionFile(dataDirectory);
  if (json) printJson({ data_directory: dataDirectory, connection });
  else printLine(`PostgreSQL runs alone on ${dataDirectory}. How to reach it is in ${connection}; Ctrl-C stops it.`);
}

/** @throws StartError when PostgreSQL died and could not be started again */
async function untilInterrupted({ givenUp }: EmbeddedPostgres, signal: AbortSignal): Promise<void> {
  const interrupted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined));
  });
  const failure = await Promise.race([givenUp, interrupted]);
  if (failure !== undefined) throw failure;
}
