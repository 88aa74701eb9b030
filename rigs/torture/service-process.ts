import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { call, type Received } from "../base/client.ts";
import { type Program, startProgram } from "../base/program.ts";
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

/** A start is struck as well, and takes ten seconds beside others on two cores. */
const startMsMax = 300_000;
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
  /** Node's, before the program. */
  readonly args: readonly string[];
  /** What it needs besides role, port and database. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function openServiceProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const { name, role, port, socket } = options;
  const proxy = await openCuttingProxy(socket);
  let program: Program | null = null;
  let hasBegun = false;
  let isClosed = false;
  let endedByItself = 0;

  async function start(): Promise<void> {
    const startedAt = performance.now();
    while (!isClosed && performance.now() - startedAt < startMsMax) {
      const started = spawnService(options, proxy.port);
      program = started;
      hasBegun = await started.saying(welcome).then(
        () => true,
        () => false,
      );
      if (hasBegun) {
        void started.ended.then(() => {
          if (started.child.signalCode !== null || isClosed) return;
          endedByItself += 1;
          void start();
        });
        return;
      }
      await started.end("SIGKILL");
      await delay(startAgainMs);
    }
    if (!isClosed) throw new Error(`${name} does not start: see ${name}.log`);
  }

  const send = (signal: NodeJS.Signals) => {
    if (program?.isAlive() === true) program.child.kill(signal);
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
    gone: async () => void (await program?.ended),
    isRunning: () => hasBegun && program?.isAlive() === true,
    stop: () => send("SIGSTOP"),
    resume: () => send("SIGCONT"),
    async close() {
      isClosed = true;
      send("SIGKILL");
      await program?.ended;
      await proxy.close();
    },
  };
}

function spawnService(options: ProcessOptions, proxyPort: number): Program {
  const { name, role, port, source, folder, args, environment } = options;
  return startProgram(["--enable-source-maps", ...args, path.join(source, "dist/start.js")], {
    folder,
    log: path.join(folder, `${name}.log`),
    environment: {
      ROLE: role,
      PORT: String(port),
      DATABASE_URL: `postgresql://dispense_service@127.0.0.1:${proxyPort}/dispense?sslmode=disable`,
      ...environment,
    },
  });
}

/** Sends requests as a merchant does, over connections that are kept. */
export interface MerchantClient {
  ask(api: ServiceProcess, key: string, path: string, body?: object): Promise<Received>;
  close(): Promise<void>;
}

/** A process that is stopped never answers. */
const msMax = 10_000;

export function openMerchantClient(): MerchantClient {
  const dispatcher = new Agent({ connections: 200, keepAliveTimeout: 4_000 });
  return {
    ask: (api, key, path, body) => call(api, key, path, { msMax, dispatcher, ...(body === undefined ? {} : { body }) }),
    close: () => dispatcher.destroy(),
  };
}
