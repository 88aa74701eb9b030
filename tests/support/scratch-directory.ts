import { spawn } from "node:child_process";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A temporary folder for a test's PostgreSQL. */
export interface ScratchDirectory {
  readonly folder: string;
  /** Removes it. Whatever PostgreSQL still runs in it is killed. */
  remove(): Promise<void>;
}

/**
 * Makes a folder that disappears together with what runs in it, however this process ends: a watcher waits for the end
 * of its standard input, which also a `kill -9` of the tests brings about.
 */
export async function makeScratchDirectory(): Promise<ScratchDirectory> {
  const folder = await mkdtemp(path.join(await placeForMany(), "dispense-test-"));
  const watcher = spawn(process.execPath, ["-e", watcherProgram, folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true, // not reached by the terminal's Ctrl-C
  });
  watcher.unref();
  const ended = new Promise<void>((resolve) => watcher.once("exit", () => resolve()));
  return {
    folder,
    remove: async () => {
      watcher.ref();
      watcher.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true }); // says why, should the watcher have failed
    },
  };
}

const memory = "/dev/shm";
/** Several times what a whole run needs. */
const roomBytes = 4 * 1_024 ** 3;

/**
 * In memory, where there is room. A run makes and deletes some hundred thousand files, and for each new one ext4 looks at
 * all those that were deleted in the last minutes: a database cost 0.4 s of a core there, and costs 0.02 s here.
 */
async function placeForMany(): Promise<string> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= roomBytes ? memory : tmpdir();
}

// Plain JavaScript without imports of ours: it must also work while the project is being changed.
const watcherProgram = `
  const { readdirSync, readlinkSync, rmSync } = require("node:fs");
  const folder = process.argv[1];
  const inside = () => readdirSync("/proc").filter((pid) => {
    try {
      return /^\\d+$/.test(pid)
        && /\\/(postgres|initdb)( |$)/.test(readlinkSync("/proc/" + pid + "/exe"))
        && (readlinkSync("/proc/" + pid + "/cwd") + "/").startsWith(folder + "/");
    } catch { return false; }
  });
  process.stdin.resume().on("end", () => {
    for (let i = 0; i < 100 && inside().length > 0; i++) {
      for (const pid of inside()) { try { process.kill(Number(pid), "SIGKILL"); } catch {} }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
`;
