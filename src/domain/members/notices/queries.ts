import type { Instant } from "../../../kernel/clock.ts";
import type { ApiKeyId, MerchantId } from "../../../kernel/ids.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";

// Each lists what is due alone: what a team was written to about has a row in sent_notices.

/** An endpoint that every event fails at, or that was turned off for it. */
export interface FailingWebhook {
  readonly merchantId: MerchantId;
  readonly merchant: string;
  readonly endpointNumber: number;
  readonly url: string;
  /** Since when it fails, or when it was turned off. */
  readonly at: Instant;
  readonly subject: string;
}

const listFailing = statement(
  "list_failing_webhooks_to_notice",
  `with failing as materialized (
     select f.merchant_id, f.endpoint_number, f.failing_since, w.url,
            f.endpoint_number || ' since ' || extract(epoch from f.failing_since) as subject
       from webhook_failing_endpoints f
       join webhook_endpoints w
         on w.merchant_id = f.merchant_id
        and w.endpoint_number = f.endpoint_number
      where f.failing_since <= $1
        and f.last_failed_at - f.failing_since >= interval '10 minutes'
        and w.url is not null
        and w.disabled_at is null
   )
   select f.merchant_id as "merchantId",
          m.name as merchant,
          f.endpoint_number as "endpointNumber",
          f.url,
          f.failing_since as at,
          f.subject
     from failing f
     join merchants m on m.id = f.merchant_id
    where not exists (
            select 1
              from sent_notices s
             where s.merchant_id = f.merchant_id
               and s.kind = 'webhook_failing'
               and s.subject = f.subject
          )
    limit $2`,
);

/** Endpoints that have only failed since `before`, several times, of which nobody was written yet. */
export function listFailingWebhooks(db: Queryable, before: Instant, limit: number): Promise<FailingWebhook[]> {
  return db.query<FailingWebhook>(listFailing, [new Date(before), limit]);
}

const listTurnedOff = statement(
  "list_turned_off_webhooks_to_notice",
  `select w.merchant_id as "merchantId",
          m.name as merchant,
          w.endpoint_number as "endpointNumber",
          w.url,
          w.disabled_at as at,
          n.subject
     from webhook_endpoints w
     join merchants m on m.id = w.merchant_id
    cross join lateral (select w.endpoint_number || ' off ' || extract(epoch from w.disabled_at) as subject) n
    where w.disabled_reason in ('failing', 'gone')
      and w.url is not null
      and w.disabled_at > $1
      and not exists (
            select 1
              from sent_notices s
             where s.merchant_id = w.merchant_id
               and s.kind = 'webhook_failing'
               and s.subject = n.subject
          )
    limit $2`,
);

/** Endpoints that we turned off after `after`, of which nobody was written yet. */
export function listTurnedOffWebhooks(db: Queryable, after: Instant, limit: number): Promise<FailingWebhook[]> {
  return db.query<FailingWebhook>(listTurnedOff, [new Date(after), limit]);
}

/** A live key that somebody should know of. */
export interface KeyToNotice {
  readonly id: ApiKeyId;
  readonly merchantId: MerchantId;
  readonly merchant: string;
  readonly label: string;
  readonly firstCharacters: string;
  /** Null where it does not end. */
  readonly expiresAt: Instant | null;
  /** When it was last used; when it was made, where it never was. */
  readonly usedAt: Instant;
  readonly subject: string;
}

const keyColumns = `k.id,
          k.merchant_id as "merchantId",
          m.name as merchant,
          k.label,
          k.first_characters as "firstCharacters",
          k.expires_at as "expiresAt",
          coalesce(u.used_at, k.created_at) as "usedAt",
          n.subject`;

const notSent = `not exists (
            select 1
              from sent_notices s
             where s.merchant_id = k.merchant_id
               and s.kind = 'key_ending'
               and s.subject = n.subject
          )`;

const listEnding = statement(
  "list_ending_keys_to_notice",
  `select ${keyColumns}
     from api_keys k
     join api_key_uses u on u.key_id = k.id
     join merchants m on m.id = k.merchant_id
    cross join lateral (select k.id || ' ends ' || extract(epoch from k.expires_at) as subject) n
    where k.mode = 'live'
      and k.revoked_at is null
      and k.expires_at > $1
      and k.expires_at <= $2
      and u.used_at > $3
      and ${notSent}
    limit $4`,
);

/** Live keys that end between `after` and `until` and were used since `usedSince`, of which nobody was written yet. */
export function listEndingKeys(
  db: Queryable,
  span: { readonly after: Instant; readonly until: Instant; readonly usedSince: Instant; readonly limit: number },
): Promise<KeyToNotice[]> {
  const { after, until, usedSince, limit } = span;
  return db.query<KeyToNotice>(listEnding, [new Date(after), new Date(until), new Date(usedSince), limit]);
}

const listUnused = statement(
  "list_unused_keys_to_notice",
  `select ${keyColumns}
     from api_keys k
     left join api_key_uses u on u.key_id = k.id
     join merchants m on m.id = k.merchant_id
    cross join lateral (
            select k.id || ' unused since ' || extract(epoch from coalesce(u.used_at, k.created_at)) as subject
          ) n
    where k.mode = 'live'
      and k.revoked_at is null
      and k.expires_at is null
      and coalesce(u.used_at, k.created_at) <= $1
      and ${notSent}
    limit $2`,
);

/** Live keys without an end that were not used since `before`, of which nobody was written yet. */
export function listUnusedKeys(db: Queryable, before: Instant, limit: number): Promise<KeyToNotice[]> {
  return db.query<KeyToNotice>(listUnused, [new Date(before), limit]);
}
