import path from "node:path";
import { putSupplier, setRoute } from "../src/domain/routing/administration.ts";
import { checkLedger } from "../src/domain/wallet/reconcile.ts";
import { formatTransactionId, type ProductId, type PurchaseId } from "../src/kernel/ids.ts";
import { basisPoints } from "../src/kernel/money.ts";
import { type Database, statement } from "../src/platform/database.ts";
import { secretBox } from "../src/platform/secret-box.ts";
import { connectTo, describeRow, postgresVersion, unsuccessfulPurchases, writeCheckpoint } from "./database.ts";
import { openDriver } from "./driver.ts";
import { measureRound, measureSlow } from "./live-measure.ts";
import { type LiveResult, renderLive, saveLive } from "./live-report.ts";
import { type LiveOptions, type LiveRig, type LiveRound, supplierLog } from "./live-rig.ts";
import { describeCommit, describeMachine } from "./machine.ts";
import { chooseBasket, createLiveBuyers } from "./merchants.ts";
import { openPgbench } from "./pgbench.ts";
import type { Complaint } from "./purchase.ts";
import { inScratchFolder, type Undo } from "./scratch-folder.ts";
import { startLiveSupplier, startService } from "./service.ts";
import { encryptionKey } from "./webhook-load.ts";

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
  await writeCheckpoint(database);
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
  progress("starting the supplier and the service\n");
  const supplier = await startLiveSupplier(folder);
  undo.push(supplier.stop);
  const service = await startService(folder, {
    SUPPLIER_ORIGINS: originOf(supplier.port),
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
  });
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  const driver = openDriver();
  undo.push(driver.close);
  progress("creating merchants\n");
  const buyers = await createLiveBuyers(database);
  const basket = await chooseBasket(service.port, buyers[0]?.testKey ?? "");
  await enterSupplier(database, { port: supplier.port, productId: basket.product_id as ProductId });
  progress("loading pgbench's tables\n");
  const pgbench = await openPgbench(database, service.connectionString);
  return {
    folder,
    supplier,
    service,
    database,
    driver,
    pgbench,
    buyers,
    basket,
    seconds,
    helpers: [supplier],
    progress,
  };
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** As an operator would. */
async function enterSupplier(database: Database, supplier: { readonly port: number; readonly productId: ProductId }) {
  const name = "bench";
  await putSupplier(
    { database, secretBox: secretBox([encryptionKey]) },
    {
      name,
      connector: "legacy-script",
      settings: { base_url: originOf(supplier.port), network_ids: { MTN: "1", GLO: "2", "9MOBILE": "3", AIRTEL: "4" } },
      credentials: { token: "66f2e5c39ac8640f13cd888f161385b12f7e5e92" },
    },
  );
  await setRoute(database, {
    productId: supplier.productId,
    supplier: name,
    supplierCode: "6",
    cost: { kind: "percent", basisPoints: basisPoints(9_000n) },
    priority: 1,
    enabled: true,
  });
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
  const ours = new Set(rows.map(({ id }) => `${formatTransactionId(id, "live")}-1`));
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
