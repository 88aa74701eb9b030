import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "../../src/platform/embedded-postgres/embedded-postgres.ts";
import { bundledProgram } from "../support/bundled-program.ts";
import { stockedDatabase } from "../support/database.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";

let folder: string;

const program = await bundledProgram("scripts/fresh-database.ts");
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "dispense-fresh-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** `npm run db:fresh` in a folder whose `.env` is all that it is told. */
async function freshDatabase(settings: string, ...words: string[]) {
  writeFileSync(path.join(folder, ".env"), settings);
  const child = spawn(process.execPath, ["--enable-source-maps", program, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", error: "" };
  child.stdout.on("data", (chunk) => (said.out += chunk));
  child.stderr.on("data", (chunk) => (said.error += chunk));
  const [code] = await once(child, "close");
  return { code: code as number | null, ...said };
}

const addMerchant = (db: pg.Pool | pg.Client, email: string) =>
  db.query("insert into merchants (name, email) values ('M', $1)", [email]);

test("the database that is emptied is the one that .env names, and not without a yes", async () => {
  const fresh = await stockedDatabase();
  onTestFinished(() => fresh.drop());
  const merchants = async () => (await fresh.pool.query("select count(*)::int as count from merchants")).rows[0].count;
  await addMerchant(fresh.pool, "ada@example.com");
  const settings = `DATABASE_URL=${fresh.url}\nMIGRATIONS_DATABASE_URL=${fresh.ownerUrl}\n`;
  const refused = await freshDatabase(settings);
  expect([refused.code, refused.error, await merchants()]).toEqual([
    1,
    "DATABASE_URL is set: everything in that database will be deleted. Repeat with -- --yes.\n",
    1,
  ]);
  const done = await freshDatabase(settings, "--yes");
  expect([done.code, done.error, await merchants()]).toEqual([0, "", 0]);
  expect(done.out).toMatch(/The database of DATABASE_URL is empty but for \d+ products\.\n$/);
  expect(readdirSync(folder)).toEqual([".env"]);
});

test("merchants of one's own are not deleted without a yes from a PostgreSQL of the service's own either", async () => {
  const scratch = await makeScratchDirectory();
  onTestFinished(() => scratch.remove());
  const settings = `DATA_DIR=${scratch.folder}\n`;
  const ask = async (work: (client: pg.Client) => Promise<unknown>) => {
    const server = await startEmbeddedPostgres({ dataDirectory: scratch.folder, log: () => {} });
    const client = new pg.Client({ connectionString: server.connectionString });
    try {
      await client.connect();
      return await work(client);
    } finally {
      await client.end();
      await server.stop();
    }
  };
  expect((await freshDatabase(settings)).code).toBe(0); // of an empty folder nobody is asked
  await ask((client) => addMerchant(client, "demo@example.com"));
  expect((await freshDatabase(settings)).code).toBe(0);
  await ask((client) => addMerchant(client, "ada@example.com"));
  expect(await freshDatabase(settings)).toMatchObject({
    code: 1,
    error: `The database in ${scratch.folder} has merchants or suppliers of yours: everything in it will be deleted. Repeat with -- --yes.\n`,
  });
  const { rows } = (await ask((client) => client.query("select email from merchants"))) as pg.QueryResult;
  expect(rows).toEqual([{ email: "ada@example.com" }]);
});
