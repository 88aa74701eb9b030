import { brokenInvariants } from "../base/database.ts";
import { purchaseFrames, requeryFrames } from "../base/merchants.ts";
import { inScratchFolder } from "../base/scratch-folder.ts";
import { type Server, startServer } from "../base/service.ts";
import { openShop, type Shop } from "../base/shop.ts";
import { breakIn, openPgbench, type Pgbench, readCounters, unsuccessfulPurchases } from "./database.ts";
import { describeMachine } from "./machine.ts";
import { measure, measurePurchases, measureTpcb, type Part, type Rig, settled } from "./measure.ts";
import { openSheet, progress, type ReportOptions, report } from "./report.ts";

export interface PurchaseOptions extends ReportOptions {
  readonly seconds: number;
  readonly connections: number;
  readonly rounds: number;
}

/** Everything that runs while the benchmark measures. */
interface PurchaseRig extends Rig, Shop {
  readonly hello: Server;
  readonly pgbench: Pgbench | null;
  readonly connections: number;
}

const fewConnections = 16;

/** Purchases, replays and requeries in the sandbox, beside what framework and PostgreSQL do at most. */
export async function benchPurchases(options: PurchaseOptions): Promise<void> {
  const sheet = openSheet();
  const reported = await inScratchFolder(async (folder, undo) => {
    const shop = await openShop({ folder, undo, progress });
    const { database, service } = shop;
    const machine = await describeMachine(folder, database);
    const hello = await startServer("rigs/bench/hello.ts", folder);
    undo.push(hello.stop);
    progress("loading pgbench's tables\n");
    const pgbench = await openPgbench(database, service.connectionString);
    await breakIn(database);
    const rig = { ...shop, sheet, hello, pgbench, ...options };
    progress("warming up\n");
    await warmUp(rig);
    for (let round = 1; round <= options.rounds; round++) await measureRound(rig, round);
    await pgbench?.drop();
    const { purchases } = await readCounters(database);
    sheet.complaints.push(...(await brokenPromises(rig)));
    const bounds = [
      { what: "purchases ÷ tpcb-like", measured: sheet.ratio("perSecond", "spread", "tpcb"), atLeast: 2 },
      { what: "purchases ÷ hello world", measured: sheet.ratio("perSecond", "spread", "hello"), atLeast: 0.4 },
      { what: "hot wallet ÷ spread", measured: sheet.ratio("perSecond", "hot", "spread"), atLeast: 0.9 },
    ];
    const notes = [
      `Phases of ${options.seconds} s, ${options.connections} connections; few: ${fewConnections}.`,
      `${purchases} purchases stored; every invariant holds, and every acknowledged purchase is there once.`,
    ];
    return { benchmark: "purchase", machine, notes, bounds };
  });
  report(sheet, reported, options);
}

/** Unmeasured: compiles the service's code, loads keys and prices, fills caches. */
async function warmUp({ driver, service, ...rig }: PurchaseRig): Promise<void> {
  const { spread, basket, connections } = rig;
  const prefix = "warm-";
  const usual = { prefix, connections, numbers: 1_000_000_000, expectedStatus: 201, seconds: 1, port: service.port };
  const purchases = { ...usual, frames: purchaseFrames(spread, basket, prefix) };
  await driver.drive({ ...purchases, seconds: 4 });
  await driver.drive({ ...usual, frames: requeryFrames(spread), expectedStatus: 200, numbers: 5_000 });
  await driver.drive({ ...purchases, numbers: 5_000 });
  await driver.drive({ ...usual, ...helloPart(rig, prefix), port: rig.hello.port });
  await settled();
}

/** Measures every phase once: spread over the merchants, few connections, one wallet, and what was bought once more. */
async function measureRound(rig: PurchaseRig, round: number): Promise<void> {
  const { sheet, spread, hot, basket, connections } = rig;
  const bought = `r${round}-spread-`;
  const buy = (keys: readonly string[], prefix: string, count = connections): Part => {
    return { frames: purchaseFrames(keys, basket, prefix), prefix, connections: count };
  };
  let stored = 1;
  sheet.progress(`round ${round}\n`);
  await sheet.step("hello", () => measureHello(rig, `r${round}-hello-`));
  await sheet.step("tpcb", () => measureTpcb(rig, rig.pgbench));
  await sheet.step("spread", async () => {
    const measured = await measurePurchases(rig, buy(spread, bought));
    stored = Math.max(1, measured.outcome.sent);
    return measured.sample;
  });
  const few = buy(spread, `r${round}-few-`, fewConnections);
  await sheet.step("few", async () => (await measurePurchases(rig, few)).sample);
  await sheet.step("hot", async () => (await measurePurchases(rig, buy([hot], `r${round}-hot-`))).sample);
  await sheet.step("replay", () => measureAgain(rig, { ...buy(spread, bought), numbers: stored }));
  const calls = { frames: requeryFrames(spread), prefix: bought, connections, numbers: stored, expectedStatus: 200 };
  await sheet.step("requery", async () => ({ ...(await measureAgain(rig, calls)), ...withoutCommits }));
}

/** What little is committed meanwhile is the service's housekeeping. */
const withoutCommits = { batch: null, walBytes: null };

async function measureAgain(rig: PurchaseRig, part: Part) {
  const { sample, purchases } = await measure(rig, part);
  if (purchases !== 0) rig.sheet.complaints.push(`${part.prefix}: asking again bought ${purchases} times more`);
  return sample;
}

async function measureHello(rig: PurchaseRig, prefix: string) {
  const { sample } = await measure(rig, helloPart(rig, prefix), rig.hello);
  return { ...sample, ...withoutCommits, postgresMicros: null };
}

/** The same request as a purchase, but for its path. */
function helloPart(
  { spread, basket, connections }: Pick<PurchaseRig, "spread" | "basket" | "connections">,
  prefix: string,
) {
  const frames = purchaseFrames(spread, basket, prefix).map(({ before, after }) => ({
    before: before.replace(/^POST \S+/, "POST /hello"),
    after,
  }));
  return { frames, prefix, connections };
}

/** Every invariant holds, and every purchase succeeded at once. */
export async function brokenPromises({ database }: Pick<Rig, "database">): Promise<string[]> {
  progress("checking the ledger\n");
  const unsuccessful = await unsuccessfulPurchases(database);
  return [
    ...(await brokenInvariants(database)),
    ...(unsuccessful > 0 ? [`${unsuccessful} purchases did not succeed`] : []),
  ];
}
