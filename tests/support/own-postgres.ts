import pg from "pg";
import { type OwnPostgres as Postgres, startOwnPostgres as startIn } from "../../rigs/base/own-postgres.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { migrationsDirectory } from "./database.ts";
import { makeScratchDirectory } from "./scratch-directory.ts";

/** A durable PostgreSQL that a test may kill. */
export interface OwnPostgres extends Postgres {
  readonly pool: pg.Pool;
  /** Kills what still runs, then starts on the same data at the same socket and resolves when it answers. */
  restart(): Promise<void>;
}

/** Takes about a second. `migrated` applies the project's migrations; `settings` go before its own. */
export async function startOwnPostgres(options: {
  readonly migrated: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<OwnPostgres> {
  const scratch = await makeScratchDirectory();
  try {
    const postgres = await startIn(scratch.folder, options.settings);
    const pool = new pg.Pool({ connectionString: postgres.url, max: 10 });
    pool.on("error", () => {}); // idle connections are cut when the server is killed
    if (options.migrated) await migrate({ pool, directory: migrationsDirectory });
    return {
      ...postgres,
      get pid() {
        return postgres.pid;
      },
      pool,
      restart: () => postgres.kill().then(() => postgres.start()),
      stop: async () => {
        await pool.end();
        await postgres.stop();
        await scratch.remove();
      },
    };
  } catch (error) {
    await scratch.remove();
    throw error;
  }
}
