import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { createMerchants } from "../../src/domain/onboarding/create-merchants.ts";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import type { Kobo } from "../../src/kernel/money.ts";
import { type Database, openDatabase, openPool } from "../../src/platform/database/database.ts";
import { bundledProgram } from "./bundled-program.ts";
import { freshDatabase } from "./database.ts";
import { aheadVariable, stepMs } from "./deployment-clock.ts";

/** A service as `npm start` runs it, in a process of its own with a database of its own. */
export interface Deployment {
  /** The same after every start. */
  readonly url: string;
  readonly database: Database;
  /** For an operator's commands. */
  readonly databaseUrl: string;
  /** Starts it again where it was. */
  start(): Promise<void>;
  /** `kill -9`. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Stopped, it takes connections and requests and answers none. */
  stop(): void;
  resume(): void;
  /** On how many connections something has arrived that it has not read. */
  unread(): number;
  /** Three minutes pass by its clock. */
  passTime(): Promise<void>;
  createMerchant(credit: { readonly live?: Kobo; readonly test?: Kobo }): Promise<RegisteredMerchant>;
  /** Below the merchant prefix; null where no answer came. */
  call(key: string | null, path: string, body?: object, method?: string): Promise<Said | null>;
  brokenInvariants(): Promise<unknown[]>;
  /** Ends it and drops its database. */
  close(): Promise<void>;
}

export interface Said {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the wire brought
  readonly body: any;
}

const projectRoot = path.resolve(import.meta.dirname, "../..");

/** Starts one. Some three seconds. */
export async function startDeployment(environment: Readonly<Record<string, string>>): Promise<Deployment> {
  const fresh = await freshDatabase();
  const database = openDatabase(
    openPool({ connectionString: fresh.url, connectionsMax: 4, applicationName: "a test", plans: "ordinary" }),
  );
  let aheadMs = 0;
  const run = (port: string) =>
    spawnService({
      DATABASE_URL: fresh.url,
      PORT: port,
      LOG_LEVEL: "error",
      RATE_LIMIT_PER_MINUTE: "1000000",
      BULK_LINES_PER_MINUTE: "1000000000",
      BULK_BYTES_PER_MINUTE: "1000000000",
      WEBHOOK_ALLOW_PRIVATE: "true",
      [aheadVariable]: String(aheadMs),
      ...environment,
    });
  let service = await run("0");
  const { url } = service;
  return {
    url,
    database,
    databaseUrl: fresh.url,
    async start() {
      service = await run(new URL(url).port);
    },
    kill: () => kill(service.child),
    stop: () => void service.child.kill("SIGSTOP"),
    resume: () => void service.child.kill("SIGCONT"),
    unread: () => unreadAt(Number(new URL(url).port)),
    async passTime() {
      aheadMs += stepMs;
      service.child.kill("SIGUSR2");
      // This one is told by the database's clock, which nobody moves.
      const age = "update inflight set not_received_since = not_received_since - make_interval(secs => $1)";
      await fresh.pool.query(age, [stepMs / 1_000]);
    },
    createMerchant: (credit) => createMerchant(database, credit),
    call: (key, below, body, method) => call(`${url}/api/v1/merchant${below}`, key, body, method),
    async brokenInvariants() {
      return (await checkLedger(database)).filter(({ broken }) => broken.length > 0);
    },
    async close() {
      await kill(service.child);
      await database.close();
      await fresh.drop();
    },
  };
}

/** Resolves when it listens. Its errors go to the output of the tests. */
async function spawnService(environment: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const clock = await bundledProgram("tests/support/moved-clock.ts");
  const words = ["--enable-source-maps", "--import", clock, "dist/start.js"]; // the global setup bundled it
  const child = spawn(process.execPath, words, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  const ended = once(child, "close").then(() => "ended");
  for (let heard = "more"; heard === "more"; ) {
    const url = /runs at (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
    if (url !== undefined) return { child, url };
    heard = await Promise.race([once(child.stdout, "data").then(() => "more"), ended]);
  }
  throw new Error(`the service ended at its start: ${said}`);
}

/** Counts established connections to the port whose receive queue is not empty. */
function unreadAt(port: number): number {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = readFileSync("/proc/net/tcp", "utf8").trim().split("\n").slice(1);
  return lines.filter((line) => {
    const [, local, , state, queues] = line.trim().split(/\s+/);
    return local?.endsWith(ending) && state === "01" && !queues?.endsWith(":00000000");
  }).length;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function createMerchant(
  database: Database,
  credit: { readonly live?: Kobo; readonly test?: Kobo },
): Promise<RegisteredMerchant> {
  const created: RegisteredMerchant[] = [];
  await createMerchants(
    { database, clock: { now: () => Date.now() }, randomness: randomBytes },
    {
      name: "A merchant",
      email: "merchant@example.com",
      count: 1,
      approved: true,
      credit: credit.live ?? null,
      testCredit: credit.test ?? null,
      createdBy: "a test",
    },
    (merchants) => created.push(...merchants),
  );
  return created[0]!;
}

async function call(url: string, key: string | null, body?: object, method?: string): Promise<Said | null> {
  try {
    const response = await fetch(url, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(45_000),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return null;
  }
}
