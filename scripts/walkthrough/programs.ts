import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "../build.mjs";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const startSecondsMax = 60;

export type Environment = Readonly<Record<string, string>>;

/** A running service, as a process of its own. */
export interface ServiceProcess {
  /** What it greets a person with; log lines are left out. */
  readonly welcome: string;
  readonly baseUrl: string;
  readonly sandboxKey: string;
  /** Stops it like `kill` does. @returns its exit code */
  stop(): Promise<number | null>;
}

/** Starts the service on a free port, as `npm start` does; nothing of our own environment reaches it but the path. */
export async function startService(environment: Environment): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ["--enable-source-maps", await build("start")], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  const endWithUs = () => void child.kill("SIGTERM");
  process.once("exit", endWithUs);
  const timer = setTimeout(endWithUs, startSecondsMax * 1_000);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) lines.push(line);
    if (line.includes("  curl ")) break;
  }
  clearTimeout(timer);
  child.stdout.resume(); // the log goes on
  const welcome = lines.join("\n").trim();
  const [, baseUrl] = /Dispense runs at (\S+)/.exec(welcome) ?? [];
  const [sandboxKey] = /ds_test_\w+/.exec(welcome) ?? [];
  if (baseUrl === undefined || sandboxKey === undefined) {
    await stop();
    throw new Error(`The service did not start as for the first time: ${welcome || "it said nothing"}`);
  }
  return { welcome, baseUrl, sandboxKey, stop };
}

/** Runs one operator's command beside the service. @returns what it printed, and its exit code */
export async function runOperator(
  words: readonly string[],
  environment: Environment,
): Promise<{ readonly output: string; readonly code: number }> {
  const program = await build("operator");
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--enable-source-maps", program, ...words],
      { cwd: projectRoot, env: { PATH: process.env.PATH, ...environment }, timeout: startSecondsMax * 1_000 },
      (error, out, complaint) =>
        resolve({
          output: out + complaint,
          code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1,
        }),
    );
  });
}
