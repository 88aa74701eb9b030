import { addUp, closeDay, compareDay, type DayServices, nextDay } from "../../domain/history/closed-days/close-day.ts";
import {
  type DayHolding,
  type DayMovement,
  listDayHoldings,
  listDayMovements,
} from "../../domain/history/closed-days/movement-queries.ts";
import { listClosedDays, listClosedSales } from "../../domain/history/closed-days/queries.ts";
import { marginOf } from "../../domain/history/closed-days/report.ts";
import { type DaySpan, type SaleDimension, saleDimensions } from "../../domain/history/closed-days/sums-queries.ts";
import { minuteMs } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { add, formatNaira, zeroKobo } from "../../kernel/money.ts";
import { readDatabaseClock } from "../../platform/clock-skew.ts";
import { dateValue, type Span, spanOf } from "../arguments.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";

/** Commands about days that are closed: what was sold, stored once, and whether it is so still. */
export function addClosedDayCommands(program: OperatorCommand): void {
  program
    .command("close-day")
    .description("close a day that is over: check the books, store its sales; workers close yesterday by themselves")
    .argument("[date]", "the day, such as 2026-11-01; unless given, the one after the last closed day", dateValue)
    .addHelpText("after", "\nReads the whole ledger. Ends with code 1 where a promise of the books is broken.")
    .does(close);
  program
    .command("closed-days")
    .description("closed days, as they were stored; ends with code 1 where --compare finds a difference")
    .requiredOption("--from <date>", "the first day, such as 2026-11-01", dateValue)
    .requiredOption("--to <date>", "the last day, it included", dateValue)
    .option("--compare", "with what the purchases of each day say now")
    .does(list);
}

async function close(session: Session, date: string | undefined, options: JsonOption): Promise<number> {
  const now = await readDatabaseClock(session.database);
  const services = { ...session, clock: { now: () => now } };
  const day = date === undefined ? await nextDay(services) : await dayNamed(services, date);
  if (day === null) {
    if (!options.json)
      printLine("There is no day to close: none is over since the last one, or nothing was sold live.");
    return 0;
  }
  const closed = await closeDay(services, day);
  if (options.json) {
    printJson({ day: day.date, closed: closed !== null, broken: [...(closed?.brokenInvariants ?? [])] });
  } else if (closed === null) printLine(`${day.date} was closed before, and stays as it was stored.`);
  else if (closed.brokenInvariants.length === 0) printLine(`${day.date} is closed: the books keep every promise.`);
  else printLine(`${day.date} is closed, with broken books: ${closed.brokenInvariants.join("; ")}. See check-ledger.`);
  return closed !== null && closed.brokenInvariants.length > 0 ? 1 : 0;
}

/** @throws Refusal VALIDATION_ERROR where there is no such day, or it is not over */
async function dayNamed(services: DayServices, date: string): Promise<DaySpan> {
  const { wallTime, clock } = services;
  const start = wallTime.startOfDay(date);
  if (start === null) throw wrong("There is no such day.");
  const next = await nextDay(services);
  const day = next?.date === date ? next : wallTime.dayOf(start);
  if (day.end > clock.now()) throw wrong(`${date} is not over yet.`);
  if (day.end + bookingMsMax > clock.now()) throw wrong(`${date} was over just now: what is being booked is awaited.`);
  return day;
}

/** Longer than what was begun before midnight is still being booked. */
const bookingMsMax = 5 * minuteMs;

async function list(session: Session, options: Span & JsonOption & { readonly compare?: true }): Promise<number> {
  const { database } = session;
  spanOf(session, options);
  const [days, sales, movements, holdings] = await Promise.all([
    listClosedDays(database, options),
    listClosedSales(database, "all", options),
    listDayMovements(database, options),
    listDayHoldings(database, options),
  ]);
  let differences = 0;
  const rows: JsonObject[] = [];
  for (const { day, brokenInvariants } of days) {
    const sums = addUp(sales.filter((row) => row.day === day));
    const changed = options.compare === true ? await changedIn(session, day) : null;
    differences += changed?.length ?? 0;
    rows.push({
      day,
      sold: Number(sums.sold),
      sales: formatNaira(sums.sales),
      cost: formatNaira(sums.cost),
      margin: formatNaira(marginOf(sums)),
      fees: formatNaira(sums.fees),
      goodwill: formatNaira(sums.goodwill),
      refunded_later: formatNaira(sums.refundedLater),
      refunds_taken_back: formatNaira(sums.takenBack),
      cost_changes: formatNaira(sums.costChanges),
      ...movementsOf(movements.filter((movement) => movement.day === day)),
      ...holdingsOf(holdings.filter((holding) => holding.day === day)),
      books: brokenInvariants.length === 0 ? "kept" : `broken: ${brokenInvariants.join("; ")}`,
      ...(changed === null ? {} : { now: changed.length === 0 ? "the same" : `differs: ${changed.join(", ")}` }),
    });
  }
  printRows(rows, { none: "No day of these is closed." }, options);
  return differences === 0 ? 0 : 1;
}

/** What came into live wallets and went out of them. */
function movementsOf(movements: readonly DayMovement[]): JsonObject {
  const sums = { top_ups: zeroKobo, credits_taken_back: zeroKobo, debits: zeroKobo, adjustments: zeroKobo };
  for (const { kind, credited, debited } of movements) {
    if (kind === "top_up") Object.assign(sums, { top_ups: credited, credits_taken_back: debited });
    if (kind === "adjustment") Object.assign(sums, { debits: debited, adjustments: credited });
  }
  return Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, formatNaira(amount)]));
}

/** What all payment providers held at the day's end, what they had paid to the bank, and whose it is not. */
function holdingsOf(holdings: readonly DayHolding[]): JsonObject {
  const sumOf = (account: DayHolding["account"]) =>
    formatNaira(holdings.reduce((sum, each) => (each.account === account ? add(sum, each.amount) : sum), zeroKobo));
  return {
    ...{ held_by_providers: sumOf("provider"), paid_to_bank: sumOf("bank"), fees_borne: sumOf("fees") },
    ...{ unmatched: sumOf("suspense"), owed_by_merchants: sumOf("debts") },
  };
}

/** Which of its sums are others now: `all`, `supplier gladtidings`. */
async function changedIn(session: Session, day: string): Promise<string[]> {
  const found: string[] = [];
  for (const dimension of saleDimensions) {
    const differences = (await compareDay(session, day, dimension)) ?? [];
    found.push(...differences.map(({ name }) => wordsOf(dimension, name)));
  }
  return found;
}

function wordsOf(dimension: SaleDimension, name: string): string {
  return dimension === "all" ? "all" : `${dimension} ${name || "none"}`;
}
