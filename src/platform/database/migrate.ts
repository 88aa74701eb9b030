import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { StartError } from "../../kernel/start-error.ts";
import { connectBeside, siblingClient } from "./connection-config.ts";
import { statement, type Tx } from "./database.ts";
import { giveRights } from "./service-role.ts";

// One key for all deployments of this program: two processes that start together migrate one after the other.
const migrationLock = 7_271_001;

const usualReportEveryMs = 10_000;

/**
 * Brings a database to the present schema: numbered files once each, in order, then every file of `functions/` whose
 * text changed. Holds an advisory lock meanwhile, and waits for it and for each file as long as that takes, on a
 * connection of its own to where the pool connects. Safe to repeat. Where nothing is to be applied and nobody to be given
 * rights, it only reads.
 * @param options.servedBy the role that gets the service's rights; absent: the one that migrates serves
 * @param options.log hears what was applied, and every ten seconds what is waited for
 * @throws StartError when a newer program migrated it, one from before the first of the files, or another text of one of
 *   them; nothing was changed then
 */
export async function migrate(options: {
  readonly pool: pg.Pool;
  readonly directory: string;
  readonly servedBy?: string | undefined;
  readonly log?: (message: string) => void;
  readonly reportEveryMs?: number;
}): Promise<void> {
  const { directory, servedBy, log = () => {} } = options;
  const progress = openProgress(log, options.reportEveryMs ?? usualReportEveryMs);
  const client = openPatientClient(options.pool);
  try {
    await connectBeside(options.pool.options, client);
    await client.query(withoutTimeouts);
    await client.query(oneSchema);
    if (servedBy === undefined && (await isUpToDate(client, directory))) return;
    await progress("waiting for another process that migrates", () =>
      client.query("select pg_advisory_lock($1)", [migrationLock]),
    );
    await applyAll({ client, directory, log, progress });
    if (servedBy !== undefined) await giveRights(client, servedBy);
  } finally {
    await client.end(); // the lock goes with it
  }
}

/**
 * A migration takes as long as the tables are large: neither the pool's bound nor one that is set on the role may cut it
 * off, or it could never be applied. A server that is gone is noticed by the system's own probes.
 */
function openPatientClient(pool: pg.Pool): pg.Client {
  const client = siblingClient(pool.options, {
    query_timeout: 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on("error", () => {}); // the statement under way, or the next one, fails by itself
  return client;
}

const withoutTimeouts = `
  select set_config(name, '0', false)
    from pg_settings
   where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`;

// A function that runs as its owner goes by the path that it was made with. Temporary tables, which anybody may make, come
// last there: by themselves they would come first.
const oneSchema = `
  select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', false)
   where current_schema() is not null`;

/** Carries out what may take long, saying now and then that it still does. */
type Progress = <T>(what: string, work: () => Promise<T>) => Promise<T>;

function openProgress(log: (message: string) => void, everyMs: number): Progress {
  return async (what, work) => {
    const startedAt = performance.now();
    const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
    const timer = setInterval(() => log(`${what}, for ${seconds()} s now`), everyMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  };
}

interface Migrating {
  readonly client: pg.Client;
  readonly directory: string;
  readonly log: (message: string) => void;
  readonly progress: Progress;
}

async function applyAll(migrating: Migrating): Promise<void> {
  const { client, directory } = migrating;
  await client.query(`
    create table if not exists applied_migrations (
      name text primary key,
      hash text not null,
      applied_at timestamptz not null default now()
    );
    comment on table applied_migrations is 'owner: platform. Which migration and function files this database has seen.';
    comment on column applied_migrations.name is 'The file, below migrations/.';
    comment on column applied_migrations.hash is 'SHA-256 of its text. A function''s file is applied again when its text changes.';
    comment on column applied_migrations.applied_at is 'When it was last applied.'`);
  for (const name of await listPending(client, directory)) await apply(migrating, name);
}

/** A role that may not create anything serves a database that another one has migrated. */
async function isUpToDate(client: pg.Client, directory: string): Promise<boolean> {
  const known = "select to_regclass('applied_migrations') is not null as known";
  const [row] = (await client.query<{ known: boolean }>(known)).rows;
  return row?.known === true && (await listPending(client, directory)).length === 0;
}

/** The migrations to apply, in order. @throws StartError when the database has another history than these files */
async function listPending(client: pg.Client, directory: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; hash: string }>("select name, hash from applied_migrations");
  const seen = new Map(rows.map((row) => [row.name, row.hash]));
  const numbered = await sqlFiles(directory);
  refuseOtherHistory([...seen.keys()], numbered);
  for (const name of numbered.filter((each) => seen.has(each))) {
    if (seen.get(name) !== hashOf(await readFile(path.join(directory, name), "utf8")))
      throw new StartError(edited(name));
  }
  const pending = numbered.filter((name) => !seen.has(name));
  for (const file of await sqlFiles(path.join(directory, "functions"))) {
    const name = `functions/${file}`;
    const text = await readFile(path.join(directory, name), "utf8");
    if (seen.get(name) !== hashOf(text)) pending.push(name);
  }
  return pending;
}

/**
 * A program that is older than the database would put the functions of its own time back, under processes that rely on
 * the new ones. A database without the first file is from before the files were written anew, and no file leads on from
 * there. Files of functions tell nothing: theirs may have been dropped since.
 */
function refuseOtherHistory(seen: readonly string[], numbered: readonly string[]): void {
  const seenNumbered = seen.filter((name) => !name.startsWith("functions/")).sort();
  const unknown = seenNumbered.filter((name) => !numbered.includes(name));
  if (unknown.length === 0) return;
  const first = numbered[0];
  throw new StartError(
    first !== undefined && !seenNumbered.includes(first)
      ? `This database was set up by a Dispense from before its first release (it has ${unknown.at(-1)}), which cannot be updated: use an empty database (npm run db:fresh empties this one), or the checkout that set it up.`
      : `This database was set up by a newer Dispense (it has ${unknown.at(-1)}, which this checkout lacks): update the checkout.`,
  );
}

function edited(name: string): string {
  return (
    `This database was set up by another text of ${name} than this checkout has, and nothing leads from one to the other: ` +
    "use the checkout that set it up, or an empty database (npm run db:fresh empties this one)."
  );
}

async function sqlFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory);
  return names.filter((name) => name.endsWith(".sql") && name !== "schema.sql").sort();
}

async function apply({ client, directory, log, progress }: Migrating, name: string): Promise<void> {
  const text = await readFile(path.join(directory, name), "utf8");
  await client.query("begin");
  try {
    await progress(`applying ${name}`, () => client.query(text));
    await client.query(
      `insert into applied_migrations (name, hash) values ($1, $2)
       on conflict (name) do update set hash = excluded.hash, applied_at = now()`,
      [name, hashOf(text)],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {}); // on a lost connection: undone already
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
  log(`applied ${name}`);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

// One key for all deployments of this program, beside that of the migrations.
const firstStartLock = 7_271_002;
const lock = statement("pg_advisory_xact_lock", "select pg_advisory_xact_lock($1)");

/** Waits until no other process does what is done once, at the first start on a database. Held until the commit. */
export async function lockFirstStart(tx: Tx): Promise<void> {
  await tx.query(lock, [firstStartLock]);
}
