import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import type { Database } from "../src/platform/database/database.ts";

const scale = 50;
const clients = 16;
const databaseName = "dispense_bench_tpcb";

/** PostgreSQL's own benchmark on the service's own server: what a transaction costs on this machine. */
export interface Pgbench {
  /** Transactions per second of `tpcb-like`, prepared, by 16 clients. */
  run(
    seconds: number,
  ): Promise<{ readonly transactions: number; readonly perSecond: number; readonly latencyMs: number }>;
  drop(): Promise<void>;
}

/** Loads its tables (5 million accounts) into a database of their own. @returns null where pgbench is not installed */
export async function openPgbench(database: Database, connectionString: string): Promise<Pgbench | null> {
  if (spawnSync("pgbench", ["--version"]).status !== 0) return null;
  const url = connectionString.replace(/\/\w+\?/, `/${databaseName}?`);
  await database.query({ name: "create_bench", text: `create database ${databaseName}` });
  await run(["--initialize", `--scale=${scale}`, "--quiet", url]);
  return {
    async run(seconds) {
      const output = await run([
        "--no-vacuum",
        "--builtin=tpcb-like",
        "--protocol=prepared",
        `--client=${clients}`,
        `--time=${seconds}`,
        url,
      ]);
      return {
        transactions: figure(output, /transactions actually processed: ([0-9]+)/),
        perSecond: figure(output, /tps = ([0-9.]+)/),
        latencyMs: figure(output, /latency average = ([0-9.]+) ms/),
      };
    },
    async drop() {
      await database.query({ name: "drop_bench", text: `drop database if exists ${databaseName} with (force)` });
    },
  };
}

/** @throws Error with its complaint when it fails. `PG…` variables would change whom it talks to. */
async function run(args: readonly string[]): Promise<string> {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith("PG"));
  return (await promisify(execFile)("pgbench", args, { env: Object.fromEntries(environment) })).stdout;
}

function figure(output: string, pattern: RegExp): number {
  const text = pattern.exec(output)?.[1];
  if (text === undefined) throw new Error(`pgbench did not report: ${output.slice(0, 500)}`);
  return Number(text);
}
