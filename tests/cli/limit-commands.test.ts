import { expect, test } from "vitest";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { untilFelt } from "../support/felt-change.ts";
import { operate } from "../support/operate.ts";
import { expectProblem } from "../support/wire-expectations.ts";

let references = 0;

// Airtime costs a little less than its face value: amounts here are far enough from every limit.
const app = closing(await startApp({ suppliers: [openFakeSupplier()] }));
const key = app.merchant.liveKey ?? "";
const merchant = `mer_${app.merchant.id}`;

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url });

function buy(amount: number): Promise<Answer> {
  references += 1;
  const body = { reference: `limit-${references}`, network: "MTN", phone: "08031234567", amount };
  return app.call(key, "/airtime/purchase", { body });
}

/** Not often: each that is bought meanwhile counts against the day's limit. */
function untilReported(code: number | string): Promise<Answer> {
  return untilFelt(
    () => buy(20_000),
    ({ status, body }) => status === code || body.code === code,
    200,
  );
}

test("tiers begin with the limits that a merchant can count on", async () => {
  const { lines } = await run("limit-tier", "list", "--json");
  expect(lines).toEqual([
    { tier: 1, per_transaction: "50000.00", per_day: "200000.00", merchants: 1, updated_at: expect.any(String) },
    { tier: 2, per_transaction: "200000.00", per_day: "2000000.00", merchants: 0, updated_at: expect.any(String) },
    { tier: 3, per_transaction: "1000000.00", per_day: "20000000.00", merchants: 0, updated_at: expect.any(String) },
  ]);
  expect((await run("limit-tier", "list")).out).toMatch(/│ 1 +│ 50000\.00 +│ 200000\.00 +│ 1 +│/);
});

test("a tier's new limits, and another tier's, are a merchant's within a second", async () => {
  expect((await buy(20_000)).status).toBe(201);
  const lower = await run("limit-tier", "set", "1", "--per-transaction", "10000.00", "--json");
  expect(lower.lines).toEqual([{ tier: 1, per_transaction: "10000.00", per_day: "200000.00" }]);
  const meta = { limit: "10000.00", used: "0.00", resets_at: null, amount: expect.any(String) };
  expectProblem(await untilReported("TRANSACTION_LIMIT_EXCEEDED"), 403, "TRANSACTION_LIMIT_EXCEEDED", { meta });

  expect((await run("set-limit-tier", merchant, "2")).out).toBe(`${merchant} is in limit tier 2.\n`);
  await untilReported(201);
  expect((await run("set-limit-tier", merchant, "2", "--json")).lines).toMatchObject([{ changed: false }]);
  expect((await run("merchants", "--json")).lines).toMatchObject([{ limit_tier: 2 }]);

  // What was bought today counts against the new limit.
  const both = ["--per-transaction", "20000.00", "--per-day", "30000.00"];
  expect((await run("limit-tier", "set", "2", ...both)).out).toBe(
    "Limit tier 2 may spend 20000.00 at once and 30000.00 a day now.\n",
  );
  const { body } = await untilReported("DAILY_LIMIT_EXCEEDED");
  expect(body.meta.limit).toBe("30000.00");
  await run("limit-tier", "set", "2", "--per-day", "2000000.00");
  await untilReported(201);
  const { lines } = await run("audit", "list", "--json");
  expect(lines.map(({ command }) => command)).toEqual([
    "limit-tier set",
    "set-limit-tier",
    "set-limit-tier",
    "limit-tier set",
    "limit-tier set",
  ]);
});

test.each([
  [["limit-tier", "set", "1"], /^Say which limit: --per-transaction, --per-day or both\.\n$/],
  [["limit-tier", "set", "1", "--per-day", "0.00"], /It must be an amount in naira/],
  [["limit-tier", "set", "3", "--per-day", "1.00"], /^per_day: The day's limit must be at least that of one trans/],
  [["limit-tier", "set", "3", "--per-day", "99999999999.00"], /It must be an amount in naira/],
  [["limit-tier", "set", "4", "--per-day", "1.00"], /^There is no limit tier 4\.\n$/],
  [["limit-tier", "set", "10", "--per-day", "1.00"], /It must be a whole number from 1 to 9/],
  [["set-limit-tier", "mer_999999", "2"], /^There is no merchant mer_999999\.\n$/],
  [["set-limit-tier", merchant, "4"], /^There is no limit tier 4\.\n$/],
  [["set-limit-tier", "mer_1", "0"], /It must be a whole number from 1 to 9/],
])("%j is refused with a reason", async (words, reason) => {
  const before = (await run("limit-tier", "list", "--json")).lines;
  const { code, error } = await run(...words);
  expect([code, error]).toEqual([1, expect.stringMatching(reason)]);
  expect((await run("limit-tier", "list", "--json")).lines).toEqual(before);
});
