import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { madeUpExport } from "../../scripts/made-up-export/made-up-export.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";

const fresh = closing(await stockedDatabase());
const program = path.resolve(import.meta.dirname, "../../dist/operator.js");
const count = async (text: string) => Number((await fresh.pool.query(text)).rows[0].count);
const moved = async () => ({
  merchants: await count("select count(*) from merchants"),
  keys: await count("select count(*) from api_keys"),
  entries: await count("select count(*) from ledger_entries"),
  credits: await count("select count(*) from wallet_credits"),
  moves: await count("select count(*) from move_ins"),
});

test("a move whose process is killed before its commit has moved nothing, and the same command then moves all", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "dispense-move-in-"));
  const file = path.join(folder, "postgres.sql");
  await writeFile(file, madeUpExport(60)["postgres.sql"] ?? "");
  const environment = { PATH: process.env.PATH ?? "", DATABASE_URL: fresh.url };
  const { lines } = await operate(["move-in", "plan", file, "--json"], environment);
  const words = ["move-in", "apply", file, "--digest", lines[0].digest, "--by", "ada", "--accept-problems"];
  // The audit log's entry is the last thing that the transaction writes: it waits there with all its work done.
  const holder = await fresh.pool.connect();
  await holder.query("begin; lock table audit_log in exclusive mode");
  const child = spawn(process.execPath, [program, ...words], { env: environment, stdio: "ignore" });
  const waiting = `select count(*) from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.relation = 'audit_log'::regclass and not l.granted`;
  await vi.waitFor(async () => expect(await count(waiting)).toBe(1), { timeout: 60_000, interval: 50 });
  child.kill("SIGKILL");
  await once(child, "exit");
  await holder.query("rollback");
  holder.release();
  const others = `select count(*) from pg_stat_activity
    where datname = current_database() and application_name = 'dispense operator'`;
  await vi.waitFor(async () => expect(await count(others)).toBe(0), { timeout: 60_000, interval: 50 });
  expect(await moved()).toEqual({ merchants: 0, keys: 0, entries: 0, credits: 0, moves: 0 });

  const again = await operate(words, environment);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining("Brought: move ")]);
  expect(await moved()).toMatchObject({ merchants: 51, moves: 1 });
  await rm(folder, { recursive: true });
});
