import { execFileSync } from "node:child_process";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Undo } from "../bench/scratch-folder.ts";
import { type Server, startProgram } from "../bench/service.ts";
import { encryptionKey } from "../bench/webhook-load.ts";
import { freePort } from "../tests/support/free-port.ts";
import { type MovedTime, openMovedTime } from "./moved-time.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { openServiceProcess, type ServiceProcess } from "./service-process.ts";
import type { SupplierSettings } from "./supplier-settings.ts";

/** One deployment of four processes with its PostgreSQL, and the sink of its webhooks, which is never killed. */
export interface Deployment {
  readonly folder: string;
  readonly postgres: Postgres;
  readonly time: MovedTime;
  readonly apis: readonly ServiceProcess[];
  readonly workers: readonly ServiceProcess[];
  readonly sink: Server;
  readonly sinkBook: string;
}

/** Everything that runs: the deployment, and the suppliers outside that are programs, which are never killed either. */
export interface Ground extends Deployment {
  readonly suppliers: readonly Supplier[];
}

export interface Supplier extends Server {
  readonly name: string;
  readonly book: string;
}

export interface GroundOptions {
  readonly folder: string;
  readonly undo: Undo;
  readonly seed: number;
  /** Where the service's own files are: ours, or a copy with a planted fault. */
  readonly source: string;
}

export const supplierNames = ["alpha", "beta"] as const;

/** Starts all of it. Some ten seconds. */
export async function openGround(options: GroundOptions): Promise<Ground> {
  const { folder, undo, seed } = options;
  const suppliers: Supplier[] = [];
  const deployment = await openDeployment(options, async ({ callbackUrls, time }) => {
    for (const name of supplierNames) {
      const book = path.join(folder, `${name}.book`);
      const callbacks = callbackUrls.map((url) => `${url}/${name}`);
      const settings: SupplierSettings = { name, seed, book, callbacks };
      const environment = { TORTURE_SUPPLIER: JSON.stringify(settings), TORTURE_CLOCK: time.file };
      suppliers.push({ ...(await startOutside(undo, folder, "supplier", environment, name)), name, book });
    }
    return suppliers.map(({ port }) => `http://127.0.0.1:${port}`);
  });
  return { ...deployment, suppliers };
}

/** Where suppliers call back, at each API, and the clock that what they sign goes by. */
interface SupplierPlace {
  readonly callbackUrls: readonly string[];
  readonly time: MovedTime;
}

/** @param openSuppliers starts them. @returns their origins */
export async function openDeployment(
  { folder, undo, seed, source }: GroundOptions,
  openSuppliers: (place: SupplierPlace) => Promise<readonly string[]>,
): Promise<Deployment> {
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: source, stdio: "inherit" });
  const postgres = await startPostgres(folder, undo);
  const time = openMovedTime(path.join(folder, "clock"), postgres.database);
  undo.push(async () => time.close());
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const sinkBook = path.join(folder, "sink.book");
  const sink = await startOutside(undo, folder, "sink", { TORTURE_SINK: JSON.stringify({ book: sinkBook, seed }) });
  const callbackUrls = ports.slice(0, 2).map((port) => `http://127.0.0.1:${port}/supplier-callbacks`);
  const origins = await openSuppliers({ callbackUrls, time });
  const environment = {
    MIGRATIONS_DATABASE_URL: postgres.ownerUrl,
    DATA_DIR: path.join(folder, "service"),
    DATABASE_POOL: "10",
    HOST: "127.0.0.1",
    LOG_LEVEL: "warn",
    RATE_LIMIT_PER_MINUTE: "1000000000",
    BULK_LINES_PER_MINUTE: "1000000000",
    BULK_BYTES_PER_MINUTE: "1000000000",
    WEBHOOK_ALLOW_PRIVATE: "true",
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
    SUPPLIER_ORIGINS: origins.join(","),
    TORTURE_CLOCK: time.file,
    NODE_OPTIONS: "",
  };
  const processes: ServiceProcess[] = [];
  for (const [index, name] of ["api-1", "api-2", "worker-1", "worker-2"].entries()) {
    const role = index < 2 ? "api" : "worker";
    const port = ports[index] ?? 0;
    const { socket } = postgres;
    const opened = await openServiceProcess({ name, role, port, source, folder, socket, environment });
    undo.push(() => opened.close());
    processes.push(opened);
    if (index === 0) await opened.start(); // it migrates
  }
  await Promise.all(processes.slice(1).map((each) => each.start()));
  return { folder, postgres, time, apis: processes.slice(0, 2), workers: processes.slice(2), sink, sinkBook };
}

/** Starts a program outside of the deployment: a supplier, or the sink of webhooks. */
async function startOutside(
  undo: Undo,
  folder: string,
  program: "sink" | "supplier",
  environment: Readonly<Record<string, string>>,
  name: string = program,
): Promise<Server> {
  const started = await startProgram(`torture/${program}.ts`, path.join(folder, `${name}.log`), environment);
  undo.push(started.stop);
  return started;
}

/** Asks a program outside of the deployment: these always answer. */
export async function askOutside({ port }: Server, path: string): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      const url = `http://127.0.0.1:${port}${path}`;
      const answer = await fetch(url, { headers: { connection: "close" }, signal: AbortSignal.timeout(5_000) });
      return await answer.json();
    } catch (error) {
      if (attempt === 20) throw error;
      await delay(500);
    }
  }
}
