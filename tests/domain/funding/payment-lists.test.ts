import { expect, test } from "vitest";
import {
  type ListedPayment,
  listPaymentNumbers,
  listPayments,
  numberMax,
  type PaymentFilter,
} from "../../../src/domain/funding/listed-payment-queries.ts";
import { findPaymentRisks, listSilentProviders } from "../../../src/domain/funding/payment-risk-queries.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { openDatabase, openPool } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";
import { rowsRead, vacuumWhole } from "../../support/rows-read.ts";

// One payment a minute for three weeks: 30,000. Each 3,000th is nobody's, the next one never became money, the next one was
// taken back, the next one is not verified.
const fresh = await freshDatabase();
const { pool } = fresh;
const options = { connectionString: fresh.url, connectionsMax: 1, applicationName: "test", plans: "ordinary" } as const;
const database = openDatabase(openPool(options));
closing({
  async close() {
    await database.close();
    await fresh.drop();
  },
});
const count = 30_000;
const minuteMs = 60_000;
const now = Date.now();
await pool.query(
  "insert into merchants (id, name, email) overriding system value values (1, 'One', 'a@b.c'), (2, 'Two', 'a@b.d')",
);
await pool.query("insert into wallets (wallet_id, debt) values (1, 500), (2, 0)");
await pool.query(
  "insert into payment_providers (name, connector) values ('first', 'paystack'), ('second', 'paystack')",
);
await pool.query(
  `insert into payments (provider, payment_id, heard_by, heard_at, state, due_at, amount, fee, credited, paid_at, sender,
                         taken_back, wallet_id, entry_seq, credited_at)
   select case when n % 2 = 0 then 'first' else 'second' end, 'T' || n, 'event', $1::timestamptz - ($2 - n) * interval '1 minute',
          k.state, case when k.state = 'heard' then now() end,
          v.amount, 0 * v.amount, v.amount, case when v.amount > 0 then now() end,
          case when v.amount > 0 then jsonb_build_object('name', 'Sender ' || n % 1500, 'sessionId', 'S' || n) end,
          case when n % 3000 = 2 then 100 else 0 end,
          c.wallet_id, c.wallet_id + n - n % 2, case when c.wallet_id > 0 then now() end
     from generate_series(1, $2::integer) as n
    cross join lateral (
            select case n % 3000 when 0 then 'unmatched' when 1 then 'refused' when 3 then 'heard' else 'credited' end as state
          ) k
    cross join lateral (select case when k.state in ('credited', 'unmatched') then 100 end as amount) v
    cross join lateral (select case when k.state = 'credited' then 1 + (n % 100 > 0)::integer end as wallet_id) c`,
  [new Date(now), count],
);
await vacuumWhole(pool, "payments");

/** Rows read by reading the table from its beginning, which `rowsRead` does not count. */
async function rowsScanned(): Promise<number> {
  await database.query({ name: "hand_in_counts", text: "select pg_stat_force_next_flush()" });
  const text = "select seq_tup_read::float8 as rows from pg_stat_user_tables where relname = 'payments'";
  return (await database.query<{ rows: number }>({ name: "count_rows_scanned", text }))[0]!.rows;
}
const scannedBefore = await rowsScanned();

const everything: PaymentFilter = {
  ...{ provider: null, merchantId: null, state: null, wasTakenBack: null, isOwed: false, isContradicted: false },
  ...{ from: null, before: null, numbers: null },
};
const limit = 51;
const list = (filter: Partial<PaymentFilter>, below = numberMax) =>
  listPayments(database, { ...everything, ...filter }, { below, limit });

test("a page of each filter reads a few rows of 30,000, whatever it asks for", async () => {
  const day = (days: number) => now - days * 1_440 * minuteMs;
  for (const [name, filter, found] of [
    ["all", {}, 51],
    ["provider", { provider: "second" }, 51],
    ["unmatched", { state: "unmatched", wasTakenBack: false }, 10],
    ["refused", { state: "refused", wasTakenBack: false }, 10],
    ["heard", { state: "heard", wasTakenBack: false }, 10],
    ["taken back", { wasTakenBack: true }, 10],
    ["owed", { wasTakenBack: true, isOwed: true }, 0],
    ["merchant", { merchantId: 1 as MerchantId }, 51],
    ["old days", { from: day(15), before: day(14) }, 51],
    ["old days of one provider", { from: day(15), before: day(14), provider: "first" }, 51],
    ["days before the first", { from: day(60), before: day(50) }, 0],
  ] as const) {
    let rows: readonly ListedPayment[] = [];
    const read = await rowsRead(database, "payments", async () => {
      rows = await list(filter);
    });
    expect([name, rows.length]).toEqual([name, found]);
    expect(rows.map(({ number }) => number)).toEqual(rows.map(({ number }) => number).toSorted((a, b) => b - a));
    if ("from" in filter)
      for (const { receivedAt } of rows) expect(receivedAt >= filter.from && receivedAt < filter.before).toBe(true);
    // A thousand numbers stand on each side of days, and a merchant has 300 of these.
    expect([name, read < 2_500], `${name} read ${read}`).toEqual([name, true]);
  }
  const [first] = await list({ state: "unmatched" });
  expect((await list({ state: "unmatched" }, first!.number)).map(({ number }) => number)).not.toContain(first!.number);
});

test("a search reads what it finds alone, and of a name with many senders no more than a thousand", async () => {
  for (const [text, found] of [
    ["pay_17", 1],
    ["17", 1],
    ["T1234", 1],
    ["S1234", 1],
    ["sender 7", 1_000],
    ["sender 1499", 20],
    ["SENDER 1499", 20],
    ["send%r", 0],
    ["se", 0],
  ] as const) {
    let numbers: readonly number[] = [];
    const read = await rowsRead(database, "payments", async () => {
      numbers = await listPaymentNumbers(database, text);
    });
    expect([text, numbers.length, read < 2_500]).toEqual([text, found, true]);
  }
});

test("what needs a person is counted by its own few rows", async () => {
  const read = await rowsRead(database, "payments", async () => {
    expect(await findPaymentRisks(database, now - 3_600_000)).toMatchObject({
      unmatched: { count: 10, total: 1_000n },
      unverified: { count: 10 },
      debts: { merchants: 1, total: 500n },
    });
  });
  expect(read).toBeLessThan(1_000);
});

test("nothing of it read the table from its beginning", async () => {
  expect((await rowsScanned()) - scannedBefore).toBe(0);
});

test("a provider is silent once it told nothing for two hours and three times its longest silence", async () => {
  const at = (minutes: number) => listSilentProviders(database, now + minutes * minuteMs);
  let silent: Awaited<ReturnType<typeof at>> = [];
  const read = await rowsRead(database, "payments", async () => {
    silent = await at(191);
  });
  // From hour to hour: an event each other minute is an hour's silence at most, to the hour.
  expect(silent.map(({ provider, usualMs }) => [provider, usualMs <= 61 * minuteMs])).toEqual([
    ["first", true],
    ["second", true],
  ]);
  expect(read).toBeLessThan(2_500);
  expect(await at(0)).toEqual([]);
  expect(await at(119)).toEqual([]);
  await pool.query("update payment_providers set state = 'disabled' where name = 'second'");
  // A night of ten hours is usual then.
  await pool.query("delete from payments where provider = 'first' and heard_at between $1 and $2", [
    ...[new Date(now - 20 * 60 * minuteMs), new Date(now - 10 * 60 * minuteMs)],
  ]);
  expect(await at(25 * 60)).toEqual([]);
  expect((await at(36 * 60)).map(({ provider }) => provider)).toEqual(["first"]);
  // What its list alone tells is no event, and one event is no habit.
  await pool.query(
    "update payments set heard_by = 'list' where provider = 'first' and number <> (select max(number) from payments where provider = 'first')",
  );
  expect(await at(36 * 60)).toEqual([]);
});
