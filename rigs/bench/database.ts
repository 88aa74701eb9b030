import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import type { Database } from "../../src/platform/database/database.ts";

/** Cumulative figures of a database, to be compared before and after a load. */
export interface Counters {
  readonly walBytes: number;
  /** Transactions that wrote, of the whole server. */
  readonly commits: number;
  readonly purchases: number;
}

/**
 * Commits are counted by the transaction ids given out: `pg_stat_database.xact_commit` lags by up to ten seconds, as
 * a busy connection reports to it once a second and an idle one later still.
 */
const findCounters = {
  name: "find_counters",
  text: `
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as wal_bytes,
           pg_snapshot_xmax(pg_current_snapshot())::text as commits,
           (select coalesce(sum(purchase_count), 0) from wallets)::text as purchases`,
};

export async function readCounters(database: Database): Promise<Counters> {
  const [row] = await database.query<{ wal_bytes: string; commits: string; purchases: string }>(findCounters);
  if (row === undefined) throw new Error("the database does not count");
  return { walBytes: Number(row.wal_bytes), commits: Number(row.commits), purchases: Number(row.purchases) };
}

const countUnsuccessful = {
  name: "count_unsuccessful",
  text: "select count(*) as unsuccessful from purchases where status <> 'successful'",
};

/** Every purchase of the benchmark goes to a number with which the sandbox succeeds at once. */
export async function unsuccessfulPurchases(database: Database): Promise<number> {
  const [row] = await database.query<{ unsuccessful: bigint }>(countUnsuccessful);
  return Number(row?.unsuccessful ?? 0n);
}

const findVersion = { name: "find_version", text: "select current_setting('server_version') as version" };

export async function postgresVersion(database: Database): Promise<string> {
  const [row] = await database.query<{ version: string }>(findVersion);
  return row?.version ?? "unknown";
}

const findSize = { name: "find_database_size", text: "select pg_database_size(current_database()) as bytes" };

/** In bytes, with indexes and without the write-ahead log. */
export async function sizeOf(database: Database): Promise<number> {
  const [row] = await database.query<{ bytes: bigint }>(findSize);
  return Number(row?.bytes ?? 0n);
}

/** Writes out what loading the tables made dirty, so that it does not fall into the measurements. */
export async function writeCheckpoint(database: Database): Promise<void> {
  await database.query({ name: "checkpoint", text: "checkpoint" });
}

/** Two gigabytes of the write-ahead log, file by file. */
const fillLogFiles = {
  name: "fill_log_files",
  text: `do $$
         begin
           for file in 1..500 loop
             perform pg_logical_emit_message(false, 'bench', '');
             perform pg_switch_wal();
           end loop;
         end
         $$`,
};

/**
 * Leaves a fresh database as it is after its first hours: what is dirty is written out, and files of the write-ahead log
 * that were used once lie ready: 2 GB, more than any run of ours writes. Making a new one stops every commit for some
 * 7 ms, several times a second under load.
 */
export async function breakIn(database: Database): Promise<void> {
  await database.query(fillLogFiles);
  await writeCheckpoint(database);
}

const scale = 50;
const clients = 16;
const databaseName = "dispense_bench_tpcb";

/** PostgreSQL's own benchmark on the service's own server: what a transaction costs on this machine. */
export interface Pgbench {
  /** Transactions per second of `tpcb-like`, prepared, by 16 clients. */
  run(
    seconds: number,
  ): Promise<{ readonly transactions: number; readonly perSecond: number; readonly latencyMs: number }>;
  drop(): Promise<void>;
}

/** Loads its tables (5 million accounts) into a database of their own. @returns null where pgbench is not installed */
export async function openPgbench(database: Database, connectionString: string): Promise<Pgbench | null> {
  if (spawnSync("pgbench", ["--version"]).status !== 0) return null;
  const url = connectionString.replace(/\/\w+\?/, `/${databaseName}?`);
  await database.query({ name: "create_bench", text: `create database ${databaseName}` });
  await run(["--initialize", `--scale=${scale}`, "--quiet", url]);
  return {
    async run(seconds) {
      const output = await run([
        "--no-vacuum",
        "--builtin=tpcb-like",
        "--protocol=prepared",
        `--client=${clients}`,
        `--time=${seconds}`,
        url,
      ]);
      return {
        transactions: figure(output, /transactions actually processed: ([0-9]+)/),
        perSecond: figure(output, /tps = ([0-9.]+)/),
        latencyMs: figure(output, /latency average = ([0-9.]+) ms/),
      };
    },
    async drop() {
      await database.query({ name: "drop_bench", text: `drop database if exists ${databaseName} with (force)` });
    },
  };
}

/** @throws Error with its complaint when it fails. `PG…` variables would change whom it talks to. */
async function run(args: readonly string[]): Promise<string> {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("PG"));
  return (await promisify(execFile)("pgbench", args, { env: Object.fromEntries(environment) })).stdout;
}

function figure(output: string, pattern: RegExp): number {
  const text = pattern.exec(output)?.[1];
  if (text === undefined) throw new Error(`pgbench did not report: ${output.slice(0, 500)}`);
  return Number(text);
}
