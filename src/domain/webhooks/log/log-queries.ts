import type { Instant } from "../../../kernel/clock.ts";
import { type Reference, type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import type { DeliveryId, EventName } from "../events/event.ts";
import type { NewAttempt } from "./attempt.ts";

/** One row of the log. */
export interface Attempt extends Omit<NewAttempt, "wallet" | "urlVersion"> {
  /** Counts the attempts of the wallet from 1. */
  readonly id: bigint;
  /** The rest of the URL, sealed; null where it had none, or where its endpoint has another URL by now. */
  readonly urlQuery: string | null;
  /** The frozen body, parsed; null once purged. */
  readonly payload: JsonObject | null;
  readonly reference: Reference | null;
  readonly resendable: boolean;
  readonly createdAt: Instant;
}

const storedColumns = `
       a.wallet_id,
       a.id,
       a.endpoint_number,
       a.delivery_id,
       a.attempt,
       a.event,
       a.url,
       a.url_version,
       a.successful,
       a.http_status,
       a.duration_ms,
       a.error,
       a.error_detail,
       a.response_body,
       a.created_at`;

const attemptColumns = `
       a.id,
       a.endpoint_number as "endpointNumber",
       a.delivery_id as "deliveryId",
       a.attempt,
       a.event,
       a.url,
       case when w.url = a.url and w.url_version = a.url_version then w.url_query end as "urlQuery",
       a.successful,
       a.http_status as "httpStatus",
       a.duration_ms as "durationMs",
       a.error,
       a.error_detail as "errorDetail",
       a.response_body as "responseBody",
       a.created_at as "createdAt",
       told.body,
       told.reference,
       coalesce(
         told.body is not null and w.url is not null and w.disabled_at is null
           and w.mode in (case when a.wallet_id > 0 then 'live' else 'test' end, 'both')
           and not coalesce(owed.is_under_way, false),
         false
       ) as resendable`;

// Lookups that the planner can only do one by one: as long as it knows nothing of these tables (a fresh installation's
// first minute), it took joins for cheap that read all of a merchant's deliveries many times over.
const attemptLookups = `
     left join lateral (
            select d.body, d.reference
              from webhook_deliveries d
             where d.wallet_id = a.wallet_id and d.id = a.delivery_id
             limit 1
          ) told on true
     left join lateral (
            select o.due_at <= now() or o.leased_until > now() as is_under_way
              from webhook_outbox o
             where o.lane = any (array['event', 'manual', 'later', 'postponed'])
               and o.wallet_id = a.wallet_id
               and o.endpoint_number = a.endpoint_number
               and o.delivery_id = a.delivery_id
             limit 1
          ) owed on true
     left join webhook_endpoints w
       on w.merchant_id = abs(a.wallet_id) and w.endpoint_number = a.endpoint_number`;

type AttemptRow = Omit<Attempt, "payload"> & { readonly body: string | null };

function attemptOf({ body, ...row }: AttemptRow): Attempt {
  return { ...row, payload: body === null ? null : (JSON.parse(body) as JsonObject) };
}

/** Attempts up to this one: `offset` of them are skipped, counting from the newest. */
interface LogWindow {
  readonly upToId: bigint;
  readonly limit: number;
  readonly offset: number;
}

// Numbers are gapless, so skipping is arithmetic: the last page costs what the first does.
const listLatest = statement(
  "list_webhook_attempts",
  `select ${attemptColumns}
     from (
            select ${storedColumns}
              from webhook_attempts a
             where a.wallet_id = $1 and a.id > $2 and a.id <= $3
            offset 0
          ) a${attemptLookups}
    order by a.id desc`,
);

/** Any attempts, newest first. */
export async function listAttempts(db: Queryable, wallet: WalletKey, window: LogWindow): Promise<Attempt[]> {
  const lastId = window.upToId - BigInt(window.offset);
  const rows = await db.query<AttemptRow>(listLatest, [walletIdOf(wallet), lastId - BigInt(window.limit), lastId]);
  return rows.map(attemptOf);
}

/** Which kinds of attempts; every combination is one range of an index. */
export interface AttemptKinds {
  /** Numbers of endpoints. */
  readonly endpoints: readonly number[];
  readonly events: readonly EventName[];
  readonly successful: readonly boolean[];
}

// Each kind's newest from its own range of the index, then merged: a rare kind among millions of others is found at once.
const listOfKinds = statement(
  "list_webhook_attempts_of_kinds",
  `select ${attemptColumns}
     from (
            select newest.id
              from unnest($2::text[]) as e (event)
             cross join unnest($3::boolean[]) as s (successful)
             cross join unnest($4::integer[]) as n (endpoint_number)
             cross join lateral (
                     select k.id
                       from webhook_attempts k
                      where k.wallet_id = $1
                        and k.endpoint_number = n.endpoint_number
                        and k.event = e.event
                        and k.successful = s.successful
                        and k.id <= $5
                      order by k.id desc
                      limit $6::bigint + $7::bigint
                   ) newest
             order by newest.id desc
             limit $6
            offset $7
          ) page
    cross join lateral (
            select ${storedColumns}
              from webhook_attempts a
             where a.wallet_id = $1 and a.id = page.id
             limit 1
          ) a${attemptLookups}
    order by a.id desc`,
);

/** Attempts of some kinds, newest first. Reads the index as deep as the window lies. */
export async function listAttemptsOfKinds(
  db: Queryable,
  wallet: WalletKey,
  kinds: AttemptKinds,
  window: LogWindow,
): Promise<Attempt[]> {
  const rows = await db.query<AttemptRow>(listOfKinds, [
    walletIdOf(wallet),
    arrayOf(kinds.events),
    arrayOf(kinds.successful),
    arrayOf(kinds.endpoints),
    window.upToId,
    window.limit,
    window.offset,
  ]);
  return rows.map(attemptOf);
}

// By way of the purchase or bulk order that the reference names: an index of deliveries by reference would have an entry
// for every purchase's. Lookups that the planner can only do one by one, as above. Their order is one that only the
// right index has: else the planner may read all of a merchant's attempts while it knows nothing of them.
const deliveriesOfSubject = `(
            select unnest(array_append(p.further_delivery_ids, p.delivery_id)) as id
              from purchases p
             where p.wallet_id = $1 and p.reference = $2 and p.reference <> ''
             union all
            select told.id
              from bulk_orders b
             cross join lateral (
                     select d.id
                       from webhook_deliveries d
                      where d.wallet_id = $1
                        and d.subject_id = b.id
                        and d.event = 'bulk.completed'
                     offset 0
                   ) told
             where b.wallet_id = $1 and b.reference = $2 and b.reference <> ''
             union all
            select $3::uuid
             where $2::text is null
          ) d`;

const chosenAttempts = `a.delivery_id = coalesce($3, a.delivery_id)
      and a.endpoint_number = coalesce($4, a.endpoint_number)
      and a.event = any ($5)
      and a.successful = any ($6)
      and a.id <= $7`;

const listOfSubject = statement(
  "list_webhook_attempts_of_subject",
  `select ${attemptColumns}
     from ${deliveriesOfSubject}
    cross join lateral (
            select ${storedColumns}
              from webhook_attempts a
             where a.wallet_id = $1 and a.delivery_id = d.id
             order by a.delivery_id, a.attempt
            offset 0
          ) a${attemptLookups}
    where ${chosenAttempts}
    order by a.id desc
    limit $8
   offset $9`,
);

const countOfSubject = statement(
  "count_webhook_attempts_of_subject",
  `select count(a.id) as total
     from ${deliveriesOfSubject}
    cross join lateral (
            select a.id, a.delivery_id, a.endpoint_number, a.event, a.successful
              from webhook_attempts a
             where a.wallet_id = $1 and a.delivery_id = d.id
             order by a.delivery_id, a.attempt
            offset 0
          ) a
    where ${chosenAttempts}`,
);

/** Attempts about one purchase or bulk order, or of one delivery; where both are given, of both. */
export interface SubjectFilter extends Omit<AttemptKinds, "endpoints"> {
  readonly reference: string | null;
  readonly deliveryId: DeliveryId | null;
  readonly endpointNumber: number | null;
}

/** Attempts for one purchase, bulk order or delivery: a handful, which are read through. */
export async function listAttemptsOfSubject(
  db: Queryable,
  wallet: WalletKey,
  filter: SubjectFilter,
  window: LogWindow,
): Promise<{ readonly attempts: Attempt[]; readonly total: number }> {
  const { reference, deliveryId, endpointNumber, events, successful } = filter;
  const kinds = [endpointNumber, arrayOf(events), arrayOf(successful)];
  const values = [walletIdOf(wallet), reference, deliveryId, ...kinds, window.upToId];
  const [rows, [count]] = await Promise.all([
    db.query<AttemptRow>(listOfSubject, [...values, window.limit, window.offset]),
    db.query<{ total: bigint }>(countOfSubject, values),
  ]);
  return { attempts: rows.map(attemptOf), total: Number(count?.total ?? 0n) };
}
