import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";

/** How a supplier does, by what the processes counted of its hours. */
export interface SupplierDay {
  readonly supplier: string;
  readonly state: string;
  readonly currency: string;
  /** As it told last, in hundredths of its account's currency; null before it has. */
  readonly balance: bigint | null;
  readonly reportedAt: Instant | null;
  readonly alarmBelow: bigint | null;
  /** Over the hours that were asked for. */
  readonly vended: number;
  readonly declined: number;
  readonly unknown: number;
  /** What the last of these hours cost us there. */
  readonly spent: Kobo;
}

const listDays = statement(
  "list_supplier_days_until_now",
  `select s.name as supplier,
          s.state,
          coalesce(b.currency, 'NGN') as currency,
          b.balance,
          b.reported_at as "reportedAt",
          b.alarm_below as "alarmBelow",
          coalesce(h.vended, 0)::float8 as vended,
          coalesce(h.declined, 0)::float8 as declined,
          coalesce(h.unknown, 0)::float8 as unknown,
          coalesce(h.spent, 0)::bigint as spent
     from suppliers s
     left join supplier_balances b
       on b.supplier = s.name
     left join lateral (
            select sum(c.vended) as vended,
                   sum(c.declined) as declined,
                   sum(c.unknown) as unknown,
                   sum(c.cost) filter (where c.hour >= $2) as spent
              from supplier_category_hours c
             where c.supplier = s.name
               and c.hour >= $1
          ) h
       on true
    order by s.name`,
);

/** Every supplier with what it was sent since one moment, and what that cost since another. */
export function listSupplierDays(
  db: Queryable,
  since: { readonly counted: Instant; readonly spent: Instant },
): Promise<SupplierDay[]> {
  return db.query<SupplierDay>(listDays, [new Date(since.counted), new Date(since.spent)]);
}

/** Sales that suppliers took back after they had delivered them. Their merchants were credited. */
export interface Reversals {
  readonly count: number;
  readonly total: Kobo;
  readonly firstAt: Instant | null;
}

const findReversed = statement(
  "find_reversals",
  `select count(*)::integer as count,
          coalesce(sum(p.total), 0)::bigint as total,
          min(i.at) as "firstAt"
     from purchase_incidents i
     join purchases p
       on p.wallet_id = i.wallet_id and p.id = i.purchase_id
    where i.at >= $1
      and i.kind = 'late_reversal'
      and i.wallet_id > 0`,
);

/** Since a moment. */
export async function findReversals(db: Queryable, since: Instant): Promise<Reversals> {
  const [row] = await db.query<Reversals>(findReversed, [new Date(since)]);
  return row ?? { count: 0, total: zeroKobo, firstAt: null };
}

/** A merchant whose endpoints fail, and since when the first of them has. */
export interface FailingMerchant {
  readonly merchantId: MerchantId;
  readonly name: string;
  readonly failingSince: Instant;
}

const listFailing = statement(
  "list_failing_merchants",
  `select f.merchant_id as "merchantId",
          m.name,
          min(f.failing_since) as "failingSince"
     from webhook_failing_endpoints f
     join webhook_endpoints w
       on w.merchant_id = f.merchant_id and w.endpoint_number = f.endpoint_number
     join merchants m
       on m.id = f.merchant_id
    where f.failing_since <= $1
      and w.url is not null
      and w.disabled_at is null
    group by f.merchant_id, m.name
    order by min(f.failing_since)
    limit $2`,
);

/** Merchants with an endpoint that is on and has only failed since before a moment, the longest first. */
export function listFailingMerchants(db: Queryable, before: Instant, limit: number): Promise<FailingMerchant[]> {
  return db.query<FailingMerchant>(listFailing, [new Date(before), limit]);
}

const listNames = statement("list_merchant_names", "select id, name from merchants where id = any ($1::integer[])");

/** The names of some merchants. */
export async function listMerchantNames(
  db: Queryable,
  ids: readonly MerchantId[],
): Promise<ReadonlyMap<MerchantId, string>> {
  const rows = await db.query<{ id: MerchantId; name: string }>(listNames, [[...new Set(ids)]]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
