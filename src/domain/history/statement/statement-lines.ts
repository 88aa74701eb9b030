import type { WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds, WalletKey } from "../../../kernel/ids.ts";
import { formatNaira } from "../../../kernel/money.ts";
import { writeCsv } from "../../../platform/csv.ts";
import type { StatementLine } from "./wallet-statement.ts";

export interface LineWriting {
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
}

/** A line of a statement as everybody reads it: the API, its CSV and the operator's command. */
export function writeStatementLine(line: StatementLine, { mode }: WalletKey, writing: LineWriting) {
  const { seq, at, kind, reference, purchaseId, description, amount, balanceAfter } = line;
  return {
    seq: Number(seq),
    at: writing.wallTime.format(at),
    kind,
    reference,
    transaction_id: purchaseId === null ? null : writing.transactionIds.format(purchaseId, mode),
    description,
    amount: formatNaira(amount),
    balance_after: formatNaira(balanceAfter),
  };
}

export type WrittenLine = ReturnType<typeof writeStatementLine>;

const columns: readonly (keyof WrittenLine)[] = [
  "seq",
  "at",
  "kind",
  "reference",
  "transaction_id",
  "description",
  "amount",
  "balance_after",
];

/** The first record of the CSV: the fields' names. */
export const statementCsvHeading: string = writeCsv([columns]);

export function writeStatementCsv(lines: readonly StatementLine[], wallet: WalletKey, writing: LineWriting): string {
  const records = lines.map((line) => {
    const written = {
      ...writeStatementLine(line, wallet, writing),
      amount: line.amount,
      balance_after: line.balanceAfter,
    };
    return columns.map((column) => written[column]);
  });
  return writeCsv(records);
}
