import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inScratchFolder } from "../base/scratch-folder.ts";

/** Where a rehearsal takes place: a folder of its own, and what to end afterwards. */
export interface Stage {
  readonly folder: string;
  /** Tells a person what happens now. */
  say(text: string): void;
  /** Does this at the end, the last one first. */
  after(step: () => Promise<unknown>): void;
}

/** A program that is no program of ours. */
export interface Tool {
  readonly child: ChildProcess;
  /** What it wrote so far. */
  log(): string;
  /** Ends it and what it started, at once; resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Where Debian puts programs that are in no user's path. */
const searchPath = `${process.env.PATH}:/usr/sbin:/usr/lib/postgresql/15/bin`;

/** The programs that this machine lacks. */
export function missing(programs: readonly string[]): string[] {
  return programs.filter((name) => spawnSync("which", [name], { env: { PATH: searchPath } }).status !== 0);
}

/** PostgreSQL and what is around it refuse to run as root: as root, they run as Debian's user for them. */
const isRoot = process.getuid?.() === 0;
export const databaseUser = isRoot ? userOf("postgres") : undefined;

function userOf(name: string): { readonly uid: number; readonly gid: number } | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Makes a folder that the database's user may write to. */
export function databaseFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (databaseUser !== undefined) chownSync(folder, databaseUser.uid, databaseUser.gid);
  return folder;
}

/** Runs the work on a stage of its own, and clears it away, also where a person stops it. */
export function onStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  // Not below the project, which the database's user may not reach.
  const made = mkdtempSync(path.join(os.tmpdir(), "rehearsal-"));
  if (databaseUser !== undefined) chownSync(made, databaseUser.uid, databaseUser.gid);
  return inScratchFolder(async (folder, undo) => {
    undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const say = (text: string) => void process.stderr.write(`  ${text}\n`);
    return work({ folder, say, after: (step) => void undo.push(step) });
  }, made);
}

/** Starts a program. It ends with the stage. */
export function startTool(
  stage: Stage,
  [command, ...args]: readonly [string, ...string[]],
  given: { readonly name: string; readonly isOfDatabase?: boolean; readonly environment?: Record<string, string> },
): Tool {
  const file = path.join(stage.folder, `${given.name}.log`);
  const output = openSync(file, "a");
  const child = spawn(command, args, {
    cwd: stage.folder,
    env: { PATH: searchPath, HOME: stage.folder, LANG: "C.UTF-8", ...given.environment },
    stdio: ["ignore", output, output],
    detached: true, // a group of its own, which is ended as a whole
    ...(given.isOfDatabase === true ? databaseUser : {}),
  });
  const ended = once(child, "exit");
  const tool: Tool = {
    child,
    log: () => readFileSync(file, "utf8"),
    async kill(signal = "SIGKILL") {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      process.kill(-child.pid, signal);
      await ended;
    },
  };
  stage.after(() => tool.kill());
  return tool;
}

/** Runs a program to its end. @throws Error with what it wrote, where it fails */
export function runTool(
  [command, ...args]: readonly [string, ...string[]],
  given: {
    readonly environment?: Record<string, string>;
    readonly isOfDatabase?: boolean;
    readonly folder?: string;
  } = {},
): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    env: { PATH: searchPath, LANG: "C.UTF-8", ...given.environment },
    cwd: given.folder,
    encoding: "utf8",
    ...(given.isOfDatabase === true ? databaseUser : {}),
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/** Waits until it is so. @throws Error after so many seconds */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, secondsMax = 60): Promise<number> {
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  while (seconds() < secondsMax) {
    if (await isSo()) return seconds();
    await delay(50);
  }
  throw new Error(`${what}: not within ${secondsMax} s`);
}

/** Whether an address answers, and well. */
export async function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
