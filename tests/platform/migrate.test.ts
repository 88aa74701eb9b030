import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { StartError } from "../../src/kernel/start-error.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

let fresh: FreshDatabase;
let scratch: ScratchDirectory;
beforeEach(async () => {
  fresh = await freshDatabase();
  await fresh.pool.query("drop schema public cascade; create schema public");
  scratch = await makeScratchDirectory();
  await mkdir(path.join(scratch.folder, "functions"));
});
afterEach(async () => {
  await fresh.drop();
  await scratch.remove();
});

function write(name: string, text: string): Promise<void> {
  return writeFile(path.join(scratch.folder, name), text);
}

/** As the service's: it gives a statement up, here after a fifth of a second. */
function hastyPool(): pg.Pool {
  const pool = new pg.Pool({ connectionString: fresh.ownerUrl, max: 2, query_timeout: 200 });
  pool.on("error", () => {}); // the database is dropped before
  onTestFinished(() => pool.end());
  return pool;
}

async function applied(): Promise<string[]> {
  const { rows } = await fresh.pool.query("select name from applied_migrations order by name");
  return rows.map((row) => row.name);
}

test("a migration takes as long as it takes, and tells what is being applied", async () => {
  const { rows } = await fresh.pool.query("select current_database() as name");
  await fresh.pool.query(`alter database ${rows[0].name} set statement_timeout = '200ms'`);
  await write("0001_slow.sql", "select pg_sleep(0.7); create table made_slowly ();");
  const said: string[] = [];
  await migrate({ pool: hastyPool(), directory: scratch.folder, log: (line) => said.push(line), reportEveryMs: 200 });
  expect(await applied()).toEqual(["0001_slow.sql"]);
  expect(said[0]).toMatch(/^applying 0001_slow\.sql, for \d s now$/);
  expect(said.at(-1)).toBe("applied 0001_slow.sql");
});

test("a second process waits for the first for as long as that migrates, and says so", async () => {
  const { rows } = await fresh.pool.query("select current_database() as name");
  await fresh.pool.query(`alter database ${rows[0].name} set lock_timeout = '200ms'`);
  await write("0001_slow.sql", "select pg_sleep(0.7); create table made_once ();");
  const said: string[] = [];
  const pool = hastyPool();
  const [directory, reportEveryMs] = [scratch.folder, 200];
  await Promise.all([
    migrate({ pool, directory, log: (line) => said.push(line), reportEveryMs }),
    migrate({ pool, directory, log: (line) => said.push(line), reportEveryMs }),
  ]);
  expect(said.filter((line) => line.startsWith("applied"))).toEqual(["applied 0001_slow.sql"]);
  expect(said).toContainEqual(expect.stringMatching(/^waiting for another process that migrates, for \d s now$/));
});

async function openClient(settings: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: fresh.ownerUrl, ...settings });
  client.on("error", () => {}); // the database is dropped before
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Reads the table in a transaction that stays open, as a dump does. */
async function readLong(table: string): Promise<pg.Client> {
  const reader = await openClient({ application_name: "pg_dump" });
  await reader.query(`begin; lock table ${table} in access share mode`);
  return reader;
}

const brief = { pauseMs: 20, ms: 60_000 };

test("a file that gets no lock, as a dump goes on, is tried again until it does, and nobody waits behind it meanwhile", async () => {
  await fresh.pool.query("create table sold (number int)");
  const reader = await readLong("sold");
  await write("0001_wider.sql", "alter table sold add column added int;");
  const said: string[] = [];
  const migrating = migrate({
    pool: fresh.pool,
    directory: scratch.folder,
    log: (line) => said.push(line),
    patience: brief,
  });
  const sale = await openClient({ lock_timeout: 1_000 });
  await expect
    .poll(async () => {
      await sale.query("insert into sold values (1)");
      return said.length;
    })
    .toBeGreaterThan(5);
  expect(said[0]).toMatch(
    /^0001_wider\.sql got no lock on a table: pg_dump \(pid \d+\) uses some\. It is tried again in 0\.02 s$/,
  );
  await reader.query("commit");
  await migrating;
  expect(await applied()).toEqual(["0001_wider.sql"]);
});

test("a file that never gets its lock is given up with the name of who holds it, and leaves nothing behind", async () => {
  await fresh.pool.query("create table sold (number int)");
  await readLong("sold");
  await write("0001_wider.sql", "create table made (); alter table sold add column added int;");
  await expect(
    migrate({ pool: fresh.pool, directory: scratch.folder, patience: { pauseMs: 20, ms: 100 } }),
  ).rejects.toThrow(
    /^0001_wider\.sql got no lock on a table: pg_dump .* uses some\. End that, or wait for it, and start again\.$/,
  );
  expect((await fresh.pool.query("select to_regclass('made') as made")).rows).toEqual([{ made: null }]);
});

test("a marked file makes its indexes beside those who write, in whichever of two processes, and again after one that failed", async () => {
  await fresh.pool.query("create table sold (number int); insert into sold values (1), (1)");
  const index = (what: string) =>
    `-- concurrently\ndrop index concurrently if exists sold_by_number;\ncreate ${what} concurrently sold_by_number on sold (number);\n`;
  await write("0001_index.sql", index("unique index"));
  const options = { pool: fresh.pool, directory: scratch.folder, patience: brief };
  await expect(migrate(options)).rejects.toThrow("Migration 0001_index.sql failed: could not create unique index");
  await write("0001_index.sql", index("index"));
  const writer = await openClient();
  await writer.query("begin; insert into sold values (2)");
  const migrating = Promise.all([migrate(options), migrate(options)]);
  const waiting =
    "select count(*)::int as count from pg_stat_activity where query like '%sold_by_number%' and wait_event_type = 'Lock'";
  const database = "and datname = current_database()";
  await expect.poll(async () => (await fresh.pool.query(`${waiting} ${database}`)).rows[0].count).toBe(1);
  await writer.query("insert into sold values (3); commit");
  await migrating;
  const valid = "select indisvalid from pg_index where indexrelid = 'sold_by_number'::regclass";
  expect((await fresh.pool.query(valid)).rows).toEqual([{ indisvalid: true }]);
});

test("a checkout that lacks files of its own release is refused, and leaves the newer functions alone", async () => {
  const options = { pool: fresh.pool, directory: scratch.folder };
  const numberOf = (n: number) =>
    write("functions/told.sql", `create or replace function told() returns int language sql return ${n};`);
  await write("0001_first.sql", "create table first ();");
  await numberOf(1);
  await migrate(options);
  await write("0002_second.sql", "create table second ();");
  await numberOf(2);
  await migrate(options);
  await rm(path.join(scratch.folder, "0002_second.sql"));
  await numberOf(1);
  await expect(migrate(options)).rejects.toThrow(
    new StartError(
      "This database was set up by a newer Dispense (it has 0002_second.sql, which this checkout lacks): update the checkout.",
    ),
  );
  expect((await fresh.pool.query("select told() as told")).rows).toEqual([{ told: 2 }]);
});

test("an older release works beside a newer one, changes nothing of what that made, and starts again after it", async () => {
  const newer = { pool: fresh.pool, directory: scratch.folder, release: "0.10.0" };
  const older = { ...newer, release: "0.9.1" };
  const countOf = (n: number) =>
    write("functions/counted.sql", `create or replace function counted() returns int language sql return ${n};`);
  await write("0001_first.sql", "create table first ();");
  await countOf(1);
  await migrate(older);
  await write("0002_expand.sql", "create table second ();");
  await countOf(2);
  await migrate(newer);
  await rm(path.join(scratch.folder, "0002_expand.sql"));
  await countOf(1);
  for (const servedBy of [undefined, "dispense_service"]) await migrate({ ...older, servedBy });
  const { rows } = await fresh.pool.query("select counted(), to_regclass('second') is not null as is_there");
  expect(rows).toEqual([{ counted: 2, is_there: true }]);
});

test("a release is refused by a database whose newer files say that they need a newer one, and by no other", async () => {
  const given = { pool: fresh.pool, directory: scratch.folder };
  await write("0001_first.sql", "create table first (old int, new int);");
  await migrate({ ...given, release: "0.1.0" });
  await write("0002_contract.sql", "-- oldest release: 0.2.0\nalter table first drop column old;");
  await migrate({ ...given, release: "0.3.0" });
  await rm(path.join(scratch.folder, "0002_contract.sql"));
  await migrate({ ...given, release: "0.2.0" });
  await expect(migrate({ ...given, release: "0.1.0" })).rejects.toThrow(
    new StartError(
      "This database was changed by a newer Dispense, and 0.1.0 can't work with it (0002_contract.sql needs 0.2.0 or newer): update this program.",
    ),
  );
});

test("a database that another text of a file set up is refused in one sentence, and nothing of it is changed", async () => {
  const options = { pool: fresh.pool, directory: scratch.folder };
  await write("0001_first.sql", "create table first ();");
  await migrate(options);
  await write("0001_first.sql", "create table first (added int);");
  await write("0002_second.sql", "create table second ();");
  await expect(migrate(options)).rejects.toThrow(
    new StartError(
      "This database was set up by another text of 0001_first.sql than this checkout has, and nothing leads from one to the " +
        "other: use the checkout that set it up, or an empty database (npm run db:fresh empties this one).",
    ),
  );
  expect((await fresh.pool.query("select to_regclass('second') as second")).rows).toEqual([{ second: null }]);
});

test("a database from before the files were written anew is refused in one sentence, and nothing of it is changed", async () => {
  const options = { pool: fresh.pool, directory: scratch.folder };
  await write("0000_first.sql", "create table first ();");
  await write("0061_last.sql", "create table last ();");
  await write("functions/told.sql", "create or replace function told() returns int language sql return 1;");
  await migrate(options);
  for (const name of ["0000_first.sql", "0061_last.sql"]) await rm(path.join(scratch.folder, name));
  await write("0001_anew.sql", "create table anew ();");
  await write("functions/told.sql", "create or replace function told() returns int language sql return 2;");
  const refused = new StartError(
    "This database was set up by a Dispense from before its first release (it has 0061_last.sql), which cannot be updated: use an empty database (npm run db:fresh empties this one), or the checkout that set it up.",
  );
  for (const servedBy of [undefined, "nobody"])
    await expect(migrate({ ...options, servedBy })).rejects.toThrow(refused);
  expect(await applied()).toEqual(["0000_first.sql", "0061_last.sql", "functions/told.sql"]);
  expect((await fresh.pool.query("select told() as told, to_regclass('anew') as anew")).rows).toEqual([
    { told: 1, anew: null },
  ]);
});

test("a function that is no longer among the files is not taken for one of a newer program", async () => {
  const options = { pool: fresh.pool, directory: scratch.folder };
  await write("functions/told.sql", "create or replace function told() returns int language sql return 1;");
  await migrate(options);
  await rm(path.join(scratch.folder, "functions/told.sql"));
  await write("0001_without.sql", "drop function told();");
  await migrate(options);
  expect(await applied()).toContain("0001_without.sql");
});
