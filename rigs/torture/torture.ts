import { setTimeout as delay } from "node:timers/promises";
import { inScratchFolder } from "../base/scratch-folder.ts";
import { type Answers, openAnswers } from "./answers.ts";
import { openChance } from "./chance.ts";
import { askOutside, type Ground, openGround } from "./ground.ts";
import { openMerchants } from "./merchants.ts";
import { type OrderBook, openOrderBook } from "./order-book.ts";
import { letAllEnd, type Open, trySilence } from "./quiet.ts";
import { keepWritings, type Report, shopLines, waitAloud } from "./report.ts";
import { openShop } from "./shop.ts";
import { openStorm } from "./storm.ts";
import { stormWares } from "./suppliers/wares.ts";
import { type Check, judge } from "./verdict.ts";

export interface TortureOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /** Between two strikes, in the mean. */
  readonly pauseMs: number;
  /** How long after the storm something may be open. */
  readonly quietSecondsMax: number;
  /** Where the service's own files are: ours, or a copy with a planted fault. */
  readonly source: string;
  /** Keeps logs and books, also when all is well. */
  readonly keeps: boolean;
  readonly report: (text: string) => void;
}

/** Before the first blow: whatever goes wrong here is the service's own fault. */
const calmMs = 4_000;
/** The most lines of a bulk order. */
const linesMax = 25;
/** There is time to stop a process for as long as its lease in truth. */
const longRunSeconds = 600;

/** One whole run: load and storm, quiet, verdict. */
export function torture(options: TortureOptions): Promise<Report> {
  return inScratchFolder(async (folder, undo) => {
    const { seed, seconds, requestsPerSecond, report } = options;
    report("starting PostgreSQL, two suppliers, a sink, two APIs and two workers");
    const ground = await openGround({ folder, undo, seed, source: options.source });
    const merchants = await openMerchants(ground);
    await delay(1_500); // every process knows within a second
    const answers = openAnswers();
    const orders = openOrderBook(openChance(seed, "orders"), merchants, { wares: stormWares, linesMax });
    const shop = openShop({ ground, merchants, answers, seed, requestsPerSecond, orders });
    undo.push(() => shop.stop());
    shop.beCalm(true);
    await delay(calmMs);
    shop.beCalm(false);
    const storm = openStorm({ ground, seed, isLong: seconds >= longRunSeconds, pauseMs: options.pauseMs });
    undo.push(() => storm.stop());
    const { figures } = storm;
    const { counts } = shop;
    await waitAloud(seconds, () => [
      `${counts.requests} requests`,
      `${answers.count()} purchases acknowledged`,
      `${figures.databaseStops} database stops`,
      `${figures.kills} kills`,
      `${figures.processStops} SIGSTOPs`,
      `${figures.cuts} cuts`,
      `${figures.outages} outages`,
      `${answers.violations.length} violations`,
    ]);
    report("the storm is over: everything runs again, and is let end");
    await storm.stop();
    await shop.stop();
    const silence = await beSilent(ground, answers, orders);
    const quietAt = performance.now();
    await letAllEnd(ground, options.quietSecondsMax, (open, seconds) => reportOpen(report, open, seconds));
    const quietSeconds = (performance.now() - quietAt) / 1_000;
    report("comparing the books");
    const { purchases, ...judged } = await judge({ ground, merchants, answers });
    const checks = [...judged.checks, silence];
    await keepWhereBroken(folder, `torture-${seed}`, { ...options, checks });
    const endedByThemselves = [...ground.apis, ...ground.workers].reduce((sum, each) => sum + each.endedByItself(), 0);
    const lines: Report["lines"] = [
      ...shopLines(counts, { stored: purchases, acknowledged: answers.count() }),
      ["database stops", String(figures.databaseStops)],
      ["kills", `${figures.kills}; processes that ended by themselves: ${endedByThemselves}`],
      ["SIGSTOPs", String(figures.processStops)],
      ["cuts", `${figures.cuts}, and ${figures.backendsEnded} backends ended`],
      ["outages", String(figures.outages)],
      ["quiet after", `${Math.round(quietSeconds)} s`],
    ];
    return { seed, checks, lines };
  });
}

/** Logs and books are kept where that is wished, and always where a promise is broken. */
export async function keepWhereBroken(
  folder: string,
  name: string,
  { keeps, checks, report }: Pick<TortureOptions, "keeps" | "report"> & Pick<Report, "checks">,
): Promise<void> {
  if (!keeps && checks.every(({ broken }) => broken.length === 0)) return;
  report(`logs and books are kept in ${await keepWritings(folder, name)}`);
}

const outageMs = 120_000;

/** The first supplier answers 503 to everything, and the second one is as ever. */
async function beSilent(ground: Ground, answers: Answers, orders: OrderBook): Promise<Check> {
  const [supplier] = ground.suppliers;
  if (supplier === undefined) throw new Error("there is no supplier");
  const [where, path] = [{ database: ground.postgres.database, api: ground.apis[0], answers }, "/airtime/purchase"];
  await askOutside(supplier, `/outage/failing/${outageMs}`);
  const check = await trySilence(where, { supplier: supplier.name, path, nextOrder: () => orders.single() });
  await askOutside(supplier, "/outage/failing/0");
  return check;
}

/** Every ten seconds. */
export function reportOpen(report: (text: string) => void, open: Open, seconds: number): void {
  if (Math.round(seconds) % 10 !== 0) return;
  report(`${Math.round(seconds)} s after: ${open.pending} pending, ${open.deliveries} webhooks owed`);
}
