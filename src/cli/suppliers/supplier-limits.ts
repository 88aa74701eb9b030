import { setCap, setFloor } from "../../domain/suppliers/administration.ts";
import { listSupplierBalances } from "../../domain/suppliers/balance-queries.ts";
import type { SupplierLimits } from "../../domain/suppliers/routing/limits.ts";
import { openRouteCounts } from "../../domain/suppliers/routing/route-counts.ts";
import { formatHundredths, formatNaira, type Kobo, zeroKobo } from "../../kernel/money.ts";
import { countValue, nairaValue } from "../arguments.ts";
import { wrong } from "../failures.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printWarning } from "../printing.ts";
import { addressOf, findNamedSupplier } from "./opened-supplier.ts";

/** Commands about how much a supplier gets of new purchases. */
export function addLimitsOfSuppliers(supplier: OperatorCommand): void {
  supplier
    .command("cap")
    .description("how much a supplier gets in a day; past it, new purchases go elsewhere or are refused")
    .argument("<name>", "the supplier")
    .option("--per-day <amount>", "what a day's purchases may cost us there together, such as 500000.00", nairaValue)
    .option("--purchases <number>", "how many purchases of a day", countValue(100_000_000))
    .option("--off", "as much as there is")
    .does(cap);
  supplier
    .command("floor")
    .description("while less than this is left of our money at a supplier, it gets no new purchase")
    .argument("<name>", "the supplier")
    .option("--at <amount>", "in the account's currency, such as 20000.00", nairaValue)
    .option("--off", "no more")
    .does(floor);
}

interface CapOptions extends JsonOption {
  readonly perDay?: Kobo;
  readonly purchases?: number;
  readonly off?: true;
}

async function cap(session: Session, name: string, { perDay, purchases, off, json }: CapOptions): Promise<void> {
  if ((perDay === undefined && purchases === undefined) === (off === undefined)) {
    throw wrong("Give --per-day 500000.00, --purchases 1000, or both; or --off alone.");
  }
  await findNamedSupplier(session, name);
  await setCap(session.database, name, { dayCost: perDay ?? null, dayPurchases: purchases ?? null });
  const cost = perDay === undefined ? null : formatNaira(perDay);
  if (json) printJson({ supplier: name, per_day: cost, purchases: purchases ?? null });
  else if (off === true) printLine(`${name} gets as many purchases in a day as there are.`);
  else {
    const bounds = [
      ...(cost === null ? [] : [`for ${cost} naira`]),
      ...(purchases === undefined ? [] : [`${purchases} purchases`]),
    ];
    printLine(`In a day ${name} gets no more than ${bounds.join(" and ")}. What it was sent today counts.`);
  }
}

interface FloorOptions extends JsonOption {
  readonly at?: Kobo;
  readonly off?: true;
}

async function floor(session: Session, name: string, { at, off, json }: FloorOptions): Promise<void> {
  if ((at === undefined) === (off === undefined)) throw wrong("Give either --at 20000.00 or --off.");
  const { settings, connector } = await findNamedSupplier(session, name);
  if (addressOf(settings) === null) throw wrong(`${name} holds no money of ours: it is spoken to by ${connector}.`);
  await setFloor(session.database, name, at ?? null);
  if (json) {
    printJson({ supplier: name, floor: at === undefined ? null : formatHundredths(at) });
    return;
  }
  if (at === undefined) {
    printLine(`${name} gets purchases whatever its balance is.`);
    return;
  }
  const shown = (await listSupplierBalances(session.database)).find(({ supplier }) => supplier === name);
  printLine(`Below ${formatHundredths(at)} ${shown?.currency ?? "NGN"} at ${name}, no new purchase goes there.`);
  if ((shown?.balance ?? null) === null) {
    printWarning(
      `${name} has told no balance yet: until it does, its floor keeps nothing away. supplier balance ${name} asks.`,
    );
  }
}

/** Tells a supplier's limits, and what it was sent today in cost and number: `1200.00 (2)`. */
export async function readLimitTexts({ database, clock, wallTime }: Session) {
  const counts = openRouteCounts({ database, clock, wallTime, costOf: () => zeroKobo });
  await counts.flush();
  return (supplier: string, limits: SupplierLimits | null) => {
    const { cost, purchases } = counts.standingOf(supplier);
    const { dayCost = null, dayPurchases = null, balanceFloor = null } = limits ?? {};
    const bounds = [dayCost === null ? "" : formatNaira(dayCost), dayPurchases === null ? "" : `(${dayPurchases})`];
    return {
      sent_today: `${formatNaira(cost)} (${purchases})`,
      cap: bounds.filter(Boolean).join(" ") || null,
      floor: balanceFloor === null ? null : formatHundredths(balanceFloor),
    };
  };
}
