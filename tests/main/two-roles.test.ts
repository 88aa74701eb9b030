import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { administrate, databaseUrl, type FreshDatabase, freshDatabase } from "../support/database.ts";
import { operateAlone } from "../support/operate.ts";
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { openPrograms } from "../support/programs.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

// A PostgreSQL of the operator's own, on which its administrator alone is a superuser: docs/operations/install.md, under
// two roles.

let fresh: FreshDatabase;
let scratch: ScratchDirectory;
let server: string;
let name: string;
const programs = openPrograms();

beforeAll(async () => {
  fresh = await freshDatabase(); // only for the server that it is on
  server = fresh.ownerUrl;
  scratch = await makeScratchDirectory();
});
afterAll(async () => {
  programs.killAll();
  await fresh.drop();
  await scratch.remove();
});

const owner = () => as(`${name}_owner`);
const service = () => as(`${name}_service`);

/** The database's address as a role, whose password is its name. */
function as(role: string, database = name): string {
  return databaseUrl(server, database).replace(/^([a-z]+:\/\/)(?:[^/?]*@)?/, `$1${role}:${role}@`);
}

beforeEach(async () => {
  name = `test_${randomBytes(6).toString("hex")}`;
  for (const role of ["owner", "service"]) {
    await administrate(server, `create role ${name}_${role} login password '${name}_${role}'`);
  }
  await administrate(server, `create database ${name} owner ${name}_owner encoding 'utf8' template template0`);
});
afterEach(async () => {
  await administrate(server, `drop database if exists ${name} with (force)`);
  for (const role of ["owner", "service"]) await administrate(server, `drop role ${name}_${role}`);
});

const start = (environment: Record<string, string>) =>
  programs.start(["start"], { DATA_DIR: scratch.folder, PORT: "0", ...environment });

/** Starts the service, sells once in the sandbox, stops it. @returns what it said */
async function sell(environment: Record<string, string>, key?: string): Promise<{ said: string; key: string }> {
  const { child, ended, out, saying } = start(environment);
  await saying("Docs");
  const url = /runs at (http:\/\/\S+:\d+)/.exec(out())?.[1];
  const testKey = key ?? /ds_test_\w+/.exec(out())?.[0] ?? "";
  const bought = await fetch(`${url}/api/v1/merchant/data/purchase`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ product_id: 1002, phone: "08031234567", reference: `r-${randomBytes(4).toString("hex")}` }),
  });
  expect(bought.status).toBe(201);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
  return { said: out(), key: testKey };
}

async function ask(url: string, text: string): Promise<{ rows: unknown[]; code: string | undefined }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return { rows: (await client.query(text)).rows, code: undefined };
  } catch (error) {
    return { rows: [], code: (error as { code?: string }).code };
  } finally {
    await client.end();
  }
}

const oneRole = /"database\.one_role".*The user of DATABASE_URL (.*), so whoever gets hold of it could change what was/;

test("with two roles one migrates, the other sells and can't change what was booked", async () => {
  const both = { DATABASE_URL: service(), MIGRATIONS_DATABASE_URL: owner() };
  const { said, key } = await sell(both);
  expect(said).not.toMatch(oneRole);
  expect((await ask(service(), "update ledger_entries set amount = 1")).code).toBe("42501");
  expect((await ask(service(), "select distinct tableowner from pg_tables where schemaname = 'public'")).rows).toEqual([
    { tableowner: `${name}_owner` },
  ]);
  // Another process may migrate: those that serve need not know the owner's password.
  expect((await sell({ DATABASE_URL: service() }, key)).said).not.toMatch(oneRole);
  const checked = await operateAlone(["check-ledger"], { DATABASE_URL: service() });
  expect([checked.code, checked.error]).toEqual([0, ""]);
});

test("with one role everything works as before, with a warning that says what to do; a second role may come later", async () => {
  const { said, key } = await sell({ DATABASE_URL: owner() });
  expect(oneRole.exec(said)?.[1]).toBe("owns the schema public");
  expect(said.match(/"database\.one_role"/g)).toHaveLength(1);
  expect((await sell({ DATABASE_URL: service(), MIGRATIONS_DATABASE_URL: owner() }, key)).said).not.toMatch(oneRole);
});

test("a schema of one's own is served as well, where both roles' paths begin with it", async () => {
  await ask(owner(), "create schema shop");
  const both = { DATABASE_URL: service(), MIGRATIONS_DATABASE_URL: owner() };
  await administrate(server, `alter role ${name}_owner set search_path = shop`);
  expect(await start(both).ended).toEqual({
    code: 1,
    error:
      `The search_path of DATABASE_URL's user ("$user", public) does not begin with the schema shop, in which ` +
      "MIGRATIONS_DATABASE_URL's user has its tables: let both begin with the same one (alter role … set search_path = …).\n",
  });
  await administrate(server, `alter role ${name}_service set search_path = shop`);
  await sell(both);
});

test("a database that nobody has set up is not set up by the role that only serves", async () => {
  const { code, error } = await start({ DATABASE_URL: service() }).ended;
  expect(code).toBe(1);
  expect(error).toMatch(
    /^The user of DATABASE_URL may not set up .* \(permission denied for schema public\): .* MIGRATIONS_DATABASE_URL .*\.\n$/,
  );
});

test.each([
  ["is the same", () => owner(), /^DATABASE_URL and MIGRATIONS_DATABASE_URL name one user \(test_\w+_owner\), which /],
  ["is a superuser", () => databaseUrl(server, name), /^The user of DATABASE_URL is a superuser, so it could change /],
  [
    "is a member of the owner",
    async () => {
      await administrate(server, `grant ${name}_owner to ${name}_service`);
      return service();
    },
    /^The user of DATABASE_URL owns the schema public, so it could change what was booked, /,
  ],
  [
    "is on another database",
    () => as(`${name}_service`, "postgres"),
    /^DATABASE_URL \(.*\) and MIGR.* lead to different/,
  ],
])("a start whose serving role %s is refused in one sentence without a password", async (_what, url, sentence) => {
  const { code, error } = await start({ DATABASE_URL: await url(), MIGRATIONS_DATABASE_URL: owner() }).ended;
  expect(code).toBe(1);
  expect(error).toMatch(sentence);
  expect(error.trim()).not.toContain("\n");
  expect(error).not.toContain(`:${name}_`);
});

test.each([
  [
    "leads nowhere",
    "postgresql://me:hunter2@127.0.0.1:1/x",
    /^No database answers at .*: check MIGRATIONS_DATABASE_URL /,
  ],
  [
    "is no address",
    "hunter2",
    /^MIGRATIONS_DATABASE_URL must be a postgresql:\/\/ address; what was given is not shown\.$/,
  ],
])("a MIGRATIONS_DATABASE_URL that %s is told by its name, without the password", async (_what, url, sentence) => {
  const { code, error } = await start({ DATABASE_URL: service(), MIGRATIONS_DATABASE_URL: url }).ended;
  expect(code).toBe(1);
  expect(error.trim()).toMatch(sentence);
  expect(error).not.toContain("hunter2");
});

test.runIf(hasPgBouncer)(
  `through PgBouncer both roles are served in session mode, and migrating in transaction mode is refused${
    hasPgBouncer ? "" : " (skipped: pgbouncer is not installed here)"
  }`,
  async () => {
    const bouncer = async (url: string, mode: string) => {
      const started = await startPgBouncer(url, {
        pool_mode: mode,
        ignore_startup_parameters: "extra_float_digits,options",
      });
      onTestFinished(() => started.close());
      return started.url;
    };
    const serving = await bouncer(service(), "session");
    const refused = { DATABASE_URL: serving, MIGRATIONS_DATABASE_URL: await bouncer(owner(), "transaction") };
    expect(await start(refused).ended).toMatchObject({
      code: 1,
      error: expect.stringMatching(/let MIGRATIONS_DATABASE_URL name PostgreSQL itself, or a pooler in session mode/),
    });
    await sell({ DATABASE_URL: serving, MIGRATIONS_DATABASE_URL: await bouncer(owner(), "session") });
  },
);
