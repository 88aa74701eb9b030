import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { StartError } from "../../src/kernel/start-error.ts";
import { connectionConfig, siblingClient } from "../../src/platform/database/connection-config.ts";
import { type Database, openDatabase, openPool, statement } from "../../src/platform/database/database.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";

const fresh = closing(await freshDatabase());

/** The same address with one more parameter. */
function address(name: string, value: string): string {
  return `${fresh.url}${fresh.url.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
}

function open(connectionString: string, isReadOnly = false): Database {
  const name = { applicationName: "dispense test", plans: "batched" } as const;
  const pool = openPool({ connectionString, connectionsMax: 1, ...name, isReadOnly });
  const database = openDatabase(pool);
  onTestFinished(() => database.close());
  return database;
}

const session = statement(
  "find_session",
  `select current_setting('application_name') as name, current_setting('timezone') as zone,
          current_setting('search_path') as path, current_setting('synchronous_commit') as commit,
          current_setting('enable_seqscan') as scans, current_setting('transaction_isolation') as isolation`,
);
const ours = { name: "dispense test", zone: "UTC", commit: "on", scans: "off", isolation: "read committed" };

describe("what the program relies on holds", () => {
  test("whatever name the address gives: it is the name that operators go by", async () => {
    const database = open(address("application_name", "shop"));
    expect(await database.query(session)).toEqual([expect.objectContaining(ours)]);
    expect(await database.query({ ...session, isPipelined: true })).toEqual([expect.objectContaining(ours)]);
  });

  test("whatever options the address has, which go before ours", async () => {
    const options = "-csearch_path=public -c timezone=Asia/Tokyo -c synchronous_commit=off";
    expect(await open(address("options", options)).query(session)).toEqual([{ ...ours, path: "public" }]);
  });

  test("an address may say that plans are made for values, as an engine with nodes needs it, and nothing more of ours", async () => {
    const options = "-c plan_cache_mode=auto -c enable_seqscan=on";
    const planned = statement("find_plans", "select current_setting('plan_cache_mode') as plans");
    expect(await open(fresh.url).query(planned)).toEqual([{ plans: "force_generic_plan" }]);
    const database = open(address("options", options));
    expect(await database.query(planned)).toEqual([{ plans: "auto" }]);
    expect(await database.query(session)).toEqual([expect.objectContaining(ours)]);
  });

  test("PostgreSQL refuses every write by a pool that only reads, in a transaction and without", async () => {
    const database = open(fresh.url, true);
    const writing = statement("update_rates", "update fx_rates set rate = rate where false");
    await expect(database.query(writing)).rejects.toThrow("read-only transaction");
    await expect(database.transaction((tx) => tx.query(writing))).rejects.toThrow("read-only transaction");
    expect(await database.query(session)).toEqual([expect.objectContaining(ours)]);
  });

  test("whatever the database prefers", async () => {
    const preferred = {
      timezone: "Asia/Tokyo",
      datestyle: "SQL, DMY",
      bytea_output: "escape",
      array_nulls: "off",
      default_transaction_isolation: "serializable",
      client_encoding: "LATIN1",
    };
    const settings = Object.entries(preferred).map(([name, value]) => `set ${name} = '${value}'`);
    const { rows } = await fresh.pool.query("select current_database() as name");
    for (const setting of settings) await fresh.pool.query(`alter database ${rows[0].name} ${setting}`);
    onTestFinished(() => fresh.pool.query(`alter database ${rows[0].name} reset all`).then(() => undefined));
    const database = open(fresh.url);
    const values = statement(
      "find_values",
      `select '2026-02-01 14:03:09.123+00'::timestamptz as at, '\\xe28093'::bytea as bytes, 'Ọ' as word,
              '{NULL}'::text[] as words`,
    );
    expect(await database.query(values)).toEqual([
      { at: Date.UTC(2026, 1, 1, 14, 3, 9, 123), bytes: Buffer.from("–"), word: "Ọ", words: [null] },
    ]);
    expect(await database.query(session)).toEqual([expect.objectContaining(ours)]);
  });
});

test("a time that can't be read fails its statement instead of going on as another one", async () => {
  const database = open(fresh.url);
  const never = statement("find_never", "select 'infinity'::timestamptz as at");
  await expect(database.query(never)).rejects.toThrow('a time as "infinity"');
  await database.query(statement("set_style", "set datestyle = 'SQL, DMY'"));
  const other = statement("find_other", "select '2026-02-01 14:03:09+00'::timestamptz as at");
  await expect(database.query(other)).rejects.toThrow('a time as "01/02/2026 14:03:09 UTC"');
});

describe("an address is read as pg reads it", () => {
  const addresses = [
    "postgresql://shop:secret@db.example:6432/ledger",
    "postgres://shop@[::1]/ledger",
    "postgresql://shop:p%40ss%2Fw%3Frd%23@db/ledger",
    "postgresql://shop:100%safe@db/ledger?application_name=x",
    "postgresql://shop@/ledger?host=%2Frun%2Fpostgres&port=6432",
    "postgresql://%2Frun%2Fpostgres/ledger",
    "postgresql://shop@db/ledger?sslmode=disable",
    "postgresql://shop@db/ledger?sslmode=verify-full",
    "postgresql://shop@db/ledger?sslmode=no-verify",
    "postgresql://shop@db/ledger?sslmode=require&uselibpqcompat=true",
    "postgresql://shop@db/ledger?ssl=no-verify",
    "postgresql://shop@db/ledger?statement_timeout=30000",
  ];
  test.each(addresses)("%s is, to the last field", (connectionString) => {
    const config = connectionConfig({ connectionString, applicationName: "dispense test", plans: "ordinary" });
    expect(placeOf(new pg.Client(config))).toEqual(placeOf(new pg.Client({ connectionString })));
  });

  test("and a password also reaches what connects beside the pool", () => {
    const connectionString = "postgresql://shop:100%safe@db/ledger";
    const pool = openPool({ connectionString, connectionsMax: 1, applicationName: "test", plans: "ordinary" });
    expect(siblingClient(pool.options, {}).password).toBe("100%safe");
  });

  test("but what only the program may say is not taken from it", () => {
    const connectionString = "postgresql://shop@db/ledger?max=1&query_timeout=1&binary=true";
    const pool = openPool({ connectionString, connectionsMax: 5, applicationName: "test", plans: "ordinary" });
    expect(pool.options).toMatchObject({ max: 5, query_timeout: 60_000 });
    expect(pool.options).not.toHaveProperty("binary");
  });

  test.each([
    "postgresql://shop:hunter2@db1:5432,db2:5432/ledger",
    "postgresql://db1,db2/ledger?target_session_attrs=read-write",
    "postgresql://shop@db1/ledger?target_session_attrs=read-write",
  ])("several hosts are refused in one sentence: %s", (connectionString) => {
    expect(() => connectionConfig({ connectionString, applicationName: "test", plans: "ordinary" })).toThrow(
      /^DATABASE_URL names several hosts or target_session_attrs, .* leads to the primary \(docs\/operations\/incidents\.md, .*\)\.$/,
    );
  });

  test("or it is refused in one sentence", () => {
    const connectionString = "postgresql://shop:hunter2@db:port/ledger";
    expect(() => connectionConfig({ connectionString, applicationName: "test", plans: "ordinary" })).toThrow(
      new StartError("DATABASE_URL is no valid address."),
    );
  });
});

/** Everything that decides which server is asked, by whom and how. */
function placeOf(client: pg.Client) {
  const { user, password, host, port, database } = client;
  const { ssl, statement_timeout } = (client as unknown as { connectionParameters: Record<string, unknown> })
    .connectionParameters;
  return { user, password, host, port, database, ssl, statement_timeout };
}
