import { expect, test } from "vitest";
import {
  addUp,
  closeDay,
  compareDay,
  nextDay,
  readSalesOfDays,
} from "../../../../src/domain/history/closed-days/close-day.ts";
import { wallTime } from "../../../../src/kernel/clock.ts";
import { startApp } from "../../../support/app.ts";
import { closing } from "../../../support/closing.ts";
import { openFakeSupplier, vended } from "../../../support/fake-supplier.ts";

const supplier = openFakeSupplier();
supplier.answer = vended;
const app = closing(await startApp({ suppliers: [supplier] }));
const zone = wallTime("Africa/Lagos");
const dayMs = 86_400_000;
const { database } = app.services;

function servicesAt(now: number) {
  return { database, wallTime: zone, clock: { now: () => now } };
}

async function sell(reference: string): Promise<void> {
  const body = { product_id: 1002, phone: "08031234567", reference };
  expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(201);
}

const today = zone.dayOf(Date.now());
const tomorrow = servicesAt(today.end + 3_600_000);

test("no day is closed before anything was sold, nor before it is over", async () => {
  expect(await nextDay(tomorrow)).toBeNull();
  await sell("one");
  await sell("two");
  expect(await nextDay(servicesAt(today.end + 60_000))).toBeNull();
  expect(await nextDay(tomorrow)).toEqual(today);
});

test("a closed day's sums are those of its purchases, by each thing, and it is closed once", async () => {
  expect(await closeDay(tomorrow, today)).toEqual({ brokenInvariants: [] });
  expect(await closeDay(tomorrow, today)).toBeNull();
  const days = { from: today.date, to: today.date };
  for (const dimension of ["all", "hour", "category", "product", "merchant", "supplier"] as const) {
    const { rows, open } = await readSalesOfDays(tomorrow, days, dimension);
    expect([dimension, open]).toEqual([dimension, []]);
    expect(addUp(rows)).toMatchObject({ sold: 2n, failed: 0n, pending: 0n });
  }
  const { rows } = await readSalesOfDays(tomorrow, days, "supplier");
  expect(rows.map(({ name }) => name)).toEqual([supplier.name]);
  expect(await nextDay(servicesAt(today.end + dayMs + 3_600_000))).toMatchObject({ start: today.end });
});

test("what changes after the close is shown beside it, and never written into it", async () => {
  expect(await compareDay(tomorrow, today.date, "all")).toEqual([]);
  await sell("late");
  const [difference, ...others] = (await compareDay(tomorrow, today.date, "all")) ?? [];
  expect(others).toEqual([]);
  expect(difference).toMatchObject({ stored: { sold: 2n }, present: { sold: 3n } });
  const { rows } = await readSalesOfDays(tomorrow, { from: today.date, to: today.date }, "all");
  expect(addUp(rows).sold).toBe(2n);
});

test("days that nobody closed are summed as they are now", async () => {
  const next = zone.dayOf(today.end);
  const services = servicesAt(next.start + 1_000);
  const { rows, open } = await readSalesOfDays(services, { from: today.date, to: next.date }, "all");
  expect(open).toEqual([next.date]);
  expect(rows.map(({ day }) => day)).toEqual([today.date]);
});

test("no day is missed, counted twice or spun on where TIME_ZONE moves west or east after days were closed", async () => {
  await app.fresh.pool.query("truncate closed_days cascade");
  const zones = [
    "Africa/Lagos",
    "America/New_York",
    "Pacific/Kiritimati",
    "Etc/GMT+12",
    "Pacific/Kiritimati",
    "Africa/Lagos",
  ];
  const spans: { start: number; end: number }[] = [];
  const dates: string[] = [];
  let now = today.end + 3_600_000;
  for (const name of zones) {
    const services = { ...servicesAt(0), wallTime: wallTime(name) };
    for (let hours = 0; hours < 48; hours += 8) {
      now += 8 * 3_600_000;
      const at = { ...services, clock: { now: () => now } };
      const day = await nextDay(at);
      if (day === null) continue;
      expect(await closeDay(at, day)).not.toBeNull();
      spans.push(day);
      dates.push(day.date);
      const from = zone.dayOf(now - 6 * dayMs).date;
      const { open } = await readSalesOfDays(at, { from, to: at.wallTime.dayOf(now).date }, "all");
      expect(open.filter((date) => dates.includes(date))).toEqual([]);
    }
  }
  expect(spans.length).toBeGreaterThan(8);
  expect(dates).toEqual([...new Set(dates)].sort());
  for (const [at, { start }] of spans.entries()) expect(start).toBe(at === 0 ? start : spans[at - 1]?.end);
}, 120_000);
