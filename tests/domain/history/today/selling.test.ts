import { expect, test } from "vitest";
import { readMoneyAtRisk } from "../../../../src/domain/history/today/money-at-risk.ts";
import { readSelling, successOf } from "../../../../src/domain/history/today/selling.ts";
import { wallTime } from "../../../../src/kernel/clock.ts";
import { startApp } from "../../../support/app.ts";
import { closing } from "../../../support/closing.ts";
import { declined, openFakeSupplier, silent, vended } from "../../../support/fake-supplier.ts";

const supplier = openFakeSupplier("first");
const app = closing(await startApp({ suppliers: [supplier] }));
const zone = wallTime("Africa/Lagos");
const weekMs = 7 * 86_400_000;
const servicesAt = (now: number) => ({
  database: app.services.database,
  wallTime: zone,
  clock: { now: () => now },
});
let references = 0;

async function sell(): Promise<number> {
  references += 1;
  const body = { product_id: 1002, phone: "08031234567", reference: `day-${references}` };
  await app.call(app.merchant.liveKey, "/data/purchase", { body });
  const { rows } = await app.fresh.pool.query("select purchased_at as at from purchases order by id desc limit 1");
  return rows[0].at.getTime();
}

test("a day is compared with the same weekday before until the same time, and with nothing of its evening", async () => {
  const at = await sell();
  supplier.answer = declined;
  await sell();
  supplier.answer = vended;
  const present = await readSelling(servicesAt(Date.now()));
  expect(present.today).toMatchObject({ sold: 1n, failed: 1n, sales: 64_000n, cost: 57_600n });
  expect([successOf(present.today), present.before]).toEqual([50, null]);
  const hour = zone.format(at).slice(11, 13);
  expect(present.hours.find((each) => each.hour === hour)?.today).toMatchObject({ sold: 1n });

  expect((await readSelling(servicesAt(at + weekMs - 1_000))).before).toBeNull();
  const after = await readSelling(servicesAt(at + weekMs + 1_000));
  expect([after.today.sold, after.before?.sold]).toEqual([0n, 1n]);
  expect(after.hours.find((each) => each.hour === hour)?.before).toMatchObject({ sold: 1n });
  // Hours that are still to come are drawn for last week alone.
  expect(after.hours.filter((each) => each.today === null).every((each) => each.hour > hour)).toBe(true);
});

test("a balance lasts as many hours as it pays at the pace of the last three, and what is stuck is counted by its age", async () => {
  supplier.answer = silent;
  const at = await sell();
  await app.fresh.pool.query(
    `insert into supplier_balances (supplier, balance, currency, reported_at) values ('first', 600000, 'NGN', now())`,
  );
  const hourStart = Math.floor(at / 3_600_000) * 3_600_000;
  await app.fresh.pool.query("delete from supplier_category_hours");
  await app.fresh.pool.query(
    `insert into supplier_category_hours (supplier, hour, category, vended, declined, unknown, cost, answers)
     values ('first', $1, 'data', 9, 1, 0, 300000, '{}'), ('first', $2, 'data', 1, 0, 0, 900000, '{}')`,
    [new Date(hourStart - 3_600_000), new Date(hourStart - 5 * 3_600_000)],
  );
  // Half an hour into the third hour: 3,000 naira in two and a half hours, 6,000 left.
  const risk = await readMoneyAtRisk(servicesAt(hourStart + 1_800_000));
  expect(risk.suppliers).toMatchObject([{ supplier: "first", vended: 10, declined: 1, hoursLeft: 5, isLow: false }]);
  expect(risk.pending).toMatchObject({ count: 1, total: 64_000n });
  expect(risk.stuck).toBe(0);
  const later = await readMoneyAtRisk(servicesAt(at + 3_661_000));
  expect([later.stuck, later.review.count]).toEqual([1, 0]);
});
