import { updatePurchaseCounts } from "../../src/domain/history/lists/count-queries.ts";
import { firstPurchaseIdAt, type MerchantId, type WalletId, type WalletKey } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import { type Database, type Statement, statement } from "../../src/platform/database/database.ts";
import { referenceDigits } from "../base/load.ts";

export const yearMs = 365 * 86_400_000;
/** What is loaded ends that long ago, so that all of it can be counted at once: the roll-up leaves out half a minute. */
const endedMs = 120_000;
/** Younger purchases are not counted: one that is still being committed would be missed. */
const countLagMs = 31_000;
const rowsPerSlice = 50_000;
export const productsLoaded = 30;
const smallMerchants = 999;
/** Scatters references, so that neighbours in time are none in the index. A prime, so that each is given once. */
export const stride = 7_368_787;

/** References of the big merchant's loaded purchases: `old-` and ten digits, from 0. */
export const loadedPrefix = "old-";

export interface Loaded {
  readonly big: WalletKey;
  readonly bigPurchases: number;
  /** Attempts in the big merchant's delivery log. */
  readonly attempts: number;
}

/** How purchases of the modes differ: a live one has a supplier, and each that ended an attempt there. */
const ways: Readonly<Record<Mode, { readonly wallet: string; readonly route: string; readonly attempts: string }>> = {
  test: { wallet: "-m.merchant_id", route: "null::text, null::text, null::bigint, null::text", attempts: "" },
  live: {
    wallet: "m.merchant_id",
    route: "chained.supplier, 'code-' || product_id, total * 9 / 10, 'by priority'",
    attempts: `attempted as (
     insert into vend_attempts (
       wallet_id, purchase_id, attempt, supplier, supplier_reference, supplier_code, cost, route_reason,
       provider_reference, verdict, evidence, ended_at
     )
     select wallet_id, id, 1, supplier, 'ours-' || id, 'code-' || product_id, total * 9 / 10, 'by priority', 'SIM-' || id,
            case status when 'failed' then 'declined' else 'vended' end,
            '{"status":"' || status || '","code":"000","message":"' || md5(id::text) || '"}', made_at
       from chained
      where status <> 'pending'
      order by n
   ),`,
  },
};

// A slice in the order of time, so that ids only grow and what is counted already stays true. Even numbers are the big
// merchant's, odd ones the others' in turn. Each wallet's first purchase hangs in review: the sandbox's purge stops at
// a pending purchase, and would take eleven months of the year otherwise. One in fifty failed and was refunded.
const loadSlice = (mode: Mode): Statement => ({
  name: `load_${mode}_slice`,
  text: `with item as (
     select n,
            w.wallet_id,
            ms,
            (ms << 22) | (n & 4095) as id,
            w.balance,
            w.seq,
            w.purchase_number + row_number() over in_time as number,
            ($7::integer[])[1 + floor(cardinality($7) * pick * pick)::integer] as product_id,
            ($8::bigint[])[1 + floor(cardinality($7) * pick * pick)::integer] as total,
            hashint8extended(n, 2) as hash
       from generate_series($1::bigint, $2::bigint - 1) as n
      cross join lateral (
              select case when n % 2 = 0 then $5::integer else ($6::integer[])[1 + (n / 2) % cardinality($6)] end,
                     (hashint8extended(n, 1) & 1048575) / 1048576.0,
                     $3::bigint + n * $4::bigint / $9::bigint
            ) as m (merchant_id, pick, ms)
       join wallets w
         on w.wallet_id = ${ways[mode].wallet}
     window in_time as (partition by w.wallet_id order by n)
   ),
   decided as (
     select item.*,
            case when number = 1 then 'pending' when hash % 50 = 0 then 'failed' else 'successful' end as status,
            to_timestamp((ms + 1577836800000) / 1000.0) as made_at,
            ('{first,first,first,first,second,second,second,third}'::text[])[1 + (hash >> 40 & 7)] as supplier
       from item
   ),
   chained as materialized (
     select decided.*,
            balance - sum(case when status = 'failed' then 0 else total end) over so_far
              + case when status = 'failed' then 0 else total end as balance_before,
            seq + sum(case when status = 'failed' then 2 else 1 end) over so_far
              - case when status = 'failed' then 1 else 0 end as debit_seq
       from decided
     window so_far as (partition by wallet_id order by n)
   ),
   bought as (
     insert into purchases (
       wallet_id, id, reference, number, fingerprint, channel, status, product_id, customer_ref, phone,
       quantity, unit_amount, face_amount, fee, total, balance_before, provider_reference, error_code, fulfilment,
       purchased_at, completed_at, refunded_at, limit_day, delivery_id, supplier, supplier_code, cost, route_reason
     )
     select wallet_id, id, '${loadedPrefix}' || lpad(((n / 2) * ${stride} % (($9 + 1) / 2))::text, ${referenceDigits}, '0')
              || case when n % 2 = 0 then '' else '-' || n end,
            number, md5(n::text)::uuid, case when (hash >> 8) % 10 = 0 then 'legacy' else 'api' end, status, product_id,
            phone, phone, 1, total, total, 0, total, balance_before,
            case when status = 'successful' then 'SIM-' || id end,
            case when status = 'failed' then 'SANDBOX_FORCED_FAILURE' end,
            case when status = 'successful' then json_build_object('kind', 'topup') end,
            made_at, case when status <> 'pending' then made_at end, case when status = 'failed' then made_at end,
            made_at::date,
            case when '${mode}' = 'test' and n % 2 = 0 and number >= 2 and number % 5 = 0
                 then (lpad(to_hex((id >> 22) + 1577836800000), 12, '0') || '7' || substr(md5(id::text), 1, 3) || '8'
                        || substr(md5(id::text), 4, 15))::uuid
            end,
            ${ways[mode].route}
       from chained
      cross join lateral (select '0803' || lpad(((hash >> 16) & 8388607)::text, 7, '0')) as p (phone)
      order by n
   ),
   ${ways[mode].attempts}
   entered as (
     insert into ledger_entries (
       wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, purchase_id,
       created_at
     )
     select wallet_id, debit_seq + e.back, case e.back when 0 then 'purchase' else 'refund' end,
            case e.back when 0 then 'wallet' else 'clearing' end, case e.back when 0 then 'clearing' else 'wallet' end,
            total, case e.back when 0 then -total else total end,
            case e.back when 0 then balance_before - total else balance_before end, id, made_at
       from chained
       join (values (0), (1)) as e (back)
         on e.back = 0 or status = 'failed'
      order by n, e.back
   ),
   awaited as (
     insert into inflight (wallet_id, purchase_id, due_at, step)
     select wallet_id, id, made_at, 'review'
       from chained
      where status = 'pending'
   )
   update wallets w
      set balance = w.balance - c.spent,
          seq = w.seq + c.entries,
          purchase_count = w.purchase_count + c.purchases,
          purchase_number = w.purchase_number + c.purchases
     from (
            select wallet_id, sum(case when status = 'failed' then 0 else total end)::bigint as spent,
                   sum(case when status = 'failed' then 2 else 1 end) as entries, count(*) as purchases
              from chained
             group by wallet_id
          ) c
    where w.wallet_id = c.wallet_id`,
});

// Every fifth purchase of the big merchant owed an event; one attempt in twenty failed. Old bodies are purged.
const loadDeliveries = statement(
  "load_deliveries",
  `with event as (
     select p.*,
            row_number() over (order by p.id) + $4::bigint as attempt_id,
            'transaction.' || p.status as event
       from purchases p
      where p.wallet_id = -$1::integer and p.number >= 2
        and p.number % 5 = 0 and p.id >= $2 and p.id < $3
   ),
   owed as (
     insert into webhook_deliveries (wallet_id, id, event, reference, subject_id, created_at)
     select wallet_id, delivery_id, event, reference, id, purchased_at
       from event
      order by id
   ),
   logged as (
     insert into webhook_attempts (
       wallet_id, id, delivery_id, attempt, event, successful, http_status, duration_ms, response_body,
       url, url_version, created_at
     )
     select wallet_id, attempt_id, delivery_id, 1, event, attempt_id % 20 <> 0,
            case when attempt_id % 20 = 0 then 500 else 200 end, 40, 'ok', 'https://shop.example.com/hooks', 1,
            purchased_at
       from event
      order by id
     returning event, successful
   ),
   counted as (
     insert into webhook_attempt_counts as c (wallet_id, event, successful, attempts)
     select -$1::integer, event, successful, count(*)
       from logged
      group by event, successful
         on conflict (wallet_id, endpoint_number, event, successful, month) do update
            set attempts = c.attempts + excluded.attempts
   )
   insert into webhook_logs as l (wallet_id, last_id)
   select -$1::integer, count(*)
     from logged
       on conflict (wallet_id) do update set last_id = l.last_id + excluded.last_id
   returning l.last_id as "lastId"`,
);

// Not the one that a fresh installation starts with, whose sandbox wallet is soon empty.
const listMerchants = statement(
  "list_bench_merchants",
  "select id from merchants where email = 'bench@example.com' order by id",
);

// Two thirds are data plans. Prices are bounded so that the wallet lasts for five million.
const listProducts = statement(
  "list_bench_products",
  `select p.id, least(p.price, 100000) as total
     from products p
     join billers b on b.slug = p.biller_slug
    where p.amount_type = 'fixed' and p.price is not null and p.available
    order by row_number() over (partition by b.category = 'data' order by md5(p.code))
               * case b.category when 'data' then 1 else 2 end,
             p.id
    limit $1`,
);

/** `products`: so many different ones are bought, a few of them most of the time. */
type YearLoad = { readonly mode: Mode; readonly products: number; readonly progress: (text: string) => void };

/** Loads a year of purchases of the thousand newest merchants, half of them of the last one; of the sandbox its delivery log too. */
export async function loadYear(
  database: Database,
  rows: number,
  { mode, products: productsMax, progress }: YearLoad,
): Promise<Loaded> {
  const ids = (await database.query<{ id: MerchantId }>(listMerchants)).map(({ id }) => id);
  const merchantId = ids.at(-1) ?? (0 as MerchantId);
  const big: WalletKey = { merchantId, mode };
  const products = await database.query<{ id: number; total: bigint }>(listProducts, [productsMax]);
  if (products.length < productsMax) throw new Error("there are too few products of one price");
  const lasts = { startMs: Date.now() - endedMs - yearMs - Date.UTC(2020, 0, 1), yearMs };
  let attempts = 0n;
  for (let first = 0; first < rows; first += rowsPerSlice) {
    const before = Math.min(rows, first + rowsPerSlice);
    await database.query(loadSlice(mode), [
      first,
      before,
      lasts.startMs,
      lasts.yearMs,
      merchantId,
      ids.slice(-1 - smallMerchants, -1),
      products.map(({ id }) => id),
      products.map(({ total }) => total),
      rows,
    ]);
    if (mode === "test") {
      const idAt = (n: number) =>
        firstPurchaseIdAt(lasts.startMs + Math.floor((n * yearMs) / rows) + Date.UTC(2020, 0, 1));
      const values = [merchantId, idAt(first), idAt(before), attempts];
      const [log] = await database.query<{ lastId: bigint }>(loadDeliveries, values);
      attempts = log?.lastId ?? attempts;
    }
    // A slice among empty tables is planned for empty tables.
    if (first === 0 || before % 1_000_000 === 0) await analyze(database);
    progress(`\r${before.toLocaleString("en-GB")} purchases loaded `);
  }
  progress("\n");
  return { big, bigPurchases: Math.ceil(rows / 2), attempts: Number(attempts) };
}

const loadedTables = [
  "purchases",
  "ledger_entries",
  "wallets",
  "inflight",
  "purchase_counts",
  "webhook_deliveries",
  "webhook_attempts",
  "webhook_attempt_counts",
  "webhook_logs",
  "vend_attempts",
];

async function analyze(database: Database): Promise<void> {
  await database.query(statement("analyze_loaded", `analyze ${loadedTables.join(", ")}`));
}

/** What autovacuum would have done in a year. */
export async function vacuum(database: Database): Promise<void> {
  await database.query(statement("vacuum_loaded", `vacuum (analyze) ${loadedTables.join(", ")}`));
}

const listWallets = statement(
  "list_uncounted_bench_wallets",
  `select w.wallet_id as "walletId"
     from wallets w
    where w.purchase_count > 0`,
);

/** Waits until all that was bought by now can be counted, and counts it: the worker's turn falls into no measurement. */
export async function countWhatIsNew(database: Database): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, countLagMs));
  await countAll(database);
}

/** Rolls up with the service's own function, beside the service's own worker, until nothing older than half a minute is left. */
export async function countAll(database: Database): Promise<void> {
  const wallets = await database.query<{ walletId: WalletId }>(listWallets);
  const beforeId = firstPurchaseIdAt(Date.now() - countLagMs);
  for (const { walletId } of wallets) {
    while ((await updatePurchaseCounts(database, walletId, beforeId, 20_000)) > 0);
  }
}
