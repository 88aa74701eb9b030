import { expect, test } from "vitest";
import { creditLines } from "../../../../src/domain/funding/statements/credit-lines.ts";
import { setLineAside } from "../../../../src/domain/funding/statements/set-aside.ts";
import { findProviderClearing } from "../../../../src/domain/funding/statements/settlement-queries.ts";
import { clearingText, setLineSettlement } from "../../../../src/domain/funding/statements/settlements.ts";
import { sumFloat } from "../../../../src/domain/history/reports/queries.ts";
import { invariants } from "../../../../src/domain/wallet/invariants.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { clock, startApp } from "../../../support/app.ts";
import { daysAgo } from "../../../support/bank-statement.ts";
import { closing } from "../../../support/closing.ts";
import { importLines } from "../../../support/payments/kept-lines.ts";
import { enterProvider, keep } from "../../../support/payments/kept-payments.ts";

const app = closing(await startApp());
const { database } = app.services;
const { pool } = app.fresh;
const ada = { id: null, name: "Ada", email: null };
await enterProvider(app);
await enterProvider(app, "flutterwave");
// ₦1,000.00 came to paystack, which keeps ₦10.00 of it.
await keep(app, "T1", { merchantId: app.merchant.id, amount: 100_000n, fee: 1_000n });

const settlement = (number: number, provider: string | null) => setLineSettlement(database, ada, { number, provider });
const holding = async (provider: string) => (await findProviderClearing(database, provider)).holding;
const came = (reference: string, amount: string) => ({ narration: `SETTLEMENT ${reference}`, amount, reference });

test("a settlement moves its line's amount from the provider to the bank, once, whatever files have the line", async () => {
  const first = came("SET/0001", "600.00");
  const [number = 0] = await importLines(app, [first]);
  expect(await holding("paystack")).toBe(99_000n);
  const all = await Promise.allSettled([settlement(number, "paystack"), settlement(number, "paystack")]);
  expect(all.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await holding("paystack")).toBe(39_000n);
  // A file that overlaps brings what is new alone.
  const others = await importLines(app, [first, came("SET/0002", "100.00")]);
  expect(others).toHaveLength(1);
  expect((await pool.query("select settlement_of from statement_lines where number = $1", [number])).rows).toEqual([
    { settlement_of: "paystack" },
  ]);
  await expect(settlement(number, "flutterwave")).rejects.toThrow(/is a settlement of paystack already/);
  await expect(setLineAside(database, ada, { number, because: "ours" })).rejects.toThrow(/a settlement of paystack/);
  const services = {
    database,
    clock,
    creditAloneMax: kobo(1_000_000n),
    openChanges: () => Promise.reject(new Error()),
  };
  const asCredit = [{ number, merchantId: app.merchant.id, announcement: null }];
  await expect(creditLines(services, ada, asCredit)).rejects.toThrow(/was credited or set aside/);
  await expect(settlement(others[0] ?? 0, "nobody")).rejects.toMatchObject({
    detail: { errors: { provider: ["There is no such payment provider."] } },
  });
  expect(await holding("paystack")).toBe(39_000n);
  await app.checkBooks();
});

test("the float and the provider have what is still to come, and what was settled last", async () => {
  const { moneyIn } = await sumFloat(database, "live");
  expect(moneyIn.providers).toMatchObject([
    { provider: "flutterwave", holding: 0n, last: null },
    { provider: "paystack", holding: 39_000n, last: { amount: 60_000n, at: Date.parse(`${daysAgo(1)}T12:00:00Z`) } },
  ]);
  const clearing = await findProviderClearing(database, "paystack");
  expect(clearing.last).toMatchObject({ amount: 60_000n, paidOn: daysAgo(1) });
  expect(clearingText("paystack", clearing)).toBe("paystack still holds ₦390.00.");
});

test("more than the provider held is booked and shown as a difference, and a mistaken settlement is taken back", async () => {
  const [number = 0] = await importLines(app, [came("SET/0003", "500.00")]);
  await settlement(number, "flutterwave");
  const clearing = await findProviderClearing(database, "flutterwave");
  expect(clearingText("flutterwave", clearing)).toBe("flutterwave paid ₦500.00 more than our books say it held.");
  await app.checkBooks();
  await settlement(number, null);
  expect(await findProviderClearing(database, "flutterwave")).toEqual({ holding: 0n, last: null });
  await expect(settlement(number, null)).rejects.toThrow(/is no settlement/);
  await settlement(number, "paystack");
  expect(await holding("paystack")).toBe(-11_000n);
  await app.checkBooks();
});

test("a settlement without its entry, and an entry without its settlement, break the books", async () => {
  const broken = async (text: string) => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("set local session_replication_role = replica");
      await client.query(text);
      const query = invariants.find(({ name }) => name === "15_settlements")?.text ?? "";
      return (await client.query(query)).rows.length;
    } finally {
      await client.query("rollback");
      client.release();
    }
  };
  expect(await broken("select 1")).toBe(0);
  expect(await broken("update statement_lines set settlement_of = null, ended_by = null, ended_at = null")).toBe(2);
  expect(await broken("update statement_lines set settlement_of = 'flutterwave' where settlement_of is not null")).toBe(
    4,
  );
  expect(await broken("delete from funding_entries where line_number is not null")).toBe(2);
});
