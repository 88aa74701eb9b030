import { readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { migrate } from "../../src/platform/database/migrate.ts";
import {
  serviceAddress,
  serviceRole,
  startEmbeddedPostgres,
} from "../../src/platform/embedded-postgres/embedded-postgres.ts";
import { migrationsDirectory } from "../support/database.ts";
import { operateAlone } from "../support/operate.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

let scratch: ScratchDirectory;
const programs = openPrograms();

beforeEach(async () => {
  scratch = await makeScratchDirectory();
});
afterEach(async () => {
  programs.killAll();
  await scratch.remove();
});

function connect(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 }).on("error", () => {});
  onTestFinished(() => pool.end());
  return pool;
}

/** The address in the data directory, as commands and backups take it. */
const ownerAddress = () => readFileSync(path.join(scratch.folder, "connection"), "utf8").trim();

async function startService() {
  const service = programs.start(["start"], { DATA_DIR: scratch.folder, PORT: "0" });
  await service.saying("Docs");
  const owner = connect(ownerAddress());
  return {
    owner,
    out: service.out,
    roles: async () =>
      (await owner.query("select distinct usename from pg_stat_activity where application_name ~ '^dispense'")).rows,
    async stop() {
      service.child.kill("SIGTERM");
      expect((await service.ended).code).toBe(0);
    },
  };
}

const anEntry =
  "insert into ledger_entries (wallet_id, seq, kind, debit_account, credit_account, amount, delta, " +
  "balance_after) values (-9, 1, 'top_up', 'funding', 'wallet', 5, 5, 5)";

test("a new data directory is served by a role that can't change what was booked, without a word of set-up", async () => {
  const service = await startService();
  expect(await service.roles()).toEqual([{ usename: serviceRole }]);
  expect(service.out()).not.toContain("database.one_role");
  const serving = connect(serviceAddress(ownerAddress()));
  await serving.query(anEntry);
  for (const text of ["update ledger_entries set amount = 1", "delete from ledger_entries", "delete from audit_log"]) {
    await expect(serving.query(text)).rejects.toThrow(/^permission denied for table/);
  }
  await service.owner.query("delete from ledger_entries where wallet_id = -9");
  const environment = { DATA_DIR: scratch.folder };
  const made = await operateAlone(["create-merchant", "--name", "Ada", "--email", "ada@shop.example"], environment);
  expect([made.code, made.error]).toEqual([0, ""]);
  expect((await operateAlone(["check-ledger"], environment)).code).toBe(0);
  await service.stop();
});

test("a data directory of before, of which the superuser owned and served all, is served by that role from then on", async () => {
  const before = await startEmbeddedPostgres({ dataDirectory: scratch.folder, log: () => {} });
  const pool = new pg.Pool({ connectionString: before.connectionString, max: 1 }).on("error", () => {});
  await pool.query(`drop role ${serviceRole}`);
  await migrate({ pool, directory: migrationsDirectory });
  await pool.query("insert into merchants (name, email) values ('Ada', 'ada@shop.example')");
  await pool.end();
  await before.stop();

  const service = await startService();
  expect(await service.roles()).toEqual([{ usename: serviceRole }]);
  const serving = connect(serviceAddress(ownerAddress()));
  await expect(serving.query("update ledger_entries set amount = 1")).rejects.toThrow(/^permission denied for table/);
  expect((await serving.query("select name from merchants")).rows[0]).toEqual({ name: "Ada" });
  await service.stop();
  await (await startService()).stop();
});

test("after-restore gives the role its rights to a database that was restored without them", async () => {
  const first = await startService();
  await first.stop();
  const database = programs.start(["operator", "run-database"], { DATA_DIR: scratch.folder });
  await database.saying("Ctrl-C stops it.");
  const owner = connect(ownerAddress());
  // As `pg_restore --no-privileges` leaves it.
  await owner.query(`drop owned by ${serviceRole}; grant execute on all functions in schema public to public`);
  const environment = { DATA_DIR: scratch.folder };
  const refused = await operateAlone(["check-ledger"], environment);
  expect([refused.code, refused.error]).toEqual([
    1,
    expect.stringMatching(
      /^The user of DATABASE_URL may not do that \(permission denied for .*\): .* after-restore .*\.\n$/,
    ),
  ]);
  const restored = await operateAlone(["after-restore"], environment);
  expect([restored.code, restored.error]).toEqual([0, ""]);
  expect((await operateAlone(["check-ledger"], environment)).code).toBe(0);
  const { rows } = await owner.query(
    "select proname from pg_proc where prosecdef and has_function_privilege('public', oid, 'execute')",
  );
  expect(rows).toEqual([]);
  database.child.kill("SIGINT");
  expect((await database.ended).code).toBe(0);
});
