import { randomInt, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { call, type Received } from "../../rigs/base/client.ts";
import { brokenInvariants, connectTo } from "../../rigs/base/database.ts";
import { newMerchant } from "../../rigs/base/merchants.ts";
import { openMovedClock } from "../../rigs/base/moved-clock.ts";
import { startProgram } from "../../rigs/base/program.ts";
import { usualEnvironment } from "../../rigs/base/service.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import type { Kobo } from "../../src/kernel/money.ts";
import type { OpenDatabase } from "../../src/platform/database/database.ts";
import { freshDatabase } from "./database.ts";

/** A service as `npm start` runs it, in a process of its own with a database of its own. */
export interface Deployment {
  /** The same after every start. */
  readonly url: string;
  readonly database: OpenDatabase;
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
  call(key: string | null, path: string, body?: object, method?: string): Promise<Received | null>;
  brokenInvariants(): Promise<string[]>;
  /** Ends it and drops its database. */
  close(): Promise<void>;
}

/** More than the quiet period after which "never received" counts; less than the age at which a signature is old. */
const stepMs = 180_000;

/** Starts one. Some three seconds. */
export async function startDeployment(environment: Readonly<Record<string, string>>): Promise<Deployment> {
  const fresh = await freshDatabase();
  const database = connectTo(fresh.url);
  const clockFile = path.join(tmpdir(), `dispense-clock-${randomUUID()}`);
  const clock = openMovedClock(clockFile);
  const run = async (port: string) => {
    const program = startProgram(["--enable-source-maps", ...clock.args, "dist/start.js"], {
      environment: {
        DATABASE_URL: fresh.url,
        PORT: port,
        LOG_LEVEL: "error",
        ...usualEnvironment,
        WEBHOOK_ALLOW_PRIVATE: "true",
        ...clock.environment,
        ...environment,
      },
    });
    const [, url = ""] = await program.saying(/runs at (http:\/\/127\.0\.0\.1:\d+)\n/);
    return { program, url };
  };
  const port = await portToKeep();
  let service = await run(port);
  const { url } = service;
  return {
    url,
    database,
    databaseUrl: fresh.url,
    async start() {
      service = await run(port);
    },
    kill: () => service.program.end("SIGKILL"),
    stop: () => void service.program.child.kill("SIGSTOP"),
    resume: () => void service.program.child.kill("SIGCONT"),
    unread: () => unreadAt(Number(port)),
    async passTime() {
      clock.move(stepMs);
      // This one is told by the database's clock, which nobody moves.
      const age = "update inflight set not_received_since = not_received_since - make_interval(secs => $1)";
      await fresh.pool.query(age, [stepMs / 1_000]);
    },
    createMerchant: ({ live = null, test = null }) =>
      newMerchant(database, { approved: true, credit: live, testCredit: test }),
    async call(key, below, body, method) {
      const options = { ...(body === undefined ? {} : { body }), ...(method === undefined ? {} : { method }) };
      const received = await call({ url }, key, below, { ...options, msMax: 45_000 });
      return received.status === 0 ? null : received;
    },
    brokenInvariants: () => brokenInvariants(database),
    async close() {
      await service.program.end("SIGKILL");
      await database.close();
      await fresh.drop();
      clock.close();
      rmSync(clockFile);
    },
  };
}

/** A port that stays free while nobody listens on it: below those that the system gives to whoever asks for any. */
async function portToKeep(): Promise<string> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const trial = createServer().listen(port, "127.0.0.1");
    const isFree = await once(trial, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((resolve) => trial.close(resolve));
    return String(port);
  }
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
