import { setTimeout as delay } from "node:timers/promises";
import { afterRestore, type Restored } from "../../domain/maintenance/restore/after-restore.ts";
import { listProcessAddresses } from "../../domain/maintenance/restore/process-queries.ts";
import { operatorCommand } from "../../platform/operator-call.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";

/** Commands about a database that is as it was some time ago. */
export function addRestoreCommands(program: OperatorCommand): void {
  program
    .command("after-restore")
    .description(
      "before a service starts on a restored database: what may have been sent since the backup is asked about, not sent; own vouchers go off sale",
    )
    .option(
      "--keep-number",
      "keep the deployment's number: only where the original is lost for good, and no other copy of it ever sells",
    )
    .does(examine);
}

interface RestoreOptions extends JsonOption {
  readonly keepNumber?: true;
}

async function examine(session: Session, options: RestoreOptions): Promise<void> {
  await refuseWhileInUse(session);
  const keepsNumber = options.keepNumber === true;
  const restored = await restoredIn(session, keepsNumber).catch((error: { readonly code?: unknown }) => {
    if (error.code !== "42P01" && error.code !== "42883") throw error; // undefined_table, undefined_function
    throw wrong("Nothing is restored here yet: run pg_restore first, then this.");
  });
  const rows = restored.suppliers.map(({ name, connector, state, toRequery, inReview }) => ({
    supplier: name,
    connector,
    asked_about: toRequery,
    in_review: inReview,
    state,
  }));
  const headings = { asked_about: "to be asked about", in_review: "put in review" };
  printRows(rows, { headings, none: "There is no supplier: nothing was ever sent." }, options);
  const newest = restored.newestPurchaseAt;
  if (options.json) printJson({ newest_purchase_at: newest === null ? null : session.wallTime.format(newest) });
  else printNext(session, restored, keepsNumber);
}

async function restoredIn(session: Session, keepsNumber: boolean): Promise<Restored> {
  await session.grantServiceRights();
  return afterRestore(session.database, { keepsNumber });
}

/** PostgreSQL may know of a connection for a moment after its process has ended. */
const looksMax = 30;
const lookEveryMs = 100;

/** @throws Refusal while a process of the service is connected: it may be sending something already */
async function refuseWhileInUse({ database }: Session): Promise<void> {
  let addresses: readonly string[] = [];
  for (let look = 0; look < looksMax; look++) {
    if (look > 0) await delay(lookEveryMs);
    addresses = await listProcessAddresses(database);
    if (addresses.length === 0) return;
  }
  throw wrong(
    `The service runs on this database (at ${addresses.join(", ")}): stop every process of it, then try again.`,
  );
}

function printNext({ wallTime }: Session, { suppliers, newestPurchaseAt }: Restored, keepsNumber: boolean): void {
  const newest = newestPurchaseAt === null ? null : wallTime.format(newestPurchaseAt);
  const from = newestPurchaseAt === null ? "THE-FIRST-DAY" : wallTime.dayOf(newestPurchaseAt).date;
  const offSale = suppliers.filter(({ connector, state }) => connector === "voucher-stock" && state === "disabled");
  const query = suppliers.filter(({ connector }) => connector !== "voucher-stock" && connector !== "manual");
  printLine(newest === null ? "It knows no live purchase." : `Its last live purchase was made at ${newest}.`);
  printLine(
    keepsNumber
      ? "It keeps its deployment number: the original, and every other copy of it, must never sell again."
      : "The next start draws it a deployment number of its own: it may sell beside the original.",
  );
  printLine("Next, before the service starts (docs/operations/incidents.md, Restoring, says how):");
  printLine(`  ${operatorCommand} check-ledger`);
  printLine("  Tell merchants since when purchases are unknown: a reference of then is charged and vended again.");
  for (const { name } of offSale) {
    printLine(`  Take vouchers that were sold since off the shelf, then: ${operatorCommand} supplier enable ${name}`);
  }
  printLine("Once it runs:");
  printLine(`  ${operatorCommand} review list, for what nobody can be asked about`);
  for (const { name } of query) {
    printLine(`  ${operatorCommand} reconcile ${name} STATEMENT.csv --from ${from} --to TODAY`);
  }
}
