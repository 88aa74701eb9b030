import { findLimitRequest, limitingSupplier } from "../../domain/history/suppliers/stopping.ts";
import { addressOf, askStored, findNamedSupplier } from "../../domain/suppliers/asking.ts";
import { listSupplierBalances, type SupplierBalance } from "../../domain/suppliers/balance-queries.ts";
import { askBalance, hasBalance, isBalanceLow } from "../../domain/suppliers/balances.ts";
import type { SupplierLimits } from "../../domain/suppliers/routing/limits.ts";
import type { Supplier } from "../../domain/suppliers/routing/route.ts";
import { readStandings } from "../../domain/suppliers/routing/route-counts.ts";
import { readSuppliers } from "../../domain/suppliers/routing/route-table.ts";
import { changeSettings, readSettings, setSettings, settingsText } from "../../domain/suppliers/settings.ts";
import { formatHundredths, formatNaira, type Kobo } from "../../kernel/money.ts";
import { Refusal } from "../../kernel/problems.ts";
import { countValue, nairaValue } from "../arguments.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type AskingOptions, byOption, requestChange } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows, printWarning } from "../printing.ts";

/** Commands about our money at suppliers. */
export function addBalanceCommands(supplier: OperatorCommand): void {
  supplier
    .command("balance")
    .description("ask what is left of our money at one supplier, or at all; ends with code 1 where one did not tell")
    .argument("[name]", "the supplier")
    .does(showBalances);
  supplier
    .command("alarm")
    .description("warn in log and metrics while less than this is left of our money at a supplier")
    .argument("<name>", "the supplier")
    .option("--below <amount>", "in the account's currency, such as 50000.00", nairaValue)
    .option("--off", "no more")
    .does(setAlarm);
}

async function showBalances(session: Session, name: string | undefined, options: JsonOption): Promise<number> {
  const suppliers =
    name === undefined ? await readSuppliers(session.database) : [await findNamedSupplier(session, name)];
  const notes = new Map(
    await Promise.all(suppliers.map(async (supplier) => [supplier.name, await ask(session, supplier)] as const)),
  );
  const balances = (await listSupplierBalances(session.database)).filter(({ supplier }) => notes.has(supplier));
  const rows = balances.map((balance) => {
    const note = notes.get(balance.supplier)?.text || (isBalanceLow(balance) ? "LOW" : "");
    return { ...rowOf(session, balance), note };
  });
  const columns = ["supplier", "balance", "currency", "told_at", "alarm_below", "note"] as const;
  const headings = { currency: "in", note: "" };
  printRows(rows, { columns, headings, absent: "-", none: "There is no supplier: supplier add enters one." }, options);
  return [...notes.values()].some(({ isMissing }) => isMissing) ? 1 : 0;
}

interface Note {
  readonly text: string;
  /** It should have told, and did not. */
  readonly isMissing: boolean;
}

/** Asks a supplier now, and keeps what it tells. */
async function ask(session: Session, supplier: Supplier): Promise<Note> {
  if (addressOf(supplier.settings) === null) return { text: `${supplier.connector} holds no money`, isMissing: false };
  try {
    return await askStored(session, supplier, async ({ connector }) => {
      if (!hasBalance(connector)) return { text: "it tells none", isMissing: false };
      const { balance, evidence } = await askBalance(session.database, connector);
      return balance === null ? { text: `not told now: ${evidence}`, isMissing: true } : { text: "", isMissing: false };
    });
  } catch (error) {
    if (error instanceof Refusal) return { text: error.message, isMissing: true };
    throw error;
  }
}

function rowOf({ wallTime }: Session, balance: SupplierBalance) {
  return {
    supplier: balance.supplier,
    currency: balance.currency,
    balance: textOf(balance.balance),
    told_at: balance.reportedAt === null ? null : wallTime.format(balance.reportedAt),
    alarm_below: textOf(balance.alarmBelow),
    low: isBalanceLow(balance),
  };
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : formatHundredths(amount);
}

interface BoundOptions extends JsonOption {
  readonly below?: Kobo;
  readonly at?: Kobo;
  readonly off?: true;
}

async function setAlarm(session: Session, name: string, { below, off, json }: BoundOptions): Promise<void> {
  const alarmBelow = await boundIn(session, name, { option: "--below 50000.00", amount: below, off });
  await setSettings(session.database, name, { alarmBelow });
  if (json) printJson({ supplier: name, alarm_below: alarmBelow === null ? null : formatHundredths(alarmBelow) });
  else if (alarmBelow === null) printLine(`Nobody is warned of the balance at ${name} any more.`);
  else printLine(`Below ${formatHundredths(alarmBelow)} naira at ${name}, the log warns and the metric says 1.`);
}

/** The bound that a command sets on our money at a supplier; null for none. */
async function boundIn(
  session: Session,
  name: string,
  {
    option,
    amount,
    off,
  }: { readonly option: string; readonly amount?: Kobo | undefined; readonly off?: true | undefined },
): Promise<Kobo | null> {
  if ((amount === undefined) === (off === undefined)) throw wrong(`Give either ${option} or --off.`);
  const { settings, connector } = await findNamedSupplier(session, name);
  if (addressOf(settings) === null) throw wrong(`${name} holds no money of ours: it is spoken to by ${connector}.`);
  return amount ?? null;
}

/** Commands about how much a supplier gets of new purchases. */
export function addLimitsOfSuppliers(supplier: OperatorCommand): void {
  supplier
    .command("cap")
    .description("how much a supplier gets in a day; past it, new purchases go elsewhere or are refused")
    .argument("<name>", "the supplier")
    .option("--per-day <amount>", "what a day's purchases may cost us there together, such as 500000.00", nairaValue)
    .option("--purchases <number>", "how many purchases of a day", countValue(100_000_000))
    .option("--off", "as much as there is")
    .option(...byOption)
    .does(cap);
  supplier
    .command("floor")
    .description("while less than this is left of our money at a supplier, it gets no new purchase")
    .argument("<name>", "the supplier")
    .option("--at <amount>", "in the account's currency, such as 20000.00", nairaValue)
    .option("--off", "no more")
    .option(...byOption)
    .does(floor);
}

interface CapOptions extends AskingOptions {
  readonly perDay?: Kobo;
  readonly purchases?: number;
  readonly off?: true;
}

async function cap(session: Session, name: string, options: CapOptions): Promise<void> {
  const { perDay, purchases, off, json } = options;
  if ((perDay === undefined && purchases === undefined) === (off === undefined)) {
    throw wrong("Give --per-day 500000.00, --purchases 1000, or both; or --off alone.");
  }
  await findNamedSupplier(session, name);
  if (await isLimitRequested(session, name, { dayCost: perDay ?? null, dayPurchases: purchases ?? null }, options))
    return;
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

async function floor(session: Session, name: string, options: BoundOptions & AskingOptions): Promise<void> {
  const { at, off, json } = options;
  const balanceFloor = await boundIn(session, name, { option: "--at 20000.00", amount: at, off });
  if (await isLimitRequested(session, name, { balanceFloor }, options)) return;
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

/** Sets limits, or asks a second person for those that leave nothing of a day. @returns whether they were asked for */
async function isLimitRequested(
  session: Session,
  name: string,
  limits: Partial<SupplierLimits>,
  options: AskingOptions,
): Promise<boolean> {
  const present = await readSettings(session.database, name);
  const change = { shown: settingsText(present), settings: { ...present, ...limits } };
  const request = await findLimitRequest(session, name, change);
  if (request !== null && (await requestChange(session, limitingSupplier, request, options))) return true;
  await changeSettings(session.database, name, change);
  return false;
}

/** Tells a supplier's limits, and what it was sent today in cost and number: `1200.00 (2)`. */
export async function readLimitTexts(session: Session) {
  const standingOf = await readStandings(session);
  return (supplier: string, limits: SupplierLimits | null) => {
    const { cost, purchases } = standingOf(supplier);
    const { dayCost = null, dayPurchases = null, balanceFloor = null } = limits ?? {};
    const bounds = [dayCost === null ? "" : formatNaira(dayCost), dayPurchases === null ? "" : `(${dayPurchases})`];
    return {
      sent_today: `${formatNaira(cost)} (${purchases})`,
      cap: bounds.filter(Boolean).join(" ") || null,
      floor: balanceFloor === null ? null : formatHundredths(balanceFloor),
    };
  };
}
