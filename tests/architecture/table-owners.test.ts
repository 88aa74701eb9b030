import { describe, expect, test } from "vitest";
import type { SourceFile } from "./source-text.ts";
import { analyse, listFiles, readSource } from "./source-text.ts";
import { isQueriesFile } from "./sql-rules.ts";
import { tableOwners, tablesSealed, tablesWritten, writesHeader } from "./table-writes.ts";

const migrations = listFiles(["migrations"], [".sql"]).filter((path) => path !== "migrations/schema.sql");
const functionFiles = migrations.filter((path) => path.startsWith("migrations/functions/")).map(readSource);
const sources = listFiles(["src"], [".ts"]).map(readSource);
// The table that remembers which migrations ran is made by the code that runs them.
const allSql = [...migrations.map(readSource), ...sources].flatMap(({ sql }) => sql.map(({ raw }) => raw));
const owners = tableOwners(allSql.join("\n"));

/** The room that a file writes for: `wallet` for its queries, `platform` for the platform, null for everyone else. */
function roomOf(path: string): string | null {
  if (path.startsWith("src/platform/")) return "platform";
  return isQueriesFile(path) ? (path.split("/")[2] ?? null) : null;
}

/** Writes of a TypeScript file on tables that are not its room's. Unknown tables (a CTE, a temporary one) count too. */
function foreignWrites(file: SourceFile, owners: ReadonlyMap<string, readonly string[]>): string[] {
  return [...file.sql.flatMap(({ text }) => tablesWritten(text)), ...tablesSealed(file.code)]
    .filter((table) => !owners.get(table)?.includes(roomOf(file.path) ?? "nobody"))
    .map((table) => `${file.path} writes ${table}, which belongs to ${owners.get(table)?.join(" and ") ?? "nobody"}`);
}

/** What a SQL function's header leaves out or makes up. */
function headerFaults(path: string, sql: string): string[] {
  const admitted = writesHeader(sql);
  if (admitted === null) return [`${path} has no "-- writes:" header`];
  const written = tablesWritten(sql);
  return [
    ...written
      .filter((table) => !admitted.includes(table))
      .map((table) => `${path} writes ${table} and does not say so`),
    ...admitted
      .filter((table) => !written.includes(table))
      .map((table) => `${path} says it writes ${table} and does not`),
  ];
}

/** Columns whose comments call them sealed and that no room declares. */
function sealedWithout(schema: string, files: readonly SourceFile[]): string[] {
  const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(([\s\S]*?)^\)/gm)];
  return tables.flatMap(([, table = "", columns = ""]) => {
    const code = files.filter((file) => tablesSealed(file.code).includes(table)).map((file) => file.code);
    return [...columns.matchAll(/((?:^ +--.*\n)+) +(\w+) /gm)]
      .filter(([, comment = "", column]) => /\bsealed\b/i.test(comment) && !code.join().includes(`column: "${column}"`))
      .map(([, , column]) => `${table}.${column}`);
  });
}

describe("every table has its owner", () => {
  test("each table's comment names the room that owns it", () => {
    expect(owners.size).toBeGreaterThan(0);
    expect([...owners].filter(([, named]) => named.length === 0).map(([table]) => table)).toEqual([]);
  });

  test("each owner is a room that exists", () => {
    const rooms = new Set(
      sources.map(({ path }) => path.split("/")).map(([, floor, room]) => (floor === "domain" ? room : floor)),
    );
    expect([...owners].filter(([, named]) => named.some((room) => !rooms.has(room)))).toEqual([]);
  });

  test("only the owner's queries write a table", () => {
    expect(sources.flatMap((file) => foreignWrites(file, owners))).toEqual([]);
  });

  test("every column that is sealed is declared, so that no key is removed which still opens one", () => {
    const exempt = [
      // Says under which key the others are.
      "sealing_key.key_id",
      // One that no longer opens is fetched anew.
      "supplier_tokens.sealed",
      // Names what another column is sealed for.
      "voucher_import_rows.product_id",
    ];
    const found = sealedWithout(readSource("migrations/schema.sql").text, sources);
    expect(found.filter((column) => !exempt.includes(column))).toEqual([]);
  });

  test("each SQL function's header lists exactly the tables that it writes", () => {
    expect(functionFiles.flatMap(({ path, text }) => headerFaults(path, text))).toEqual([]);
  });
});

describe("planted faults are noticed", () => {
  const known = new Map([["wallets", ["wallet"]]]);
  const write = (path: string, sql: string): string[] => foreignWrites(analyse(path, `const a = \`${sql}\`;`), known);

  test("a table without an owner's comment has none", () => {
    const sql =
      "create table wallets (id int);\ncreate table coupons (id int);\ncomment on table wallets is 'owner: wallet. Money.';";
    expect([...tableOwners(sql)]).toEqual([
      ["wallets", ["wallet"]],
      ["coupons", []],
    ]);
  });

  test.each([
    "insert into wallets (id) values ($1)",
    "update wallets\n   set balance = 0",
    "update wallets w set balance = 0",
    "update wallets as w\n   set balance = 0",
    "delete from wallets where id = $1",
    "truncate table wallets",
    "with gone as (delete from wallets returning id) select id from gone",
  ])("another room's %j is a fault, the owner's is none", (sql) => {
    expect(write("src/domain/purchases/queries.ts", sql)).toHaveLength(1);
    expect(write("src/domain/wallet/wallet.ts", sql)).toHaveLength(1);
    expect(write("src/domain/wallet/queries.ts", sql)).toEqual([]);
  });

  test("a sealed column of another room's table is a fault, the owner's is none", () => {
    const declared = (path: string) => foreignWrites(analyse(path, 'sealedColumn({ table: "wallets" });'), known);
    expect(declared("src/domain/purchases/sealed-queries.ts")).toHaveLength(1);
    expect(declared("src/domain/wallet/sealed-queries.ts")).toEqual([]);
  });

  test("a sealed column that no room declares is noticed", () => {
    const schema = "create table wallets (\n  -- The secret, sealed.\n  pin   text\n);";
    const declared = (code: string) => sealedWithout(schema, [analyse("src/domain/wallet/sealed-queries.ts", code)]);
    expect(declared('sealedColumn({ table: "wallets", column: "pin" });')).toEqual([]);
    expect(declared('sealedColumn({ table: "wallets", column: "other" });')).toEqual(["wallets.pin"]);
  });

  test("locking a row and resolving a conflict are not writes of their own", () => {
    expect(tablesWritten("select id from wallets where id = $1 for update")).toEqual([]);
    expect(tablesWritten("insert into a (id) values (1) on conflict (id) do update set id = 2")).toEqual(["a"]);
  });

  test("a function's header that leaves a table out, or makes one up, is noticed", () => {
    const body = "-- writes: wallets, coupons\nupdate wallets set a = 1; delete from inflight where b = 2;";
    expect(headerFaults("f.sql", body)).toHaveLength(2);
    expect(headerFaults("f.sql", "-- writes: wallets\nupdate wallets set a = 1;")).toEqual([]);
    expect(headerFaults("f.sql", "update wallets set a = 1;")).toHaveLength(1);
  });
});
