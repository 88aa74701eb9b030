import { statfs } from "node:fs/promises";
import path from "node:path";
import { checkLedger } from "../src/domain/wallet/reconcile.ts";
import type { Database } from "../src/platform/database/database.ts";
import { connectPatiently, describeRow, postgresVersion, sizeOf, writeCheckpoint } from "./database.ts";
import { type Driver, openDriver } from "./driver.ts";
import { countAll, loadYear, vacuum } from "./growth-load.ts";
import { measureSize } from "./growth-measure.ts";
import { type GrownSize, type GrowthResult, renderGrowth, saveGrowth } from "./growth-report.ts";
import { describeCommit, describeMachine, type Machine } from "./machine.ts";
import { chooseBasket, createBuyers } from "./merchants.ts";
import { inScratchFolder } from "./scratch-folder.ts";
import { startService } from "./service.ts";

const projectRoot = path.dirname(import.meta.dirname);
const standardSizes = [10_000, 1_000_000];

/** What a row takes, with its indexes, entries and share of the delivery log; and the write-ahead log beside it. */
const bytesPerRow = 900;
const logBytes = 5 * 2 ** 30;
const rowsPerSecond = 8_000;

export interface GrowthOptions {
  readonly rows: number;
  readonly seconds: number;
  readonly skipCheck?: boolean;
  readonly json?: boolean;
  readonly save?: boolean;
}

const progress = (text: string) => void process.stderr.write(text);

/** Measures the service at each size, each in a data directory of its own. A broken invariant leaves no figures. */
export async function benchGrowth(options: GrowthOptions): Promise<void> {
  const sizes = [...standardSizes.filter((size) => size < options.rows), options.rows];
  await foretell(sizes, options);
  const complaints: string[] = [];
  const grown: GrownSize[] = [];
  let machine: Machine | null = null;
  for (const rows of sizes) {
    const measured = await inScratchFolder((folder, undo) => growTo(rows, { options, folder, undo, complaints }));
    if (complaints.length > 0) break;
    grown.push(measured.size);
    machine ??= measured.machine;
  }
  if (complaints.length > 0 || machine === null) {
    console.error(`\nThis run broke what must hold, so it has no figures:\n${complaints.join("\n")}`);
    process.exitCode = 1;
    return;
  }
  const { seconds } = options;
  const commit = describeCommit(projectRoot);
  const date = new Date().toISOString();
  const result: GrowthResult = { benchmark: "growth", date, commit, machine, seconds, sizes: grown };
  console.log(options.json === true ? JSON.stringify(result) : `\n${renderGrowth(result)}\n`);
  if (options.save === true) progress(`Written to ${saveGrowth(result)}.\n`);
}

/** Says how long it will take and how much disk. @throws Error where there is not enough */
async function foretell(sizes: readonly number[], { rows, seconds }: GrowthOptions): Promise<void> {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const minutes = Math.ceil((total / rowsPerSecond + sizes.length * (60 + 16 * seconds)) / 60);
  const bytes = rows * bytesPerRow + logBytes;
  const { bavail, bsize } = await statfs(projectRoot);
  progress(`${sizes.join(", ")} purchases: some ${minutes} minutes and ${(bytes / 2 ** 30).toFixed(1)} GB of disk.\n`);
  if (bavail * bsize < bytes * 1.2) throw new Error(`there are only ${Math.floor((bavail * bsize) / 2 ** 30)} GB free`);
}

interface Growing {
  readonly options: GrowthOptions;
  readonly folder: string;
  readonly undo: (() => Promise<unknown>)[];
  readonly complaints: string[];
}

async function growTo(rows: number, growing: Growing): Promise<{ size: GrownSize; machine: Machine }> {
  const { options, folder, undo, complaints } = growing;
  progress(`\n${rows.toLocaleString("en-GB")} purchases: starting the service\n`);
  // The loaded deliveries lie in the past: what is older than a month would be purged while others are counted.
  const service = await startService(folder, { WEBHOOK_LOG_DAYS: "3650" });
  undo.push(service.stop);
  const database = connectPatiently(service.connectionString);
  undo.push(() => database.close());
  const driver: Driver = openDriver();
  undo.push(driver.close);
  const machine = describeMachine(folder, await postgresVersion(database));
  const buyers = await createBuyers(database);
  const basket = await chooseBasket(service.port, buyers.hot[0] ?? "");

  const load = await timed(() => loadYear(database, rows, progress));
  progress("counting\n");
  const count = await timed(() => countAll(database));
  await vacuum(database);
  await writeCheckpoint(database);
  const databaseBytes = await sizeOf(database);
  const checked = !(options.skipCheck === true && rows === options.rows);
  if (checked) complaints.push(...(await brokenInvariants(database)));
  const { seconds } = options;
  const rig = { driver, service, database, buyers, basket, loaded: load.value, seconds, progress };
  const figures = complaints.length > 0 ? {} : await measureSize(rig, complaints);
  if (checked && complaints.length === 0) complaints.push(...(await brokenInvariants(database)));
  const size = { rows, loadSeconds: load.seconds, countSeconds: count.seconds, databaseBytes, checked, figures };
  return { size, machine };
}

/** With how long it took. */
export async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly seconds: number }> {
  const startedMs = performance.now();
  const value = await work();
  return { value, seconds: Math.round((performance.now() - startedMs) / 100) / 10 };
}

async function brokenInvariants(database: Database): Promise<string[]> {
  progress("checking the ledger\n");
  const broken = (await checkLedger(database)).filter((check) => check.broken.length > 0);
  return broken.map((check) => `invariant ${check.invariant}: ${describeRow(check.broken[0])}`);
}
