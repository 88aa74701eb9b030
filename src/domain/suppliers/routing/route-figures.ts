import type { Clock } from "../../../kernel/clock.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { deleteOldHours, type Figures, listRouteFigures, type RouteFigures } from "./count-queries.ts";

const hourMs = 3_600_000;
const keptHours = 30 * 24;

/** What routes' attempts came to that were sent in this clock hour and the `hours` before it. */
export function readFigures(
  services: { readonly database: Queryable; readonly clock: Clock },
  hours: number,
): Promise<RouteFigures[]> {
  return services.database.query<RouteFigures>(listRouteFigures, [hoursAgo(services.clock, hours)]);
}

/** Deletes the hours of more than 30 days ago. Safe to repeat. @returns how many rows */
export async function purgeHours(services: { readonly database: Queryable; readonly clock: Clock }): Promise<number> {
  return (await services.database.query(deleteOldHours, [hoursAgo(services.clock, keptHours)])).length;
}

/** The beginning of this clock hour, less so many hours. */
function hoursAgo(clock: Clock, hours: number): Date {
  const now = clock.now();
  return new Date(now - (now % hourMs) - hours * hourMs);
}

/** Of so many attempts, the share that was vended at the first answer, and the seconds that an answer took on average. */
export interface Rates {
  readonly attempts: number;
  /** From 0 to 1; not a number where there was no attempt. So is the next. */
  readonly vendedShare: number;
  readonly averageSeconds: number;
}

export function ratesOf(figures: readonly Figures[] = []): Rates {
  let [attempts, vended, tookMs] = [0, 0, 0];
  for (const each of figures) {
    attempts += each.vended + each.declined + each.unknown;
    vended += each.vended;
    tookMs += each.tookMs;
  }
  return { attempts, vendedShare: vended / attempts, averageSeconds: tookMs / attempts / 1_000 };
}
