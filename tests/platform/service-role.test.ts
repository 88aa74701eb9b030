import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { powerToRewrite } from "../../src/platform/database/service-role.ts";
import { listFiles, readSource } from "../architecture/source-text.ts";
import { isQueriesFile } from "../architecture/sql-rules.ts";
import { rightsNeeded } from "../architecture/table-writes.ts";
import { type FreshDatabase, freshDatabase, grantServiceRights, testServiceRole } from "../support/database.ts";

let fresh: FreshDatabase;
/** As the service connects. */
let service: pg.Pool;

beforeAll(async () => {
  fresh = await freshDatabase();
  service = new pg.Pool({ connectionString: fresh.url, max: 2 }).on("error", () => {});
});
afterAll(async () => {
  await service.end();
  await fresh.drop();
});

/** On a connection of its own: what was carried out may change what that may do. */
async function codeOf(text: string): Promise<string | undefined> {
  const client = await service.connect();
  return client
    .query(text)
    .then(
      () => "carried out",
      (error: { readonly code?: string }) => error.code,
    )
    .finally(() => client.release(true));
}

describe("the role that serves", () => {
  test("is no superuser, and owns nothing", async () => {
    expect((await service.query("select current_user as name")).rows).toEqual([{ name: testServiceRole }]);
    expect(await powerToRewrite({ pool: service })).toBeNull();
    expect(await powerToRewrite({ pool: fresh.pool })).not.toBeNull();
  });

  test.each([
    "update ledger_entries set amount = 1",
    "delete from ledger_entries",
    "truncate ledger_entries",
    "select 1 from ledger_entries for update",
    "alter table ledger_entries disable trigger all",
    "alter table ledger_entries drop constraint ledger_entries_move_the_wallet",
    "drop table ledger_entries",
    "create trigger swallow before insert on ledger_entries for each row execute function refuse_audit_change()",
    "update audit_log set who = 'somebody else'",
    "delete from audit_log",
    "truncate audit_log",
    "insert into audit_log table audit_log",
    "alter table audit_log disable trigger audit_log_only_grows",
    "drop trigger audit_log_only_grows on audit_log",
    "delete from vend_attempts",
    "update vend_attempts set verdict = 'vended'",
    "truncate vend_attempts",
    "delete from purchases",
    "truncate purchases",
    "insert into applied_migrations (name, hash, release, oldest_release) values ('0001', '', '', '')",
    "truncate wallets",
    "create table mine ()",
    "create or replace function audit_hash(bytea, bigint, timestamptz, text, text, text) returns bytea return ''",
    "create function mine() returns int return 1",
    "alter function append_audit_entry(text, text, text) security invoker",
    "set role pg_write_all_data",
    "copy ledger_entries to program 'cat'",
    "copy ledger_entries from '/dev/null'",
    "select pg_read_file('/etc/passwd')",
    "alter system set fsync = off",
    "create role mine superuser",
  ])("is refused by the database: %s", async (text) => {
    expect(await codeOf(text)).toBe("42501"); // insufficient_privilege
  });

  test("is refused what its owner does, too", async () => {
    const { rows } = await fresh.pool.query("select current_user as name");
    expect(await codeOf(`set role "${rows[0].name}"`)).toBe("42501");
    expect(await codeOf(`set session authorization "${rows[0].name}"`)).toBe("42501");
  });

  test("may do everything that the code does", async () => {
    // Nothing else writes: tests/architecture.
    const sources = listFiles(["src"], [".ts"]).filter(
      (path) =>
        isQueriesFile(path) || (path.startsWith("src/platform/") && path !== "src/platform/database/migrate.ts"),
    );
    const functions = listFiles(["migrations/functions"], [".sql"]);
    const asInvoker = [...sources, ...functions]
      .map(readSource)
      .flatMap(({ sql }) => sql.map(({ text }) => text))
      .filter((text) => !/^security definer$/m.test(text));
    const needed = [...new Set(asInvoker.flatMap(rightsNeeded))].sort();
    expect(needed).toEqual(expect.arrayContaining(["insert ledger_entries", "insert vend_attempts", "update wallets"]));
    const { rows } = await service.query(
      `select n.need
         from unnest($1::text[]) as n (need)
        where to_regclass(split_part(n.need, ' ', 2)) is not null
          and not has_table_privilege(split_part(n.need, ' ', 2), split_part(n.need, ' ', 1))`,
      [needed],
    );
    expect(rows).toEqual([]);
  });

  test("adds to the audit log by its function alone, in a chain", async () => {
    await service.query("select append_audit_entry('ada', 'test', '{}')");
    await service.query("select append_audit_entry('ada', 'test', '{}')");
    const { rows } = await service.query("select previous_hash, hash from audit_log order by number");
    expect(rows[1].previous_hash).toEqual(rows[0].hash);
  });
});

describe("a function that runs as its owner", () => {
  const definers = `
    select p.oid::regprocedure::text as name, coalesce(p.proconfig::text, '') as settings,
           has_function_privilege('public', p.oid, 'execute') as "isAnybodys"
      from pg_proc p
     where p.prosecdef and p.pronamespace = 'public'::regnamespace
     order by 1`;

  test("goes by a path of its own in which temporary tables come last, and is nobody's but the service's", async () => {
    const { rows } = await fresh.pool.query(definers);
    expect(rows.map(({ name }) => name.replace(/\(.*/, ""))).toEqual([
      "append_audit_entry",
      "keep_log_months",
      "purge_sandbox_purchases",
      "take_back_purchase",
    ]);
    for (const { settings, isAnybodys } of rows) {
      expect(settings).toMatch(/"search_path=public, pg_temp"/);
      expect(isAnybodys).toBe(false);
    }
  });

  test("does not fall for a temporary table of the caller's", async () => {
    const client = await service.connect();
    await client.query("create temporary table audit_log (like public.audit_log)");
    const { rows } = await client.query("select append_audit_entry('eve', 'test', '{}') as number");
    expect((await client.query("select 1 from pg_temp.audit_log")).rowCount).toBe(0);
    expect((await client.query("select who from public.audit_log where number = $1", [rows[0].number])).rows).toEqual([
      { who: "eve" },
    ]);
    client.release(true);
  });
});

describe("the rights", () => {
  const grant = () => grantServiceRights(fresh);
  const versions = async () =>
    (
      await fresh.pool.query(
        "select oid::regclass::text as name, xmin from pg_class where relnamespace = 'public'::regnamespace order by 1",
      )
    ).rows;

  test("reach a table that comes later, and touch nothing where all is as it should be", async () => {
    await fresh.pool.query("create table later (id int); create sequence later_numbers");
    onTestFinished(async () => void (await fresh.pool.query("drop table later; drop sequence later_numbers")));
    expect(await codeOf("insert into later values (1)")).toBe("42501");
    await grant();
    const before = await versions();
    await grant();
    expect(await versions()).toEqual(before);
    expect(await codeOf("insert into later values (nextval('later_numbers'))")).toBe("carried out");
    expect(await codeOf("update later set id = 2")).toBe("carried out");
    expect(await codeOf("delete from later")).toBe("carried out");
    expect(await codeOf("truncate later")).toBe("42501");
  });

  test("that were given beyond that are taken away again", async () => {
    await fresh.pool.query(`grant all on all tables in schema public to ${testServiceRole}`);
    expect(await powerToRewrite({ pool: service })).toBe("may delete audit_log");
    await grant();
    expect(await powerToRewrite({ pool: service })).toBeNull();
    expect(await codeOf("update ledger_entries set amount = 1")).toBe("42501");
  });

  test.each([
    ["everybody's", "grant update on ledger_entries to public", "may update ledger_entries"],
    ["a single column's", `grant update (amount) on ledger_entries to ${testServiceRole}`, "may update ledger_entries"],
    ["to create beside the tables", "grant create on schema public to public", "may create in the schema public"],
    ["an owner's", `alter table wallets owner to ${testServiceRole}`, "owns wallets"],
  ])("that are %s are noticed", async (_whose, statement, power) => {
    const client = await fresh.pool.connect();
    await client.query(`begin; ${statement}; set local role ${testServiceRole}`);
    expect(await powerToRewrite({ pool: client as unknown as pg.Pool })).toBe(power);
    await client.query("rollback");
    client.release();
  });
});
