import pg from "pg";
import { build, programs } from "../../scripts/build.mjs";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded-postgres.ts";
import { migrate } from "../../src/platform/migrate.ts";
import {
  administrate,
  databaseUrl,
  migrationsDirectory,
  serverVariable,
  templateName,
  templateVariable,
} from "./database.ts";
import { makeScratchDirectory } from "./scratch-directory.ts";

/**
 * Bundles the programs that tests start, as `npm start` does: it saves each start a second.
 * One PostgreSQL for the run (or the server of TEST_DATABASE_URL) with one migrated database in it, which test files
 * clone. Returns what takes it all away again.
 */
export async function setup(): Promise<() => Promise<void>> {
  for (const program of programs) await build(program);
  const server = await openServer(process.env.TEST_DATABASE_URL);
  const template = templateName();
  // Vitest's workers inherit the environment of the process that this runs in.
  process.env[serverVariable] = server.url;
  process.env[templateVariable] = template;
  const close = async () => {
    await administrate(server.url, `drop database if exists ${template} with (force)`).finally(server.stop);
  };
  try {
    await administrate(server.url, `create database ${template}`);
    const pool = new pg.Pool({ connectionString: databaseUrl(server.url, template), max: 1 });
    pool.on("error", () => {}); // its connection may still be closing when the server stops
    await migrate({ pool, directory: migrationsDirectory }).finally(() => pool.end());
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

async function openServer(givenUrl: string | undefined): Promise<{ url: string; stop: () => Promise<void> }> {
  if (givenUrl !== undefined && givenUrl !== "") return { url: givenUrl, stop: async () => {} };
  const scratch = await makeScratchDirectory();
  let server: EmbeddedPostgres;
  try {
    server = await startEmbeddedPostgres({
      dataDirectory: scratch.folder,
      log: () => {},
      // Only here: these databases outlive no test run. Crash tests start a durable server of their own.
      settings: { fsync: "off", full_page_writes: "off", shared_buffers: "256MB", max_wal_size: "1GB" },
    });
  } catch (error) {
    await scratch.remove();
    throw error;
  }
  return {
    url: server.connectionString,
    stop: async () => {
      await server.stop();
      await scratch.remove();
    },
  };
}
