import type { Instant } from "../../kernel/clock.ts";
import { type ApiKeyId, type Reference, type WalletKey, walletIdOf } from "../../kernel/ids.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";
import type { LoggedRequest, LogPlace } from "./logged-request.ts";

/** Of `request_log r`, as a `LoggedRequest`. */
const columns = `
       r.at,
       r.number,
       r.method,
       r.endpoint,
       r.path,
       r.status,
       r.code,
       r.duration_ms as "durationMs",
       r.key_id as "keyId",
       host(r.address) as address,
       r.request_id as "requestId",
       r.reference,
       r.purchase_id as "purchaseId",
       r.body`;

export function keyOf(wallet: WalletKey): unknown[] {
  return [walletIdOf(wallet)];
}

/** The same columns of `request_log w`, for a query around it to choose from. */
const stored = `
                   w.at, w.number, w.method, w.endpoint, w.path, w.status, w.code, w.duration_ms, w.key_id, w.address,
                   w.request_id, w.reference, w.purchase_id, w.body`;

/** What a walk looks at: from the place before which it begins, back to a time. */
const walked = `w.wallet_id = $1 and (w.at, w.number) < ($2, $3) and w.at >= $4`;
const newestFirst = "w.at desc, w.number desc";

/** What of the log is asked for. Null: all. Statuses are from `statusMin` up to before `statusBelow`. */
export interface WalkFilter {
  readonly code: string | null;
  readonly statusMin: number | null;
  readonly statusBelow: number | null;
  readonly endpoint: string | null;
  readonly keyId: ApiKeyId | null;
  readonly address: string | null;
  /** Anywhere in path, code, reference, request id or body, in any case. */
  readonly text: string | null;
  readonly isFailed: boolean;
}

/** Where a walk begins, ends and gives up: after so many requests, or so many that fit. */
export interface Walk {
  readonly before: LogPlace;
  readonly from: Instant;
  readonly walkedMax: number;
  readonly limit: number;
}

const chosen = `($6::text is null or r.code = $6)
      and ($7::integer is null or r.status >= $7)
      and ($8::integer is null or r.status < $8)
      and ($9::text is null or r.endpoint = $9)
      and ($10::integer is null or r.key_id = $10)
      and ($11::inet is null or r.address = $11)
      and (
            $12::text is null
            or strpos(lower(concat_ws(' ', r.path, r.code, r.reference, r.request_id, r.body)), lower($12)) > 0
          )
      and (not $13 or r.code is not null)`;

// The inner walk is bounded and stops as soon as the outer one has enough: it is never sorted.
const listWalked = statement(
  "list_logged_requests",
  `select ${columns}
     from (
            select ${stored}
              from request_log w
             where ${walked}
             order by ${newestFirst}
             limit $5
          ) r
    where ${chosen}
    order by r.at desc, r.number desc
    limit $14`,
);

const listWalkedOfCode = statement(
  "list_logged_requests_of_code",
  `select ${columns}
     from (
            select ${stored}
              from request_log w
             where ${walked}
               and w.code = $6
             order by ${newestFirst}
             limit $5
          ) r
    where ${chosen}
    order by r.at desc, r.number desc
    limit $14`,
);

/** Requests that fit, newest first, among the first `walkedMax` of all, or of those with the code where one is asked for. */
export function listWalkedRequests(
  database: Queryable,
  wallet: WalletKey,
  filter: WalkFilter,
  walk: Walk,
): Promise<LoggedRequest[]> {
  const { code, statusMin, statusBelow, endpoint, keyId, address, text, isFailed } = filter;
  return database.query<LoggedRequest>(code === null ? listWalked : listWalkedOfCode, [
    ...keyOf(wallet),
    new Date(walk.before.at),
    walk.before.number,
    new Date(walk.from),
    walk.walkedMax,
    code,
    statusMin,
    statusBelow,
    endpoint,
    keyId,
    address,
    text,
    isFailed,
    walk.limit,
  ]);
}

const findWalkEnd = statement(
  "find_end_of_walk",
  `select w.at, w.number
     from request_log w
    where ${walked}
    order by ${newestFirst}
   offset $5 - 1
    limit 1`,
);

const findWalkEndOfCode = statement(
  "find_end_of_walk_of_code",
  `select w.at, w.number
     from request_log w
    where ${walked}
      and w.code = $6
    order by ${newestFirst}
   offset $5 - 1
    limit 1`,
);

/** The last request that a walk looked at; null where it saw all there are. */
export async function findEndOfWalk(
  database: Queryable,
  wallet: WalletKey,
  code: string | null,
  walk: Walk,
): Promise<LogPlace | null> {
  const { before, from, walkedMax } = walk;
  const values = [...keyOf(wallet), new Date(before.at), before.number, new Date(from), walkedMax];
  const [row] =
    code === null
      ? await database.query<LogPlace>(findWalkEnd, values)
      : await database.query<LogPlace>(findWalkEndOfCode, [...values, code]);
  return row ?? null;
}

// Each code's newest from its own range of the index, then merged: errors are found among millions of successes.
const listFailed = statement(
  "list_failed_requests",
  `select ${columns}
     from (
            select newest.at, newest.number
              from (
                     select distinct d.code
                       from request_error_days d
                      where d.wallet_id = $1
                        and d.last_at >= $4
                        and ($5::text[] is null or d.code = any ($5))
                   ) c
             cross join lateral (
                     select w.at, w.number
                       from request_log w
                      where ${walked}
                        and w.code = c.code
                      order by ${newestFirst}
                      limit $6
                   ) newest
             order by newest.at desc, newest.number desc
             limit $6
          ) page
    cross join lateral (
            select ${stored}
              from request_log w
             where w.wallet_id = $1 and w.at = page.at and w.number = page.number
             limit 1
          ) r
    order by r.at desc, r.number desc`,
);

/** Requests that failed with one of the codes, or with any, newest first. */
export function listFailedRequests(
  database: Queryable,
  wallet: WalletKey,
  codes: readonly string[] | null,
  { before, from, limit }: Omit<Walk, "walkedMax">,
): Promise<LoggedRequest[]> {
  const place = [new Date(before.at), before.number, new Date(from)];
  return database.query<LoggedRequest>(listFailed, [...keyOf(wallet), ...place, codes && arrayOf(codes), limit]);
}

const listOfReference = statement(
  "list_logged_requests_of_reference",
  `select ${columns}
     from request_log r
    where r.wallet_id = $1 and r.reference = $2
    order by r.at, r.number
    limit $3`,
);

/** Requests with this reference, oldest first. */
export function listRequestsOfReference(
  database: Queryable,
  wallet: WalletKey,
  reference: Reference,
  limit: number,
): Promise<LoggedRequest[]> {
  return database.query<LoggedRequest>(listOfReference, [...keyOf(wallet), reference, limit]);
}

const listOfSentId = statement(
  "list_logged_requests_of_sent_id",
  `select ${columns}
     from request_log r
    where r.wallet_id = $1 and r.request_id = $2 and r.is_request_id_sent
    order by r.at desc, r.number desc
    limit $3`,
);

/** Requests whose client gave them this id, newest first. */
export function listRequestsOfSentId(
  database: Queryable,
  wallet: WalletKey,
  requestId: string,
  limit: number,
): Promise<LoggedRequest[]> {
  return database.query<LoggedRequest>(listOfSentId, [...keyOf(wallet), requestId, limit]);
}

// Ids of ours are made when a request comes in: its row lies behind that time.
const findOwnId = statement(
  "find_logged_request_by_own_id",
  `select ${columns}
     from request_log r
    where r.wallet_id = $1
      and r.at >= $3
      and r.at <= $4
      and r.request_id = $2
    order by r.at, r.number
    limit 1`,
);

/** The request that was given this id between the two instants. */
export async function findRequestByOwnId(
  database: Queryable,
  wallet: WalletKey,
  requestId: string,
  span: { readonly from: Instant; readonly to: Instant },
): Promise<LoggedRequest | null> {
  const values = [...keyOf(wallet), requestId, new Date(span.from), new Date(span.to)];
  return (await database.query<LoggedRequest>(findOwnId, values))[0] ?? null;
}

const findOne = statement(
  "find_logged_request",
  `select ${columns}
     from request_log r
    where r.wallet_id = $1 and r.at = $2 and r.number = $3`,
);

/** The request at a place of the log; null where none is kept. */
export async function findLoggedRequest(
  database: Queryable,
  wallet: WalletKey,
  { at, number }: LogPlace,
): Promise<LoggedRequest | null> {
  return (await database.query<LoggedRequest>(findOne, [...keyOf(wallet), new Date(at), number]))[0] ?? null;
}
