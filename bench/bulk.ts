import path from "node:path";
import { checkLedger } from "../src/domain/wallet/reconcile.ts";
import { median, renderBulk, saveBulk } from "./bulk-report.ts";
import { connectTo, describeRow, postgresVersion, writeCheckpoint } from "./database.ts";
import { type Driver, openDriver } from "./driver.ts";
import { type Load, numbersMax, type Outcome } from "./load.ts";
import { describeCommit, describeMachine } from "./machine.ts";
import { type Basket, type Buyers, chooseBasket, createBuyers, purchaseFrames } from "./merchants.ts";
import { inScratchFolder, type Undo } from "./scratch-folder.ts";
import { startService } from "./service.ts";

const projectRoot = path.dirname(import.meta.dirname);
const linesPerOrder = 10_000;
const connections = 64;
const progress = (text: string) => void process.stderr.write(text);

export interface BulkOptions {
  readonly orders: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly json?: boolean;
  readonly save?: boolean;
}

/** One bulk order over HTTP, from the first byte sent to the last byte read. */
interface PlacedOrder {
  readonly ms: number;
}

interface BulkRig {
  readonly port: number;
  readonly driver: Driver;
  readonly buyers: Buyers;
  readonly basket: Basket;
  readonly seconds: number;
}

/** Measures bulk orders of ten thousand sandbox lines, and what single purchases notice of them. */
export async function benchBulk(options: BulkOptions): Promise<void> {
  const complaints: string[] = [];
  const result = await inScratchFolder((folder, undo) => measureAll(options, folder, undo, complaints));
  if (complaints.length > 0) {
    console.error(`\nThis run broke what must hold, so it has no figures:\n${complaints.join("\n")}`);
    process.exitCode = 1;
    return;
  }
  console.log(options.json === true ? JSON.stringify(result) : `\n${renderBulk(result)}\n`);
  if (options.save === true) progress(`Written to ${saveBulk(result)}.\n`);
}

async function measureAll(options: BulkOptions, folder: string, undo: Undo, complaints: string[]) {
  const { orders, seconds } = options;
  progress("starting the service\n");
  const service = await startService(folder);
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  const driver = openDriver();
  undo.push(driver.close);
  const machine = describeMachine(folder, await postgresVersion(database));
  const buyers = await createBuyers(database);
  const basket = await chooseBasket(service.port, buyers.hot[0] ?? "");
  const rig = { port: service.port, driver, buyers, basket, seconds };
  progress("warming up\n");
  await buy(rig, "warm-", 3);
  for (let n = 1; n <= 3; n++) await placeOrder(rig, `warm-order-${n}`);
  await writeCheckpoint(database);

  const orderMs: number[] = [];
  for (let n = 1; n <= orders; n++) orderMs.push((await placeOrder(rig, `alone-${n}`)).ms);
  progress(`orders of ${linesPerOrder} lines: ${Math.round(median(orderMs))} ms\n`);

  const rounds: { alone: Outcome; beside: Outcome; besideOrderMs: readonly number[] }[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const alone = await buy(rig, `r${round}-alone-`, seconds);
    const { beside, besideOrderMs } = await buyBesideOrders(rig, round);
    rounds.push({ alone, beside, besideOrderMs });
    progress(`round ${round}: p99 ${alone.p99Ms.toFixed(1)} ms alone, ${beside.p99Ms.toFixed(1)} beside orders\n`);
  }
  const errors = rounds.reduce((sum, { alone, beside }) => sum + alone.errors + beside.errors, 0);
  if (errors > 0) complaints.push(`${errors} purchases had no answer, or another than 201`);
  progress("checking the ledger\n");
  const broken = (await checkLedger(database)).filter((check) => check.broken.length > 0);
  complaints.push(...broken.map((check) => `invariant ${check.invariant}: ${describeRow(check.broken[0])}`));
  const commit = describeCommit(projectRoot);
  return { benchmark: "bulk" as const, date: new Date().toISOString(), commit, machine, connections, orderMs, rounds };
}

/** Single purchases of a thousand other merchants. */
function buy(rig: BulkRig, prefix: string, seconds: number): Promise<Outcome> {
  const frames = purchaseFrames(rig.buyers.spread, rig.basket, prefix);
  const load: Load = { port: rig.port, frames, prefix, numbers: numbersMax, expectedStatus: 201, connections, seconds };
  return rig.driver.drive(load);
}

/** The same, while one merchant places orders one after the other. */
async function buyBesideOrders(rig: BulkRig, round: number) {
  let isBuying = true;
  const purchases = buy(rig, `r${round}-beside-`, rig.seconds).finally(() => {
    isBuying = false;
  });
  const besideOrderMs: number[] = [];
  for (let n = 1; isBuying; n++) besideOrderMs.push((await placeOrder(rig, `beside-${round}-${n}`)).ms);
  return { beside: await purchases, besideOrderMs };
}

/** Every line is a line of its own, as a merchant with many customers sends them. @throws Error unless all succeeded */
export async function placeOrder(
  { port, buyers, basket }: Pick<BulkRig, "port" | "buyers" | "basket">,
  reference: string,
): Promise<PlacedOrder> {
  const items = Array.from({ length: linesPerOrder }, (_, n) => ({
    phone: `0803${String(n * 673 + 1_001).padStart(7, "0")}`.slice(0, 7) + String(1_010 + (n % 8_000)).padStart(4, "0"),
    product_id: basket.product_id,
  }));
  const body = JSON.stringify({ reference, items });
  const startedMs = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/merchant/data/bulk`, {
    method: "POST",
    headers: { authorization: `Bearer ${buyers.hot[0]}`, "content-type": "application/json" },
    body,
  });
  const text = await answer.text();
  const ms = performance.now() - startedMs;
  const order = JSON.parse(text) as { successful?: number };
  if (answer.status !== 201 || order.successful !== linesPerOrder) {
    throw new Error(`${reference} answered ${answer.status}: ${text.slice(0, 300)}`);
  }
  return { ms };
}
