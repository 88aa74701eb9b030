import { hourMs, type Instant } from "../../../kernel/clock.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { grouped } from "../../catalogue/snapshot.ts";
import { addTimes, percentileOf } from "../../suppliers/routing/answer-times.ts";
import type { ReportServices } from "../closed-days/close-day.ts";
import { startOfHours } from "../today/supplier-days.ts";
import { type CategoryHour, listCategoryHours } from "./health-queries.ts";

const hoursShown = 24;

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
  /** Hours as `07`: the present one is the last. */
  readonly slots: readonly string[];
  readonly categories: readonly CategoryHealth[];
  readonly total: Came;
  /** All categories together, slot by slot. */
  readonly bySlot: readonly (Came | null)[];
}

/** How a supplier did, in 24 hours, by category and by hour. From the processes' counts: a row an hour and category, whatever is sold. */
export async function readSupplierHealth(
  { database, clock, wallTime }: ReportServices,
  supplier: string,
): Promise<SupplierHealth> {
  const hours = hoursUntil(clock.now(), hoursShown);
  const slots = hours.map((hour) => wallTime.format(hour).slice(0, 13));
  const slotOf = new Map(hours.map((hour, at) => [hour, slots[at]]));
  const rows = await listCategoryHours(database, supplier, hours[0] ?? 0);
  const inSlots = (some: readonly CategoryHour[]) => {
    const bySlot = grouped(some, ({ hour }) => slotOf.get(hour));
    return slots.map((slot) => {
      const own = bySlot.get(slot);
      return own === undefined ? null : sumOf(own);
    });
  };
  return {
    slots: slots.map((slot) => slot.slice(11)),
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
type Counts = Pick<Came, "vended" | "declined" | "unknown">;

export function attemptsOf({ vended, declined, unknown }: Counts): number {
  return vended + declined + unknown;
}

/** How many of a hundred were delivered at the first answer; null where none was sent. */
export function deliveredOf(came: Counts): number | null {
  const all = attemptsOf(came);
  return all === 0 ? null : (came.vended / all) * 100;
}
