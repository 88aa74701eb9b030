import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { StartError } from "../../src/kernel/start-error.ts";
import { openPool } from "../../src/platform/database/database.ts";
import { openCluster } from "../../src/platform/embedded-postgres/cluster.ts";
import {
  connectionFile,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  supervise,
} from "../../src/platform/embedded-postgres/embedded-postgres.ts";
import { processesIn } from "../../src/platform/embedded-postgres/processes.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { startChildProgram } from "../support/programs.ts";
import { makeScratchDirectory, type ScratchDirectory } from "../support/scratch-directory.ts";

const program = "tests/platform/run-embedded-postgres.ts";
const quick = { fsync: "off", shared_buffers: "32MB" };

async function query(server: string | EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const connectionString = typeof server === "string" ? server : server.connectionString;
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 1_200; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0) throw error;
      await delay(25);
    }
  }
}

describe("one data directory, used again and again", () => {
  let scratch: ScratchDirectory;
  let dataDirectory: string;
  const start = (settings: Record<string, string> = quick) =>
    startEmbeddedPostgres({ dataDirectory, log: () => {}, settings });

  beforeAll(async () => {
    scratch = await makeScratchDirectory();
    chmodSync(scratch.folder, 0o711); // open, unlike in the tests below
    dataDirectory = path.join(scratch.folder, "data");
  });
  afterAll(() => scratch.remove());

  test("a new one is made durable, and told to other commands of this user alone while it runs", async () => {
    const server = await start({});
    onTestFinished(() => server.stop());
    const [settings] = await query(
      server,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
              current_setting('full_page_writes') as pages, current_setting('listen_addresses') as addresses,
              current_setting('server_encoding') as encoding, current_setting('timezone') as zone`,
    );
    expect(settings).toEqual({
      fsync: "on",
      commit: "on",
      pages: "on",
      addresses: "",
      encoding: "UTF8",
      zone: "UTC",
    });
    const file = connectionFile(dataDirectory);
    expect(await query(readFileSync(file, "utf8").trim(), "select 1 as one")).toEqual([{ one: 1 }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDirectory, "postgres")).mode & 0o777).toBe(0o700);
    await server.stop();
    expect(existsSync(file)).toBe(false);
    expect(processesIn(path.join(dataDirectory, "postgres"))).toEqual([]);
  });

  test("variables that tell other programs of another PostgreSQL change nothing, for commands neither", async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const elsewhere = { PGHOST: "db.example", PGPORT: "6432", PGUSER: "me", PGPASSWORD: "secret", PGDATABASE: "other" };
    const otherwise = { PGSSLMODE: "require", PGSSLNEGOTIATION: "direct", PGOPTIONS: "-c nonsense=1", PGAPPNAME: "me" };
    for (const [name, value] of Object.entries({ ...elsewhere, ...otherwise })) vi.stubEnv(name, value);
    const server = await start();
    onTestFinished(() => server.stop());
    const connectionString = readFileSync(connectionFile(dataDirectory), "utf8").trim();
    const pool = openPool({ connectionString, connectionsMax: 1, applicationName: "a command", plans: "ordinary" });
    onTestFinished(() => pool.end());
    const { rows } = await pool.query(
      `select current_user::text as user, current_database()::text as database,
              current_setting('application_name') as name`,
    );
    expect(rows).toEqual([{ user: "dispense", database: "dispense", name: "a command" }]);
  });

  test("a killed PostgreSQL comes back at the same socket with every committed row", async () => {
    const server = await start();
    onTestFinished(() => server.stop());
    await query(server, "create table kept (id int)");
    await query(server, "insert into kept values (1)");
    const first = server.pid()!;
    process.kill(first, "SIGKILL");
    const rows = await eventually(() => query(server, "select id from kept"));
    expect(rows).toEqual([{ id: 1 }]);
    await eventually(async () => expect(server.pid()).not.toBe(first));
  });

  test("a PostgreSQL that a killed service left behind is stopped and its rows are there", async () => {
    const child = await startChildProgram(program, [dataDirectory]);
    const left = Number((await child.saying(/^ready (\d+)\n/m))[1]);
    await query(readFileSync(connectionFile(dataDirectory), "utf8").trim(), "create table left_behind (id int)");
    await child.end("SIGKILL");
    expect(processesIn(path.join(dataDirectory, "postgres"))).toContain(left);
    const server = await start();
    onTestFinished(() => server.stop());
    expect(processesIn(path.join(dataDirectory, "postgres"))).not.toContain(left);
    expect(await query(server, "select count(*)::int as count from left_behind")).toEqual([{ count: 0 }]);
  });

  test("a service and a PostgreSQL killed together start again", async () => {
    const child = await startChildProgram(program, [dataDirectory]);
    const postmaster = Number((await child.saying(/^ready (\d+)\n/m))[1]);
    await child.end("SIGKILL");
    process.kill(postmaster, "SIGKILL"); // its children live on for a while
    const server = await start();
    await server.stop();
  });

  test("a lock file whose process id belongs to another program now does not stop the start", async () => {
    const folder = path.join(dataDirectory, "postgres");
    const { uid, gid } = statSync(folder);
    const sleeper = spawn("sleep", ["60"], process.getuid?.() === 0 ? { uid, gid } : {});
    await once(sleeper, "spawn");
    const content = `${sleeper.pid}\n${folder}\n1700000000\n5432\n.\n\n  12345         0\nready   \n`;
    writeFileSync(path.join(folder, "postmaster.pid"), content);
    writeFileSync(path.join(folder, ".s.PGSQL.5432.lock"), content);
    const server = await start().finally(() => sleeper.kill());
    await server.stop();
  });

  test("a database of another major version ends in one sentence", async () => {
    const file = path.join(dataDirectory, "postgres/PG_VERSION");
    const version = readFileSync(file, "utf8");
    writeFileSync(file, "14\n");
    await expect(start()).rejects.toThrow(StartError);
    await expect(start()).rejects.toThrow("made by PostgreSQL 14");
    writeFileSync(file, version);
  });

  test("a folder that is no database is left alone", async () => {
    const other = path.join(scratch.folder, "other");
    mkdirSync(path.join(other, "postgres"), { recursive: true });
    writeFileSync(path.join(other, "postgres/notes"), "mine");
    const options = { dataDirectory: other, log: () => {}, settings: quick };
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(StartError);
    expect(readdirSync(path.join(other, "postgres"))).toEqual(["notes"]);
  });

  test("PostgreSQL's reason for not starting is told, and leaves nothing running", async () => {
    await expect(start({ ...quick, shared_buffers: "many" })).rejects.toThrow(/shared_buffers/);
    expect(processesIn(path.join(dataDirectory, "postgres"))).toEqual([]);
  });

  test("a PostgreSQL that can't be brought back is given up with the reason", async () => {
    const cluster = await openCluster({ dataDirectory, settings: quick, log: () => {} });
    const url = `postgresql://dispense@/dispense?host=${encodeURIComponent(cluster.folder)}`;
    const server = await supervise(cluster, url, () => {}, 500);
    rmSync(path.join(cluster.folder, "global/pg_control"));
    process.kill(server.pid()!, "SIGKILL");
    expect((await server.givenUp).message).toMatch(/^Starting PostgreSQL failed: .*pg_control/);
    await server.stop();
    expect(processesIn(cluster.folder)).toEqual([]);
  });
});

test("a service killed while it made the database leaves nothing half-made", async () => {
  const scratch = await makeScratchDirectory();
  onTestFinished(() => scratch.remove());
  const child = await startChildProgram(program, [scratch.folder]);
  const unfinished = await eventually(async () => {
    const name = readdirSync(scratch.folder).find((each) => each.startsWith("postgres.new-"));
    if (name === undefined || processesIn(path.join(scratch.folder, name)).length === 0) throw new Error("not yet");
    return name;
  });
  await child.end("SIGKILL");
  expect(readdirSync(scratch.folder)).toContain(unfinished);
  const server = await startEmbeddedPostgres({ dataDirectory: scratch.folder, log: () => {}, settings: quick });
  await server.stop();
  expect(readdirSync(scratch.folder).sort()).toEqual(["postgres", "postgres.log"]);
});

test("a data directory below a closed folder works, also for root, and so does one with a very long path", async () => {
  const scratch = await makeScratchDirectory();
  onTestFinished(() => scratch.remove());
  const closed = path.join(scratch.folder, "closed");
  mkdirSync(closed);
  chmodSync(closed, 0o700);
  const dataDirectory = path.join(closed, "d".repeat(100), "data");
  const server = await startEmbeddedPostgres({ dataDirectory, log: () => {}, settings: quick });
  onTestFinished(() => server.stop());
  process.kill(server.pid()!, "SIGKILL");
  expect(await eventually(() => query(server, "select 1 as one"))).toEqual([{ one: 1 }]);
  const { searchParams } = new URL(server.connectionString.replace("@/", "@host/"));
  await server.stop();
  expect(existsSync(searchParams.get("host")!)).toBe(false);
});

test("the tests' own PostgreSQL keeps what was committed over a kill of everything", async () => {
  const own = await startOwnPostgres({ migrated: false });
  onTestFinished(() => own.stop());
  await own.pool.query("create table kept (id int)");
  const first = own.pid;
  await own.kill();
  await expect(own.pool.query("select 1")).rejects.toThrow();
  await own.restart();
  expect(own.pid).not.toBe(first);
  expect((await own.pool.query("select count(*)::int as count from kept")).rows).toEqual([{ count: 0 }]);
});
