import { spawnSync } from "node:child_process";
import path from "node:path";
import { readSalesReport } from "../../src/domain/history/reports/sales-report.ts";
import { openReadings } from "../../src/main/services/reading-services.ts";
import type { OpenReading } from "../../src/platform/database/reading-standby.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { brokenInvariants } from "../base/database.ts";
import { liftAllLimits, newMerchants, plenty, purchaseFrames } from "../base/merchants.ts";
import { startStandbyOf } from "../base/own-postgres.ts";
import { inScratchFolder } from "../base/scratch-folder.ts";
import { openShop } from "../base/shop.ts";
import { breakIn } from "./database.ts";
import { loadYear, productsLoaded, vacuum, yearMs } from "./growth-load.ts";
import { describeMachine } from "./machine.ts";
import { measure } from "./measure.ts";
import { openSheet, progress, type ReportOptions, report } from "./report.ts";

export interface BesideReportOptions extends ReportOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly rows: number;
}

const connections = 16;
const loadedMerchants = 1_000;

/**
 * What others' purchases notice of reports over a year of live sales, one after the other, read at the primary and at a
 * standby. The standby gets a core of its own and everything else the other one, as two machines would be.
 */
export async function benchBesideReport(options: BesideReportOptions): Promise<void> {
  const sheet = openSheet();
  const isPinned = pin(0);
  const reported = await inScratchFolder(async (folder, undo) => {
    const shop = await openShop({ folder, undo, progress });
    const { database, service } = shop;
    const wish = { name: "Bench", email: "bench@example.com", approved: true, credit: plenty, testCredit: plenty };
    await newMerchants(database, { ...wish, count: loadedMerchants });
    await liftAllLimits(database);
    await loadYear(database, options.rows, { mode: "live", products: productsLoaded, progress });
    await vacuum(database);
    await breakIn(database);
    progress("copying to a standby\n");
    const primary = {
      url: service.connectionString,
      folder: path.join(folder, "data/postgres"),
      pid: service.postgresPid,
    };
    pin(1);
    const standby = await startStandbyOf(primary, path.join(folder, "standby"));
    undo.push(standby.stop);
    pin(0);
    const machine = await describeMachine(folder, database);
    const closing: (() => Promise<void>)[] = [];
    undo.push(async () => void (await Promise.all(closing.map((close) => close()))));
    const log = openLog({ level: "warn" });
    const given = { primary: database, clock: { now: () => Date.now() }, log, undo: closing };
    const at = {
      primary: (await openReadings({ ...given, config: { readDatabaseUrl: null } })).reports,
      standby: (await openReadings({ ...given, config: { readDatabaseUrl: standby.url } })).reports,
    };
    const rig = { ...shop, sheet, seconds: options.seconds };
    const sell = async (prefix: string) =>
      (await measure(rig, { prefix, connections, frames: purchaseFrames(shop.spread, shop.basket, prefix) })).sample;
    await sell("warm-");
    const reports: Record<keyof typeof at, number[]> = { primary: [], standby: [] };
    for (let round = 1; round <= options.rounds; round++) {
      await sheet.step("alone", () => sell(`alone-${round}-`));
      for (const where of ["primary", "standby"] as const) {
        const reader = readAgainAndAgain(at[where], where === "standby");
        await sheet.step(`beside reports at the ${where}`, () => sell(`${where}-${round}-`));
        reports[where].push(...(await reader.stop()));
      }
    }
    sheet.complaints.push(...(await brokenInvariants(database)));
    const bounds = (["primary", "standby"] as const).map((where) => ({
      what: `p99 beside reports at the ${where} ÷ alone`,
      measured: sheet.ratio("p99Ms", `beside reports at the ${where}`, "alone"),
      ...(where === "standby" ? { atMost: 1.5 } : { atLeast: 1 }),
    }));
    const took = Object.entries(reports).map(
      ([where, seconds]) => `${where} ${seconds.map((one) => one.toFixed(1)).join(", ")} s`,
    );
    const notes = [
      `Phases of ${options.seconds} s, ${connections} connections; a year's report over ${options.rows} live sales: ${took.join("; ")}.`,
      isPinned
        ? "The standby has one core, everything else the other one."
        : "All share all cores: taskset is missing.",
    ];
    return { benchmark: "beside-report", machine, notes, bounds };
  });
  report(sheet, reported, options);
}

/** Keeps this process, and what it starts from then on, to one core. @returns whether it does */
function pin(core: number): boolean {
  return spawnSync("taskset", ["-a", "-p", "-c", String(core), String(process.pid)]).status === 0;
}

/** Reads a year's report again and again until it is stopped. @throws Error where that is not read where it should be */
function readAgainAndAgain(open: OpenReading, isAtStandby: boolean) {
  let isStopped = false;
  const seconds: number[] = [];
  const ended = (async () => {
    while (!isStopped) {
      const startedAt = performance.now();
      const { reads, asOf } = await open();
      if ((asOf !== null) !== isAtStandby) throw new Error("the report was read at the other server");
      const now = Date.now();
      await readSalesReport(reads, { from: now - yearMs, before: now }, new Set(["category", "merchant"]));
      seconds.push((performance.now() - startedAt) / 1_000);
    }
  })();
  return {
    async stop(): Promise<readonly number[]> {
      isStopped = true;
      await ended;
      return seconds;
    },
  };
}
