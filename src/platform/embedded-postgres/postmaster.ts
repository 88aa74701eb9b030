import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { copyFile, stat, truncate } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { StartError } from "../../kernel/start-error.ts";
import { connectionConfig } from "../database/connection-config.ts";
import { type Cluster, programEnvironment } from "./cluster.ts";
import { failureOf, failureOfSystem } from "./failures.ts";
import { shutDown } from "./processes.ts";

const listenMsMax = 60_000;
const recoverMsMax = 15 * 60_000;
const refusedMsMax = 5_000;
const pollMs = 20;
const sayEveryMs = 5_000;

/** The first process of a running PostgreSQL. */
export interface Postmaster {
  /** Undefined when it could not even be spawned; then `ended` says why. */
  readonly pid: number | undefined;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<{ readonly how: string; readonly error?: unknown }>;
  hasEnded(): boolean;
  /** The text that it wrote to its log since it was launched. */
  output(): string;
  /** Ends it with everything written. Bounded; safe to repeat. */
  stop(): Promise<void>;
}

/** Spawns PostgreSQL. A session of its own keeps the terminal's Ctrl-C from it: we stop it when we are done with it. */
export function launch(cluster: Cluster): Postmaster {
  const log = openLog(cluster.logFile);
  const child = spawn(cluster.binaries.postgres, ["-D", cluster.folderForPostgres], {
    cwd: cluster.folder,
    env: programEnvironment,
    stdio: ["ignore", log.descriptor, log.descriptor],
    detached: true,
    ...cluster.runAs.change,
  });
  closeSync(log.descriptor);
  const endWithUs = () => void child.kill("SIGINT"); // we exit without having stopped it
  process.once("exit", endWithUs);
  let ended = false;
  const end = new Promise<{ how: string; error?: unknown }>((resolve) => {
    child.once("error", (error) => resolve({ how: error.message, error }));
    child.once("exit", (code, signal) => resolve({ how: signal === null ? `code ${code}` : `signal ${signal}` }));
  }).then((how) => {
    ended = true;
    process.removeListener("exit", endWithUs);
    return how;
  });
  return {
    pid: child.pid,
    ended: end,
    hasEnded: () => ended,
    output: () => readLog(cluster.logFile, log.sizeBytes),
    stop: async () => {
      if (child.pid !== undefined && !ended) await shutDown(cluster.folder, child.pid);
      await end;
    },
  };
}

/**
 * Resolves when the database answers. Recovery after a crash may take minutes, in which it says so now and then.
 * @throws StartError when PostgreSQL ends or does not listen
 */
export async function waitUntilReady(
  cluster: Cluster,
  postmaster: Postmaster,
  connectionString: string,
  log: (message: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  let waitedMsMax = listenMsMax;
  let answer = "";
  let saidAt = startedAt;
  let refusedSince: number | undefined;
  for (let now = startedAt; now - startedAt < waitedMsMax; now = performance.now()) {
    answer = await tryToConnect(connectionString);
    if (answer === "ready") return;
    if (postmaster.hasEnded()) throw await failureToStart(cluster, postmaster);
    if (answer === "starting") waitedMsMax = recoverMsMax;
    refusedSince = isRefusal(answer) ? (refusedSince ?? now) : undefined;
    if (refusedSince !== undefined && now - refusedSince > refusedMsMax) {
      throw failureOf("Opening the database", postmaster.output(), cluster);
    }
    if (answer === "starting" && now - saidAt > sayEveryMs) {
      saidAt = now;
      log("PostgreSQL recovers from a crash");
    }
    await delay(pollMs);
  }
  throw new StartError(`PostgreSQL does not answer (${answer}); its log is ${cluster.logFile}.`);
}

/** An error code of PostgreSQL's own (five characters with a digit): it runs, and will not have us. */
function isRefusal(answer: string): boolean {
  return /^(?=.*[0-9])[0-9A-Z]{5}$/.test(answer);
}

async function failureToStart(cluster: Cluster, postmaster: Postmaster): Promise<unknown> {
  const { how, error } = await postmaster.ended;
  if (error !== undefined) return failureOfSystem(error, cluster.dataDirectory);
  return failureOf("Starting PostgreSQL", postmaster.output() || how, cluster);
}

/** The database of a new cluster is created here, so that a start that was cut off before is made good. */
async function tryToConnect(connectionString: string): Promise<string> {
  const code = await query(connectionString, "select 1");
  if (code === undefined) return "ready";
  if (code === "57P03") return "starting"; // cannot_connect_now
  if (code !== "3D000") return code; // invalid_catalog_name
  await query(connectionString.replace("@/dispense?", "@/postgres?"), "create database dispense");
  return "no database yet";
}

/** The error's code, or undefined. */
async function query(connectionString: string, text: string): Promise<string | undefined> {
  const config = connectionConfig({ connectionString, applicationName: "dispense start", plans: "ordinary" });
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {}); // also rejects the query
  try {
    await client.connect();
    await client.query(text);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message;
  } finally {
    await client.end().catch(() => {});
  }
}

const logBytesMax = 10 * 1024 * 1024;
const checkEveryMs = 30_000;
const tailBytesMax = 64 * 1024;

/** Opens the log for PostgreSQL to append to (it inherits the descriptor, so it needs no right to the folder). */
export function openLog(file: string): { descriptor: number; sizeBytes: number } {
  const descriptor = openSync(file, "a", 0o600);
  return { descriptor, sizeBytes: fstatSync(descriptor).size };
}

/** The part of the log after `fromBytes`, at most 64 KiB of it. */
function readLog(file: string, fromBytes: number): string {
  const descriptor = openSync(file, "r");
  try {
    const start = Math.max(fromBytes, fstatSync(descriptor).size - tailBytesMax);
    const buffer = Buffer.alloc(tailBytesMax);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, tailBytesMax, start));
  } finally {
    closeSync(descriptor);
  }
}

/** Keeps the log to two files of about 10 MiB. The writer holds it open, so it is copied and emptied, not renamed. */
export function keepLogSmall(file: string): { stop(): void } {
  const timer = setInterval(() => void shorten(file).catch(() => {}), checkEveryMs); // a full disk: next time
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Moves an over-long log to `<file>.1`. */
export async function shorten(file: string, bytesMax = logBytesMax): Promise<void> {
  if ((await stat(file)).size <= bytesMax) return;
  await copyFile(file, `${file}.1`);
  await truncate(file, 0);
}
