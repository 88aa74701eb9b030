import { expect, test } from "vitest";
import { type Search, searchPurchases } from "../../../../src/domain/history/search/search.ts";
import { listEntriesOf } from "../../../../src/domain/purchases/buying/legacy-queries.ts";
import type { MerchantId } from "../../../../src/kernel/ids.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { openDatabase, openPool } from "../../../../src/platform/database/database.ts";
import { requestIdFor } from "../../../../src/providers/vtpass/request-id.ts";
import { closing } from "../../../support/closing.ts";
import { freshDatabase } from "../../../support/database.ts";
import { testTransactionIds } from "../../../support/transaction-ids.ts";

/** Half of them live, half sandbox, over forty days and a hundred merchants. */
const purchases = 200_000;
const merchants = 100;
const now = Date.UTC(2026, 10, 20, 12);
const ids = testTransactionIds;

const fresh = closing(await freshDatabase());
const options = { connectionString: fresh.url, connectionsMax: 1, applicationName: "search" };
const database = closing(openDatabase(openPool({ ...options, plans: "ordinary" })));
await fresh.pool.query(
  `insert into merchants (name, email) select 'Shop ' || n, 'shop@example.ng' from generate_series(1, $1::integer) n`,
  [merchants],
);
await fresh.pool.query(
  `insert into purchases (wallet_id, id, reference, number, fingerprint, channel, status, product_id,
                          customer_ref, phone, quantity, unit_amount, face_amount, fee, total, balance_before,
                          supplier, provider_reference, purchased_at, completed_at, limit_day)
   select case n % 2 when 0 then m else -m end, id, 'ref-' || n, n,
          '00000000-0000-0000-0000-000000000000', 'api', 'successful', 1002,
          '0803' || lpad((n % 50000)::text, 7, '0'), '0803' || lpad((n % 50000)::text, 7, '0'), 1, 10000, 10000, 0,
          case n when $1::integer then 777 else 10000 end, 1000000,
          case n % 2 when 0 then 'first' end, 'P-' || n, made, made, made::date
     from (
            select n, 1 + (n / 2) % $2::integer as m, to_timestamp(ms / 1000.0) as made,
                   ((ms - 1577836800000) << 22) + n % 4096 as id
              from (
                     select n, $3::bigint - ($1::integer - n)::bigint * 40 * 86400000 / $1::integer as ms
                       from generate_series(1, $1::integer) n
                   ) timed
          ) numbered`,
  [purchases, merchants, now],
);
await fresh.pool.query(
  `insert into vend_attempts (wallet_id, purchase_id, attempt, supplier, supplier_reference, verdict,
                              evidence, provider_reference)
   select wallet_id, id, 1, 'first', 'ours', 'vended', '', provider_reference
     from purchases
    where wallet_id > 0`,
);
await fresh.pool.query(
  `insert into wallets (wallet_id, seq, purchase_number, purchase_count)
   select 1, $1::integer / $2::integer, $1::integer / $2::integer, 0`,
  [purchases, merchants],
);
await fresh.pool.query("analyze");

const nothing: Search = {
  mode: "live",
  reference: null,
  transactionId: null,
  customer: null,
  supplierReference: null,
  merchantId: null,
  supplier: null,
  status: null,
  amount: null,
  from: null,
  before: null,
};
const find = (search: Partial<Search>) =>
  searchPurchases({ database, transactionIds: ids, clock: { now: () => now } }, { ...nothing, ...search }, 50);

/** Rows of a table that were read, by its indexes and from its first row to its last. */
async function rowsRead(table: string, act: () => Promise<unknown>): Promise<{ indexed: number; scanned: number }> {
  const look = async () => {
    await database.query({ name: "hand_in_counts", text: "select pg_stat_force_next_flush()" });
    const text = `select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = $1)::float8 as indexed,
                         (select seq_tup_read from pg_stat_user_tables where relname = $1)::float8 as scanned`;
    const [row] = await database.query<{ indexed: number; scanned: number }>({ name: "rows_read", text }, [table]);
    return row!;
  };
  const before = await look();
  await act();
  const after = await look();
  return { indexed: after.indexed - before.indexed, scanned: after.scanned - before.scanned };
}

const sevenDays = (purchases * 7) / 40 / 2;
const number = `0803${"1234".padStart(7, "0")}`;

test.each([
  ["reference", { reference: "ref-100000" }, 1, 50],
  ["reference in sandbox", { mode: "test", reference: "ref-100001" }, 1, 50],
  ["everything, newest first", {}, 50, 200],
  ["everything in sandbox", { mode: "test" }, 50, 30_000],
  ["one merchant", { merchantId: 7 as MerchantId }, 50, 200],
  ["one merchant in sandbox", { mode: "test", merchantId: 7 as MerchantId }, 50, 200],
  ["customer number", { customer: number }, 4, 500],
  ["customer number in sandbox", { mode: "test", customer: `0803${"1235".padStart(7, "0")}` }, 4, 500],
  ["customer number of one merchant", { customer: number, merchantId: 18 as MerchantId }, 4, 100],
  ["what is pending", { status: "pending" }, 0, 10],
  ["amount, within seven days", { amount: kobo(777n) }, 1, sevenDays * 1.2],
  ["status, within seven days", { status: "failed" }, 0, sevenDays * 1.2],
  ["status in sandbox, within seven days", { mode: "test", status: "failed" }, 0, sevenDays * 1.2],
  ["status of one merchant", { status: "failed", merchantId: 7 as MerchantId }, 0, (sevenDays / merchants) * 1.5],
  ["a supplier's own name", { supplierReference: "P-199998" }, 1, 50],
] as const)(
  "of 200,000 purchases, a search by %s reads what it shows or a time, and never all",
  async (_key, search, found, most) => {
    let count = 0;
    const read = await rowsRead("purchases", async () => {
      count = (await find(search)).purchases.length;
    });
    expect([count, read.scanned]).toEqual([found, 0]);
    expect(read.indexed).toBeLessThanOrEqual(most);
  },
);

test("a supplier's own name reads the attempts of seven days, and no others", async () => {
  const read = await rowsRead("vend_attempts", () => find({ supplierReference: "P-199998" }));
  expect(read.scanned).toBe(0);
  expect(read.indexed).toBeLessThanOrEqual(sevenDays * 1.2);
});

test("a transaction id reads its own row", async () => {
  const [row] = (
    await fresh.pool.query(
      "select id, case when wallet_id > 0 then 'live' else 'test' end as mode from purchases where reference = 'ref-5001'",
    )
  ).rows;
  for (const mode of ["live", "test"] as const) {
    const transactionId = ids.format(BigInt(row.id) as never, mode);
    const read = await rowsRead("purchases", async () => {
      expect((await find({ mode, transactionId })).purchases).toHaveLength(mode === row.mode ? 1 : 0);
    });
    expect(read.scanned).toBe(0);
    expect(read.indexed).toBeLessThan(100);
  }
});

test("what VTpass calls an attempt, derived from our name for it, leads to its purchase, however old", async () => {
  const [row] = (await fresh.pool.query("select id from purchases where reference = 'ref-5000'")).rows;
  const ours = `${ids.format(BigInt(row.id) as never, "live")}-1`;
  for (const supplierReference of [ours, requestIdFor(ours)]) {
    const { purchases, searchedFrom } = await find({ supplierReference });
    expect([purchases.map(({ reference }) => reference), searchedFrom]).toEqual([["ref-5000"], null]);
  }
});

test("the charge of an old purchase is found in a few steps of the ledger", async () => {
  const wallet = { merchantId: 1, mode: "live" } as never;
  await fresh.pool.query(
    "update purchases set number = n.number from (select id, row_number() over (order by id) as number from purchases where wallet_id = 1) n where purchases.id = n.id and wallet_id = 1",
  );
  await fresh.pool.query(
    `insert into ledger_entries (wallet_id, seq, kind, debit_account, credit_account, amount, delta,
                                 balance_after, purchase_id)
     select 1, number, 'purchase', 'wallet', 'clearing', total, -total, 5, id
       from purchases
      where wallet_id = 1`,
  );
  await fresh.pool.query("analyze ledger_entries");
  const { rows } = await fresh.pool.query("select id, number from purchases where wallet_id = 1 and number = 17");
  const purchase = { wallet, id: BigInt(rows[0].id) as never, number: 17n };
  const read = await rowsRead("ledger_entries", async () => {
    expect(await listEntriesOf(database, purchase)).toMatchObject([{ seq: 17n, kind: "purchase" }]);
  });
  expect(read.scanned).toBe(0);
  expect(read.indexed).toBeLessThan(20);
});
