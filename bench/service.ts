import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";

const projectRoot = path.dirname(import.meta.dirname);
const startMsMax = 60_000;
const stopMsMax = 20_000;
const pollMs = 50;

/** A program of ours in a process of its own that answers HTTP. */
export interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** The service as `npm start` runs it, on a data directory of its own. */
export interface Service extends Server {
  readonly connectionString: string;
  /** The file with what it prints. */
  readonly log: string;
  /** The first process of its PostgreSQL. */
  readonly postgresPid: number;
}

/** Starts the service with everything as a new user has it, but for the limits of a minute, which still count. */
export async function startService(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const dataDirectory = path.join(folder, "data");
  const log = path.join(folder, "service.log");
  const server = await startServer({
    args: startArguments(),
    log,
    port: /^Dispense runs at http:\/\/127\.0\.0\.1:([0-9]+)$/m,
    environment: {
      DATA_DIR: dataDirectory,
      DATABASE_URL: "",
      HOST: "",
      PORT: "0",
      RATE_LIMIT_PER_MINUTE: "1000000000",
      BULK_LINES_PER_MINUTE: "1000000000",
      BULK_BYTES_PER_MINUTE: "1000000000",
      ...environment,
    },
  });
  const connectionString = (await readFile(path.join(dataDirectory, "connection"), "utf8")).trim();
  const [pid] = (await readFile(path.join(dataDirectory, "postgres/postmaster.pid"), "utf8")).split("\n");
  return { ...server, connectionString, log, postgresPid: Number(pid) };
}

/** What `npm start` gives to node: npm itself would stand between us and the service's process. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  const [shellWord, program, ...args] = scripts.start.split(" ");
  if (shellWord !== "exec" || program !== "node") throw new Error("npm start is expected to exec node");
  return args;
}

/** Starts what a framework does at most: see hello.ts. */
export function startHello(folder: string): Promise<Server> {
  return startServer({
    args: ["--import", "tsx", "bench/hello.ts"],
    log: path.join(folder, "hello.log"),
    port: /^port ([0-9]+)$/m,
    environment: {},
  });
}

/** Starts what webhooks are sent to: see webhook-receiver.ts. */
export function startWebhookReceiver(folder: string): Promise<Server> {
  return startServer({
    args: ["--import", "tsx", "bench/webhook-receiver.ts"],
    log: path.join(folder, "receiver.log"),
    port: /^port ([0-9]+)$/m,
    environment: {},
  });
}

/** Starts who is asked to vend: see live-supplier.ts. */
export function startLiveSupplier(folder: string): Promise<Server> {
  return startServer({
    args: ["--import", "tsx", "bench/live-supplier.ts"],
    log: path.join(folder, "supplier.log"),
    port: /^port ([0-9]+)$/m,
    environment: {},
  });
}

/** Starts another queue's worker: see webhook-baseline.ts. Its port means nothing. */
export function startWebhookBaseline(folder: string, args: readonly string[]): Promise<Server> {
  return startServer({
    args: ["--import", "tsx", "bench/webhook-baseline.ts", ...args],
    log: path.join(folder, "baseline.log"),
    port: /^port ([0-9]+)$/m,
    environment: {},
  });
}

/** Starts a program of ours that prints its port. */
export function startProgram(
  file: string,
  log: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  return startServer({ args: ["--import", "tsx", file], log, port: /^port ([0-9]+)$/m, environment });
}

/** Its output goes into a file: reading a pipe would cost this process, and by that the machine, time under load. */
async function startServer(options: {
  readonly args: readonly string[];
  readonly log: string;
  readonly port: RegExp;
  readonly environment: Readonly<Record<string, string>>;
}): Promise<Server> {
  const log = openSync(options.log, "w");
  const child = spawn(process.execPath, options.args, {
    cwd: projectRoot,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...options.environment },
  });
  closeSync(log);
  process.once("exit", () => child.kill("SIGTERM")); // it may not have been handed out yet
  const port = await portOf(child, options);
  return { port, pid: child.pid as number, stop: () => stop(child) };
}

async function portOf(child: ChildProcess, options: { log: string; port: RegExp }): Promise<number> {
  for (let waitedMs = 0; waitedMs < startMsMax; waitedMs += pollMs) {
    const printed = readFileSync(options.log, "utf8");
    const port = options.port.exec(printed)?.[1];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null) throw new Error(`the server ended at its start: ${printed.slice(-1_000)}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  await stop(child);
  throw new Error(`the server did not start: ${readFileSync(options.log, "utf8").slice(-1_000)}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
  await ended;
  clearTimeout(timer);
}
