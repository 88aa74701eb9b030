import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readTransactionIds } from "../../src/domain/purchases/deployment/deployment-numbers.ts";
import type { PurchaseId } from "../../src/kernel/ids.ts";
import { statement } from "../../src/platform/database/database.ts";
import { call } from "../base/client.ts";
import { brokenInvariants } from "../base/database.ts";
import { startProgram } from "../base/program.ts";
import { inScratchFolder } from "../base/scratch-folder.ts";
import { usualEnvironment } from "../base/service.ts";
import { breakIn } from "./database.ts";
import { openLiveShop } from "./live.ts";
import { describeMachine } from "./machine.ts";
import { measure } from "./measure.ts";
import { openSheet, progress, type ReportOptions, report } from "./report.ts";

export interface BesideOptions extends ReportOptions {
  readonly seconds: number;
  readonly rounds: number;
}

type Shop = Awaited<ReturnType<typeof openLiveShop>>;

const lines = 10_000;
const connections = 32;
const supplierMs = 20;
/** While an order is placed whose lines are to wait for a person. */
const silentMs = 5_000;
/** The load has begun by then. */
const begunMs = 500;

/**
 * What other merchants notice while one of them places a bulk order of 10,000 lines, and while 10,000 sales in review are
 * ended by a supplier's statement, half of them refunded.
 */
export async function benchBeside(options: BesideOptions): Promise<void> {
  const sheet = openSheet();
  const reported = await inScratchFolder(async (folder, undo) => {
    const shop = await openLiveShop({ folder, undo, progress });
    const rig = { ...shop, sheet, seconds: options.seconds };
    const machine = await describeMachine(folder, shop.database);
    await fetch(`${shop.supplier.url}/delay/${supplierMs}`);
    await breakIn(shop.database);
    const sell = (prefix: string) => measure(rig, { prefix, connections, frames: shop.framesOf("live", prefix) });
    await sell("warm-");
    for (let round = 1; round <= options.rounds; round++) {
      const reference = `beside-${round}`;
      await sheet.step("alone", async () => (await sell(`alone-${round}-`)).sample);
      await sheet.step(
        "beside a bulk order",
        async () =>
          (
            await during(
              () => placeOrder(shop, reference),
              () => sell(`bulk-${round}-`),
            )
          ).sample,
      );
      const file = await writeStatement(shop, folder, `settled-${round}`);
      await sheet.step(
        "beside a settlement",
        async () =>
          (
            await during(
              () => endByStatement(shop, file),
              () => sell(`settled-${round}-`),
            )
          ).sample,
      );
    }
    sheet.complaints.push(...(await brokenInvariants(shop.database)));
    const besides = ["beside a bulk order", "beside a settlement"] as const;
    const bounds = besides.map((what) => ({
      what: `p99 ${what} ÷ alone`,
      measured: sheet.ratio("p99Ms", what, "alone"),
      atMost: 2,
    }));
    const notes = [
      `Phases of ${options.seconds} s, ${connections} connections, ${lines} lines, each begun with its phase.`,
    ];
    return { benchmark: "beside", machine, notes, bounds };
  });
  report(sheet, reported, options);
}

/** Measures while something else is done, from a moment after the beginning on. */
async function during<T>(act: () => Promise<unknown>, measure: () => Promise<T>): Promise<T> {
  const [measured] = await Promise.all([measure(), delay(begunMs).then(act)]);
  return measured;
}

/** The last merchant's: it has no part in the load's beginning. @throws Error where the order is refused */
async function placeOrder({ service, buyers, basket }: Shop, reference: string): Promise<void> {
  const phones = Array.from({ length: lines }, (_, line) => `0803${String(line).padStart(7, "0")}`);
  const body = { reference, product_id: basket.product_id, phones };
  const { status } = await call(service, buyers.at(-1)?.liveKey ?? "", "/data/bulk", { body });
  if (status !== 202) throw new Error(`the bulk order was answered ${status}`);
}

// As if its supplier had been silent for a day.
const updateToReview = statement(
  "update_bench_lines_to_review",
  `with line as (
     select p.wallet_id, p.id
       from purchases p
      where p.bulk_reference = $1 and p.status = 'pending'
   ),
   reviewed as (
     update inflight f
        set step = 'review', epoch = f.epoch + 1
       from line l
      where f.wallet_id = l.wallet_id and f.purchase_id = l.id
     returning f.purchase_id
   )
   select r.purchase_id as id
     from reviewed r
    order by r.purchase_id`,
);

/** A supplier's statement over an order whose lines wait for a person: every second one is refunded. */
async function writeStatement(shop: Shop, folder: string, reference: string): Promise<string> {
  const { database, supplier } = shop;
  await fetch(`${supplier.url}/delay/${silentMs}`);
  await placeOrder(shop, reference);
  const rows = await database.query<{ id: PurchaseId }>(updateToReview, [reference]);
  const transactionIds = await readTransactionIds(database);
  const records = rows.map(
    ({ id }, nth) => `${transactionIds.format(id, "live")},${nth % 2 === 0 ? "delivered" : "failed"}`,
  );
  progress(`${rows.length} sales in review\n`);
  await delay(silentMs);
  await fetch(`${supplier.url}/delay/${supplierMs}`);
  const file = path.join(folder, `${reference}.csv`);
  await writeFile(file, ["reference,state", ...records, ""].join("\n"));
  return file;
}

async function endByStatement({ service }: Shop, file: string): Promise<void> {
  const words = ["review", "resolve", "--from-statement", file, "--supplier", "bench", "--yes"];
  const { ended } = startProgram(["scripts/operator.mjs", ...words, "--evidence", "bench statement", "--by", "bench"], {
    environment: { ...usualEnvironment, DATABASE_URL: service.connectionString },
    errors: "kept",
  });
  const { code, error } = await ended;
  if (code !== 0) throw new Error(`the statement was refused: ${error}`);
}
