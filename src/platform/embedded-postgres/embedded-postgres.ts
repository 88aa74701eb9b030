import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { StartError } from "../../kernel/start-error.ts";
import { replacePrivately } from "../data-directory/data-directory.ts";
import { connectBeside, connectionConfig } from "../database/connection-config.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { failureOfSystem } from "./failures.ts";
import { keepLogSmall, launch, type Postmaster, waitUntilReady } from "./postmaster.ts";
import { clearRemains } from "./processes.ts";
import { shortPathTo } from "./settings.ts";

/** A PostgreSQL of our own, from the binaries among the installed packages. */
export interface EmbeddedPostgres {
  /** Connects as the role that owns everything, a superuser: for migrations and backups. */
  readonly connectionString: string;
  /** Resolves, with the reason, when PostgreSQL died and could not be started again: the service has to end then. */
  readonly givenUp: Promise<StartError>;
  /** The first process of PostgreSQL; another one after a restart, undefined between two. */
  pid(): number | undefined;
  /** Stops PostgreSQL with everything written, by force after some ten seconds. Safe to repeat. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL with its data under `<dataDirectory>/postgres`, which it creates when missing, and resolves when
 * the database answers. While it runs, `<dataDirectory>/connection` tells other commands of the same user how to reach
 * it. What an earlier run left behind when it was killed is stopped first; so the caller holds the data directory
 * (`holdDirectory`). A PostgreSQL that dies is started again.
 * @throws StartError with what is wrong (disk, rights, version, platform) in one sentence
 */
export async function startEmbeddedPostgres(options: {
  readonly dataDirectory: string;
  readonly log: (message: string) => void;
  /** These replace the settings chosen for this machine. */
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<EmbeddedPostgres> {
  try {
    return await start(options.dataDirectory, options.settings ?? {}, options.log);
  } catch (error) {
    throw failureOfSystem(error, options.dataDirectory);
  }
}

/** The role that serves: it has the rights that the other one gives it, which migrates. */
export const serviceRole = "dispense_service";

/** The same database for the role that serves. */
export function serviceAddress(connectionString: string): string {
  return connectionString.replace("//dispense@", `//${serviceRole}@`);
}

/** Where a running service writes how to reach its database. */
export function connectionFile(dataDirectory: string): string {
  return path.join(dataDirectory, "connection");
}

async function start(
  requestedDirectory: string,
  settings: Readonly<Record<string, string>>,
  log: (message: string) => void,
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster({ dataDirectory: requestedDirectory, settings, log });
  const socket = shortPathTo(cluster.folder);
  const connectionString = addressIn(socket.folder);
  const file = connectionFile(cluster.dataDirectory);
  const logKeeper = keepLogSmall(cluster.logFile);
  const tidyUp = () => {
    logKeeper.stop();
    socket.remove();
    rmSync(file, { force: true });
    process.removeListener("exit", tidyUp);
  };
  process.once("exit", tidyUp);
  try {
    const server = await supervise(cluster, connectionString, log);
    const report = async () => {
      await makeServiceRole(connectionString);
      await replacePrivately(file, `${connectionString}\n`);
    };
    await report().catch(async (error) => {
      await server.stop();
      throw error;
    });
    return { connectionString, givenUp: server.givenUp, pid: server.pid, stop: () => server.stop().finally(tidyUp) };
  } catch (error) {
    tidyUp();
    throw error;
  }
}

/** Also before a backup is restored, which names the role. A copy of the data directory brings it along. */
async function makeServiceRole(connectionString: string): Promise<void> {
  const config = connectionConfig({ connectionString, applicationName: "dispense start", plans: "ordinary" });
  const client = new pg.Client(config);
  client.on("error", () => {}); // also rejects the query
  try {
    await connectBeside(config, client);
    const { rowCount } = await client.query("select 1 from pg_roles where rolname = $1", [serviceRole]);
    if (rowCount === 0) await client.query(`create role ${serviceRole} login`);
  } finally {
    await client.end();
  }
}

/** Says all that `PGPORT`, `PGSSLMODE` and their kin would say otherwise, here and to commands that read it. */
function addressIn(socketFolder: string): string {
  // Options of its own, or PGOPTIONS would be sent, which other programs are told of another PostgreSQL.
  const options = encodeURIComponent("-c timezone=UTC");
  const host = encodeURIComponent(socketFolder);
  return `postgresql://dispense@/dispense?host=${host}&port=5432&sslmode=disable&options=${options}`;
}

const patienceMs = 30_000;
/** Having answered for so long it was well: the next death starts the patience anew. */
const wellMs = 1_000;
const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** A PostgreSQL that is started again whenever it dies. */
export interface SupervisedPostgres {
  pid(): number | undefined;
  /** Resolves, with the reason, when it died and could not be kept alive for half a minute. Never after `stop`. */
  readonly givenUp: Promise<StartError>;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and resolves when it answers; from then on a death is answered with a new start at the same socket,
 * so that clients only have to connect again.
 * @throws StartError when the first start fails
 */
export async function supervise(
  cluster: Cluster,
  connectionString: string,
  log: (message: string) => void,
  troubleMsMax = patienceMs,
): Promise<SupervisedPostgres> {
  let current: Postmaster = launch(cluster);
  let stopped: Promise<void> | undefined;
  let readyAt = 0;
  let troubleSince = performance.now();

  const bringUp = async () => {
    try {
      await waitUntilReady(cluster, current, connectionString, log);
      readyAt = performance.now();
    } catch (error) {
      await current.stop();
      throw error;
    }
  };
  const restart = async (): Promise<StartError | undefined> => {
    const now = performance.now();
    if (now - readyAt > wellMs) troubleSince = now;
    let said = "";
    for (let pauseMs = firstPauseMs; stopped === undefined; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await clearRemains(cluster.folder, log);
        if (stopped !== undefined) break;
        current = launch(cluster);
        await bringUp();
        if (performance.now() - troubleSince > troubleMsMax) throw new StartError("PostgreSQL dies again and again.");
        log("PostgreSQL is back");
        return undefined;
      } catch (error) {
        if (performance.now() - troubleSince > troubleMsMax) return asStartError(error);
        const reason = (error as Error).message;
        if (reason !== said) log(`PostgreSQL did not start again: ${reason}`);
        said = reason;
      }
      await delay(pauseMs);
    }
    return undefined;
  };
  const watch = async (): Promise<StartError | undefined> => {
    while (stopped === undefined) {
      const { how } = await current.ended;
      if (stopped !== undefined) break;
      log(`PostgreSQL ended unexpectedly (${how}), starting it again`);
      const failure = await restart();
      if (failure !== undefined) return failure;
    }
    return undefined;
  };

  await bringUp();
  const watching = watch();
  return {
    pid: () => (current.hasEnded() ? undefined : current.pid),
    givenUp: new Promise((resolve) => {
      void watching.then((failure) => failure !== undefined && resolve(failure));
    }),
    stop: () => {
      stopped ??= Promise.resolve().then(async () => {
        await current.stop();
        await watching;
        await current.stop(); // one that was being launched meanwhile
      });
      return stopped;
    },
  };
}

function asStartError(error: unknown): StartError {
  return error instanceof StartError ? error : new StartError(`PostgreSQL ended: ${(error as Error).message}`);
}
