import { statfs } from "node:fs/promises";
import { statement } from "../../src/platform/database/database.ts";
import { brokenInvariants } from "../base/database.ts";
import { sameFrame } from "../base/load.ts";
import { purchaseFrames, requeryFrames } from "../base/merchants.ts";
import { projectRoot } from "../base/program.ts";
import { inScratchFolder, type Undo } from "../base/scratch-folder.ts";
import { openShop, type Shop } from "../base/shop.ts";
import { sizeOf, writeCheckpoint } from "./database.ts";
import {
  countAll,
  countWhatIsNew,
  type Loaded,
  loadedPrefix,
  loadYear,
  productsLoaded,
  vacuum,
} from "./growth-load.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { measure, type Part, type Rig } from "./measure.ts";
import { openSheet, progress, type ReportOptions, report, type Sample, type Sheet } from "./report.ts";

export interface GrowthOptions extends ReportOptions {
  readonly rows: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly skipCheck?: boolean;
}

interface GrowthRig extends Rig, Shop {
  readonly loaded: Loaded;
  /** The phone of the oldest purchase: the furthest from what was read last. */
  readonly phone: string;
}

const standardSizes = [10_000, 1_000_000];
/** What a row takes, with its indexes, entries and share of the delivery log; and the write-ahead log beside it. */
const bytesPerRow = 900;
const logBytes = 5 * 2 ** 30;
const rowsPerSecond = 8_000;
const connections = 16;

/** Measures the service at each size, each in a data directory of its own. A broken invariant leaves no figures. */
export async function benchGrowth(options: GrowthOptions): Promise<void> {
  const sizes = [...standardSizes.filter((size) => size < options.rows), options.rows];
  const seconds = sizes.reduce((sum, size) => sum + size / rowsPerSecond + 60 + 20 * options.seconds, 0);
  await script(projectRoot, { what: `${sizes.join(", ")} purchases`, seconds, bytes: options.rows * bytesPerRow });
  const sheet = openSheet();
  const notes: string[] = [];
  let machine: Machine | null = null;
  for (const rows of sizes) {
    if (sheet.complaints.length > 0) break;
    await inScratchFolder(async (folder, undo) => {
      const grown = await growTo(rows, { options, folder, undo, sheet });
      machine ??= grown.machine;
      notes.push(grown.note);
    });
  }
  const last = options.rows;
  const ratios = titles.map((title) => {
    const [column, above, below] =
      title === "purchase, big merchant"
        ? (["perSecond", sizes[0], last] as const)
        : (["p50Ms", last, sizes[0]] as const);
    const measured = sheet.ratio(column, named(title, above), named(title, below));
    return { what: `${title}: ${last} ÷ ${sizes[0]} rows`, measured, atMost: 1.5 };
  });
  const first = { what: "first page, p50 ms", measured: sheet.figure(named("first page", last), "p50Ms"), atMost: 5 };
  const bounds = [...ratios, first];
  report(sheet, machine === null ? null : { benchmark: "growth", machine, notes, bounds }, options);
}

/** Says how long loading takes and how much disk. @throws Error where there is not enough */
export async function script(
  folder: string,
  { what, seconds, bytes }: { readonly what: string; readonly seconds: number; readonly bytes: number },
): Promise<void> {
  const gigabytes = (count: number) => `${(count / 2 ** 30).toFixed(1)} GB`;
  const { bavail, bsize } = await statfs(folder);
  progress(`${what}: some ${Math.ceil(seconds / 60)} minutes and ${gigabytes(bytes + logBytes)} of disk.\n`);
  if (bavail * bsize < (bytes + logBytes) * 1.2) throw new Error(`there are only ${gigabytes(bavail * bsize)} free`);
}

interface Growing {
  readonly options: GrowthOptions;
  readonly folder: string;
  readonly undo: Undo;
  readonly sheet: Sheet;
}

async function growTo(rows: number, { options, folder, undo, sheet }: Growing) {
  progress(`\n${rows.toLocaleString("en-GB")} purchases: `);
  // The loaded deliveries lie in the past: what is older than a month would be purged while others are counted.
  const shop = await openShop({ folder, undo, progress, environment: { WEBHOOK_LOG_DAYS: "3650" } });
  const { database } = shop;
  const machine = await describeMachine(folder, database);
  const startedMs = performance.now();
  const loaded = await loadYear(database, rows, { mode: "test", products: productsLoaded, progress });
  progress("counting\n");
  await countAll(database);
  await vacuum(database);
  await writeCheckpoint(database);
  const [seconds, bytes] = [Math.round((performance.now() - startedMs) / 1_000), await sizeOf(database)];
  const checks = async () => {
    if (options.skipCheck === true && rows === options.rows) return;
    progress("checking the ledger\n");
    sheet.complaints.push(...(await brokenInvariants(database)));
  };
  await checks();
  const [row] = await database.query<{ phone: string }>(findPhone, [loaded.big.merchantId]);
  await measureSize(
    { ...shop, sheet, seconds: options.seconds, loaded, phone: row?.phone ?? "" },
    rows,
    options.rounds,
  );
  await checks();
  return { machine, note: `${rows} purchases: loaded and counted in ${seconds} s, ${Math.round(bytes / 2 ** 20)} MB.` };
}

/** A month in the middle of the year, whole days. */
export function month(): { readonly from: string; readonly to: string } {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return { from: day(180), to: day(151) };
}

/** What is asked of the big merchant: purchases last, as lists read what is not counted yet. */
const listPaths = {
  "first page": () => "/transactions",
  "page 50": () => "/transactions?page=50",
  "status=failed": () => "/transactions?status=failed",
  "category=data, a month": () => `/transactions?category=data&from=${month().from}&to=${month().to}`,
  "channel=legacy": () => "/transactions?channel=legacy",
  "phone of a customer": (phone: string) => `/transactions?phone=${phone}`,
  "webhook deliveries": () => "/webhook/deliveries",
} as const;
type ListTitle = keyof typeof listPaths;
const listTitles = Object.keys(listPaths) as ListTitle[];
const afterPurchases = "status=failed, after it";
const titles = ["requery", ...listTitles, "purchase, big merchant", afterPurchases];
const named = (title: string, rows: number | undefined) => `${title}, ${rows?.toLocaleString("en-GB")} rows`;

/** Measures everything against the big merchant. */
async function measureSize(rig: GrowthRig, rows: number, rounds: number): Promise<void> {
  const { hot, phone, sheet } = rig;
  const list = (title: ListTitle): Part => {
    const frames = [sameFrame(`/api/v1/merchant${listPaths[title](phone)}`, `authorization: Bearer ${hot}`)];
    return { frames, prefix: "", connections, expectedStatus: 200 };
  };
  const requery = {
    ...{ frames: requeryFrames([hot]), prefix: loadedPrefix, connections },
    ...{ numbers: rig.loaded.bigPurchases, expectedStatus: 200 },
  };
  await warmUp(rig, requery, list("category=data, a month"));
  for (let round = 1; round <= rounds; round++) {
    if (round > 1) await countWhatIsNew(rig.database);
    await sheet.step(named("requery", rows), () => measureBoth(rig, () => requery));
    for (const title of listTitles) await sheet.step(named(title, rows), () => measureBoth(rig, () => list(title)));
    const buy = (run: string): Part => {
      const prefix = `new-${round}-${run}-`;
      return { frames: purchaseFrames([hot], rig.basket, prefix), prefix, connections };
    };
    await sheet.step(named("purchase, big merchant", rows), () => measureBoth(rig, buy));
    await sheet.step(named(afterPurchases, rows), () => measureBoth(rig, () => list("status=failed")));
  }
}

/** Unmeasured. Buys with the others' keys: what is bought and not counted yet would be read by the lists. */
async function warmUp({ database, spread, basket, ...rig }: GrowthRig, requery: Part, list: Part): Promise<void> {
  const prefix = "warm-";
  progress("warming up\n");
  const purchases = { frames: purchaseFrames(spread, basket, prefix), prefix, connections };
  for (const part of [purchases, requery, list]) await measure({ ...rig, database, seconds: 2 }, part);
  await countWhatIsNew(database);
}

/** Waits are those of one request at a time, rate and processor time those of 16 connections. */
async function measureBoth(rig: Rig, partOf: (run: string) => Part): Promise<Sample> {
  const { sample: one } = await measure(rig, { ...partOf("one"), connections: 1 });
  const { sample: many } = await measure(rig, partOf("many"));
  const errors = (one.errors ?? 0) + (many.errors ?? 0);
  if (errors > 0)
    rig.sheet.complaints.push(`${errors} requests of ${partOf("one").frames[0]?.before.slice(0, 60)} failed`);
  const { p50Ms, p99Ms, maxMs } = one as Required<Sample>;
  return { ...many, p50Ms, p99Ms, maxMs, errors };
}

const findPhone = statement(
  "find_bench_customer",
  `select p.phone
     from purchases p
    where p.wallet_id = -$1::integer
    order by p.id
    limit 1`,
);
