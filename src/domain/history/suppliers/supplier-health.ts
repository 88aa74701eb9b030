import type { Clock, Instant, WallTime } from "../../../kernel/clock.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { grouped } from "../../catalogue/snapshot.ts";
import { percentileOf } from "../../suppliers/routing/answer-times.ts";
import { startOfHours } from "../today/supplier-days.ts";
import { type CategoryHour, listAnswerTimes, listCategoryHours, type TimesRow } from "./health-queries.ts";

const hourMs = 3_600_000;
const hoursOf = { hours: 24, days: 7 * 24 } as const;

/** `hours`: the last 24 of them; `days`: the last seven. */
export type HealthSpan = keyof typeof hoursOf;

/** What attempts came to at their first answer. */
export interface Came {
  readonly vended: number;
  readonly declined: number;
  readonly unknown: number;
  readonly cost: Kobo;
}

/** How long first answers took, in milliseconds; null where there was none. */
export interface Took {
  readonly p50: number | null;
  readonly p95: number | null;
}

export interface CategoryHealth extends Came, Took {
  readonly category: string;
  /** In the order of the slots; null where nothing was sent. */
  readonly slots: readonly (Came | null)[];
}

export interface SupplierHealth {
  /** Hours as `07`, days as `2026-11-27`: the present one is the last. */
  readonly slots: readonly string[];
  readonly categories: readonly CategoryHealth[];
  readonly total: Came & Took;
  /** All categories together, slot by slot. */
  readonly bySlot: readonly ((Came & Took) | null)[];
}

/** How a supplier did, by category and by hour or day. From the processes' counts: it costs the same at any size. */
export async function readSupplierHealth(
  services: { readonly database: Queryable; readonly clock: Clock; readonly wallTime: WallTime },
  supplier: string,
  span: HealthSpan,
): Promise<SupplierHealth> {
  const { database, clock, wallTime } = services;
  const slotAt = (hour: Instant) => (span === "days" ? wallTime.dayOf(hour).date : wallTime.format(hour).slice(0, 13));
  const asked = hoursUntil(clock.now(), hoursOf[span]);
  // Seven times 24 hours touch eight days: the oldest is left out.
  const slots = [...new Set(asked.map(slotAt))].slice(span === "days" ? -7 : -24);
  const hours = asked.filter((hour) => slots.includes(slotAt(hour)));
  const slotOf = new Map(hours.map((hour) => [hour, slotAt(hour)]));
  const [rows, times] = await Promise.all([
    listCategoryHours(database, supplier, hours),
    listAnswerTimes(database, supplier, hours[0] ?? 0),
  ]);
  const ofCategories = times.filter(({ category }) => category !== null);
  const timesOf = grouped(ofCategories, ({ category }) => category);
  const rowsIn = grouped(rows, ({ hour }) => slotOf.get(hour));
  const timesIn = grouped(times, ({ hour }) => (hour === null ? undefined : slotOf.get(hour)));
  return {
    slots: span === "days" ? slots : slots.map((slot) => slot.slice(11)),
    categories: Array.from(
      grouped(rows, ({ category }) => category),
      ([category, own]) => {
        const inSlot = grouped(own, ({ hour }) => slotOf.get(hour));
        const cells = slots.map((slot) => orNull(inSlot.get(slot)));
        return { category, ...sumOf(own), ...tookOf(timesOf.get(category)), slots: cells };
      },
    ),
    total: { ...sumOf(rows), ...tookOf(ofCategories) },
    bySlot: slots.map((slot) => {
      const sum = orNull(rowsIn.get(slot));
      return sum === null ? null : { ...sum, ...tookOf(timesIn.get(slot)) };
    }),
  };
}

/** The beginnings of so many hours, the present one the last. */
function hoursUntil(now: Instant, count: number): readonly Instant[] {
  const first = startOfHours(now, count);
  return Array.from({ length: count }, (_, at) => first + at * hourMs);
}

function sumOf(rows: readonly CategoryHour[]): Came {
  const sum = (field: "vended" | "declined" | "unknown") => rows.reduce((all, row) => all + row[field], 0);
  const cost = rows.reduce((all, row) => add(all, row.cost), zeroKobo);
  return { vended: sum("vended"), declined: sum("declined"), unknown: sum("unknown"), cost };
}

function orNull(rows: readonly CategoryHour[] | undefined): Came | null {
  return rows === undefined ? null : sumOf(rows);
}

function tookOf(rows: readonly TimesRow[] = []): Took {
  const byBound = new Map<number, number>();
  for (const { upToMs, answers } of rows) byBound.set(upToMs, (byBound.get(upToMs) ?? 0) + answers);
  const times = Array.from(byBound, ([upToMs, answers]) => ({ upToMs, answers }));
  return { p50: percentileOf(times, 0.5), p95: percentileOf(times, 0.95) };
}

/** How many were sent. */
export function attemptsOf({ vended, declined, unknown }: Came): number {
  return vended + declined + unknown;
}

/** How many of a hundred were delivered at the first answer; null where none was sent. */
export function deliveredOf(came: Came): number | null {
  const all = attemptsOf(came);
  return all === 0 ? null : (came.vended / all) * 100;
}
