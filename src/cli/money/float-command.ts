import { type FloatTold, readFloat } from "../../domain/history/reports/sales-report.ts";
import type { Mode } from "../../kernel/mode.ts";
import { modeWord } from "../arguments.ts";
import type { OperatorCommand } from "../operator-command.ts";
import { type JsonOption, printJson, printTable } from "../printing.ts";
import type { Session } from "../session.ts";

interface FloatOptions extends JsonOption {
  readonly mode: Mode;
}

/** The command that tells where merchants' money is. */
export function addFloatCommand(program: OperatorCommand): void {
  program
    .command("float")
    .description("what merchants' wallets hold, what is in flight and what suppliers hold for us, at one moment")
    .option("--mode <mode>", "live or test", modeWord, "live" as Mode)
    .does(tell);
}

async function tell({ database, wallTime }: Session, { mode, json }: FloatOptions): Promise<void> {
  const float = await readFloat(database, mode, wallTime);
  if (json) printJson({ mode, ...float });
  else {
    const rows = rowsOf(float);
    const width = Math.max(...rows.map(({ amount }) => amount.length));
    printTable(
      [`${mode}, ${float.at}`, "supplier", "number", "naira", "told at"],
      rows.map(({ what, supplier = "", count = "", amount, toldAt = "" }) => [
        ...[what, supplier, count, amount.padStart(width)],
        toldAt,
      ]),
    );
  }
}

interface FloatLine {
  readonly what: string;
  readonly supplier?: string;
  readonly count?: string;
  readonly amount: string;
  readonly toldAt?: string;
}

function rowsOf({ wallets, in_flight, suppliers, merchants_total, suppliers_total }: FloatTold): FloatLine[] {
  const held = suppliers.map(({ supplier, balance, told_at }) => ({
    what: "held by supplier",
    supplier,
    amount: balance ?? "not told",
    toldAt: told_at ?? "",
  }));
  return [
    { what: "merchants' wallets", ...wallets },
    ...in_flight.map(({ supplier, purchases, amount }) => ({
      ...{ what: "in flight", count: purchases, amount },
      supplier: supplier ?? "none",
    })),
    { what: "wallets and in flight", amount: merchants_total },
    ...held,
    ...(held.length > 1 ? [{ what: "held by all suppliers", amount: suppliers_total }] : []),
  ];
}
