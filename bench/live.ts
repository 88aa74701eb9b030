import path from "node:path";
import { readTransactionIds } from "../src/domain/purchases/deployment/deployment-numbers.ts";
import { checkLedger } from "../src/domain/wallet/reconcile.ts";
import type { PurchaseId } from "../src/kernel/ids.ts";
import { type Database, statement } from "../src/platform/database/database.ts";
import { breakIn, describeRow, postgresVersion, unsuccessfulPurchases } from "./database.ts";
import { measureRound, measureSlow } from "./live-measure.ts";
import { type LiveResult, renderLive, saveLive } from "./live-report.ts";
import { type LiveOptions, type LiveRig, type LiveRound, supplierLog } from "./live-rig.ts";
import { openLiveShop } from "./live-shop.ts";
import { describeCommit, describeMachine } from "./machine.ts";
import { openPgbench } from "./pgbench.ts";
import type { Complaint } from "./purchase.ts";
import { inScratchFolder, type Undo } from "./scratch-folder.ts";

const projectRoot = path.dirname(import.meta.dirname);
const progress = (text: string) => void process.stderr.write(text);

/** Measures live purchases against a supplier of its own process, and what the service adds to the supplier's time. */
export async function benchLive(options: LiveOptions): Promise<void> {
  const { result, complaints } = await inScratchFolder((folder, undo) => measureAll(options, folder, undo));
  if (complaints.length > 0) {
    console.error(`\nThis run broke what must hold, so it has no rate:\n${complaints.join("\n")}`);
    process.exitCode = 1;
    return;
  }
  console.log(options.json === true ? JSON.stringify(result) : `\n${renderLive(result)}\n`);
  if (options.save === true) progress(`Written to ${saveLive(result)}.\n`);
}

async function measureAll(options: LiveOptions, folder: string, undo: Undo) {
  const rig = await openRig(options, folder, undo);
  const { database, pgbench } = rig;
  const machine = describeMachine(folder, await postgresVersion(database));
  await breakIn(database);
  const complaints: Complaint[] = [];
  progress("warming up\n");
  await measureRound({ ...rig, pgbench: null, seconds: 2, progress: () => {} }, "warm-", complaints);
  const rounds: LiveRound[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    progress(`round ${round}\n`);
    rounds.push(await measureRound(rig, `r${round}-`, complaints));
  }
  progress("a slow supplier\n");
  const { loads: slow, memory } = await measureSlow(rig, options.memorySeconds, complaints);
  await pgbench?.drop();
  const compared = await compareLogs(rig);
  complaints.push(...compared.complaints, ...(await brokenPromises(database)));
  const result: LiveResult = {
    benchmark: "live",
    date: new Date().toISOString(),
    commit: describeCommit(projectRoot),
    machine,
    seconds: options.seconds,
    purchases: compared.purchases,
    rounds,
    slow,
    memory,
  };
  return { result, complaints };
}

async function openRig({ seconds }: LiveOptions, folder: string, undo: Undo): Promise<LiveRig> {
  const shop = await openLiveShop({ folder, undo, progress });
  progress("loading pgbench's tables\n");
  const pgbench = await openPgbench(shop.database, shop.service.connectionString);
  return { ...shop, folder, pgbench, seconds, helpers: [shop.supplier], progress };
}

const listLivePurchases = statement(
  "list_bench_purchases",
  `select p.id
     from purchases p
    where p.mode = 'live'
      and p.id > 0`,
);

/** Each purchase was sent to the supplier once, by the supplier's own log, and nothing else was. */
async function compareLogs(rig: LiveRig): Promise<{ purchases: number; complaints: Complaint[] }> {
  progress("comparing with the supplier's log\n");
  const rows = await rig.database.query<{ id: PurchaseId }>(listLivePurchases);
  const transactionIds = await readTransactionIds(rig.database);
  const ours = new Set(rows.map(({ id }) => `${transactionIds.format(id, "live")}-1`));
  const asked = await supplierLog(rig);
  const theirs = new Set(asked);
  const counts = [
    [asked.length - theirs.size, "requests for a reference that was asked for before"],
    [[...theirs].filter((reference) => !ours.has(reference)).length, "references at the supplier that we never bought"],
    [[...ours].filter((reference) => !theirs.has(reference)).length, "purchases that the supplier never heard of"],
  ] as const;
  const complaints = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  return { purchases: ours.size, complaints };
}

async function brokenPromises(database: Database): Promise<Complaint[]> {
  progress("checking the ledger\n");
  const broken = (await checkLedger(database)).filter((check) => check.broken.length > 0);
  const unsuccessful = await unsuccessfulPurchases(database);
  return [
    ...broken.map((check) => `invariant ${check.invariant}: ${describeRow(check.broken[0])}`),
    ...(unsuccessful > 0 ? [`${unsuccessful} purchases did not succeed`] : []),
  ];
}
