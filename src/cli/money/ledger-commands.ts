import { type FloatReport, readFloat } from "../../domain/history/reports/sales-report.ts";
import { checkLedger } from "../../domain/wallet/reconcile.ts";
import type { Json } from "../../kernel/json.ts";
import type { Mode } from "../../kernel/mode.ts";
import { modeValue } from "../arguments.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printStep, printTable } from "../printing.ts";

interface FloatOptions extends JsonOption {
  readonly mode: Mode;
}

/** The command that tells where merchants' money is. */
export function addFloatCommand(program: OperatorCommand): void {
  program
    .command("float")
    .description("what merchants' wallets hold, what is in flight and what suppliers hold for us, at one moment")
    .option("--mode <mode>", "live or test", modeValue, "live" as Mode)
    .does(print);
}

async function print({ database, wallTime }: Session, { mode, json }: FloatOptions): Promise<void> {
  const float = await readFloat(database, mode, wallTime);
  if (json) printJson({ mode, ...float });
  else {
    const rows = rowsOf(float);
    const width = Math.max(...rows.map(({ amount }) => amount.length));
    printTable(
      [`${mode}, ${float.at}`, "supplier", "number", "naira", "told at"],
      rows.map(({ what, supplier = "", count = "", amount, reportedAt = "" }) => [
        ...[what, supplier, count, amount.padStart(width)],
        reportedAt,
      ]),
    );
  }
}

interface FloatLine {
  readonly what: string;
  readonly supplier?: string;
  readonly count?: string;
  readonly amount: string;
  readonly reportedAt?: string;
}

function rowsOf({ wallets, in_flight, suppliers, merchants_total, suppliers_total }: FloatReport): FloatLine[] {
  const money = suppliers.map(({ supplier, balance, told_at: reportedAt }) => ({
    what: "held by supplier",
    supplier,
    amount: balance ?? "not told",
    reportedAt: reportedAt ?? "",
  }));
  return [
    { what: "merchants' wallets", ...wallets },
    ...in_flight.map(({ supplier, purchases, amount }) => ({
      ...{ what: "in flight", count: purchases, amount },
      supplier: supplier ?? "none",
    })),
    { what: "wallets and in flight", amount: merchants_total },
    ...money,
    ...(money.length > 1 ? [{ what: "held by all suppliers", amount: suppliers_total }] : []),
  ];
}

/** Commands about the books. */
export function addLedgerCommands(program: OperatorCommand): void {
  program
    .command("check-ledger")
    .description("prove every invariant of the books; ends with code 1 and the rows when one is broken")
    .does(check);
}

async function check({ database }: Session, options: JsonOption): Promise<number> {
  const checks = await checkLedger(database, (invariant) => printStep(`checking ${invariant}`));
  printStep("");
  for (const { invariant, broken } of checks) {
    const rows = broken.map(writable);
    if (options.json) printJson({ invariant, broken: rows });
    else printLine(`${rows.length === 0 ? "holds " : "BROKEN"}  ${invariant}`);
    if (!options.json && rows.length > 0) printBroken(rows);
  }
  return checks.every(({ broken }) => broken.length === 0) ? 0 : 1;
}

function printBroken(rows: readonly { readonly [column: string]: Json }[]): void {
  const columns = Object.keys(rows[0] ?? {});
  printTable(
    columns,
    rows.map((row) => columns.map((column) => String(row[column] ?? ""))),
  );
}

/** A row as JSON can write it: whole numbers of any size as texts. */
function writable(row: Record<string, unknown>): { [column: string]: Json } {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === "bigint" ? String(value) : (value as Json)]),
  );
}
