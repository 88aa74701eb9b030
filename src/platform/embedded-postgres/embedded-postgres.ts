import { rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { StartError } from "../../kernel/start-error.ts";
import { replacePrivately } from "../data-directory/data-directory.ts";
import { connectBeside, connectionConfig } from "../database/connection-config.ts";
import { openCluster } from "./cluster.ts";
import { failureOfSystem } from "./failures.ts";
import { keepLogSmall } from "./postmaster.ts";
import { shortPathTo } from "./settings.ts";
import { supervise } from "./supervisor.ts";

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
