import type { Queryable } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import { type DisabledReason, disabledReasons } from "../endpoints/endpoint.ts";

// Walks the lines of each lane: a wallet's deliveries to an endpoint. A line counts unless a living worker holds something
// of it, for then it is being served, however long it is. What is postponed waits for its own endpoint, and does not count.
const findOldestDue = statement(
  "find_webhook_oldest_due",
  `with recursive line as (
     select k.lane, -2147483648 as wallet_id, 0 as endpoint_number, 0 as visited
       from (values ('event'), ('manual')) as k (lane)
     union all
     select n.lane, n.wallet_id, n.endpoint_number, l.visited + 1
       from line l
      cross join lateral (
              select o.lane, o.wallet_id, o.endpoint_number
                from webhook_outbox o
               where o.lane = l.lane
                 and (o.wallet_id, o.endpoint_number) > (l.wallet_id, l.endpoint_number)
               order by o.wallet_id, o.endpoint_number
               limit 1
            ) n
      where l.visited < 20000
   ),
   unserved as (
     select min(first.due_at) as due_at
       from line l
      cross join lateral (
              select o.due_at, o.leased_until
                from webhook_outbox o
               where o.lane = l.lane
                 and o.wallet_id = l.wallet_id
                 and o.endpoint_number = l.endpoint_number
               order by o.delivery_id
               limit 500
            ) first
      group by l.lane, l.wallet_id, l.endpoint_number
     having not bool_or(coalesce(first.leased_until > now(), false))
      union all
     select min(o.due_at)
       from webhook_outbox o
      where o.lane = 'later' and o.due_at <= now()
   )
   select extract(epoch from now() - min(u.due_at))::float8 as "overdueSeconds"
     from unserved u`,
);

/** For how many seconds the oldest due delivery has been waiting that nobody serves; 0 without one. */
export async function findWebhookOverdueSeconds(db: Queryable): Promise<number> {
  const [row] = await db.query<{ overdueSeconds: number | null }>(findOldestDue);
  return Math.max(0, row?.overdueSeconds ?? 0);
}

// Each lane by its own index.
const countDueDeliveries = statement(
  "count_webhook_outbox_due",
  `select count(*)::integer as due
     from (
            (select 1 from webhook_outbox o where o.lane = 'event' and o.due_at <= now() limit $1)
             union all
            (select 1 from webhook_outbox o where o.lane = 'manual' and o.due_at <= now() limit $1)
             union all
            (select 1 from webhook_outbox o where o.lane = 'postponed' and o.due_at <= now() limit $1)
             union all
            (select 1 from webhook_outbox o where o.lane = 'later' and o.due_at <= now() limit $1)
             limit $1
          ) d`,
);

const countPostponedDeliveries = statement(
  "count_webhook_outbox_postponed",
  "select count(*)::integer as waiting from (select 1 from webhook_outbox o where o.lane = 'postponed' limit $1) p",
);

/** How many deliveries wait as their endpoint is left alone or keeps others waiting, counted up to `max`. */
export async function countPostponed(db: Queryable, max: number): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(countPostponedDeliveries, [max]);
  return row?.waiting ?? 0;
}

/** How many deliveries are owed an attempt now, counted up to `max`. */
export async function countDue(db: Queryable, max: number): Promise<number> {
  const [row] = await db.query<{ due: number }>(countDueDeliveries, [max]);
  return row?.due ?? 0;
}

const countBreakersOpen = statement(
  "count_webhook_breakers_open",
  "select count(*)::integer as open from webhook_failing_endpoints where open_until > now()",
);

const countDisabledByReason = statement(
  "count_webhook_endpoints_disabled",
  `select r.reason, count(w.disabled_reason)::integer as count
     from unnest($1::text[]) as r (reason)
     left join webhook_endpoints w
       on w.disabled_reason = r.reason and w.url is not null
    group by r.reason`,
);

/** How many endpoints are left alone by their breakers, and how many are switched off, by reason. */
export async function countTroubled(db: Queryable): Promise<{
  readonly breakersOpen: number;
  readonly disabled: readonly { readonly reason: DisabledReason; readonly count: number }[];
}> {
  const [row] = await db.query<{ open: number }>(countBreakersOpen);
  const disabled = await db.query<{ reason: DisabledReason; count: number }>(countDisabledByReason, [
    arrayOf(disabledReasons),
  ]);
  return { breakersOpen: row?.open ?? 0, disabled };
}
