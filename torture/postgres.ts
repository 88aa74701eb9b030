import { readFile } from "node:fs/promises";
import pg from "pg";
import { connectTo } from "../bench/database.ts";
import type { Undo } from "../bench/scratch-folder.ts";
import type { Database } from "../src/platform/database/database.ts";
import { openCluster } from "../src/platform/embedded-postgres/cluster.ts";
import { serviceRole } from "../src/platform/embedded-postgres/embedded-postgres.ts";
import { launch, type Postmaster, waitUntilReady } from "../src/platform/embedded-postgres/postmaster.ts";
import { clearRemains, processesIn } from "../src/platform/embedded-postgres/processes.ts";

/** A PostgreSQL that can be stopped at once and started again on the same data. */
export interface Postgres {
  /** Connects as the role that owns everything. */
  readonly ownerUrl: string;
  /** Where it listens. */
  readonly socket: string;
  /** As its owner, straight to it. */
  readonly database: Database;
  /** Immediate stop: nothing is written any more, its next start recovers. */
  stopAtOnce(): Promise<void>;
  start(): Promise<void>;
  /** What it complains of in its log, line by line. */
  complaints(pattern: RegExp): Promise<string[]>;
}

const settings = {
  max_connections: "200",
  shared_buffers: "64MB",
  max_wal_size: "512MB",
  // The log is written for a commit that waits for it, never by the way: a commit that did not wait is lost.
  wal_writer_delay: "10s",
};

const goneMsMax = 10_000;

/** Starts it in the folder; `undo` stops it. Some two seconds. */
export async function startPostgres(folder: string, undo: Undo): Promise<Postgres> {
  const silent = () => {};
  const cluster = await openCluster({ dataDirectory: `${folder}/data`, settings, log: silent });
  const ownerUrl = `postgresql://dispense@/dispense?host=${encodeURIComponent(cluster.folder)}`;
  let postmaster: Postmaster = launch(cluster);
  undo.push(async () => {
    await postmaster.stop();
    await clearRemains(cluster.folder, silent);
  });
  await waitUntilReady(cluster, postmaster, ownerUrl, silent);
  await createServiceRole(ownerUrl);
  const database = connectTo(ownerUrl);
  undo.push(() => database.close());
  return {
    ownerUrl,
    socket: `${cluster.folder}/.s.PGSQL.5432`,
    database,
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
      await waitUntilReady(cluster, postmaster, ownerUrl, silent);
    },
    async complaints(pattern) {
      const text = await readFile(cluster.logFile, "utf8");
      return text.split("\n").filter((line) => pattern.test(line));
    },
  };
}

async function createServiceRole(ownerUrl: string): Promise<void> {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  await client.query(`create role ${serviceRole} login`);
  await client.end();
}
