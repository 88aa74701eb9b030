import { once } from "node:events";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import pg from "pg";
import { openCluster } from "../../src/platform/embedded-postgres/cluster.ts";
import { launch, type Postmaster, waitUntilReady } from "../../src/platform/embedded-postgres/postmaster.ts";
import { clearRemains, killAll, processesIn } from "../../src/platform/embedded-postgres/processes.ts";

/** A durable PostgreSQL that may be killed; unlike the service's it stays dead until it is started again. */
export interface OwnPostgres {
  /** As the role that owns everything. */
  readonly url: string;
  /** Where it listens. */
  readonly socket: string;
  readonly logFile: string;
  readonly pid: number;
  /** Kills every process of the server at once, like a power cut (fsync is on, though the page cache survives). */
  kill(): Promise<void>;
  /** Immediate stop: nothing is written any more, its next start recovers. */
  stopAtOnce(): Promise<void>;
  /** Starts it on the same data at the same socket, and resolves when it answers. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const goneMsMax = 10_000;
const silent = () => {};

/** Starts one with its data in the folder. Some two seconds. */
export async function startOwnPostgres(
  dataDirectory: string,
  given: Readonly<Record<string, string>> = {},
): Promise<OwnPostgres> {
  const settings = { shared_buffers: "64MB", max_wal_size: "512MB", ...given };
  const cluster = await openCluster({ dataDirectory, settings, log: silent });
  const url = `postgresql://dispense@/dispense?host=${encodeURIComponent(cluster.folder)}`;
  let postmaster: Postmaster = launch(cluster);
  await waitUntilReady(cluster, postmaster, url, silent);
  return {
    url,
    socket: `${cluster.folder}/.s.PGSQL.5432`,
    logFile: cluster.logFile,
    get pid() {
      return postmaster.pid ?? 0;
    },
    async kill() {
      await killAll(cluster.folder);
      await postmaster.ended;
    },
    async stopAtOnce() {
      if (postmaster.pid !== undefined) process.kill(postmaster.pid, "SIGQUIT");
      await postmaster.ended;
      for (let waitedMs = 0; processesIn(cluster.folder).length > 0 && waitedMs < goneMsMax; waitedMs += 20) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async start() {
      await clearRemains(cluster.folder, silent);
      postmaster = launch(cluster);
      await waitUntilReady(cluster, postmaster, url, silent);
    },
    async stop() {
      await postmaster.stop();
      await clearRemains(cluster.folder, silent);
    },
  };
}

/** A running PostgreSQL of the installed packages: how to reach it as its superuser, its data, its first process. */
export interface Running {
  readonly url: string;
  readonly folder: string;
  readonly pid: number;
}

/** Starts a streaming standby of it with its data in another folder. It finds its primary as long as that is not started again. */
export async function startStandbyOf(primary: Running, dataDirectory: string): Promise<OwnPostgres> {
  const folder = path.join(dataDirectory, "postgres");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  await client.query("select pg_create_physical_replication_slot('standby', true)");
  await client.query("select pg_backup_start('standby', true)");
  await cp(primary.folder, folder, { recursive: true, filter: isOfBackup });
  const { rows } = await client.query<{ label: string }>("select labelfile as label from pg_backup_stop(false)");
  await client.end();
  await writeFile(path.join(folder, "backup_label"), rows[0]?.label ?? "");
  await writeFile(path.join(folder, "standby.signal"), "");
  return startOwnPostgres(dataDirectory, {
    // As root PostgreSQL runs as another user, for whom the way to the other's socket may be closed.
    primary_conninfo: `host=/proc/${primary.pid}/cwd user=dispense`,
    primary_slot_name: "standby",
    hot_standby_feedback: "on",
  });
}

/** The log streams in, and what is of the running server alone is made anew. */
function isOfBackup(file: string): boolean {
  return !/pg_wal\/[^/]+$|pg_replslot\/|postmaster|\.s\.PGSQL|pgsql_tmp|pg_stat_tmp\/|pg_dynshmem\//.test(file);
}

/** The next caller may get the same one. */
export async function freePort(): Promise<number> {
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const { port } = squatter.address() as AddressInfo;
  squatter.close();
  await once(squatter, "close");
  return port;
}
