import { type Float, sumFloat } from "../../domain/reports/queries.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { Mode } from "../../kernel/mode.ts";
import { add, formatNaira, type Kobo, zeroKobo } from "../../kernel/money.ts";
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
  const float = await sumFloat(database, mode);
  const sums = sumsOf(float);
  if (json) printJson({ mode, ...fieldsOf(float, sums, wallTime) });
  else {
    const rows = rowsOf(float, sums, wallTime);
    const width = Math.max(...rows.map(({ amount }) => amount.length));
    printTable(
      [`${mode}, ${wallTime.format(float.at)}`, "supplier", "number", "naira", "told at"],
      rows.map(({ what, supplier = "", count = "", amount, toldAt = "" }) => [
        ...[what, supplier, count, amount.padStart(width)],
        toldAt,
      ]),
    );
  }
}

interface Sums {
  /** In wallets and in flight: what merchants are owed. */
  readonly merchants: Kobo;
  /** Our balances together, at the suppliers that have told them. */
  readonly suppliers: Kobo;
}

function sumsOf({ wallets, inFlight, suppliers }: Float): Sums {
  return {
    merchants: inFlight.reduce((sum, { amount }) => add(sum, amount), wallets.amount),
    suppliers: suppliers.reduce((sum, { balance }) => add(sum, balance ?? zeroKobo), zeroKobo),
  };
}

function fieldsOf({ at, wallets, inFlight, suppliers }: Float, sums: Sums, wallTime: WallTime) {
  return {
    at: wallTime.format(at),
    wallets: { count: String(wallets.count), amount: formatNaira(wallets.amount) },
    in_flight: inFlight.map(({ supplier, purchases, amount }) => ({
      supplier,
      purchases: String(purchases),
      amount: formatNaira(amount),
    })),
    merchants_total: formatNaira(sums.merchants),
    suppliers: suppliers.map(({ supplier, balance, toldAt }) => ({
      supplier,
      balance: balance === null ? null : formatNaira(balance),
      told_at: toldAt === null ? null : wallTime.format(toldAt),
    })),
    suppliers_total: formatNaira(sums.suppliers),
  };
}

interface FloatLine {
  readonly what: string;
  readonly supplier?: string;
  readonly count?: string;
  readonly amount: string;
  readonly toldAt?: string;
}

function rowsOf(float: Float, sums: Sums, wallTime: WallTime): FloatLine[] {
  const { wallets, in_flight, suppliers, merchants_total, suppliers_total } = fieldsOf(float, sums, wallTime);
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
