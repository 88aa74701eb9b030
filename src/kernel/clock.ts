/** Milliseconds since 1970-01-01 UTC. */
export type Instant = number;

/** Where domain code gets the time from, so that tests can move it. */
export interface Clock {
  now(): Instant;
}

/** Writes instants in the deployment's time zone: `2026-11-20T14:03:09+01:00`. */
export interface WallTime {
  /** The zone's IANA name. */
  readonly timeZone: string;
  format(instant: Instant): string;
  /** First instant of the day that `date` (`YYYY-MM-DD`) names in the zone; null when there is no such day. */
  startOfDay(date: string): Instant | null;
  /** First instant of the day in which `instant` lies. */
  dayOf(instant: Instant): { readonly date: string; readonly start: Instant; readonly end: Instant };
}

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
const quarterMs = 15 * minuteMs;
/** Quarters of an hour whose offset is remembered: the midnights of two years and more. */
const quartersMax = 10_000;

/** Wall time of an IANA zone. Offsets are looked up once per quarter of an hour, as no zone changes more often. */
export function wallTime(timeZone: string): WallTime {
  const offsetMs = zoneOffsets(timeZone);

  function startOfDay(date: string): Instant | null {
    const midnight = Date.parse(`${date}T00:00:00Z`);
    if (Number.isNaN(midnight) || dateOf(midnight) !== date) return null;
    const early = midnight - offsetMs(midnight - dayMs);
    const late = midnight - offsetMs(early);
    if (early === late) return early;
    // The clocks change around this midnight. Where they are put forward at midnight, no clock shows it: the day begins
    // with the change, and one of the two lies in the day before.
    const first = Math.min(early, late);
    return dateOf(first + offsetMs(first)) === date ? first : Math.max(early, late);
  }

  function write(instant: Instant): string {
    const offset = offsetMs(instant);
    const minutes = Math.abs(offset) / minuteMs;
    const sign = offset < 0 ? "-" : "+";
    const hour = String(Math.floor(minutes / 60)).padStart(2, "0");
    const minute = String(minutes % 60).padStart(2, "0");
    return `${new Date(instant + offset).toISOString().slice(0, 19)}${sign}${hour}:${minute}`;
  }

  // Thousands of purchases are made in one second, and the time of each is written four times.
  let lastSecond = Number.NaN;
  let lastText = "";

  return {
    timeZone,
    format(instant) {
      const second = Math.floor(instant / 1_000);
      if (second !== lastSecond) {
        lastText = write(instant);
        lastSecond = second;
      }
      return lastText;
    },
    startOfDay,
    dayOf(instant) {
      const date = dateOf(instant + offsetMs(instant));
      const start = startOfDay(date) ?? instant;
      // 26 hours later lies in the next day, whatever the clocks did in between.
      const next = dateOf(start + 26 * hourMs + offsetMs(start + dayMs));
      return { date, start, end: startOfDay(next) ?? start + dayMs };
    },
  };
}

/** `YYYY-MM-DD` of wall time: an instant and the zone's offset, or what is taken for UTC. */
function dateOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 10);
}

/** How far the zone's wall clock is ahead of UTC at an instant, in milliseconds. */
function zoneOffsets(timeZone: string): (instant: Instant) => number {
  // American English, as every build of Node knows it: `11/20/2026, 14:03:09`, which `Date.parse` reads.
  const fields = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23" },
    ...{ year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  // Asked in turns about now, today's midnight and tomorrow's: remembering the last one alone cost a twelfth of the
  // processor time under load.
  const offsets = new Map<number, number>();

  return (instant) => {
    const quarter = Math.floor(instant / quarterMs);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const local = Date.parse(`${fields.format(quarter * quarterMs)} UTC`);
    const offset = local - quarter * quarterMs;
    if (offsets.size >= quartersMax) offsets.clear();
    offsets.set(quarter, offset);
    return offset;
  };
}

/**
 * Reads an ISO 8601 instant with an offset, or a bare date in the zone.
 * `edge` says what a bare date means: its first instant, or the first instant after it. Null when unreadable.
 */
export function parseInstant(text: string, zone: WallTime, edge: "start" | "end"): Instant | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const start = zone.startOfDay(text);
    if (start === null || edge === "start") return start;
    return zone.dayOf(start).end;
  }
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null;
  const instant = Date.parse(text);
  return Number.isNaN(instant) || zone.startOfDay(text.slice(0, 10)) === null ? null : instant;
}
