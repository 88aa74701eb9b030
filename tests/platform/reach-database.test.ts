import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StartError } from "../../src/kernel/start-error.ts";
import { openPool } from "../../src/platform/database.ts";
import { failureToSetUp, reachDatabase } from "../../src/platform/reach-database.ts";
import { databaseUrl, type FreshDatabase, freshDatabase } from "../support/database.ts";

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

async function reach(connectionString: string): Promise<unknown> {
  try {
    const pool = openPool({ connectionString, connectionsMax: 1, applicationName: "test", plans: "ordinary" });
    return await reachDatabase(pool, connectionString).finally(() => pool.end());
  } catch (error) {
    return error;
  }
}

describe("a database", () => {
  test("that answers is reached without a word", async () => {
    expect(await reach(fresh.url)).toBeUndefined();
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

  test("that we may not set up is told with what to do, and any other error stays what it is", async () => {
    const client = new pg.Client({ connectionString: fresh.url });
    await client.connect();
    await client.query("set role pg_read_all_data");
    const refused: unknown = await client.query("create table forbidden ()").catch((error: unknown) => error);
    const mistaken: unknown = await client.query("selec 1").catch((error: unknown) => error);
    await client.end();
    const migrating = new Error("Migration 0001 failed", { cause: refused });
    expect(failureToSetUp(migrating, "postgresql://me:hunter2@db/shop")).toEqual(
      new StartError(
        "The user of DATABASE_URL may not set up db/shop (permission denied for schema public): make it the owner of the database.",
      ),
    );
    expect(failureToSetUp(mistaken, fresh.url)).toBe(mistaken);
  });
});
