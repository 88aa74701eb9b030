import pg from "pg";
import { build, buildConsole, programs } from "../../scripts/build.mjs";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { openDatabase } from "../../src/platform/database/database.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/platform/embedded-postgres/embedded-postgres.ts";
import {
  administrate,
  databaseUrl,
  makeServiceRole,
  migrationsDirectory,
  serverVariable,
  stockedTemplateVariable,
  templateName,
  templateVariable,
  testServiceRole,
} from "./database.ts";
import { makeScratchDirectory } from "./scratch-directory.ts";

/**
 * Bundles the programs that tests start, and what the consoles' pages load, as `npm start` does: it saves each start a second.
 * One PostgreSQL for the run (or the server of TEST_DATABASE_URL) with one migrated database in it, and one that sells
 * the starting catalogue, which test files clone. Returns what takes it all away again.
 */
export async function setup(): Promise<() => Promise<void>> {
  for (const program of programs) await build(program);
  await buildConsole();
  const server = await openServer(process.env.TEST_DATABASE_URL);
  const template = templateName();
  const stocked = templateName();
  // Vitest's workers inherit the environment of the process that this runs in.
  process.env[serverVariable] = server.url;
  process.env[templateVariable] = template;
  process.env[stockedTemplateVariable] = stocked;
  const close = async () => {
    try {
      for (const name of [stocked, template]) {
        await administrate(server.url, `drop database if exists ${name} with (force)`);
      }
    } finally {
      await server.stop();
    }
  };
  try {
    await administrate(server.url, makeServiceRole);
    await administrate(server.url, `create database ${template}`);
    const servedBy = testServiceRole;
    await withPool(databaseUrl(server.url, template), (pool) =>
      migrate({ pool, directory: migrationsDirectory, servedBy }),
    );
    await administrate(server.url, `create database ${stocked} template ${template}`);
    await withPool(databaseUrl(server.url, stocked), (pool) => loadStartingCatalogue(openDatabase(pool)));
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

async function withPool(connectionString: string, work: (pool: pg.Pool) => Promise<unknown>): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1 });
  pool.on("error", () => {}); // its connection may still be closing when the server stops
  await work(pool).finally(() => pool.end());
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
      settings: {
        ...{ fsync: "off", full_page_writes: "off", shared_buffers: "256MB", max_wal_size: "256MB" },
        max_connections: "400", // as many as the files that eight workers run at one time may open
      },
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
