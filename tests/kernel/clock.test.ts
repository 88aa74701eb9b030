import { expect, test } from "vitest";
import { wallTime } from "../../src/kernel/clock.ts";

const hourMs = 3_600_000;

test.each([
  "Africa/Lagos",
  "Africa/Cairo",
  "America/Havana",
  "America/Santiago",
  "Atlantic/Azores",
  "Australia/Lord_Howe",
  "Europe/London",
])("every hour of %s lies within its own day, which begins where the day before ends", (timeZone) => {
  const zone = wallTime(timeZone);
  const wrong: string[] = [];
  const edgesOfDay = new Map<string, string[]>();
  for (let instant = Date.UTC(2023, 0, 1); instant < Date.UTC(2024, 0, 1); instant += hourMs) {
    const { date, start, end } = zone.dayOf(instant);
    const isWithin = start <= instant && instant < end;
    const day = `${date} ${start} ${end}`;
    if (!edgesOfDay.has(day)) {
      edgesOfDay.set(
        day,
        [start - 1_000, start, end - 1_000].map((edge) => zone.format(edge).slice(0, 10)),
      );
    }
    const [before = "", first, last] = edgesOfDay.get(day) ?? [];
    const isDay = before < date && first === date && last === date;
    if (!isWithin || !isDay) wrong.push(`${zone.format(instant)}: ${zone.format(start)} to ${zone.format(end)}`);
  }
  expect(wrong).toEqual([]);
});
