import type { Instant } from "../../../kernel/clock.ts";
import type { Reference, WalletKey } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import { walletValues } from "../../wallet/wallet-values.ts";
import type { DeliveryId, EventName } from "../events/event.ts";
import type { NewAttempt } from "./attempt.ts";

/** One row of the log. */
export interface Attempt extends Omit<NewAttempt, "wallet" | "urlVersion"> {
  /** Counts the attempts of the merchant and mode from 1. */
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
       a.bucket,
       a.merchant_id,
       a.mode,
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
         told.body is not null and w.url is not null and w.disabled_at is null and w.mode in (a.mode, 'both')
           and not coalesce(owed.is_under_way, false),
         false
       ) as resendable`;

// Lookups that the planner can only do one by one: as long as it knows nothing of these tables (a fresh installation's
// first minute), it took joins for cheap that read all of a merchant's deliveries many times over.
const attemptLookups = `
     left join lateral (
            select d.body, d.reference
              from webhook_deliveries d
             where d.bucket = a.bucket and d.merchant_id = a.merchant_id and d.mode = a.mode and d.id = a.delivery_id
             limit 1
          ) told on true
     left join lateral (
            select o.due_at <= now() or o.leased_until > now() as is_under_way
              from webhook_outbox o
             where o.lane = any (array['event', 'manual', 'later', 'postponed'])
               and o.bucket = a.bucket
               and o.merchant_id = a.merchant_id
               and o.mode = a.mode
               and o.endpoint_number = a.endpoint_number
               and o.delivery_id = a.delivery_id
             limit 1
          ) owed on true
     left join webhook_endpoints w
       on w.bucket = $1 and w.merchant_id = $2 and w.endpoint_number = a.endpoint_number`;

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
             where a.bucket = $1 and a.merchant_id = $2 and a.mode = $3 and a.id > $4 and a.id <= $5
            offset 0
          ) a${attemptLookups}
    order by a.id desc`,
);

/** Any attempts, newest first. */
export async function listAttempts(db: Queryable, wallet: WalletKey, window: LogWindow): Promise<Attempt[]> {
  const lastId = window.upToId - BigInt(window.offset);
  const rows = await db.query<AttemptRow>(listLatest, [...walletValues(wallet), lastId - BigInt(window.limit), lastId]);
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
              from unnest($4::text[]) as e (event)
             cross join unnest($5::boolean[]) as s (successful)
             cross join unnest($6::integer[]) as n (endpoint_number)
             cross join lateral (
                     select k.id
                       from webhook_attempts k
                      where k.bucket = $1
                        and k.merchant_id = $2
                        and k.mode = $3
                        and k.endpoint_number = n.endpoint_number
                        and k.event = e.event
                        and k.successful = s.successful
                        and k.id <= $7
                      order by k.id desc
                      limit $8::bigint + $9::bigint
                   ) newest
             order by newest.id desc
             limit $8
            offset $9
          ) page
    cross join lateral (
            select ${storedColumns}
              from webhook_attempts a
             where a.bucket = $1 and a.merchant_id = $2 and a.mode = $3 and a.id = page.id
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
    ...walletValues(wallet),
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
             where p.bucket = $1 and p.merchant_id = $2 and p.mode = $3 and p.reference = $4
             union all
            select told.id
              from bulk_orders b
             cross join lateral (
                     select d.id
                       from webhook_deliveries d
                      where d.bucket = $1
                        and d.merchant_id = $2
                        and d.mode = $3
                        and d.subject_id = b.id
                        and d.event = 'bulk.completed'
                     offset 0
                   ) told
             where b.bucket = $1 and b.merchant_id = $2 and b.mode = $3 and b.reference = $4
             union all
            select $5::uuid
             where $4::text is null
          ) d`;

const chosenAttempts = `a.delivery_id = coalesce($5, a.delivery_id)
      and a.endpoint_number = coalesce($6, a.endpoint_number)
      and a.event = any ($7)
      and a.successful = any ($8)
      and a.id <= $9`;

const listOfSubject = statement(
  "list_webhook_attempts_of_subject",
  `select ${attemptColumns}
     from ${deliveriesOfSubject}
    cross join lateral (
            select ${storedColumns}
              from webhook_attempts a
             where a.bucket = $1 and a.merchant_id = $2 and a.mode = $3 and a.delivery_id = d.id
             order by a.delivery_id, a.attempt
            offset 0
          ) a${attemptLookups}
    where ${chosenAttempts}
    order by a.id desc
    limit $10
   offset $11`,
);

const countOfSubject = statement(
  "count_webhook_attempts_of_subject",
  `select count(a.id) as total
     from ${deliveriesOfSubject}
    cross join lateral (
            select a.id, a.delivery_id, a.endpoint_number, a.event, a.successful
              from webhook_attempts a
             where a.bucket = $1 and a.merchant_id = $2 and a.mode = $3 and a.delivery_id = d.id
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
  const values = [...walletValues(wallet), reference, deliveryId, ...kinds, window.upToId];
  const [rows, [count]] = await Promise.all([
    db.query<AttemptRow>(listOfSubject, [...values, window.limit, window.offset]),
    db.query<{ total: bigint }>(countOfSubject, values),
  ]);
  return { attempts: rows.map(attemptOf), total: Number(count?.total ?? 0n) };
}
