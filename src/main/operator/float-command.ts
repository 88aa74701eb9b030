import type { Command } from "commander";
import { type Float, sumFloat } from "../../domain/operator/float-queries.ts";
import type { Mode } from "../../kernel/mode.ts";
import { add, formatNaira, type Kobo, zeroKobo } from "../../kernel/money.ts";
import { modeWord } from "./arguments.ts";
import { asJson, type JsonOption, printJson, printTable } from "./printing.ts";
import type { Session, WithSession } from "./session.ts";

interface FloatOptions extends JsonOption {
  readonly mode: Mode;
}

/** The command that tells where merchants' money is. */
export function addFloatCommand(program: Command, withSession: WithSession): void {
  program
    .command("float")
    .description("what merchants' wallets hold, and what is in flight at each supplier, at one moment")
    .option("--mode <mode>", "live or test", modeWord, "live" as Mode)
    .option(...asJson)
    .action((options: FloatOptions) => withSession((session) => tell(session, options)));
}

async function tell({ database, wallTime }: Session, { mode, json }: FloatOptions): Promise<number> {
  const float = await sumFloat(database, mode);
  const pending = float.inFlight.reduce((sum, { amount }) => add(sum, amount), zeroKobo);
  const total = add(float.wallets.amount, pending);
  const at = wallTime.format(float.at);
  if (json) {
    const { wallets, inFlight } = float;
    printJson({
      at,
      mode,
      wallets: { count: String(wallets.count), amount: formatNaira(wallets.amount) },
      in_flight: inFlight.map((row) => ({ ...row, purchases: String(row.purchases), amount: formatNaira(row.amount) })),
      total: formatNaira(total),
    });
    return 0;
  }
  const rows = rowsOf(float, total);
  const width = Math.max(...rows.map(({ amount }) => formatNaira(amount).length));
  printTable(
    [`${mode}, ${at}`, "supplier", "number", "naira"],
    rows.map(({ what, supplier, count, amount }) => [what, supplier, count, formatNaira(amount).padStart(width)]),
  );
  return 0;
}

interface FloatLine {
  readonly what: string;
  readonly supplier: string;
  readonly count: string;
  readonly amount: Kobo;
}

function rowsOf({ wallets, inFlight }: Float, total: Kobo): FloatLine[] {
  return [
    { what: "merchants' wallets", supplier: "", count: String(wallets.count), amount: wallets.amount },
    ...inFlight.map(({ supplier, purchases, amount }) => ({
      what: "in flight",
      supplier: supplier ?? "none",
      count: String(purchases),
      amount,
    })),
    { what: "wallets and in flight", supplier: "", count: "", amount: total },
  ];
}
