import {
  entryCountOf,
  type LineWriting,
  openStatement,
  type StatementLine,
  statementCsvHeading,
  streamStatementLines,
  writeStatementCsv,
  writeStatementLine,
} from "../../domain/history/statement/wallet-statement.ts";
import type { StatementRange } from "../../domain/history/statement/wallet-statement-queries.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../domain/merchants/queries.ts";
import { readTransactionIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import type { MerchantId, WalletKey } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { formatNaira, type Kobo, kobo } from "../../kernel/money.ts";
import { merchantIdValue, modeValue, type Span, spanned, spanOf } from "../arguments.ts";
import { type Interruption, interruptible, type OperatorCommand, type Session } from "../operator-command.ts";
import {
  type JsonOption,
  outputTaken,
  printJson,
  printLine,
  printTable,
  printWarning,
  progressBar,
} from "../printing.ts";

interface StatementOptions extends JsonOption, Span {
  readonly mode: Mode;
  readonly csv?: true;
}

export function addStatementCommand(program: OperatorCommand): void {
  spanned(program.command("statement"))
    .description("every entry of a merchant's wallet in a time, with the balances before and after them")
    .argument("<id>", "the merchant", merchantIdValue)
    .option("--mode <mode>", "live or test", modeValue, "live" as Mode)
    .option("--csv", "as CSV, for a spreadsheet; the balances and sums go to standard error")
    .does((session, id: MerchantId, options: StatementOptions) =>
      interruptible((interruption) => show(session, id, options, interruption)),
    );
}

/** The number and the sum of the entries of each kind. */
type Sums = Map<string, { entries: number; amount: Kobo }>;

async function show(
  session: Session,
  merchantId: MerchantId,
  options: StatementOptions,
  { signal, exitCode }: Interruption,
): Promise<number> {
  const { database, wallTime } = session;
  const span = spanOf(session, options);
  await findExistingMerchant(database, merchantId);
  const wallet: WalletKey = { merchantId, mode: options.mode };
  const range = await openStatement(database, wallet, span);
  const writing = { wallTime, transactionIds: await readTransactionIds(database) };
  // Where the entries go to a terminal, they tell themselves how far it is.
  const progress = process.stdout.isTTY ? null : progressBar(entryCountOf(range));
  const sums: Sums = new Map();
  let done = 0;
  try {
    printHeading(wallet, range, options);
    for await (const lines of streamStatementLines(database, wallet, range)) {
      if (signal.aborted) break;
      printLines(lines, wallet, writing, options);
      addTo(sums, lines);
      done += lines.length;
      progress?.update(done);
      await outputTaken(signal).catch(() => {});
    }
  } finally {
    progress?.stop();
  }
  if (signal.aborted) {
    printWarning(
      `Interrupted after ${done} of ${entryCountOf(range)} entries: what was written is no whole statement.`,
    );
    return exitCode();
  }
  printEnd(wallet, range, sums, options);
  return 0;
}

function printHeading(
  { merchantId, mode }: WalletKey,
  range: StatementRange,
  { csv, json, from, to }: StatementOptions,
) {
  if (json) return;
  if (csv) {
    process.stdout.write(statementCsvHeading);
    return;
  }
  const count = entryCountOf(range);
  printLine(`The ${mode} wallet of ${formatMerchantId(merchantId)} from ${from} to ${to}: ${count} entries.`);
  printLine(`Opening balance: ${formatNaira(range.openingBalance)}`);
  if (count > 0) printLine(rowOf(["at", "kind", "amount", "balance after", "what for"]));
}

/** As wide as they get: a table would have to know all rows before it shows the first. */
function rowOf([at = "", kind = "", amount = "", balance = "", what = ""]: readonly string[]): string {
  return `${at.padEnd(26)} ${kind.padEnd(13)} ${amount.padStart(16)} ${balance.padStart(17)}  ${what}`.trimEnd();
}

function printLines(
  lines: readonly StatementLine[],
  wallet: WalletKey,
  writing: LineWriting,
  { csv, json }: StatementOptions,
): void {
  if (csv && !json) {
    process.stdout.write(writeStatementCsv(lines, wallet, writing));
    return;
  }
  for (const line of lines) {
    const written = writeStatementLine(line, wallet, writing);
    if (json) {
      printJson({ ...written });
      continue;
    }
    const { at, kind, amount, balance_after: balance, description, reference, transaction_id: id } = written;
    const names = [reference, id].filter((name) => name !== null).join(", ");
    printLine(rowOf([at, kind, amount, balance, names === "" ? description : `${description} (${names})`]));
  }
}

function addTo(sums: Sums, lines: readonly StatementLine[]): void {
  for (const { kind, amount } of lines) {
    const { entries, amount: before } = sums.get(kind) ?? { entries: 0, amount: 0n };
    sums.set(kind, { entries: entries + 1, amount: kobo(before + amount) });
  }
}

function printEnd({ merchantId, mode }: WalletKey, range: StatementRange, sums: Sums, options: StatementOptions): void {
  const { from, to, csv, json } = options;
  const [opening, closing] = [formatNaira(range.openingBalance), formatNaira(range.closingBalance)];
  const kinds = [...sums].map(([kind, { entries, amount }]) => ({ kind, entries, amount: formatNaira(amount) }));
  if (json) {
    printJson({
      merchant_id: formatMerchantId(merchantId),
      mode,
      from,
      to,
      opening_balance: opening,
      closing_balance: closing,
      entries: entryCountOf(range),
      kinds,
    });
  } else if (csv) {
    printWarning(`Opening balance: ${opening}. Closing balance: ${closing}. Entries: ${entryCountOf(range)}.`);
    for (const { kind, entries, amount } of kinds) printWarning(`${kind}: ${entries} entries, ${amount}`);
  } else {
    printLine(`Closing balance: ${closing}`);
    if (kinds.length > 0) {
      const rows = kinds.map(({ kind, entries, amount }) => [kind, String(entries), amount]);
      printTable(["kind", "entries", "sum"], rows);
    }
  }
}
