import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { StartError } from "../../kernel/start-error.ts";
import { projectRoot } from "../data-directory/data-directory.ts";
import { connectBeside, siblingClient } from "./connection-config.ts";
import { statement, type Tx } from "./database.ts";
import { isSerializationFailure, sqlStateOf } from "./database-errors.ts";
import { giveRights } from "./service-role.ts";

// One key for all deployments of this program: two processes that start together migrate one after the other.
const migrationLock = 7_271_001;

const usualReportEveryMs = 10_000;

/** How long a file is tried that does not get a lock, and how long the tables are left alone between two tries. */
interface LockPatience {
  readonly pauseMs: number;
  readonly ms: number;
}

const usualPatience: LockPatience = { pauseMs: 5_000, ms: 1_800_000 };

/**
 * Brings a database to the present schema: numbered files once each, in order, then every file of `functions/` whose
 * text changed. Holds an advisory lock meanwhile, and waits for it and for each file as long as that takes, on a
 * connection of its own to where the pool connects. A file that does not get a table's lock gives up within two seconds,
 * so that nobody waits behind it, and is tried again. Safe to repeat. Where nothing is to be applied and nobody to be given
 * rights, it only reads. A database that a newer release migrated is left as it is: this release goes on working beside
 * that one, as long as no file says that it can't.
 * @param options.servedBy the role that gets the service's rights; absent: the one that migrates serves
 * @param options.release of this program; absent: that of package.json
 * @param options.log hears what was applied, every ten seconds what is waited for, and each try that got no lock
 * @throws StartError when a file got no lock for half an hour (what came before it stays), a newer release made the database unfit for
 *   this one, or it was set up by one from before the first of the files, or by another text of one of them; nothing was
 *   changed then
 */
export async function migrate(options: {
  readonly pool: pg.Pool;
  readonly directory: string;
  readonly servedBy?: string | undefined;
  readonly release?: string;
  readonly log?: (message: string) => void;
  readonly reportEveryMs?: number;
  readonly patience?: LockPatience;
}): Promise<void> {
  const { directory, servedBy, log = () => {} } = options;
  const files = { directory, release: options.release ?? (await readRelease()) };
  const progress = openProgress(log, options.reportEveryMs ?? usualReportEveryMs);
  const client = openPatientClient(options.pool);
  try {
    await connectBeside(options.pool.options, client);
    await client.query(withoutTimeouts);
    await client.query(oneSchema);
    if (servedBy === undefined && (await isUpToDate(client, files))) return;
    await progress("waiting for another process that migrates", () => lockMigrations(client));
    const isOurs = await applyAll({ client, files, log, progress, patience: options.patience ?? usualPatience });
    if (servedBy !== undefined && isOurs) await giveRights(client, servedBy);
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

/** Asked for again and again: a statement that waits would hold up the other one's concurrent indexes, and they it. */
async function lockMigrations(client: pg.Client): Promise<void> {
  const tried = "select pg_try_advisory_lock($1) as locked";
  while ((await client.query<{ locked: boolean }>(tried, [migrationLock])).rows[0]?.locked !== true) await delay(100);
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

/** What this program would have a database be. */
interface Files {
  readonly directory: string;
  readonly release: string;
}

async function readRelease(): Promise<string> {
  return JSON.parse(await readFile(path.join(projectRoot(), "package.json"), "utf8")).version;
}

interface Migrating {
  readonly client: pg.Client;
  readonly files: Files;
  readonly log: (message: string) => void;
  readonly progress: Progress;
  readonly patience: LockPatience;
}

/** @returns false where a newer release has migrated the database, and all was left as it is */
async function applyAll(migrating: Migrating): Promise<boolean> {
  const { client, files } = migrating;
  await client.query(`
    create table if not exists applied_migrations (
      name text primary key,
      hash text not null,
      release text not null,
      oldest_release text not null,
      applied_at timestamptz not null default now()
    );
    comment on table applied_migrations is 'owner: platform. Which migration and function files this database has seen.';
    comment on column applied_migrations.name is 'The file, below migrations/.';
    comment on column applied_migrations.hash is 'SHA-256 of its text. A function''s file is applied again when its text changes.';
    comment on column applied_migrations.release is 'The release that applied it.';
    comment on column applied_migrations.oldest_release is 'The oldest release that works with a database that has it.';
    comment on column applied_migrations.applied_at is 'When it was last applied.'`);
  const pending = await listPending(client, files);
  for (const name of pending ?? []) await apply(migrating, name);
  return pending !== null;
}

/** A role that may not create anything serves a database that another one has migrated. */
async function isUpToDate(client: pg.Client, files: Files): Promise<boolean> {
  const known = "select to_regclass('applied_migrations') is not null as known";
  const [row] = (await client.query<{ known: boolean }>(known)).rows;
  return row?.known === true && ((await listPending(client, files)) ?? []).length === 0;
}

interface Applied {
  readonly name: string;
  readonly hash: string;
  readonly release: string;
  readonly oldestRelease: string;
}

/**
 * The migrations to apply, in order; null where a newer release has migrated the database.
 * @throws StartError when the database has another history than these files, or is unfit for this release
 */
async function listPending(client: pg.Client, { directory, release }: Files): Promise<string[] | null> {
  const { rows } = await client.query<Applied>(
    `select name, hash, release, oldest_release as "oldestRelease" from applied_migrations order by name`,
  );
  const unfit = rows.find(({ oldestRelease }) => isNewer(oldestRelease, release));
  if (unfit !== undefined) throw new StartError(tooNew(unfit, release));
  if (rows.some((row) => isNewer(row.release, release))) return null;
  const seen = new Map(rows.map((row) => [row.name, row.hash]));
  const numbered = await sqlFiles(directory);
  for (const name of numbered.filter((each) => seen.has(each))) {
    if (seen.get(name) !== hashOf(await readFile(path.join(directory, name), "utf8")))
      throw new StartError(edited(name));
  }
  refuseOtherHistory([...seen.keys()], numbered);
  const pending = numbered.filter((name) => !seen.has(name));
  for (const file of await sqlFiles(path.join(directory, "functions"))) {
    const name = `functions/${file}`;
    const text = await readFile(path.join(directory, name), "utf8");
    if (seen.get(name) !== hashOf(text)) pending.push(name);
  }
  return pending;
}

/** Releases are three numbers: 0.10.0 is newer than 0.9.1. */
function isNewer(one: string, other: string): boolean {
  return one.localeCompare(other, "en", { numeric: true }) > 0;
}

function tooNew({ name, oldestRelease }: Applied, release: string): string {
  return (
    `This database was changed by a newer Dispense, and ${release} can't work with it ` +
    `(${name} needs ${oldestRelease} or newer): update this program.`
  );
}

/**
 * A checkout of the same release that lacks files would put the functions of its own time back, under processes that rely
 * on the new ones. A database without the first file is from before the files were written anew, and no file leads on from
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

/** A file that older releases can't work with says so: such a file comes a release after the last one that needs the old. */
const oldestReleaseLine = /^-- oldest release: ([0-9]+\.[0-9]+\.[0-9]+)$/m;
const everyRelease = "0.0.0";

/**
 * Such a file's statements, each ending with a semicolon at the end of a line, run one by one outside of a transaction, for
 * `create index concurrently`. One that fails in the middle runs again from its beginning, so it begins each index with
 * `drop index concurrently if exists`.
 */
const concurrentlyLine = /^-- concurrently$/m;

/** What waits for a table's lock has everybody wait who asks for the table later: so it soon gives up. */
const lockMsMax = 2_000;
/** The same while a transaction that lasts, such as a dump's, holds any table: a sale hardly feels it. */
const hastyLockMsMax = 20;

async function apply(migrating: Migrating, name: string): Promise<void> {
  const { client, files, log, progress, patience } = migrating;
  const text = await readFile(path.join(files.directory, name), "utf8");
  for (let left = Math.ceil(patience.ms / patience.pauseMs); left >= 0; left--) {
    const holders = await findHolders(client);
    const lockMs = holders.length === 0 ? lockMsMax : hastyLockMsMax;
    try {
      await progress(`applying ${name}`, () =>
        concurrentlyLine.test(text)
          ? carryOutOneByOne(client, files, { name, text })
          : carryOut(client, files, { name, text, lockMs }),
      );
      break;
    } catch (error) {
      const isLocked = sqlStateOf(error) === "55P03" || isSerializationFailure(error);
      if (!isLocked) throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
      const refusal = `${name} got no lock on a table${holders.length === 0 ? "" : `: ${holders.join(", ")} uses some`}`;
      if (left === 0) throw new StartError(`${refusal}. End that, or wait for it, and start again.`);
      log(`${refusal}. It is tried again in ${patience.pauseMs / 1_000} s`);
      await delay(patience.pauseMs);
    }
  }
  log(`applied ${name}`);
}

interface File {
  readonly name: string;
  readonly text: string;
}

async function carryOut(client: pg.Client, files: Files, file: File & { readonly lockMs: number }): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${file.lockMs}`);
  try {
    await client.query(file.text);
    await noteApplied(client, files, file);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {}); // on a lost connection: undone already
    throw error;
  }
}

async function carryOutOneByOne(client: pg.Client, files: Files, file: File): Promise<void> {
  for (const each of file.text.split(/;[ ]*$/m)) await client.query(each);
  await noteApplied(client, files, file);
}

async function noteApplied(client: pg.Client, files: Files, { name, text }: File): Promise<void> {
  const oldestRelease = oldestReleaseLine.exec(text)?.[1] ?? everyRelease;
  await client.query(
    `insert into applied_migrations (name, hash, release, oldest_release) values ($1, $2, $3, $4)
     on conflict (name) do update
        set hash = excluded.hash,
            release = excluded.release,
            oldest_release = excluded.oldest_release,
            applied_at = now()`,
    [name, hashOf(text), files.release, oldestRelease],
  );
}

// Not autovacuum, which makes room for whoever waits for a second.
const listHolders = `
  select l.virtualtransaction as transaction,
         coalesce(nullif(a.application_name, ''), 'a client') || ' (pid ' || coalesce(l.pid, 0) || ')' as name
    from pg_locks l
    join pg_class c
      on c.oid = l.relation and c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
    join pg_database d
      on d.oid = l.database and d.datname = current_database()
    left join pg_stat_activity a
      on a.pid = l.pid
   where l.granted
     and l.mode <> 'ShareUpdateExclusiveLock'
     and l.pid is distinct from pg_backend_pid()
   group by l.virtualtransaction, l.pid, a.application_name`;

/** A sale's transactions are shorter. */
const lastingMs = 250;

/** Clients that hold some table by a transaction that lasts. */
async function findHolders(client: pg.Client): Promise<string[]> {
  type Holder = { readonly transaction: string; readonly name: string };
  const { rows: before } = await client.query<Holder>(listHolders);
  if (before.length === 0) return [];
  await delay(lastingMs);
  const { rows } = await client.query<Holder>(listHolders);
  return rows
    .filter(({ transaction }) => before.some((one) => one.transaction === transaction))
    .map(({ name }) => name);
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
