import { assert } from "../../../kernel/assert.ts";
import type { Instant, WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds, WalletKey } from "../../../kernel/ids.ts";
import { formatNaira, type Kobo } from "../../../kernel/money.ts";
import { writeCsv } from "../../../platform/csv.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import {
  countFlowBetween,
  type EntryFlow,
  type EntryRow,
  findStatementRange,
  listEntriesBetween,
  type StatementRange,
} from "./wallet-statement-queries.ts";

/** One entry of a wallet, as a statement shows it. */
export interface StatementLine extends Omit<EntryRow, "delta" | "reason" | "productName" | "customerRef"> {
  readonly description: string;
  /** Below zero where the wallet paid. */
  readonly amount: Kobo;
}

/**
 * The range of a wallet's entries from one instant to before another; null leaves that end open. It begins behind the
 * last entry before the first one that was booked at `from` or later, and ends in the same way at `before`: so ranges
 * that adjoin share no entry and leave none out. Entries are numbered in the order of their commits; one that waited for
 * the wallet tells a time some moments earlier than the entry before it.
 */
export async function openStatement(
  db: Queryable,
  wallet: WalletKey,
  span: { readonly from: Instant | null; readonly before: Instant | null },
): Promise<StatementRange> {
  const range = await findStatementRange(db, wallet, span);
  assert(range !== null, "every merchant has its wallets");
  assert(range.openingSeq <= range.closingSeq, "a later instant has no fewer entries before it");
  return range;
}

/** What the filters of a statement ask for: where they end before they begin, all from the beginning on. */
export function rangeIn({ days, from: first, to }: Readonly<Record<"days" | "from" | "to", Instant | null>>) {
  const from = first ?? days;
  return { from, before: from !== null && to !== null && to <= from ? null : to };
}

export function entryCountOf({ openingSeq, closingSeq }: StatementRange): number {
  return Number(closingSeq - openingSeq);
}

/** Entries of a range that are added up while somebody waits: some milliseconds. */
export const addedUpMax = 10_000;

/**
 * What came in and what went out in a range; null where it has more than `addedUpMax` entries.
 * @throws AssertionError where they do not lead from the opening to the closing balance
 */
export async function findFlow(db: Queryable, wallet: WalletKey, range: StatementRange): Promise<EntryFlow | null> {
  if (entryCountOf(range) > addedUpMax) return null;
  const flow = await countFlowBetween(db, wallet, { after: range.openingSeq, upTo: range.closingSeq });
  const closing = range.openingBalance + flow.in - flow.out;
  assert(closing === range.closingBalance, "what came in and went out leads to the closing balance");
  return flow;
}

/** So many lines of a range from `skip` on; fewer at its end. Costs the same however far they lie in it. */
export async function readStatementLines(
  db: Queryable,
  wallet: WalletKey,
  range: StatementRange,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<readonly StatementLine[]> {
  const after = range.openingSeq + BigInt(skip);
  const last = after + BigInt(limit);
  if (after >= range.closingSeq) return [];
  const upTo = last < range.closingSeq ? last : range.closingSeq;
  const rows = await listEntriesBetween(db, wallet, { after, upTo });
  assert(rows.length === Number(upTo - after), "the entries of a wallet are numbered without a gap");
  return rows.map(lineOf);
}

/** One read of the database: a few milliseconds of the process. */
export const linesPerRead = 100;

/**
 * Every line of a range, some at a time. Between two reads nothing is held of the database, however slowly the lines are
 * taken. @throws AssertionError where the lines do not lead from the opening to the closing balance
 */
export async function* streamStatementLines(
  db: Queryable,
  wallet: WalletKey,
  range: StatementRange,
): AsyncGenerator<readonly StatementLine[]> {
  let balance: bigint = range.openingBalance;
  const total = entryCountOf(range);
  for (let skip = 0; skip < total; skip += linesPerRead) {
    const lines = await readStatementLines(db, wallet, range, { skip, limit: linesPerRead });
    for (const line of lines) {
      balance += line.amount;
      assert(balance === line.balanceAfter, "the balance after an entry is the one before it and its amount");
    }
    yield lines;
  }
  assert(balance === range.closingBalance, "the lines of a statement lead to its closing balance");
}

function lineOf(row: EntryRow): StatementLine {
  const { seq, at, kind, reference, purchaseId, delta, balanceAfter } = row;
  return { seq, at, kind, reference, purchaseId, description: descriptionOf(row), amount: delta, balanceAfter };
}

/** What the entry was for, as a text for merchants. */
function descriptionOf({ kind, reason, productName, customerRef, purchaseId }: EntryRow): string {
  switch (kind) {
    case "purchase":
      return boughtWords(productName, customerRef);
    case "refund":
      return `Refund: ${boughtWords(productName, customerRef)}`;
    case "reversal":
      return `Reversal: ${boughtWords(productName, customerRef)}`;
    case "adjustment":
      return purchaseId === null ? (reason ?? "") : `Goodwill: ${boughtWords(productName, customerRef)}`;
    case "top_up":
    case "sandbox_reset":
      return reason ?? "";
  }
}

/** Old sandbox purchases are purged; their entries stay. */
function boughtWords(productName: string | null, customerRef: string | null): string {
  if (productName === null) return "a sandbox purchase that is no longer kept";
  return customerRef === null ? productName : `${productName} for ${customerRef}`;
}

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

/** All lines of a range as CSV, the heading before the first ones: nothing before entries were read. */
export async function* statementCsvPieces(
  db: Queryable,
  wallet: WalletKey,
  range: StatementRange,
  writing: LineWriting,
): AsyncGenerator<string> {
  let heading = statementCsvHeading;
  for await (const lines of streamStatementLines(db, wallet, range)) {
    yield heading + writeStatementCsv(lines, wallet, writing);
    heading = "";
  }
  if (heading !== "") yield heading;
}
