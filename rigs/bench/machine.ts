import { execFileSync } from "node:child_process";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Database } from "../../src/platform/database/database.ts";
import { median } from "../base/figures.ts";
import { postgresVersion } from "./database.ts";

/** What a result depends on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  /** Median time to make 8 KB durable, in microseconds: below some 50 the disk does not wait for its medium. */
  readonly syncMicros: number;
  /** Processes that wanted a core in the minute before. */
  readonly loadBefore: number;
}

export async function describeMachine(folder: string, database: Database): Promise<Machine> {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? "unknown",
    cores: os.availableParallelism(),
    memoryGigabytes: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release().replace(/[^0-9.].*/, "")} ${os.arch()}`,
    node: process.versions.node,
    postgres: await postgresVersion(database),
    syncMicros: measureSync(path.join(folder, "sync")),
    loadBefore: Math.round((os.loadavg()[0] ?? 0) * 10) / 10,
  };
}

function measureSync(file: string): number {
  const page = Buffer.alloc(8_192);
  const descriptor = openSync(file, "w");
  const micros: number[] = [];
  for (let i = 0; i < 100; i++) {
    const startedMs = performance.now();
    writeSync(descriptor, page);
    fdatasyncSync(descriptor);
    micros.push((performance.now() - startedMs) * 1_000);
  }
  closeSync(descriptor);
  return Math.round(median(micros));
}

/** The commit that was measured, with a plus where files differed from it. */
export function describeCommit(projectRoot: string): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "--", "src", "migrations", "package-lock.json") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${changed ? "+" : ""}`;
  } catch {
    return "unknown";
  }
}
