import { dayMs, hourMs, type Instant } from "../../../kernel/clock.ts";
import { firstPurchaseIdAt, type PurchaseId, type WalletId, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { statement } from "../../../platform/database/database.ts";
import type { PurchaseStatus } from "../../purchases/purchase.ts";

/** Filters by status, product, channel and day: what is counted in advance. Null leaves a filter out. */
export interface FactFilter {
  readonly status: PurchaseStatus | null;
  /** Products of the category, biller and network that were asked for. */
  readonly productIds: readonly number[] | null;
  readonly channel: string | null;
  /** Ids carry their time: `from` and `to` are ranges of the primary key. */
  readonly fromId: PurchaseId | null;
  readonly beforeId: PurchaseId | null;
}

const epochMs = Date.UTC(2020, 0, 1);
const tailBits = 22n;
/** The largest id that can be. */
export const lastId = 2n ** 63n - 1n;

/** Days as `purchase_day` counts them: since 2020-01-01 at +01:00. */
function dayOfId(id: bigint): number {
  return Math.floor((Number(id >> tailBits) + hourMs) / dayMs);
}

/** The day of an instant, as `purchase_day` counts it. */
export function dayNumberAt(now: Instant): number {
  return dayOfId(firstPurchaseIdAt(now));
}

/** The smallest id that a purchase of a day or a later one can have. */
export function firstIdOfDay(day: number): PurchaseId {
  return firstPurchaseIdAt((day * dayMs - hourMs + epochMs) as Instant);
}

interface DaySpan {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly edges: readonly { readonly from: bigint; readonly before: bigint }[];
}

/** Splits a range of ids into the whole days in it and what is left at its ends. */
export function daySpan(fromId: bigint | null, beforeId: bigint | null): DaySpan {
  if (fromId === null && beforeId === null) return { firstDay: -1, lastDay: -1, edges: [] };
  const from = fromId ?? 0n;
  const before = beforeId ?? lastId;
  if (from >= before) return { firstDay: 0, lastDay: -1, edges: [] };
  const firstDay = from <= firstIdOfDay(dayOfId(from)) ? dayOfId(from) : dayOfId(from) + 1;
  const lastDay = dayOfId(before) - 1;
  if (firstDay > lastDay) return { firstDay: 0, lastDay: -1, edges: [{ from, before }] };
  const edges = [
    { from, before: firstIdOfDay(firstDay) as bigint },
    { from: firstIdOfDay(lastDay + 1) as bigint, before },
  ];
  return { firstDay, lastDay, edges: edges.filter((edge) => edge.from < edge.before) };
}

const countByFacts = statement(
  "count_purchases_by_facts",
  "select count_purchases_by_facts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as total",
);

/** Exact, at a cost that does not grow with the purchases but with the days they were made on. */
export async function countPurchasesByFacts(db: Queryable, wallet: WalletKey, filter: FactFilter): Promise<number> {
  const { firstDay, lastDay, edges } = daySpan(filter.fromId, filter.beforeId);
  const [row] = await db.query<{ total: bigint }>(countByFacts, [
    walletIdOf(wallet),
    filter.status,
    filter.productIds,
    filter.channel,
    filter.fromId ?? 0n,
    filter.beforeId ?? lastId,
    firstDay,
    lastDay,
    edges.map((edge) => edge.from),
    edges.map((edge) => edge.before),
  ]);
  return Number(row?.total ?? 0n);
}

// A probe of its own for each wallet: joined as sets, every purchase would be read to find the few that are new.
const listUncounted = statement(
  "list_uncounted_wallets",
  `select w.wallet_id as "walletId"
     from wallets w
    cross join lateral (
            select 1
              from purchases p
             where p.wallet_id = w.wallet_id
               and p.id > w.counted_id
               and p.id < $2
             order by p.id
             limit 1
          ) uncounted
    where w.wallet_id > $1
    order by w.wallet_id
    limit $3`,
);

/** Before every wallet, as the index orders them. */
export const beforeAllWallets = -(2 ** 31) as WalletId;

/** The next wallets after `after`, in the order of their keys, that have purchases to count from before `beforeId`. */
export async function listUncountedWallets(
  db: Queryable,
  { after, beforeId, limit }: { readonly after: WalletId; readonly beforeId: PurchaseId; readonly limit: number },
): Promise<WalletId[]> {
  const rows = await db.query<{ walletId: WalletId }>(listUncounted, [after, beforeId, limit]);
  return rows.map(({ walletId }) => walletId);
}

const countUp = statement("count_purchases", "select count_purchases($1, $2, $3) as counted");

/** Counts a wallet's purchases up to `beforeId`, at most `limit`. Locks its inflight rows, then the wallet. @returns how many */
export async function updatePurchaseCounts(
  db: Queryable,
  wallet: WalletId,
  beforeId: PurchaseId,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ counted: number }>(countUp, [wallet, beforeId, limit]);
  return row?.counted ?? 0;
}

/** The final purchases of one day. */
export interface CountedDay {
  /** `YYYY-MM-DD`, at +01:00. */
  readonly date: string;
  /** Delivered, and not taken back later. */
  readonly successful: number;
  /** Failed, or refunded later. */
  readonly failed: number;
  /** What was charged for the successful ones. */
  readonly sold: Kobo;
  /** What was charged for the failed ones, and given back. */
  readonly refunded: Kobo;
}

// One statement, and so one snapshot: a purchase is counted in advance, or read (less than a minute's worth), and never
// both. What was refunded later counts as delivered in advance, and is moved to what failed: such refunds are few.
const listDays = statement(
  "list_purchase_days",
  `with final as (
     select c.day, c.status, c.purchases, c.charged
       from purchase_counts c
      where c.wallet_id = $1
        and c.day between $2 and $3
      union all
     select purchase_day(p.id), p.status, 1, p.total
       from purchases p
      where p.wallet_id = $1
        and p.id > (select w.counted_id from wallets w where w.wallet_id = $1)
        and p.status <> 'pending'
      union all
     select purchase_day(p.id), moved.status, moved.purchases, moved.purchases * p.total
       from ledger_entries e
      cross join lateral (
              select p.id, p.total
                from purchases p
               where p.wallet_id = e.wallet_id
                 and p.id = e.purchase_id
               limit 1
            ) p
      cross join (values ('successful', -1), ('failed', 1)) moved (status, purchases)
      where e.wallet_id = $1
        and e.kind = 'reversal'
        and e.purchase_id >= $4
   )
   select to_char(date '2020-01-01' + d.day, 'YYYY-MM-DD') as date,
          coalesce(sum(p.purchases) filter (where p.status = 'successful'), 0)::float8 as successful,
          coalesce(sum(p.purchases) filter (where p.status = 'failed'), 0)::float8 as failed,
          coalesce(sum(p.charged) filter (where p.status = 'successful'), 0)::bigint as sold,
          coalesce(sum(p.charged) filter (where p.status = 'failed'), 0)::bigint as refunded
     from generate_series($2::integer, $3::integer) as d (day)
     left join final p on p.day = d.day
    group by d.day
    order by d.day`,
);

/** The last days up to the one of `now`, earliest first: exact, at a cost that does not grow with the purchases. */
export function listPurchaseDays(
  db: Queryable,
  wallet: WalletKey,
  { now, days }: { readonly now: Instant; readonly days: number },
): Promise<CountedDay[]> {
  const today = dayNumberAt(now);
  const first = today - days + 1;
  return db.query<CountedDay>(listDays, [walletIdOf(wallet), first, today, firstIdOfDay(first)]);
}
