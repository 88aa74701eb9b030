import type { Queryable } from "../../platform/database.ts";
import { statement } from "../../platform/database.ts";

// Lane by lane, as they are claimed: what a living worker holds something of is being served, however long its line,
// and what a breaker keeps back waits on purpose.
const findOldestDue = statement(
  "find_webhook_oldest_due",
  `with recursive lane as (
     (
       select o.bucket, o.merchant_id, o.mode, o.due_at, 1 as visited
         from webhook_outbox o
        where o.lane = 'event'
        order by o.bucket, o.merchant_id, o.mode, o.due_at
        limit 1
     )
     union all
     select n.bucket, n.merchant_id, n.mode, n.due_at, l.visited + 1
       from lane l
      cross join lateral (
              select o.bucket, o.merchant_id, o.mode, o.due_at
                from webhook_outbox o
               where o.lane = 'event' and (o.bucket, o.merchant_id, o.mode) > (l.bucket, l.merchant_id, l.mode)
               order by o.bucket, o.merchant_id, o.mode, o.due_at
               limit 1
            ) n
      where l.visited < 20000
   ),
   unserved as (
     select l.due_at
       from lane l
      where l.due_at <= now()
        and not exists (
              select 1
                from webhook_failing_endpoints f
               where f.bucket = l.bucket and f.merchant_id = l.merchant_id and f.open_until > now()
            )
        and not exists (
              select 1
                from (
                       select o.leased_until
                         from webhook_outbox o
                        where o.lane = 'event'
                          and o.bucket = l.bucket
                          and o.merchant_id = l.merchant_id
                          and o.mode = l.mode
                        order by o.due_at
                        limit 500
                     ) first
               where first.leased_until > now()
            )
      union all
     select min(o.due_at)
       from webhook_outbox o
      where o.lane in ('manual', 'later') and coalesce(o.leased_until <= now(), true)
   )
   select extract(epoch from now() - min(u.due_at))::float8 as "overdueSeconds"
     from unserved u`,
);

/** For how many seconds the oldest due delivery has been waiting that nobody holds back or serves; 0 without one. */
export async function findWebhookOverdueSeconds(db: Queryable): Promise<number> {
  const [row] = await db.query<{ overdueSeconds: number | null }>(findOldestDue);
  return Math.max(0, row?.overdueSeconds ?? 0);
}
