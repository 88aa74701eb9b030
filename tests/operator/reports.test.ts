import { expect, test } from "vitest";
import { closeDay } from "../../src/domain/history/closed-days/close-day.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";
import { middayZone } from "../support/midday.ts";
import { operate } from "../support/operate.ts";

const supplier = openFakeSupplier();
supplier.answer = vended;
const service = closing(await startConsole({ suppliers: [supplier], timeZone: middayZone }));
const { app } = service;
const { database } = app.services;
const zone = wallTime(middayZone);
const today = zone.dayOf(Date.now());
const finance = await service.staff("finance");
const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url, TIME_ZONE: middayZone });

async function sell(reference: string): Promise<void> {
  const body = { product_id: 1002, phone: "08031234567", reference };
  expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(201);
}

test("a sale that was just made is in every report, by the name of its product, merchant, supplier and category", async () => {
  await sell("one");
  const { rows } = await app.fresh.pool.query("select name from products where id = 1002");
  const named = { product: rows[0].name, merchant: "Test merchant", supplier: supplier.name, category: "Mobile data" };
  for (const [by, name] of Object.entries(named)) {
    const { status, text } = await finance.get(`/operator/reports?by=${by}&days=1`);
    expect([status, by, text.includes(`>${name}<`)]).toEqual([200, by, true]);
  }
  const { text } = await finance.get(`/operator/reports.csv?by=merchant&from=${today.date}&to=${today.date}`);
  const [head, line, ...others] = text.trim().split("\r\n");
  expect(head).toMatch(/^merchant,name,sold,.*sales,cost,margin,fees/);
  expect(line).toMatch(new RegExp(`^mer_${app.merchant.id},Test merchant,1,0,0,0,\\d+\\.\\d\\d,`));
  expect(others).toEqual([]);
});

test("a report of a time that nobody can read says so, and a file of it is refused", async () => {
  const page = await finance.get("/operator/reports?from=2026-02-31&by=nothing");
  expect([page.status, page.text.includes("we can’t read it")]).toEqual([200, true]);
  expect((await finance.get("/operator/reports.csv?from=2026-02-31")).status).toBe(400);
});

test("a closed day shows what was stored and, in words, what its purchases say now", async () => {
  const clock = { now: () => today.end + 3_600_000 };
  await closeDay({ database, wallTime: zone, clock }, today);
  const path = `/operator/closed-days/${today.date}`;
  expect((await finance.get(path)).text).toContain("Nothing changed since the day was closed");
  expect((await run("closed-days", "--from", today.date, "--to", today.date, "--compare")).code).toBe(0);

  await sell("late");
  const { text } = await finance.get(path);
  expect(text).toMatch(/The whole day<.*sold 1 → 2, sales ₦/s);
  expect(text).toContain(`Supplier ${supplier.name}`);
  expect((await finance.get("/operator/closed-days")).text).toContain("Balanced");
  const compared = await run("closed-days", "--from", today.date, "--to", today.date, "--compare", "--json");
  expect([compared.code, compared.lines[0]]).toEqual([1, expect.objectContaining({ sold: 1, books: "kept" })]);
  expect(compared.lines[0].now).toMatch(/^differs: all, /);
});

test("a day whose books were broken says which promise, on its page and in the list", async () => {
  await app.fresh.pool.query(
    `insert into closed_days (day, closed_at, starts_at, ends_at, broken_invariants)
     values ('2025-01-02', now(), '2025-01-01T23:00Z', '2025-01-02T23:00Z', array['1 every wallet is the sum'])`,
  );
  const { text } = await finance.get("/operator/closed-days/2025-01-02");
  expect(text).toContain("1 every wallet is the sum");
  expect((await finance.get("/operator/closed-days/2025-01-03")).status).toBe(404);
});

test("close-day refuses a day that is not over, closes one that is, once", async () => {
  const future = await run("close-day", today.date);
  expect([future.code, future.error]).toEqual([1, `${today.date} is not over yet.\n`]);
  const yesterday = zone.dayOf(today.start - 1).date;
  expect(await run("close-day", yesterday)).toMatchObject({
    code: 0,
    out: `${yesterday} is closed: the books keep every promise.\n`,
  });
  expect((await run("close-day", yesterday)).out).toContain("was closed before");
});
