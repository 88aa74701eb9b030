import { expect, onTestFinished, test } from "vitest";
import { createDemoMerchant } from "../../src/main/welcome.ts";
import { openDatabase, openPool } from "../../src/platform/database/database.ts";
import { freshDatabase } from "../support/database.ts";

test("processes that start on one empty database at one time make one demo merchant, and one of them its key", async () => {
  const fresh = await freshDatabase();
  const given = { connectionString: fresh.url, connectionsMax: 2, applicationName: "test" } as const;
  const processes = Array.from({ length: 4 }, () => openDatabase(openPool({ ...given, plans: "ordinary" })));
  onTestFinished(async () => {
    await Promise.all(processes.map((database) => database.close()));
    await fresh.drop();
  });
  const keys = await Promise.all(processes.map((database) => createDemoMerchant(database, { now: () => Date.now() })));
  expect(keys.filter((key) => key !== null)).toEqual([expect.stringMatching(/^ds_test_/)]);
  expect((await fresh.pool.query("select 1 from merchants")).rows).toHaveLength(1);
});
