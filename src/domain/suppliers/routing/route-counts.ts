import type { Clock, Instant, WallTime } from "../../../kernel/clock.ts";
import { type Kobo, kobo, zeroKobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { VendOutcome } from "../../../providers/contract.ts";
import { boundOf, noAnswers } from "./answer-times.ts";
import {
  addCounts,
  type CategoryCount,
  type Counts,
  type DayCount,
  type HourCount,
  listStandings,
  type StandingRow,
} from "./count-queries.ts";
import type { Standing } from "./limits.ts";
import type { BoughtProduct } from "./route.ts";
import type { UnservedCount } from "./unserved-queries.ts";

/** An attempt that is on its way to a supplier. It belongs to the day and the hour in which it was sent. */
export interface SentAttempt {
  readonly supplier: string;
  readonly productId: number;
  readonly category: string;
  readonly day: string;
  readonly hour: Instant;
  readonly quantity: number;
  readonly cost: Kobo;
}

/** What is counted by: what was bought, and of which category. */
export type CountedProduct = BoughtProduct & { readonly category: string };

/**
 * What suppliers are sent, and what comes of it at the first answer: counted in memory, beside the purchases, and added to
 * the database by whoever flushes every second, who then reads what all processes have added. Purchases wait for none of
 * it, and a cap may be passed by what all processes send within that second.
 */
export interface RouteCounts {
  sent(supplier: string, request: CountedProduct): SentAttempt;
  answered(attempt: SentAttempt, answer: { readonly kind: VendOutcome["kind"]; readonly tookMs: number }): void;
  /** A live sale was refused, as no supplier could be asked. `amount` is its face value. */
  unserved(productId: number, amount: Kobo): void;
  /** From memory: what all processes have stored, as it was read last, and what this one has not stored yet. */
  standingOf(supplier: string): Standing;
  /** Stores what was counted and reads what all have. After a failure all is kept for the next time. @throws its error */
  flush(): Promise<void>;
  /** Stores what is left, at the end of a process. Where the database is away, that is lost. */
  idle(): Promise<void>;
}

/** An older balance says nothing any more: suppliers are asked every five minutes. */
export const balanceTrustedSeconds = 3_600;

const hourMs = 3_600_000;

export function openRouteCounts(options: {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  /** What a purchase costs us at a supplier. */
  readonly costOf: (supplier: string, request: BoughtProduct) => Kobo;
}): RouteCounts {
  const { database, clock, wallTime, costOf } = options;
  /** Not stored yet, and not under way. */
  let own = noCounts();
  let leaving = noCounts();
  /** Stored since the last reading. */
  let unread = noCounts();
  let read: StoredStandings = { day: "", at: 0, rows: new Map() };
  let flushing: Promise<void> | null = null;
  const dayAt = rememberDay(wallTime);

  async function store(): Promise<void> {
    leaving = own;
    own = noCounts();
    try {
      if (leaving.hours.size > 0 || leaving.unserved.size > 0) await addCounts(database, leaving);
      unread = added(unread, leaving);
    } catch (error) {
      // If they were stored after all, they count twice: a cap is then reached too early, and not too late.
      own = added(leaving, own);
      throw error;
    } finally {
      leaving = noCounts();
    }
    const now = clock.now();
    const day = dayAt(now);
    const rows = await database.query<StandingRow>(listStandings, [day]);
    read = { day, at: now, rows: new Map(rows.map((row) => [row.supplier, row])) };
    unread = noCounts();
  }

  async function flush(): Promise<void> {
    while (flushing !== null) await flushing.catch(() => {});
    flushing = store().finally(() => {
      flushing = null;
    });
    await flushing;
  }

  return {
    sent(supplier, request) {
      const now = clock.now();
      const attempt = {
        supplier,
        productId: request.productId,
        quantity: request.quantity,
        category: request.category,
        day: dayAt(now),
        hour: now - (now % hourMs),
        cost: costOf(supplier, request),
      };
      addDay(own.days, attempt, { purchases: 1, cost: attempt.cost });
      hourOf(own.hours, attempt).cost += attempt.cost;
      categoryOf(own.categories, attempt).cost += attempt.cost;
      return attempt;
    },
    unserved(productId, amount) {
      const now = clock.now();
      addUnserved(own.unserved, { productId, hour: now - (now % hourMs), refused: 1, amount, lastAt: now });
    },
    answered: (attempt, answer) => countAnswer(own, attempt, answer),
    standingOf(supplier) {
      const now = clock.now();
      return standingFrom(read, [own, leaving, unread], { supplier, day: dayAt(now), now });
    },
    flush,
    idle: () => flush().catch(() => {}),
  };
}

/** What was declined costs nothing, and leaves room for another. */
function countAnswer(
  { days, hours, categories }: OwnCounts,
  attempt: SentAttempt,
  { kind, tookMs }: { readonly kind: VendOutcome["kind"]; readonly tookMs: number },
): void {
  const [hour, category] = [hourOf(hours, attempt), categoryOf(categories, attempt)];
  const ms = Math.trunc(tookMs);
  hour[kind] += 1;
  if (kind === "vended") hour.units += attempt.quantity;
  hour.tookMs += ms;
  hour.slowestMs = Math.max(hour.slowestMs, ms);
  category[kind] += 1;
  category.answers[boundOf(ms)] = (category.answers[boundOf(ms)] ?? 0) + 1;
  if (kind !== "declined") return;
  hour.cost -= attempt.cost;
  category.cost -= attempt.cost;
  addDay(days, attempt, { purchases: -1, cost: -attempt.cost });
}

/** Tells the day of an instant: one day's answer is worked out once. */
function rememberDay(wallTime: WallTime): (now: Instant) => string {
  let day = { date: "", start: 0, end: 0 };
  return (now) => {
    if (now < day.start || now >= day.end) day = wallTime.dayOf(now);
    return day.date;
  };
}

/** What was read at one moment. */
interface StoredStandings {
  readonly day: string;
  readonly at: Instant;
  readonly rows: ReadonlyMap<string, StandingRow>;
}

function standingFrom(
  { day, at, rows }: StoredStandings,
  more: readonly Counts[],
  requested: { readonly supplier: string; readonly day: string; readonly now: Instant },
): Standing {
  const { supplier } = requested;
  const row = rows.get(supplier);
  let purchases = 0;
  let cost = 0n;
  if (row !== undefined && day === requested.day) [purchases, cost] = [row.purchases, row.cost];
  let unstored = 0n;
  for (const { days } of more) {
    const count = days.get(`${requested.day} ${supplier}`);
    if (count === undefined) continue;
    purchases += count.purchases;
    cost += count.cost;
    unstored += count.cost;
  }
  return { purchases, cost: kobo(cost), balance: balanceOf(row, { unstored, waitedMs: requested.now - at }) };
}

/** What should be left of our money. What is sent is known in naira: an account in another currency is taken as it told. */
function balanceOf(
  row: StandingRow | undefined,
  { unstored, waitedMs }: { readonly unstored: bigint; readonly waitedMs: number },
): bigint | null {
  if (row === undefined || row.balance === null || row.ageSeconds === null) return null;
  if (row.ageSeconds + waitedMs / 1_000 > balanceTrustedSeconds) return null;
  return row.currency === "NGN" ? row.balance - row.sentSince - unstored : row.balance;
}

interface OwnCounts extends Counts {
  readonly days: Map<string, DayCount>;
  readonly hours: Map<string, HourCount>;
  readonly categories: Map<string, CategoryCount>;
  readonly unserved: Map<string, UnservedCount>;
}

function noCounts(): OwnCounts {
  return { days: new Map(), hours: new Map(), categories: new Map(), unserved: new Map() };
}

/** Both together. Takes the first one's rows for itself. */
function added(some: OwnCounts, more: Counts): OwnCounts {
  for (const count of more.days.values()) addDay(some.days, count, count);
  for (const count of more.unserved.values()) addUnserved(some.unserved, count);
  for (const count of more.hours.values()) {
    const sum = hourOf(some.hours, count);
    for (const field of ["vended", "declined", "unknown", "tookMs", "units"] as const) sum[field] += count[field];
    sum.cost += count.cost;
    sum.slowestMs = Math.max(sum.slowestMs, count.slowestMs);
  }
  for (const count of more.categories.values()) {
    const sum = categoryOf(some.categories, count);
    for (const field of ["vended", "declined", "unknown"] as const) sum[field] += count[field];
    sum.cost += count.cost;
    for (const [place, answers] of count.answers.entries()) sum.answers[place] = (sum.answers[place] ?? 0) + answers;
  }
  return some;
}

/** The count of a key, which is `fresh` where nothing was counted yet. */
function countOf<Count>(counts: Map<string, Count>, key: string, fresh: Count): Count {
  const count = counts.get(key) ?? fresh;
  counts.set(key, count);
  return count;
}

function addUnserved(counts: OwnCounts["unserved"], more: UnservedCount): void {
  const count = countOf(counts, `${more.hour} ${more.productId}`, { ...more, refused: 0, amount: 0n });
  count.refused += more.refused;
  count.amount += more.amount;
  count.lastAt = Math.max(count.lastAt, more.lastAt);
}

function addDay(
  days: OwnCounts["days"],
  { supplier, day }: Pick<DayCount, "supplier" | "day">,
  { purchases, cost }: Pick<DayCount, "purchases" | "cost">,
): void {
  const count = countOf(days, `${day} ${supplier}`, { supplier, day, purchases: 0, cost: 0n });
  count.purchases += purchases;
  count.cost += cost;
}

function hourOf(
  hours: OwnCounts["hours"],
  { supplier, productId, hour }: Pick<HourCount, "supplier" | "productId" | "hour">,
): HourCount {
  const counts = { vended: 0, declined: 0, unknown: 0, cost: 0n, tookMs: 0, slowestMs: 0, units: 0 };
  return countOf(hours, `${hour} ${supplier} ${productId}`, { supplier, productId, hour, ...counts });
}

function categoryOf(
  categories: OwnCounts["categories"],
  { supplier, category, hour }: Pick<CategoryCount, "supplier" | "category" | "hour">,
): CategoryCount {
  const counts = { vended: 0, declined: 0, unknown: 0, cost: 0n, answers: noAnswers() };
  return countOf(categories, `${hour} ${supplier} ${category}`, { supplier, category, hour, ...counts });
}

/** What suppliers were sent today and what is left there, as all processes have stored it: each by its name. */
export async function readStandings(services: {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly wallTime: WallTime;
}): Promise<(supplier: string) => Standing> {
  const counts = openRouteCounts({ ...services, costOf: () => zeroKobo });
  await counts.flush();
  return counts.standingOf;
}
