import { readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { openPool } from "../../src/platform/database/database.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { projectRoot } from "../base/program.ts";
import type { CitusNode, CitusNodes } from "./citus-nodes.ts";

/** The wallets' tables and functions in a schema of their own, which lies on one worker at a time. */
export interface Cell {
  /** The database through the coordinator, with the cell behind what lies outside of it. */
  urlOf(role: "dispense_owner" | "dispense_service"): string;
  /** Of how many tables and functions it is. */
  readonly contents: string;
  /** The worker that holds it. */
  holder(): Promise<CitusNode>;
  /** Moves it to the other worker while it is used. @returns where it was and is, in words */
  move(): Promise<string>;
}

// Cells' tables have a wallet in their key; one more is read and written beside them. A cell knows nobody by a foreign key.
const takeTables = `
  do $do$
  declare
    v_name text;
    v_key record;
  begin
    for v_name in
      select c.relname
        from pg_class c
       where c.relnamespace = 'public'::regnamespace
         and c.relkind in ('r', 'p')
         and (
               c.relname = 'webhook_failing_endpoints'
               or exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'wallet_id')
             )
    loop
      execute format('alter table public.%I set schema cell_00', v_name);
    end loop;
    for v_key in
      select k.conname as name, k.conrelid::regclass as of
        from pg_constraint k
        join pg_class c on c.oid = k.conrelid
        join pg_class t on t.oid = k.confrelid
       where k.contype = 'f'
         and k.conparentid = 0
         and c.relnamespace = 'cell_00'::regnamespace
         and t.relnamespace <> c.relnamespace
    loop
      execute format('alter table %s drop constraint %I', v_key.of, v_key.name);
    end loop;
  end
  $do$`;

// What speaks of a cell's tables and of none outside, and what calls such a function: it finds them by a path of its own, on
// whichever node. Citus plans a statement for its values, so a plan that is forced to be generic would be refused there.
const takeFunctions = `
  do $do$
  declare
    v_function regprocedure;
  begin
    for v_function in
      with recursive words as (
        select p.oid, p.proname::text as name, w.word[1] as word
          from pg_proc p
         cross join lateral regexp_matches(regexp_replace(p.prosrc, '--[^\n]*', '', 'g'), '[a-z_]+', 'g') as w (word)
         where p.pronamespace = 'public'::regnamespace
      ),
      taken as (
        select w.oid, w.name
          from words w
          join pg_class c on c.relname = w.word and c.relnamespace = 'cell_00'::regnamespace
         union
        select p.oid, p.proname::text
          from pg_proc p
         where p.pronamespace = 'public'::regnamespace and p.proname = 'list_log_months'
         union
        select w.oid, w.name
          from words w
          join taken t on t.name = w.word
      )
      select t.oid::regprocedure
        from taken t
       where not exists (
               select 1
                 from words w
                 join pg_class c on c.relname = w.word and c.relnamespace = 'public'::regnamespace
                where w.oid = t.oid and c.relkind in ('r', 'p') and c.relname <> 'webhook_endpoints'
             )
    loop
      execute format('alter function %s set search_path = cell_00, public, pg_temp', v_function);
      execute format('alter function %s set plan_cache_mode = auto', v_function);
      execute format('alter function %s set schema cell_00', v_function);
    end loop;
  end
  $do$`;

// A worker makes no tables, so what makes months stays with the coordinator.
const distribute = [
  "grant usage on schema cell_00 to dispense_service",
  "select citus_schema_distribute('cell_00')",
  "select create_reference_table('public.webhook_endpoints')",
  `select create_distributed_function(p.oid::regprocedure, colocate_with := 'cell_00.wallets')
     from pg_proc p
    where p.pronamespace = 'cell_00'::regnamespace and p.proname <> 'keep_log_months'`,
];

const listFunctions = "select proname as name from pg_proc where pronamespace = 'cell_00'::regnamespace";

/**
 * The coordinator opens the sessions at the workers, so that they lack what we set in ours: what functions of batched
 * connections rely on goes with them. Without it a claim of deliveries takes seconds, and then ever more of them.
 */
function keepSettings(functions: readonly string[]): string[] {
  const folder = path.join(projectRoot, "migrations/functions");
  const isBatched = (name: string) =>
    /^-- called on: batched/m.test(readFileSync(path.join(folder, `${name}.sql`), "utf8"));
  const settings = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"];
  return functions
    .filter(isBatched)
    .flatMap((name) => settings.map((setting) => `alter function cell_00.${name} set ${setting} = off`));
}

/** Migrates the database as the program does, and takes the wallets' part of it into a cell. */
export async function makeCell({ coordinator, workers }: CitusNodes): Promise<Cell> {
  await migrateAt(coordinator.urlOf("dispense_owner"));
  const owner = coordinator.urlOf("dispense_owner");
  const making = ["create schema cell_00", takeTables, takeFunctions, listFunctions];
  const functions = (await carryOut<{ name: string }>(owner, making)).map(({ name }) => name);
  await carryOut(owner, [...keepSettings(functions), ...distribute]);
  const superuser = coordinator.urlOf("postgres");
  const holder = async () => {
    const [row] = await carryOut<{ nodeport: number }>(superuser, [placement]);
    const found = workers.find(({ port }) => port === row?.nodeport);
    if (found === undefined) throw new Error(`the cell lies at port ${row?.nodeport}, where no worker is`);
    return found;
  };
  const [counted] = await carryOut<{ tables: number; functions: number }>(superuser, [countContents]);
  const options = encodeURIComponent("-c search_path=public,cell_00 -c plan_cache_mode=auto");
  return {
    urlOf: (role) => `${coordinator.urlOf(role)}?options=${options}`,
    contents: `${counted?.tables} relations and ${counted?.functions} functions`,
    holder,
    async move() {
      const from = await holder();
      const to = workers.find((worker) => worker !== from);
      await carryOut(superuser, [`select citus_schema_move('cell_00', '127.0.0.1', ${to?.port}, 'force_logical')`]);
      return `from ${from.name} to ${(await holder()).name}`;
    },
  };
}

const placement = "select nodeport from citus_shards where table_name::text = 'cell_00.wallets'";
const countContents = `
  select (select count(*)::int from pg_class where relnamespace = 'cell_00'::regnamespace and relkind in ('r', 'p')) as tables,
         (select count(*)::int from pg_proc where pronamespace = 'cell_00'::regnamespace) as functions`;

async function migrateAt(connectionString: string): Promise<void> {
  const applicationName = "dispense rehearsal";
  const pool = openPool({ connectionString, connectionsMax: 2, applicationName, plans: "ordinary" });
  try {
    await migrate({ pool, directory: path.join(projectRoot, "migrations"), servedBy: "dispense_service" });
  } finally {
    await pool.end();
  }
}

/** Carries out statements on one connection, however long they take. @returns the rows of the last one */
export async function carryOut<Row>(connectionString: string, statements: readonly string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    let rows: Row[] = [];
    for (const text of statements) rows = (await client.query(text)).rows as Row[];
    return rows;
  } finally {
    await client.end().catch(() => {});
  }
}
