import pg from "pg";
import { migrate } from "../../src/platform/database/migrate.ts";
import { openCluster } from "../../src/platform/embedded-postgres/cluster.ts";
import { launch, type Postmaster, waitUntilReady } from "../../src/platform/embedded-postgres/postmaster.ts";
import { clearRemains, killAll } from "../../src/platform/embedded-postgres/processes.ts";
import { migrationsDirectory } from "./database.ts";
import { makeScratchDirectory } from "./scratch-directory.ts";

/** A durable PostgreSQL that a test may kill; unlike the service's it stays dead until `restart`. */
export interface OwnPostgres {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly pid: number;
  /** Kills every process of the server at once, like a power cut (fsync is on, though the page cache survives). */
  kill(): Promise<void>;
  /** Kills what still runs, then starts on the same data at the same socket and resolves when it answers. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** Takes about a second. `migrated` applies the project's migrations; `settings` go before its own. */
export async function startOwnPostgres(options: {
  readonly migrated: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<OwnPostgres> {
  const scratch = await makeScratchDirectory();
  try {
    const settings = { shared_buffers: "64MB", max_wal_size: "512MB", ...options.settings };
    const cluster = await openCluster({ dataDirectory: scratch.folder, settings, log: () => {} });
    const url = `postgresql://dispense@/dispense?host=${encodeURIComponent(cluster.folder)}`;
    let postmaster: Postmaster = launch(cluster);
    await waitUntilReady(cluster, postmaster, url, () => {});
    const pool = new pg.Pool({ connectionString: url, max: 10 });
    pool.on("error", () => {}); // idle connections are cut when the server is killed
    if (options.migrated) await migrate({ pool, directory: migrationsDirectory });
    const kill = async () => {
      await killAll(cluster.folder);
      await postmaster.ended;
    };
    return {
      url,
      pool,
      get pid() {
        return postmaster.pid!;
      },
      kill,
      restart: async () => {
        await kill();
        await clearRemains(cluster.folder, () => {});
        postmaster = launch(cluster);
        await waitUntilReady(cluster, postmaster, url, () => {});
      },
      stop: async () => {
        await pool.end();
        await postmaster.stop();
        await scratch.remove();
      },
    };
  } catch (error) {
    await scratch.remove();
    throw error;
  }
}
