import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";

// One key for all deployments of this program: two processes that start together migrate one after the other.
const migrationLock = 7_271_001;

/**
 * Brings a database to the present schema: numbered files once each, in order, then every file of `functions/` whose
 * text changed. Holds an advisory lock meanwhile. Safe to repeat.
 */
export async function migrate(options: {
  readonly pool: pg.Pool;
  readonly directory: string;
  readonly log?: (message: string) => void;
}): Promise<void> {
  const client = await options.pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    try {
      await applyAll(client, options.directory, options.log ?? (() => {}));
    } finally {
      await client.query("select pg_advisory_unlock($1)", [migrationLock]);
    }
  } finally {
    client.release();
  }
}

async function applyAll(client: pg.PoolClient, directory: string, log: (message: string) => void): Promise<void> {
  await client.query(`
    create table if not exists applied_migrations (
      name text primary key,
      hash text not null,
      applied_at timestamptz not null default now()
    );
    comment on table applied_migrations is 'owner: platform. Which migration and function files this database has seen.'`);
  const seen = new Map(
    (await client.query<{ name: string; hash: string }>("select name, hash from applied_migrations")).rows.map(
      (row) => [row.name, row.hash],
    ),
  );
  for (const name of await sqlFiles(directory)) {
    if (!seen.has(name)) await apply(client, directory, name, log);
  }
  for (const file of await sqlFiles(path.join(directory, "functions"))) {
    const name = `functions/${file}`;
    const text = await readFile(path.join(directory, name), "utf8");
    if (seen.get(name) !== hashOf(text)) await apply(client, directory, name, log);
  }
}

async function sqlFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => name.endsWith(".sql") && name !== "schema.sql").sort();
}

async function apply(
  client: pg.PoolClient,
  directory: string,
  name: string,
  log: (message: string) => void,
): Promise<void> {
  const text = await readFile(path.join(directory, name), "utf8");
  await client.query("begin");
  try {
    await client.query(text);
    await client.query(
      `insert into applied_migrations (name, hash) values ($1, $2)
       on conflict (name) do update set hash = excluded.hash, applied_at = now()`,
      [name, hashOf(text)],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
  log(`applied ${name}`);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
