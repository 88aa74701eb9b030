import { expect, test } from "vitest";
import { listPurchaseDays, updatePurchaseCounts } from "../../../../src/domain/history/lists/count-queries.ts";
import { listPage, noFilter } from "../../../../src/domain/history/lists/list.ts";
import type { PurchaseFilter } from "../../../../src/domain/history/lists/list-queries.ts";
import { partsAmong, seek } from "../../../../src/domain/history/lists/seek.ts";
import type { PurchaseTerms } from "../../../../src/domain/purchases/purchase.ts";
import { insertPurchases, type NewPurchase } from "../../../../src/domain/purchases/queries.ts";
import {
  firstPurchaseIdAt,
  type ProductId,
  type PurchaseId,
  purchaseIdMinter,
  type Reference,
  walletIdOf,
} from "../../../../src/kernel/ids.ts";
import { statement } from "../../../../src/platform/database/database.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { testTransactionIds } from "../../../support/transaction-ids.ts";
import { fundedWallet, newPurchase, walletKey } from "../../../support/wallet.ts";

const wallet = walletKey(1, "test");
const start = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
const perDay = 50;
const days = 120;
const perPage = 20;

/** A purchase every half an hour for four months, of which each filter means a few. */
function history(): NewPurchase[] {
  return Array.from({ length: perDay * days }, (_, n) => {
    const id = purchaseIdMinter({ now: () => start + Math.floor((n * dayMs) / perDay) }, 1)();
    const vended = n === 1_000 ? null : { providerReference: null, fulfilment: null };
    return newPurchase(wallet, `r-${n}`, { id, vended, ...termsOf(n) });
  });
}

function termsOf(n: number): Partial<PurchaseTerms> {
  const [phone, customerRef] = [`0803${String(n % 1_000).padStart(7, "0")}`, `meter-${n % 700}`];
  const productId = (n % 997 === 5 ? 2_000 : 1_000) as ProductId;
  const terms = { phone, customerRef: n % 3 === 0 ? customerRef : phone, productId };
  if (n % 1_201 === 7) return { ...terms, channel: "legacy" };
  if (n < 3_000 || n >= 3_030) return terms;
  return { ...terms, channel: "bulk", bulk: { reference: "order" as Reference, line: n - 3_000 } };
}

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 1, plans: "ordinary" }));
await fundedWallet(database, wallet, 10_000_000_000n);
await insertPurchases(database, history(), "2026-05-01");
const everything = firstPurchaseIdAt(start + 2 * days * dayMs);
await updatePurchaseCounts(database, walletIdOf(wallet), everything, perDay * days);

const findReads = statement(
  "find_reads",
  `select i.relname as index, pg_stat_get_xact_tuples_returned(i.oid) as rows
     from pg_class i
     join pg_index x on x.indexrelid = i.oid
     join pg_class t on t.oid = x.indrelid
    where t.relname = 'purchases' and pg_stat_get_xact_numscans(i.oid) > 0
    union all
   select 'everything', pg_stat_get_xact_tuples_returned(t.oid)
     from pg_class t
    where t.relname = 'purchases' and pg_stat_get_xact_numscans(t.oid) > 0`,
);

// What the connection has read before is told to the server, so that it is not counted among what comes.
const flushReads = statement("flush_reads", "select pg_stat_force_next_flush()");

/** Which indexes of purchases a page reads, and how many of their entries. */
async function readsOf(filter: Partial<PurchaseFilter>, page = 1) {
  await database.query(flushReads);
  return database.transaction(async (tx) => {
    const reader = { ...database, query: tx.query };
    const { meta, purchases } = await listPage(reader, wallet, { ...noFilter, ...filter }, { page, perPage });
    const reads = await tx.query<{ index: string; rows: bigint }>(findReads);
    const rows = reads.reduce((sum, read) => sum + Number(read.rows), 0);
    return { total: meta.total, shown: purchases.length, indexes: reads.map((read) => read.index).sort(), rows };
  });
}

const byId = ["purchases_pkey"];
const byCustomer = ["purchases_by_customer", "purchases_pkey"];
const byPhone = ["purchases_by_customer", "purchases_by_phone", "purchases_pkey"];
const at = (day: number): PurchaseId => firstPurchaseIdAt(start + day * dayMs);

const cases: readonly [string, Partial<PurchaseFilter>, { indexes: string[]; total: number; rowsMax: number }][] = [
  ["nothing", {}, { indexes: byId, total: 6_000, rowsMax: 20 }],
  ["time", { fromId: at(10), beforeId: at(20) }, { indexes: byId, total: 500, rowsMax: 2 * perDay + 20 }],
  ["status", { status: "successful" }, { indexes: byId, total: 5_999, rowsMax: 2 * perPage }],
  ["rare product", { productIds: [2_000] }, { indexes: byId, total: 7, rowsMax: 21 }],
  ["rare channel", { channel: "legacy" }, { indexes: byId, total: 5, rowsMax: 15 }],
  ["no such channel", { channel: "dashboard" }, { indexes: byId, total: 0, rowsMax: 2 }],
  ["customer", { customerRef: "meter-3" }, { indexes: byCustomer, total: 3, rowsMax: 13 }],
  ["phone", { phone: "08030000004" }, { indexes: byPhone, total: 6, rowsMax: 24 }],
  ["phone, status", { phone: "08030000004", status: "failed" }, { indexes: byPhone, total: 0, rowsMax: 16 }],
  ["pending", { status: "pending" }, { indexes: byId, total: 1, rowsMax: 2 }],
  ["reference", { reference: "r-77" as Reference }, { indexes: ["purchases_reference_once"], total: 1, rowsMax: 1 }],
  ["bulk order", { bulkReference: "order" }, { indexes: ["purchases_by_bulk_order"], total: 30, rowsMax: 60 }],
];

test.each(["before", "after"])("no filter reads more than it shows and counts, %s the first analyze", async (when) => {
  if (when === "after") await fresh.pool.query("analyze");
  for (const [name, filter, { indexes, total, rowsMax }] of cases) {
    const reads = await readsOf(filter);
    expect(reads, name).toMatchObject({ indexes, total, shown: Math.min(total, perPage) });
    expect(reads.rows, name).toBeLessThanOrEqual(rowsMax);
  }
});

test("a deep page of a filter skips the days before it by their counts", async () => {
  const reads = await readsOf({ productIds: [1_000] }, 200);
  expect(reads.shown).toBe(perPage);
  expect(reads.rows).toBeLessThanOrEqual(2 * perDay + perPage);
});

test("a customer's purchases are read no further than they are to be counted", async () => {
  const shop = await fundedWallet(database, walletKey(4, "test"), 10_000_000_000n);
  const customer = { phone: "08035550000", customerRef: "08035550000" };
  const made = (nth: number) => purchaseIdMinter({ now: () => start + nth }, 1)();
  const theirs = Array.from({ length: 3_000 }, (_, n) => newPurchase(shop, `one-${n}`, { id: made(n), ...customer }));
  await insertPurchases(database, theirs, "2026-05-01");
  for (const [name, filter] of Object.entries({
    customer: { customerRef: customer.phone },
    phone: { phone: customer.phone },
  })) {
    const ask = (countMax?: number) =>
      listPage(database, shop, { ...noFilter, ...filter }, { page: 1, perPage, countMax });
    const read = await rowsRead(database, "purchases", async () => {
      expect(await ask(100), name).toMatchObject({ meta: { total: 100 }, isTotalLeast: true });
    });
    expect(read, name).toBeLessThan(300);
    expect(await ask(3_001), name).toMatchObject({ meta: { total: 3_000 }, isTotalLeast: false });
    expect(await ask(), name).toMatchObject({ meta: { total: 3_000 }, isTotalLeast: false });
  }
});

test("the days of purchases are counted in advance, but for today's newest, which are read once", async () => {
  const shop = await fundedWallet(database, walletKey(5, "test"), 10_000_000_000n);
  // Ten a day, one each hour from six o'clock on; the fifth of each day fails.
  const madeAt = (n: number) => start + Math.floor(n / 10) * dayMs + (6 + (n % 10)) * 3_600_000;
  const idAt = (n: number) => purchaseIdMinter({ now: () => madeAt(n) }, 1)();
  const vended = { providerReference: null, fulfilment: null };
  const all = Array.from({ length: 30 }, (_, n) => newPurchase(shop, `day-${n}`, { id: idAt(n), vended }));
  await insertPurchases(database, all, "2026-05-01");
  await fresh.pool.query(
    `update purchases
        set status = 'failed', error_code = 'PROVIDER_DECLINED', refunded_at = completed_at, fulfilment = null
      where abs(wallet_id) = 5 and reference like 'day-%4'`,
  );
  const days = () => listPurchaseDays(database, shop, { now: madeAt(29) + 1_000, days: 3 });
  const counted = ["2026-01-01", "2026-01-02", "2026-01-03"].map((date) => ({
    ...{ date, successful: 9, failed: 1, sold: 90_000n, refunded: 10_000n },
  }));
  for (const [countedUpTo, unread] of [
    [23, 7],
    [30, 0],
  ] as const) {
    await updatePurchaseCounts(
      database,
      walletIdOf(shop),
      firstPurchaseIdAt(start + 2 * dayMs + (6 + countedUpTo - 20) * 3_600_000),
      100,
    );
    const read = await rowsRead(database, "purchases", async () => expect(await days()).toEqual(counted));
    expect(read).toBe(unread);
  }
});

test("a live bulk order's lines are found among all that is sold live, the last line first", async () => {
  const [own, other] = [walletKey(2, "live"), walletKey(3, "live")];
  for (const each of [own, other]) await fundedWallet(database, each, 10_000_000_000n);
  const made = (nth: number) => purchaseIdMinter({ now: () => start + nth }, 1)();
  const lines = Array.from({ length: 1_000 }, (_, line) =>
    newPurchase(own, `line-${line}`, {
      id: made(line),
      channel: "bulk",
      bulk: { reference: "live-order" as Reference, line },
    }),
  );
  const others = Array.from({ length: 6_000 }, (_, n) => newPurchase(other, `later-${n}`, { id: made(1_000 + n) }));
  await insertPurchases(database, [...lines, ...others], "2026-05-01");
  const filter = { ...noFilter, bulkReference: "live-order" };
  const ranges = { all: {}, some: { fromId: made(0), beforeId: made(900) } };
  for (const when of ["before", "after"]) {
    if (when === "after") await fresh.pool.query("analyze");
    for (const [name, range] of Object.entries(ranges)) {
      const read = await rowsRead(database, "purchases", async () => {
        const { meta, purchases } = await listPage(database, own, { ...filter, ...range }, { page: 1, perPage });
        expect(purchases.map(({ bulk }) => bulk?.line)).toEqual(
          Array.from({ length: perPage }, (_, nth) => meta.total - 1 - nth),
        );
      });
      expect(read, `${name}, ${when} the first analyze`).toBeLessThan(1_200);
    }
  }
});

test("a search reads what it finds and the newest purchases for a part of a number, however many the wallet has", async () => {
  const rows = Number(process.env.SOUGHT_ROWS ?? 60_000);
  const shop = walletKey(6, "live");
  await fundedWallet(database, shop, 10_000_000_000n);
  await fresh.pool.query(
    `insert into purchases (wallet_id, id, reference, number, fingerprint, channel, status, product_id,
                            customer_ref, phone, quantity, unit_amount, face_amount, fee, total, balance_before,
                            supplier, purchased_at, completed_at, limit_day, bulk_reference, bulk_line)
     select $1, made.id, 'many-' || n, n, '00000000-0000-0000-0000-000000000000', 'api', 'successful', 1002,
            made.phone, made.phone, 1, 10000, 10000, 0, 10000, 1000000, 'first', now(), now(), '2026-05-01',
            case when n % 1000 = 7 then 'many-order' end, case when n % 1000 = 7 then n end
       from generate_series(1, $2::integer) n
      cross join lateral (
              select $3::bigint + n::bigint * (1 << 22) * 10000 as id, '0806' || lpad((n % 50021)::text, 7, '0') as phone
            ) made`,
    [walletIdOf(shop), rows, firstPurchaseIdAt(start)],
  );
  await fresh.pool.query("analyze purchases");
  const services = { database, transactionIds: testTransactionIds };
  const time = { fromId: null, beforeId: null };
  const found = async (text: string) => {
    const began = performance.now();
    const filter = { ...noFilter, ...(await seek(services, shop, text, time)) };
    const { meta } = await listPage(database, shop, filter, { page: 1, perPage, countMax: 10_000 });
    if (process.env.SOUGHT_ROWS !== undefined) console.log(text, meta.total, performance.now() - began);
    return meta.total;
  };
  const same = Math.floor(rows / 50_021) + 1;
  for (const [text, total, most] of [
    ["many-5", 1, 50],
    ["08060000123", same, 100 + 10 * same],
    ["+234 806 000 0123", same, 100 + 10 * same],
    ["many-order", rows / 1_000, 10 * (rows / 1_000)],
    ["0000", null, partsAmong + 5_000],
    ["99999", null, partsAmong + 5_000],
  ] as const) {
    for (const turn of [1, 2]) {
      const read = await rowsRead(database, "purchases", async () => {
        const count = await found(text);
        if (total !== null) expect([text, count]).toEqual([text, total]);
      });
      expect([text, turn, read <= most, read]).toEqual([text, turn, true, read]);
    }
  }
}, 300_000);
