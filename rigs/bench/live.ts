import { readTransactionIds } from "../../src/domain/purchases/deployment/deployment-numbers.ts";
import type { ProductId, PurchaseId } from "../../src/kernel/ids.ts";
import { statement } from "../../src/platform/database/database.ts";
import { openDriver } from "../base/load.ts";
import { chooseBasket, enterSupplier, liftAllLimits, newMerchants, plenty, purchaseFrames } from "../base/merchants.ts";
import { inScratchFolder } from "../base/scratch-folder.ts";
import { type Server, startServer } from "../base/service.ts";
import { openService, type ShopOptions } from "../base/shop.ts";
import { breakIn, openPgbench, type Pgbench } from "./database.ts";
import type { SupplierFigures } from "./live-supplier.ts";
import { describeMachine } from "./machine.ts";
import { measurePurchases, measureTpcb, type Part, type Rig } from "./measure.ts";
import { brokenPromises } from "./purchase.ts";
import { openSheet, progress, type ReportOptions, report, type Sample } from "./report.ts";

export interface LiveOptions extends ReportOptions {
  readonly seconds: number;
  readonly rounds: number;
}

interface LiveRig extends Rig {
  readonly supplier: Server;
  readonly pgbench: Pgbench | null;
  /** Make a purchase's frames for a prefix, with the merchants' keys of one mode. */
  readonly framesOf: (mode: "live" | "test", prefix: string) => Part["frames"];
}

const merchants = 1_000;
/** The supplier's two tempers. */
const quickMs = 20;
const slowMs = 2_000;
/** In flight. The first one is what the goals are about. */
const quickLoads = [256, 64, 1_000] as const;
const slowLoads = [64, 256, 1_000] as const;
/** So many connections take turns in sending a tenth of the load: there is always one that is free. */
const tenthConnections = 64;
const quickName = (connections: number) => `${quickMs} ms, ${connections} in flight`;
const slowName = (connections: number) => `${slowMs / 1_000} s, ${connections} in flight`;
const tenthName = `${quickMs} ms, a tenth of 256's`;

/** Measures live purchases against a supplier of its own process, and what the service adds to the supplier's time. */
export async function benchLive(options: LiveOptions): Promise<void> {
  const sheet = openSheet();
  const reported = await inScratchFolder(async (folder, undo) => {
    const rig = { ...(await openLiveShop({ folder, undo, progress })), sheet, seconds: options.seconds };
    const machine = await describeMachine(folder, rig.database);
    progress("loading pgbench's tables\n");
    const pgbench = await openPgbench(rig.database, rig.service.connectionString);
    await breakIn(rig.database);
    progress("warming up\n");
    await measureRound({ ...rig, pgbench: null, seconds: 2, sheet: openSheet() }, "warm-");
    for (let round = 1; round <= options.rounds; round++) {
      progress(`round ${round}\n`);
      await measureRound({ ...rig, pgbench }, `r${round}-`);
    }
    await measureSlow({ ...rig, pgbench });
    await pgbench?.drop();
    const purchases = await compareLogs(rig);
    sheet.complaints.push(...(await brokenPromises(rig)));
    const main = quickName(quickLoads[0]);
    const bounds = [
      { what: `${main} ÷ tpcb-like`, measured: sheet.ratio("perSecond", main, "tpcb"), atLeast: 0.9 },
      { what: "… p99 ms", measured: sheet.figure(main, "p99Ms"), atMost: 60 },
      { what: "ms added at a tenth of it", measured: sheet.figure(tenthName, "addedMs"), atMost: 5 },
      { what: `${slowName(1_000)}, at once`, measured: sheet.figure(slowName(1_000), "openMost"), atLeast: 900 },
    ];
    const notes = [
      `Phases of ${options.seconds} s. added: the median less the supplier's own.`,
      `${purchases} live purchases: each was sent once by the supplier's own log, and every invariant holds.`,
    ];
    return { benchmark: "live", machine, notes, bounds };
  });
  report(sheet, reported, options);
}

/**
 * A service that sells for real, with a supplier of its own, merchants that may buy, and who sends their purchases.
 * @param origins whom it may ask besides
 */
export async function openLiveShop(options: ShopOptions, origins: readonly string[] = []) {
  const { folder, undo } = options;
  const supplier = await startServer("rigs/bench/live-supplier.ts", folder);
  undo.push(supplier.stop);
  const opened = await openService({
    ...options,
    environment: { SUPPLIER_ORIGINS: [supplier.url, ...origins].join(), WEBHOOK_ALLOW_PRIVATE: "true" },
  });
  const { database, service } = opened;
  const driver = openDriver();
  undo.push(driver.close);
  const wish = { count: merchants, approved: true, credit: plenty, testCredit: plenty };
  const buyers = await newMerchants(database, wish);
  await liftAllLimits(database);
  const basket = await chooseBasket(service, buyers[0]?.testKey ?? "");
  await enterSupplier(database, {
    name: "bench",
    connector: "legacy-script",
    settings: { base_url: supplier.url, network_ids: { MTN: "1", GLO: "2", "9MOBILE": "3", AIRTEL: "4" } },
    credentials: { token: "66f2e5c39ac8640f13cd888f161385b12f7e5e92" },
    products: [{ id: basket.product_id as ProductId, code: "6" }],
    priority: 1,
  });
  const keys = { live: buyers.map(({ liveKey }) => liveKey ?? ""), test: buyers.map(({ testKey }) => testKey) };
  const framesOf: LiveRig["framesOf"] = (mode, prefix) => purchaseFrames(keys[mode], basket, prefix);
  return { ...opened, driver, supplier, helpers: [supplier], framesOf, buyers, basket };
}

/** Measures every load with the quick supplier once. */
async function measureRound(rig: LiveRig, prefix: string): Promise<void> {
  const { sheet } = rig;
  await sheet.step("tpcb", () => measureTpcb(rig, rig.pgbench));
  await sheet.step(`sandbox, ${quickLoads[0]} in flight`, async () => {
    const part = { prefix: `${prefix}sandbox-`, connections: quickLoads[0] };
    return (await measurePurchases(rig, { ...part, frames: rig.framesOf("test", part.prefix) })).sample;
  });
  await askSupplier(rig, `/delay/${quickMs}`);
  let tenth = 1;
  for (const connections of quickLoads) {
    const part = { connections, prefix: `${prefix}${connections}-` };
    const sample = await sheet.step(quickName(connections), () => measureLive(rig, part));
    if (connections === quickLoads[0]) tenth = Math.max(1, (sample?.perSecond ?? 0) / 10);
  }
  const part = { connections: tenthConnections, prefix: `${prefix}tenth-`, perSecond: tenth };
  await sheet.step(tenthName, () => measureLive(rig, part));
}

/** Once, with the slow supplier. Requests leave and come back in waves: too few of them would say little. */
async function measureSlow(rig: LiveRig): Promise<void> {
  await askSupplier(rig, `/delay/${slowMs}`);
  const seconds = Math.max(rig.seconds, (4 * slowMs) / 1_000);
  for (const connections of slowLoads) {
    const part = { connections, prefix: `slow-${connections}-` };
    await rig.sheet.step(slowName(connections), () => measureLive({ ...rig, seconds }, part));
  }
}

async function measureLive(rig: LiveRig, part: Omit<Part, "frames">): Promise<Sample> {
  await askSupplier(rig, "/figures");
  const { sample } = await measurePurchases(rig, { ...part, frames: rig.framesOf("live", part.prefix) });
  const figures = JSON.parse(await askSupplier(rig, "/figures")) as SupplierFigures;
  return {
    ...sample,
    supplierP50Ms: figures.p50Ms,
    addedMs: (sample.p50Ms ?? 0) - (figures.p50Ms ?? 0),
    openMost: figures.openMost,
    supplierMicros: (figures.cpuSeconds * 1e6) / Math.max(1, figures.calls),
  };
}

async function askSupplier({ supplier }: Pick<LiveRig, "supplier">, path: string): Promise<string> {
  return (await fetch(`${supplier.url}${path}`, { headers: { connection: "close" } })).text();
}

const listLivePurchases = statement(
  "list_bench_purchases",
  `select p.id
     from purchases p
    where p.wallet_id > 0`,
);

/** Each purchase was sent to the supplier once, by the supplier's own log, and nothing else was. @returns how many */
async function compareLogs(rig: Pick<LiveRig, "database" | "sheet" | "supplier">): Promise<number> {
  const rows = await rig.database.query<{ id: PurchaseId }>(listLivePurchases);
  const transactionIds = await readTransactionIds(rig.database);
  const ours = new Set(rows.map(({ id }) => `${transactionIds.format(id, "live")}-1`));
  const calls = (await askSupplier(rig, "/log")).split("\n");
  const theirs = new Set(calls);
  const counts = [
    [calls.length - theirs.size, "requests for a reference that was asked for before"],
    [[...theirs].filter((reference) => !ours.has(reference)).length, "references at the supplier that we never bought"],
    [[...ours].filter((reference) => !theirs.has(reference)).length, "purchases that the supplier never heard of"],
  ] as const;
  rig.sheet.complaints.push(...counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])));
  return ours.size;
}
