import type { Clock, Instant, WallTime } from "../../../kernel/clock.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { grouped } from "../../catalogue/snapshot.ts";
import { addTimes, percentileOf } from "../../suppliers/routing/answer-times.ts";
import { startOfHours } from "../today/supplier-days.ts";
import { type CategoryHour, listCategoryHours } from "./health-queries.ts";

const hourMs = 3_600_000;
const hoursOf = { hours: 24, days: 7 * 24 } as const;

/** `hours`: the last 24 of them; `days`: the last seven. */
export type HealthSpan = keyof typeof hoursOf;

/** What attempts came to at their first answer, and how long that took: in milliseconds, null where it isn't known. */
export interface Came {
  readonly vended: number;
  readonly declined: number;
  readonly unknown: number;
  readonly cost: Kobo;
  readonly p50: number | null;
  readonly p95: number | null;
}

export interface CategoryHealth extends Came {
  readonly category: string;
  /** In the order of the slots; null where nothing was sent. */
  readonly slots: readonly (Came | null)[];
}

export interface SupplierHealth {
  /** Hours as `07`, days as `2026-11-27`: the present one is the last. */
  readonly slots: readonly string[];
  readonly categories: readonly CategoryHealth[];
  readonly total: Came;
  /** All categories together, slot by slot. */
  readonly bySlot: readonly (Came | null)[];
}

/** How a supplier did, by category and by hour or day. From the processes' counts: a row an hour and category, whatever is sold. */
export async function readSupplierHealth(
  services: { readonly database: Queryable; readonly clock: Clock; readonly wallTime: WallTime },
  supplier: string,
  span: HealthSpan,
): Promise<SupplierHealth> {
  const { database, clock, wallTime } = services;
  const slotAt = (hour: Instant) => (span === "days" ? wallTime.dayOf(hour).date : wallTime.format(hour).slice(0, 13));
  const latest = hoursUntil(clock.now(), hoursOf[span]);
  // Seven times 24 hours touch eight days: the oldest is left out.
  const slots = [...new Set(latest.map(slotAt))].slice(span === "days" ? -7 : -24);
  const hours = latest.filter((hour) => slots.includes(slotAt(hour)));
  const slotOf = new Map(hours.map((hour) => [hour, slotAt(hour)]));
  const rows = await listCategoryHours(database, supplier, hours[0] ?? 0);
  const inSlots = (some: readonly CategoryHour[]) => {
    const bySlot = grouped(some, ({ hour }) => slotOf.get(hour));
    return slots.map((slot) => {
      const own = bySlot.get(slot);
      return own === undefined ? null : sumOf(own);
    });
  };
  return {
    slots: span === "days" ? slots : slots.map((slot) => slot.slice(11)),
    categories: Array.from(
      grouped(rows, ({ category }) => category),
      ([category, own]) => ({ category, ...sumOf(own), slots: inSlots(own) }),
    ),
    total: sumOf(rows),
    bySlot: inSlots(rows),
  };
}

/** The beginnings of so many hours, the present one the last. */
function hoursUntil(now: Instant, count: number): readonly Instant[] {
  const first = startOfHours(now, count);
  return Array.from({ length: count }, (_, at) => first + at * hourMs);
}

function sumOf(rows: readonly CategoryHour[]): Came {
  const sum = (field: "vended" | "declined" | "unknown") => rows.reduce((all, row) => all + row[field], 0);
  const answers = addTimes(rows.map((row) => row.answers));
  return {
    ...{ vended: sum("vended"), declined: sum("declined"), unknown: sum("unknown") },
    cost: rows.reduce((all, row) => add(all, row.cost), zeroKobo),
    ...{ p50: percentileOf(answers, 0.5), p95: percentileOf(answers, 0.95) },
  };
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
