import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export const projectRoot = path.resolve(import.meta.dirname, "../..");

/** A program of ours in a process of its own. */
export interface Program {
  readonly pid: number;
  readonly child: ChildProcess;
  /** What it has printed so far; with a log, its errors as well. */
  out(): string;
  /** Resolves when the process is gone, with its exit code and what it wrote to its errors where they are kept. */
  readonly ended: Promise<{ readonly code: number | null; readonly error: string }>;
  isAlive(): boolean;
  /** Waits for a text in its output. @throws Error when the process ends before it, or the time is over */
  saying(what: RegExp | string, secondsMax?: number): Promise<readonly string[]>;
  /** Ends it, and resolves when it is gone: by force after 20 s. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface ProgramOptions {
  /** All that it has, beside the path. */
  readonly environment: Readonly<Record<string, string>>;
  /** What is run in place of node. What it looks for as `node` is the one that runs us. */
  readonly command?: string;
  readonly folder?: string;
  /** Its output and errors go on in this file: reading a pipe would take time of this process under load. */
  readonly log?: string;
  /** Without a log: shown among our own errors, or kept. */
  readonly errors?: "shown" | "kept";
}

const pollMs = 20;
const endMsMax = 20_000;
const running = new Set<ChildProcess>();

/** Starts node, or the named command, with these arguments. The program ends with this process. */
export function startProgram(args: readonly string[], options: ProgramOptions): Program {
  const { environment, command = process.execPath, folder = projectRoot, log, errors = "shown" } = options;
  const file = log === undefined ? null : openSync(log, "a");
  const logged = file === null ? 0 : fstatSync(file).size;
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, ...environment },
    stdio: file === null ? ["ignore", "pipe", errors === "shown" ? "inherit" : "pipe"] : ["ignore", file, file],
  });
  if (file !== null) closeSync(file);
  if (running.size === 0) process.once("exit", endAll);
  running.add(child);
  const said = { out: "", error: "" };
  child.stdout?.on("data", (chunk) => (said.out += chunk));
  child.stderr?.on("data", (chunk) => (said.error += chunk));
  let hasEnded = false;
  const ended = once(child, "close").then(([code]) => {
    hasEnded = true;
    running.delete(child);
    if (running.size === 0) process.removeListener("exit", endAll);
    return { code: code as number | null, error: said.error };
  });
  const out = () => (log === undefined ? said.out : readFileSync(log).subarray(logged).toString());
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid as number,
    child,
    out,
    ended,
    isAlive,
    async saying(what, secondsMax = 60) {
      const pattern =
        typeof what === "string" ? { exec: (text: string) => (text.includes(what) ? [what] : null) } : what;
      for (let waitedMs = 0; waitedMs < secondsMax * 1_000; waitedMs += pollMs) {
        const isOver = hasEnded;
        const found = pattern.exec(out());
        if (found !== null) return found;
        if (isOver) break;
        await delay(pollMs);
      }
      throw new Error(`${args.at(-1)} ended or took too long: ${out().slice(-1_000)} ${said.error.slice(-1_000)}`);
    },
    async end(signal = "SIGTERM") {
      if (isAlive()) child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), endMsMax);
      await ended;
      clearTimeout(timer);
    },
  };
}

function endAll(): void {
  for (const child of running) child.kill("SIGTERM");
}
