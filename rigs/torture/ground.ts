import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { OpenDatabase } from "../../src/platform/database/database.ts";
import { serviceRole } from "../../src/platform/embedded-postgres/embedded-postgres.ts";
import { connectTo } from "../base/database.ts";
import { freePort, type OwnPostgres, startOwnPostgres } from "../base/own-postgres.ts";
import type { Undo } from "../base/scratch-folder.ts";
import { type Server, startServer, usualEnvironment } from "../base/service.ts";
import { type MovedTime, openMovedTime } from "./moved-time.ts";
import { openServiceProcess, type ServiceProcess } from "./service-process.ts";
import type { SupplierSettings } from "./supplier-conduct.ts";

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

/** A PostgreSQL that can be stopped at once and started again on the same data. */
export interface Postgres extends OwnPostgres {
  /** As its owner, straight to it. */
  readonly database: OpenDatabase;
  /** What it complains of in its log, line by line. */
  complaints(pattern: RegExp): Promise<string[]>;
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
  /** Origins that the service may ask besides the suppliers. */
  readonly origins?: readonly string[];
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
      const environment = { TORTURE_SUPPLIER: JSON.stringify(settings), ...time.clock.environment };
      const supplier = await startServer("rigs/torture/supplier.ts", folder, { name, environment });
      undo.push(supplier.stop);
      suppliers.push({ ...supplier, name, book });
    }
    return suppliers.map(({ url }) => url);
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
  { folder, undo, seed, source, origins: others = [] }: GroundOptions,
  openSuppliers: (place: SupplierPlace) => Promise<readonly string[]>,
): Promise<Deployment> {
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: source, stdio: "inherit" });
  const postgres = await startPostgres(folder, undo);
  const time = openMovedTime(path.join(folder, "clock"), postgres.database);
  undo.push(async () => time.clock.close());
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const sinkBook = path.join(folder, "sink.book");
  const sinkEnvironment = { TORTURE_SINK: JSON.stringify({ book: sinkBook, seed }) };
  const sink = await startServer("rigs/torture/sink.ts", folder, { environment: sinkEnvironment });
  undo.push(sink.stop);
  const callbackUrls = ports.slice(0, 2).map((port) => `http://127.0.0.1:${port}/supplier-callbacks`);
  const origins = await openSuppliers({ callbackUrls, time });
  const environment = {
    MIGRATIONS_DATABASE_URL: postgres.url,
    DATA_DIR: path.join(folder, "service"),
    DATABASE_POOL: "10",
    HOST: "127.0.0.1",
    LOG_LEVEL: "warn",
    ...usualEnvironment,
    WEBHOOK_ALLOW_PRIVATE: "true",
    SUPPLIER_ORIGINS: [...origins, ...others].join(","),
    ...time.clock.environment,
  };
  const processes: ServiceProcess[] = [];
  for (const [index, name] of ["api-1", "api-2", "worker-1", "worker-2"].entries()) {
    const role = index < 2 ? "api" : "worker";
    const port = ports[index] ?? 0;
    const { socket } = postgres;
    const { args } = time.clock;
    const opened = await openServiceProcess({ name, role, port, source, folder, socket, args, environment });
    undo.push(() => opened.close());
    processes.push(opened);
    if (index === 0) await opened.start(); // it migrates
  }
  await Promise.all(processes.slice(1).map((each) => each.start()));
  return { folder, postgres, time, apis: processes.slice(0, 2), workers: processes.slice(2), sink, sinkBook };
}

const settings = {
  max_connections: "200",
  // The log is written for a commit that waits for it, never by the way: a commit that did not wait is lost.
  wal_writer_delay: "10s",
};

async function startPostgres(folder: string, undo: Undo): Promise<Postgres> {
  const postgres = await startOwnPostgres(`${folder}/data`, settings);
  undo.push(() => postgres.stop());
  const database = connectTo(postgres.url);
  undo.push(() => database.close());
  await database.query({ name: "create_service_role", text: `create role ${serviceRole} login` });
  return Object.assign(postgres, {
    database,
    async complaints(pattern: RegExp) {
      const text = await readFile(postgres.logFile, "utf8");
      return text.split("\n").filter((line) => pattern.test(line));
    },
  });
}

/** Asks a program outside of the deployment: these always answer. */
export async function askOutside({ url }: Server, path: string): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await fetch(`${url}${path}`, {
        headers: { connection: "close" },
        signal: AbortSignal.timeout(5_000),
      });
      return await answer.json();
    } catch (error) {
      if (attempt === 20) throw error;
      await delay(500);
    }
  }
}
