import { afterAll, beforeAll, expect, test } from "vitest";
import { openOperatorDatabase } from "../../src/cli/connection.ts";
import type { Config } from "../../src/main/configuration/config.ts";
import { type OpenDatabase, statement } from "../../src/platform/database/database.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";

let fresh: FreshDatabase;
let database: OpenDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
  database = await openOperatorDatabase({ databaseUrl: fresh.url } as Config);
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

test("a command that is busy while it connects is connected all the same", async () => {
  const one = statement("one", "select 1 as one");
  const both = Promise.all([database.query(one), database.query(one)]);
  const until = performance.now() + 2_300;
  while (performance.now() < until);
  expect(await both).toEqual([[{ one: 1 }], [{ one: 1 }]]);
});

test("a command's statements wait for its two connections longer than a client would wait", async () => {
  const sleep = statement("sleep", "select pg_sleep(2.3)::text as slept");
  const slept = await Promise.all([1, 2, 3].map(() => database.query(sleep)));
  expect(slept).toHaveLength(3);
});
