import { checkLedger } from "../../domain/wallet/reconcile.ts";
import type { Json } from "../../kernel/json.ts";
import type { OperatorCommand } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printStep, printTable } from "../printing.ts";
import type { Session } from "../session.ts";

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
