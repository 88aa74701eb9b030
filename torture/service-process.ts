import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type CuttingProxy, openCuttingProxy } from "./cutting-proxy.ts";

/** One process of the deployment, that can be killed, stopped and started again at the same place. */
export interface ServiceProcess {
  readonly name: string;
  readonly role: "api" | "worker";
  readonly url: string;
  /** Its way to PostgreSQL. */
  readonly proxy: CuttingProxy;
  /** Starts it and resolves when it runs: again and again, as a supervisor would, until it does. */
  start(): Promise<void>;
  /** `kill -9`, at once. */
  kill(): void;
  /** Resolves when it is gone. */
  gone(): Promise<void>;
  /** Whether it has begun its work, and not ended. */
  isRunning(): boolean;
  /** SIGSTOP. */
  stop(): void;
  /** SIGCONT. */
  resume(): void;
  /** How often it ended without being killed. */
  endedByItself(): number;
  /** Ends it for good. */
  close(): Promise<void>;
}

const startMsMax = 120_000;
const startAgainMs = 300;
const welcome = /Dispense runs at|Dispense's workers run/;

interface ProcessOptions {
  readonly name: string;
  readonly role: "api" | "worker";
  readonly port: number;
  /** Where the service's own files are: ours, or a copy with a planted fault. */
  readonly source: string;
  /** Where it runs, and its output is kept. */
  readonly folder: string;
  /** Where PostgreSQL listens. */
  readonly socket: string;
  /** What it needs besides role, port and database. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function openServiceProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const { name, role, port, folder } = options;
  const proxy = await openCuttingProxy(options.socket);
  const log = createWriteStream(path.join(folder, `${name}.log`), { flags: "a" });
  log.on("error", () => {}); // it may still say something when it was closed
  let child: ChildProcess | null = null;
  let gone: Promise<unknown> = Promise.resolve();
  let hasBegun = false;
  let isClosed = false;
  let endedByItself = 0;

  async function start(): Promise<void> {
    const startedAt = performance.now();
    while (!isClosed && performance.now() - startedAt < startMsMax) {
      const started = spawnService(options, proxy.port);
      child = started;
      const ended = once(started, "exit");
      gone = ended;
      hasBegun = await Promise.race([isWelcomed(started, log), ended.then(() => false)]);
      if (hasBegun) {
        void ended.then(([, signal]) => {
          if (signal !== null || isClosed) return;
          endedByItself += 1;
          void start();
        });
        return;
      }
      await delay(startAgainMs);
    }
    if (!isClosed) throw new Error(`${name} does not start: see ${name}.log`);
  }

  const isAlive = () => child !== null && child.exitCode === null && child.signalCode === null;
  const send = (signal: NodeJS.Signals) => {
    if (isAlive()) child?.kill(signal);
  };
  return {
    name,
    role,
    url: `http://127.0.0.1:${port}`,
    proxy,
    start,
    kill() {
      hasBegun = false;
      send("SIGKILL");
    },
    endedByItself: () => endedByItself,
    gone: async () => void (await gone),
    isRunning: () => hasBegun && isAlive(),
    stop: () => send("SIGSTOP"),
    resume: () => send("SIGCONT"),
    async close() {
      isClosed = true;
      send("SIGKILL");
      await gone;
      await proxy.close();
      log.end();
    },
  };
}

function spawnService({ role, port, source, folder, environment }: ProcessOptions, proxyPort: number) {
  const clock = path.join(import.meta.dirname, "moved-clock.mjs");
  const program = path.join(source, "dist/start.js");
  return spawn(process.execPath, ["--enable-source-maps", "--import", clock, program], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      ROLE: role,
      PORT: String(port),
      DATABASE_URL: `postgresql://dispense_service@127.0.0.1:${proxyPort}/dispense?sslmode=disable`,
      ...environment,
    },
  });
}

/** Resolves when it says that it runs. */
function isWelcomed(child: ReturnType<typeof spawnService>, log: WriteStream): Promise<boolean> {
  child.stderr.on("data", (chunk: Buffer) => void log.write(chunk));
  return new Promise((resolve) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      log.write(chunk);
      if (said.length < 10_000) said += chunk.toString();
      if (welcome.test(said)) resolve(true);
    });
  });
}
