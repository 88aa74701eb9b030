import { closeDay, type DayServices, nextDay } from "../domain/history/closed-days/close-day.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { Job } from "./watch.ts";

/** Closes the next day that is over, one at a look: a clock that was wrong for a moment closes no more. */
export const dayClosing: Job<DayServices & { readonly log: Logger }> = {
  name: "day_closing",
  everyMs: 600_000,
  open: (services) => async () => {
    const day = await nextDay(services);
    if (day === null) return;
    const closed = await closeDay(services, day);
    if (closed === null) return;
    const isSound = closed.brokenInvariants.length === 0;
    services.log[isSound ? "info" : "error"]({ event: "day.closed", day: day.date, ...closed });
  },
};
