import { holdDirectory } from "../platform/data-directory/data-directory.ts";
import { failureToSetUp, sumOf } from "../platform/database/reach-database.ts";
import { serviceAddress, startEmbeddedPostgres } from "../platform/embedded-postgres/embedded-postgres.ts";
import type { SecretBox } from "../platform/sealing/secret-box.ts";
import { type LogFormat, type Logger, openLog, openWideLog, type WideLog } from "../platform/telemetry/log.ts";
import { bufferedOutput, logOutput } from "../platform/telemetry/log-output.ts";
import type { Config } from "./configuration/config.ts";
import { exposureWarning, readTlsFiles, serviceSecretBox } from "./configuration/encryption-keys.ts";
import { countConnections, type DatabaseAddresses, prepareDatabase } from "./prepare-database.ts";
import type { Child } from "./processes/child.ts";
import { connectionsFor } from "./services/database-services.ts";

/** What a process has before it serves: a log, a database that is ready, and the keys. */
export interface Setup {
  readonly log: Logger;
  readonly wide: WideLog;
  readonly connectionString: string;
  readonly secretBox: SecretBox;
  /** The certificate that https is served with; null without one. */
  readonly tls: Awaited<ReturnType<typeof readTlsFiles>>;
  /** Resolves when the database is lost for good. */
  readonly lost: Promise<Error>;
  /** What `stop` does, the last one first. */
  readonly undo: (() => Promise<void>)[];
  stop(): Promise<void>;
}

/**
 * A step of the stop that takes longer is left behind: what it had not finished is in the database, and comes due
 * again. Five steps, of which only one ever takes its time, stay within the ten seconds that are promised.
 */
const stepSecondsMax = 4;

/** To the embedded PostgreSQL, beside the pools': operator's commands, a backup, PostgreSQL's own reserve. */
const otherConnections = 80;

/**
 * Reads the files, starts PostgreSQL or reaches it, migrates, and makes the first key.
 * @param processes how many will serve on it
 * @throws StartError
 */
export async function setUp(config: Config, migrations: string, processes = 1): Promise<Setup> {
  const { log, wide, flush } = openLogs(config);
  const tls = await readTlsFiles(config);
  const warning = exposureWarning(config);
  if (warning !== null) log.warn({ event: "http.exposed", host: config.host }, warning);
  const { undo, stop } = openUndo(flush);
  return orUndo(config, { log, stop }, async () => {
    const needs = connectionsFor(config.databasePool);
    const server = await openServer(config, { log, undo, connections: sumOf(needs) * processes });
    await countConnections(server, needs, processes);
    await prepareDatabase(server, migrations, log);
    const secretBox = await serviceSecretBox(config, log);
    const { connectionString, lost } = server;
    return { log, wide, tls, connectionString, lost, secretBox, undo, stop };
  });
}

/** The same for a child, whose parent has set up all that they share. @throws StartError */
export async function setUpBeside(config: Config, child: Child): Promise<Setup> {
  const { log, wide, flush } = openLogs(config, child.name);
  const { undo, stop } = openUndo(flush);
  const { connectionString } = child;
  const [tls, secretBox] = await Promise.all([readTlsFiles(config), serviceSecretBox(config, log)]);
  return { log, wide, tls, connectionString, lost: new Promise(() => {}), secretBox, undo, stop };
}

/** Does the rest of a start; where that fails, everything is undone. @throws StartError where a person can mend it */
export async function orUndo<Given extends Pick<Setup, "log" | "stop">, Result>(
  config: Config,
  setup: Given,
  work: (setup: Given) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(setup);
  } catch (error) {
    await setup.stop().catch((second: unknown) => {
      setup.log.error({ event: "service.stop_failed", error: String(second) });
    });
    throw failureToSetUp(error, config.databaseUrl ?? config.dataDirectory);
  }
}

function openUndo(flush: () => void): Pick<Setup, "undo" | "stop"> {
  const undo = [async () => flush()];
  return {
    undo,
    async stop() {
      for (const step of undo.splice(0).reverse()) await withinSeconds(stepSecondsMax, step());
    },
  };
}

async function withinSeconds(seconds: number, step: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1_000);
  });
  await Promise.race([step, patience]).finally(() => clearTimeout(timer));
}

/** Other processes write to the same pipe: what goes out by one call is whole there up to this size. */
const pipeCharactersMax = 4_000;

/**
 * Events go out at once and in order; wide lines, of which there are many, some at a time.
 * @param processName a child's, which its lines tell
 */
function openLogs(config: Config, processName?: string): { log: Logger; wide: WideLog; flush(): void } {
  const output = logOutput(process.stdout.fd);
  const buffered = bufferedOutput(output, processName === undefined ? undefined : pipeCharactersMax);
  const how = { level: config.logLevel, format: logFormatOf(config, process.stdout), processName };
  const wideLines = openLog({ ...how, output: buffered, redacts: false });
  const monotonicMs = () => performance.now();
  return {
    log: openLog({ ...how, output }),
    wide: openWideLog({ log: wideLines, share: config.logSample, chance: Math.random, monotonicMs }),
    flush: buffered.flush,
  };
}

/** As the settings say; unless they say, plain for a person at a terminal and JSON for everything that reads lines. */
export function logFormatOf(
  { logFormat }: Pick<Config, "logFormat">,
  output: { readonly isTTY?: boolean | undefined },
): LogFormat {
  return logFormat ?? (output.isTTY === true ? "plain" : "json");
}

/** The operator's server where one is named, else our own in the data directory. */
async function openServer(
  config: Config,
  { log, undo, connections }: Pick<Setup, "log" | "undo"> & { readonly connections: number },
): Promise<DatabaseAddresses & { readonly lost: Promise<Error> }> {
  const { databaseUrl, migrationsDatabaseUrl: migrationsConnectionString } = config;
  if (databaseUrl !== null) {
    return { connectionString: databaseUrl, migrationsConnectionString, lost: new Promise(() => {}) };
  }
  const hold = await holdDirectory(config.dataDirectory);
  undo.push(() => hold.release());
  log.info({ event: "postgres", message: `starting PostgreSQL in ${config.dataDirectory}` });
  const postgres = await startEmbeddedPostgres({
    dataDirectory: config.dataDirectory,
    log: (message) => log.info({ event: "postgres", message }),
    settings: { max_connections: String(connections + otherConnections) },
  });
  undo.push(() => postgres.stop());
  const { connectionString } = postgres;
  return {
    connectionString: serviceAddress(connectionString),
    migrationsConnectionString: connectionString,
    lost: postgres.givenUp,
  };
}
