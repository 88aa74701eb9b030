import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processesIn } from "../../src/platform/embedded-postgres/processes.ts";
import { operateAlone } from "../support/operate.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

let scratch: ScratchDirectory;
const programs = openPrograms();

beforeAll(async () => {
  scratch = await makeScratchDirectory();
});

afterAll(async () => {
  programs.killAll();
  await scratch.remove();
});

const run = (...words: readonly ["start" | "operator", ...string[]]) =>
  programs.start(words, { DATA_DIR: scratch.folder, PORT: "0" });

test("whoever restores has an empty database that no service works on, until Ctrl-C stops it", async () => {
  const database = run("operator", "run-database");
  await expect.poll(database.out).toContain("Ctrl-C stops it.");

  const client = new pg.Client({ connectionString: readFileSync(path.join(scratch.folder, "connection"), "utf8") });
  await client.connect();
  const tables = "select count(*)::int as tables from pg_tables where schemaname = 'public'";
  expect((await client.query(tables)).rows).toEqual([{ tables: 0 }]);
  await client.end();
  expect(await run("start").ended).toMatchObject({
    code: 1,
    error: expect.stringMatching(/^Dispense runs already with the data directory .*: stop it first, .*\.\n$/),
  });

  database.child.kill("SIGINT");
  expect(await database.ended).toMatchObject({
    code: 0,
    error: expect.stringMatching(/^creating the database in .*\n$/),
  });
  expect(processesIn(path.join(scratch.folder, "postgres"))).toEqual([]);
  expect(existsSync(path.join(scratch.folder, "connection"))).toBe(false);
});

test("a database that is not the service's own is not run by it", async () => {
  const reply = await operateAlone(["run-database"], { DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" });
  expect(reply).toMatchObject({ code: 1, out: "", error: expect.stringMatching(/^DATABASE_URL is set: .*\.\n$/) });
});
