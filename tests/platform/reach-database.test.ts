import { randomBytes } from "node:crypto";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { StartError } from "../../src/kernel/start-error.ts";
import { openDatabase, openPool } from "../../src/platform/database/database.ts";
import { checkConnections, failureToSetUp, reachDatabase } from "../../src/platform/database/reach-database.ts";
import { closing } from "../support/closing.ts";
import { administrate, databaseUrl, freshDatabase } from "../support/database.ts";

const fresh = closing(await freshDatabase());

async function reach(connectionString: string): Promise<unknown> {
  try {
    const pool = openPool({ connectionString, connectionsMax: 1, applicationName: "test", plans: "ordinary" });
    return await reachDatabase(pool, connectionString).finally(() => pool.end());
  } catch (error) {
    return error;
  }
}

describe("a database", () => {
  test("that answers is reached, and tells what keeps its commits from being on disk", async () => {
    const { rows } = await fresh.pool.query("select name from pg_settings where setting = 'off' and name like '%sync'");
    const names = rows.map(({ name }) => name);
    expect(await reach(fresh.url)).toEqual(names.includes("fsync") ? ["fsync", "full_page_writes"] : []);
  });

  test("that refuses is told apart from one that does not answer", async () => {
    const error = (await reach(databaseUrl(fresh.url, "no_such_database"))) as Error;
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toMatch(
      /^The database .*no_such_database refuses \(.* does not exist\): check DATABASE_URL\.$/,
    );
  });

  const refusals: readonly (readonly [string, RegExp])[] = [
    ["postgresql://me:hunter2@127.0.0.1:1/shop", /^No database answers at 127\.0\.0\.1:1\/shop \(.*ECONNREFUSED.*\): /],
    ["postgresql://me:an@hunter2@127.0.0.1:1/shop", /^No database answers at 127\.0\.0\.1:1\/shop \(/],
    ["postgresql://127.0.0.1:1/shop?password=hunter2", /^No database answers at 127\.0\.0\.1:1\/shop \(/],
    ["postgresql://me:hunter2@127.0.0.1:port/shop", /^DATABASE_URL is no valid address\.$/],
    ["postgresql://me@127.0.0.1:1/shop?sslrootcert=/nowhere", /^DATABASE_URL names a file that can't be read \(/],
  ];
  test.each(refusals)("at %s is complained about in one sentence without the password", async (url, sentence) => {
    const error = (await reach(url)) as Error;
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toMatch(sentence);
    expect(error.message).not.toContain("\n");
    expect(error.message).not.toContain("hunter2");
  });

  test.each(["LATIN1", "SQL_ASCII"])("in %s instead of UTF8 is refused before anything is set up", async (encoding) => {
    const name = `test_${encoding.toLowerCase()}_${randomBytes(6).toString("hex")}`;
    await administrate(fresh.ownerUrl, `create database ${name} encoding '${encoding}' locale 'C' template template0`);
    onTestFinished(() => administrate(fresh.ownerUrl, `drop database ${name} with (force)`));
    const error = (await reach(databaseUrl(fresh.url, name))) as Error;
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toMatch(
      new RegExp(
        `^Dispense needs a database in UTF8, and .*${name} is in ${encoding}: create another one \\(.*\\) and .*\\.$`,
      ),
    );
  });

  test.each([
    ["pg_catalog", ""],
    ["nowhere", ""],
    ["private", " -crole=pg_read_all_data"],
  ])("whose search_path leads to %s is refused with that reason", async (schema, role) => {
    await fresh.pool.query("create schema if not exists private");
    const options = encodeURIComponent(`-csearch_path=${schema}${role}`);
    const error = (await reach(
      `${fresh.ownerUrl}${fresh.ownerUrl.includes("?") ? "&" : "?"}options=${options}`,
    )) as Error;
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toMatch(
      new RegExp(`^The search_path of DATABASE_URL's user \\(${schema}\\) leads to no schema of `),
    );
  });

  /** The same database, as a role that may have so many connections. */
  async function limitedTo(connections: number): Promise<string> {
    const role = `test_${randomBytes(6).toString("hex")}`;
    await administrate(fresh.ownerUrl, `create role ${role} login password 'hunter2' connection limit ${connections}`);
    onTestFinished(() => administrate(fresh.ownerUrl, `drop role ${role}`));
    return fresh.url.replace(/\/\/[^/?]*@/, `//${role}:hunter2@`);
  }

  const needs = { charge: 8, read: 4 };
  const check = async (connectionString: string, spare: Record<string, number> = {}) => {
    const pool = openPool({ connectionString, connectionsMax: 12, applicationName: "test", plans: "ordinary" });
    try {
      await reachDatabase(pool, connectionString, { isSetUpByAnother: true, needs });
      await checkConnections(pool, connectionString, { needs, spare });
    } finally {
      await pool.end();
    }
  };

  test.each([0, 5])("that gives its user %i connections is refused with the sum of what is needed", async (given) => {
    const error = await check(await limitedTo(given)).then(
      () => null,
      (refused: unknown) => refused as Error,
    );
    expect(error).toBeInstanceOf(StartError);
    const limit =
      given === 0 ? "" : "; max_connections \\d+, of them \\d+ kept back; CONNECTION LIMIT of the role 5, of .*";
    expect(error?.message).toMatch(
      new RegExp(
        `^The service needs 12 database connections \\(8 to charge, 4 to read\\), and .* gives it ${given} ` +
          `\\(too many connections for role "test_\\w+"${limit}\\): raise max_connections`,
      ),
    );
  });

  test("another process is counted too, and one that leaves too few to spare is refused", async () => {
    const connectionString = await limitedTo(26);
    const spare = { "run commands": 3 };
    await check(connectionString, spare);
    const options = { connectionString, connectionsMax: 12, plans: "batched" } as const;
    const first = openDatabase(openPool({ ...options, applicationName: "dispense batched" }));
    onTestFinished(() => first.close());
    await first.hold();
    expect(String(await check(connectionString, spare).catch((error: unknown) => error))).toMatch(
      /The service needs 27 database connections \(12 to keep its other processes going, 8 to charge, 4 to read, 3 to run commands\), and .* gives it 26 \(max_connections .*; CONNECTION LIMIT of the role 26, of the database none\): raise/,
    );
  });

  test("that we may not set up is told with what to do, a refused migration by its own sentence, and any other error stays what it is", async () => {
    const client = new pg.Client({ connectionString: fresh.ownerUrl });
    await client.connect();
    await client.query("set role pg_read_all_data");
    const refused: unknown = await client.query("create table forbidden ()").catch((error: unknown) => error);
    const mistaken: unknown = await client.query("selec 1").catch((error: unknown) => error);
    await client.end();
    const migrating = new Error("Migration 0001 failed", { cause: refused });
    expect(failureToSetUp(migrating, "postgresql://me:hunter2@db/shop")).toEqual(
      new StartError(
        "The user of DATABASE_URL may not set up db/shop (permission denied for schema public): make it the owner of the database and of all in it, or set MIGRATIONS_DATABASE_URL to one that is.",
      ),
    );
    const planted = new Error("Migration 0002 failed: syntax error", { cause: mistaken });
    expect(failureToSetUp(planted, fresh.url)).toEqual(new StartError("Migration 0002 failed: syntax error"));
    const broken = new Error("Migration 0002 failed: read ECONNRESET", { cause: new Error("read ECONNRESET") });
    expect(failureToSetUp(broken, fresh.url)).toBe(broken);
    expect(failureToSetUp(mistaken, fresh.url)).toBe(mistaken);
  });
});
