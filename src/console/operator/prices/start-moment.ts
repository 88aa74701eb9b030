import { hourMs, type Instant, type WallTime } from "../../../kernel/clock.ts";

/** The moment at which the deployment's clocks show `2026-11-27T06:00`; null where none does, or the text is none. */
export function momentIn(text: string, wallTime: WallTime): Instant | null {
  const [, date = "", hour = "", minute = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::00)?$/.exec(text) ?? [];
  const start = wallTime.startOfDay(date);
  if (start === null) return null;
  const near = start + Number(hour) * hourMs + Number(minute) * 60_000;
  // On a day on which the clocks change, midnight is an hour nearer or farther.
  const moments = [near, near - hourMs, near + hourMs];
  return moments.find((at) => wallTime.format(at).startsWith(`${date}T${hour}:${minute}`)) ?? null;
}
