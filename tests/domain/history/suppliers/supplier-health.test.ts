import { expect, test } from "vitest";
import { saidIn } from "../../../../src/domain/history/suppliers/declines.ts";
import { readSupplierHealth } from "../../../../src/domain/history/suppliers/supplier-health.ts";
import { answerBoundsMs, boundOf } from "../../../../src/domain/suppliers/routing/answer-times.ts";
import { wallTime } from "../../../../src/kernel/clock.ts";
import { openDatabase, openPool } from "../../../../src/platform/database/database.ts";
import { closing } from "../../../support/closing.ts";
import { stockedDatabase } from "../../../support/database.ts";

const fresh = closing(await stockedDatabase());
const options = { connectionString: fresh.url, connectionsMax: 2, applicationName: "health" };
const database = closing(openDatabase(openPool({ ...options, plans: "ordinary" })));
const now = Date.parse("2026-11-27T10:20:00+01:00");
const services = { database, clock: { now: () => now }, wallTime: wallTime("Africa/Lagos") };

test("hours are the zone's, the present one last; what is older is in no cell and in no sum", async () => {
  await fresh.pool.query("insert into suppliers (name, connector) values ('bank', 'bank'), ('other', 'bank')");
  const add = (supplier: string, hour: string, category: string, [vended, declined]: readonly [number, number]) =>
    fresh.pool.query("insert into supplier_category_hours values ($1, $2, $3, $4, $5, 0, 900, '{}')", [
      ...[supplier, hour, category, vended, declined],
    ]);
  await add("bank", "2026-11-27T10:00:00+01:00", "data", [3, 1]);
  await add("bank", "2026-11-26T11:00:00+01:00", "airtime", [5, 0]);
  await add("bank", "2026-11-26T10:00:00+01:00", "data", [70, 0]);
  await add("other", "2026-11-27T10:00:00+01:00", "data", [6_000, 0]);

  const hours = await readSupplierHealth(services, "bank");
  expect([hours.slots.length, hours.slots[0], hours.slots.at(-1)]).toEqual([24, "11", "10"]);
  expect(hours.total).toMatchObject({ vended: 8, declined: 1, cost: 1_800n, p50: null });
  expect(hours.categories.map(({ category, slots }) => [category, slots[0]?.vended, slots.at(-1)?.vended])).toEqual([
    ["airtime", 5, undefined],
    ["data", undefined, 3],
  ]);
});

test("an answer counts under the bound that it reached, and under the last one when it took longer", () => {
  expect([1, 50, 51, 400, 39_999, 90_000].map((ms) => answerBoundsMs[boundOf(ms)])).toEqual([
    ...[50, 50, 75, 400, 40_000, 40_000],
  ]);
});

test.each([
  ['POST /pay {"code":"mine"} -> 200 {"code":"016","response_description":"FAILED"} (12 ms)', "016", "FAILED"],
  ['GET /q -> 200 {"statuscode":"417","status":"INSUFFICIENT_BALANCE"} (9 ms)', "417", "INSUFFICIENT_BALANCE"],
  ['POST /t -> 400 {"errorCode":"PHONE_RECENTLY","message":"Say \\"no\\""} (1 ms)', "PHONE_RECENTLY", 'Say "no"'],
  ['POST /t -> 200 {"code":"E-1","message":"cut in the mid', "E-1", "cut in the mid"],
  ["RC 99: BACKEND SAYS NO", null, "RC 99: BACKEND SAYS NO"],
  ['POST /t -> 502 12 characters, not JSON: "Bad gateway" (3 ms)', null, '502 12 characters, not JSON: "Bad gateway"'],
])("%s is told by the supplier's own code and words", (evidence, code, words) => {
  expect(saidIn(evidence)).toEqual({ code, words });
});
