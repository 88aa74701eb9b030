import type { Clock, Instant, WallTime } from "../../../kernel/clock.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
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
  const [rows, times] = await Promise.all([
    listCategoryHours(database, supplier, hours),
    listAnswerTimes(database, supplier, hours[0] ?? 0),
  ]);
  const inSlot = (slot: string) => rows.filter(({ hour }) => slotAt(hour) === slot);
  const categories = [...new Set(rows.map(({ category }) => category))];
  return {
    slots: span === "days" ? slots : slots.map((slot) => slot.slice(11)),
    categories: categories.map((category) => {
      const own = rows.filter((row) => row.category === category);
      return {
        category,
        ...sumOf(own),
        ...tookOf(times.filter((row) => row.category === category)),
        slots: slots.map((slot) => orNull(own.filter(({ hour }) => slotAt(hour) === slot))),
      };
    }),
    total: { ...sumOf(rows), ...tookOf(times.filter(({ category }) => category !== null)) },
    bySlot: slots.map((slot) => {
      const sum = orNull(inSlot(slot));
      const own = times.filter(({ hour }) => hour !== null && slotAt(hour) === slot);
      return sum === null ? null : { ...sum, ...tookOf(own) };
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

function orNull(rows: readonly CategoryHour[]): Came | null {
  return rows.length === 0 ? null : sumOf(rows);
}

function tookOf(rows: readonly TimesRow[]): Took {
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
