import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processesIn } from "../../src/platform/embedded-postgres/processes.ts";
import { operateAlone } from "../support/operate.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

let scratch: ScratchDirectory;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  scratch = await makeScratchDirectory();
});

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await scratch.remove();
});

/** A program as the global setup bundled it, on the data directory. */
function run(program: "operator" | "start", ...words: string[]) {
  const child = spawn(process.execPath, ["--enable-source-maps", `dist/${program}.js`, ...words], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, DATA_DIR: scratch.folder, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const said = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (said.out += chunk));
  child.stderr.on("data", (chunk) => (said.error += chunk));
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return { code: code as number | null, ...said };
  });
  return { child, said, ended };
}

test("whoever restores has an empty database that no service works on, until Ctrl-C stops it", async () => {
  const database = run("operator", "run-database");
  await expect.poll(() => database.said.out).toContain("Ctrl-C stops it.");

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
  const told = await operateAlone(["run-database"], { DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none" });
  expect(told).toMatchObject({ code: 1, out: "", error: expect.stringMatching(/^DATABASE_URL is set: .*\.\n$/) });
});
