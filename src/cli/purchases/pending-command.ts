import { listPendingGroups } from "../../domain/history/search/pending-queries.ts";
import { readTransactionIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { formatNaira } from "../../kernel/money.ts";
import { ageText, merchantIdValue, modeValue } from "../arguments.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printLine, printRows } from "../printing.ts";

interface PendingOptions extends JsonOption {
  readonly mode: Mode;
  readonly supplier?: string;
  readonly merchant?: MerchantId;
}

const stepsHelp = `
Steps: queued (nobody was asked yet), dispatch (being sent), requery (its supplier is asked what became of it), reroute (the
next supplier is looked for), review (waits for a person: review list).`;

export function addPendingCommand(program: OperatorCommand): void {
  program
    .command("pending")
    .description("what is pending, by supplier and step, the oldest first")
    .option("--mode <mode>", "live or test", modeValue, "live" as Mode)
    .option("--supplier <name>", "at this supplier alone")
    .option("--merchant <id>", "of this merchant alone", merchantIdValue)
    .addHelpText("after", stepsHelp)
    .does(pending);
}

async function pending({ database, clock, wallTime }: Session, options: PendingOptions): Promise<void> {
  const { mode, supplier = null, merchant: merchantId = null } = options;
  const transactionIds = await readTransactionIds(database);
  const now = clock.now();
  const rows = (await listPendingGroups(database, { mode, supplier, merchantId })).map((group) => ({
    supplier: group.supplier,
    step: group.step,
    transactions: group.purchases,
    paid: formatNaira(group.total),
    oldest_age: ageText(now - group.oldestAt),
    oldest_seconds: Math.max(0, Math.floor((now - group.oldestAt) / 1_000)),
    oldest_made_at: wallTime.format(group.oldestAt),
    oldest_transaction_id: transactionIds.format(group.oldestId, mode),
  }));
  const columns = {
    supplier: "supplier",
    step: "step",
    transactions: "transactions",
    paid: "paid",
    oldest_age: "age of the oldest",
    oldest_transaction_id: "the oldest",
  };
  printRows(rows, { columns, absent: "-", none: `Nothing is pending in ${mode}.` }, options);
  if (!options.json && rows.length > 0)
    printLine("transactions --status pending lists them, transaction show tells one.");
}
