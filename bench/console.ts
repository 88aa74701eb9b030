import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import type { Database } from "../src/platform/database/database.ts";
import { listsOf, measureAfterSales, measureLists } from "./console-lists.ts";
import { type LoadedShop, loadShop } from "./console-load.ts";
import {
  type BesideRound,
  type ConsoleRig,
  measureBeside,
  measureFull,
  measurePages,
  type PageName,
  pages,
} from "./console-measure.ts";
import { type ConsoleResult, renderConsole, saveConsole, summariseBeside } from "./console-report.ts";
import { readSamples } from "./console-samples.ts";
import { logIn, type Visitor } from "./console-visitor.ts";
import { breakIn, connectPatiently, postgresVersion, sizeOf } from "./database.ts";
import { openDriver } from "./driver.ts";
import { describeCommit, describeMachine } from "./machine.ts";
import type { Complaint, Sample } from "./purchase.ts";
import { type Measure, measureOf } from "./result.ts";
import { inScratchFolder, type Undo } from "./scratch-folder.ts";
import { type Service, startService } from "./service.ts";

const projectRoot = path.dirname(import.meta.dirname);
/** What a purchase and a request take, with their indexes and entries; and the write-ahead log beside them. */
const bytesPerRow = 1_700;
const logBytes = 5 * 2 ** 30;
const rowsPerSecond = 10_000;

export interface ConsoleOptions {
  readonly rows: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly keep?: string;
  readonly json?: boolean;
  readonly save?: boolean;
}

const progress = (text: string) => void process.stderr.write(text);

/** Measures the merchants' pages at ten million rows, and purchases beside ten people who click. */
export async function benchConsole(options: ConsoleOptions): Promise<void> {
  const complaints: Complaint[] = [];
  const result = await inScratchFolder((folder, undo) => measureAll(options, folder, undo, complaints), options.keep);
  if (complaints.length > 0) {
    console.error(`\nThis run broke what must hold, so it has no figures:\n${complaints.join("\n")}`);
    process.exitCode = 1;
    return;
  }
  console.log(options.json === true ? JSON.stringify(result) : `\n${renderConsole(result)}\n`);
  if (options.save === true) progress(`Written to ${saveConsole(result)}.\n`);
}

async function measureAll(
  options: ConsoleOptions,
  folder: string,
  undo: Undo,
  complaints: Complaint[],
): Promise<ConsoleResult> {
  const { rows, rounds, seconds } = options;
  if (!existsSync(shopFile(folder))) await foretell(rows, folder);
  const started = () => startService(folder, { WEBHOOK_LOG_DAYS: "3650" });
  const { service, database, shop } = await openShop(folder, { rows, started, undo });
  const machine = describeMachine(folder, await postgresVersion(database));
  const [driver, peopleDriver] = [openDriver(), openDriver()];
  undo.push(driver.close, peopleDriver.close);
  const visitors: Visitor[] = [];
  for (const email of shop.people) visitors.push(await logIn(service.port, email));
  const samples = await readSamples(database, service.port, shop);
  const measuring = { driver, service, database, pgbench: null, seconds, progress };
  const run = `${Date.now()}-`;
  const rig: ConsoleRig = { ...measuring, ...shop, run, peopleDriver, visitors, samples };

  const [visitor] = visitors as [Visitor];
  const lists = listsOf(samples, shop.basket.phone);
  const rested = await measureLists(visitor, lists, { complaints, progress });
  progress("warming up\n");
  await breakIn(database);
  await measurePages({ ...rig, seconds: 1, progress: () => {} }, complaints);
  const asked = (await measureFull(rig, complaints)) / 2;
  const measured: { readonly pages: Record<PageName, Sample>; readonly purchases: BesideRound }[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round}\n`);
    const pagesAlone = await measurePages(rig, complaints);
    measured.push({ pages: pagesAlone, purchases: await measureBeside(rig, { round, perSecond: asked }, complaints) });
  }
  const figures = await measureAfterSales(visitor, rested);
  return {
    benchmark: "console",
    date: new Date().toISOString(),
    commit: describeCommit(projectRoot),
    machine,
    ...{ rows, seconds, loadSeconds: shop.loadSeconds, databaseBytes: await sizeOf(database) },
    pages: Object.fromEntries(
      pages.map((page) => [page, measureOf(measured.map((round) => round.pages[page]))]),
    ) as Record<PageName, Measure>,
    purchases: summariseBeside(
      measured.map(({ purchases }) => purchases),
      asked,
    ),
    lists: figures,
  };
}

/** Says how long loading will take and how much disk. @throws Error where there is not enough */
async function foretell(rows: number, folder: string): Promise<void> {
  const bytes = rows * bytesPerRow + logBytes;
  const { bavail, bsize } = await statfs(folder);
  progress(
    `${rows.toLocaleString("en-GB")} purchases and as many requests: some ${Math.ceil(rows / rowsPerSecond / 60) + 1} ` +
      `minutes to load, and ${(bytes / 2 ** 30).toFixed(1)} GB of disk.\n`,
  );
  if (bavail * bsize < bytes * 1.2) throw new Error(`there are only ${Math.floor((bavail * bsize) / 2 ** 30)} GB free`);
}

function shopFile(folder: string): string {
  return path.join(folder, "shop.json");
}

interface OpenedShop {
  readonly service: Service;
  readonly database: Database;
  readonly shop: LoadedShop;
}

/**
 * The service with everything loaded, and started after it: PostgreSQL remembers nothing of the loading. What the folder
 * holds already is taken as it is.
 */
async function openShop(
  folder: string,
  options: { readonly rows: number; readonly started: () => Promise<Service>; readonly undo: Undo },
): Promise<OpenedShop> {
  const { rows, started, undo } = options;
  if (!existsSync(shopFile(folder))) {
    const service = await started();
    undo.push(service.stop);
    const database = connectPatiently(service.connectionString);
    const shop = await loadShop({ service, database, rows, progress });
    writeFileSync(shopFile(folder), JSON.stringify(shop));
    await database.close();
    await service.stop();
  }
  const shop = JSON.parse(readFileSync(shopFile(folder), "utf8")) as LoadedShop;
  if (shop.rows !== rows)
    throw new Error(`${folder} holds ${shop.rows} purchases: ask for as many, or for a new folder`);
  const service = await started();
  undo.push(service.stop);
  const database = connectPatiently(service.connectionString);
  undo.push(() => database.close());
  return { service, database, shop };
}
