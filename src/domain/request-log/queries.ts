import type { Instant } from "../../kernel/clock.ts";
import { type WalletKey, walletIdOf } from "../../kernel/ids.ts";
import { arrayOf, type Queryable, statement, type Value } from "../../platform/database/database.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** A row to be written. */
export interface NewLoggedRequest extends LoggedRequest {
  readonly wallet: WalletKey;
  readonly isRequestIdSent: boolean;
}

/** Errors of one day, endpoint and code that a batch adds. */
export interface NewErrors {
  readonly wallet: WalletKey;
  readonly day: string;
  readonly endpoint: string;
  readonly code: string;
  requests: number;
  /** How many of them have no row. */
  notKept: number;
  firstAt: Instant;
  lastAt: Instant;
}

// None waits for it, and what it does not manage in this time is dropped. Days are locked in the order of their key.
const insertRequests = {
  secondsMax: 5,
  ...statement(
    "insert_logged_requests",
    `with stored as (
       insert into request_log (
         wallet_id, at, number, method, endpoint, path, status, code, duration_ms, key_id, address,
         request_id, is_request_id_sent, reference, purchase_id, body
       )
       select wallet_id, at, number, method, endpoint, path, status, code, duration_ms, key_id, address,
              request_id, is_request_id_sent, reference, purchase_id, body
         from unnest(
                $1::integer[], $2::timestamptz[], $3::integer[], $4::text[], $5::text[],
                $6::text[], $7::smallint[], $8::text[], $9::integer[], $10::integer[], $11::inet[], $12::text[],
                $13::boolean[], $14::text[], $15::bigint[], $16::text[]
              ) as given (
                wallet_id, at, number, method, endpoint, path, status, code, duration_ms, key_id,
                address, request_id, is_request_id_sent, reference, purchase_id, body
              )
           on conflict do nothing
     )
     insert into request_error_days as d (
       wallet_id, day, endpoint, code, requests, not_kept, first_at, last_at
     )
     select wallet_id, day, endpoint, code, requests, not_kept, first_at, last_at
       from unnest(
              $17::integer[], $18::date[], $19::text[], $20::text[], $21::bigint[], $22::bigint[],
              $23::timestamptz[], $24::timestamptz[]
            ) as given (wallet_id, day, endpoint, code, requests, not_kept, first_at, last_at)
      order by wallet_id, day, endpoint, code
         on conflict (wallet_id, day, endpoint, code) do update
            set requests = d.requests + excluded.requests,
                not_kept = d.not_kept + excluded.not_kept,
                first_at = least(d.first_at, excluded.first_at),
                last_at = greatest(d.last_at, excluded.last_at)`,
  ),
};

/** Stores a batch with the errors that it counts. Not safe to repeat: the errors would count twice. */
export async function insertLoggedRequests(
  database: Queryable,
  rows: readonly NewLoggedRequest[],
  errors: readonly NewErrors[],
): Promise<void> {
  const of = (field: (row: NewLoggedRequest) => Value) => arrayOf(rows.map(field));
  const ofErrors = (field: (row: NewErrors) => Value) => arrayOf(errors.map(field));
  await database.query(insertRequests, [
    of((row) => walletIdOf(row.wallet)),
    of((row) => timeText(row.at)),
    of((row) => row.number),
    of((row) => row.method),
    of((row) => row.endpoint),
    of((row) => row.path),
    of((row) => row.status),
    of((row) => row.code),
    of((row) => row.durationMs),
    of((row) => row.keyId),
    of((row) => row.address),
    of((row) => row.requestId),
    of((row) => row.isRequestIdSent),
    of((row) => row.reference),
    of((row) => row.purchaseId),
    of((row) => row.body),
    ofErrors((row) => walletIdOf(row.wallet)),
    ofErrors((row) => row.day),
    ofErrors((row) => row.endpoint),
    ofErrors((row) => row.code),
    ofErrors((row) => row.requests),
    ofErrors((row) => row.notKept),
    ofErrors((row) => timeText(row.firstAt)),
    ofErrors((row) => timeText(row.lastAt)),
  ]);
}

function timeText(at: Instant): string {
  return new Date(at).toISOString();
}

/** An address that requests came from. */
export interface Caller {
  /** Null where it was unreadable. */
  readonly address: string | null;
  readonly requests: number;
  readonly lastAt: Instant;
}

/** Callers, and how far back their requests were looked through. */
export interface Callers {
  /** The most frequent first. */
  readonly callers: readonly Caller[];
  /** The oldest request that was looked at; null where all of the time asked for was. */
  readonly until: Instant | null;
}

const listNewest = statement(
  "list_request_callers",
  `select host(r.address) as address,
          count(*)::float8 as requests,
          max(r.at) as "lastAt",
          sum(count(*)) over ()::float8 as walked,
          min(min(r.at)) over () as "walkedTo"
     from (
            select w.address, w.at
              from request_log w
             where w.wallet_id = $1
               and w.at >= $2
               and w.key_id is not null
             order by w.at desc, w.number desc
             limit $3
          ) r
    group by r.address
    order by requests desc, r.address
    limit $4`,
);

/** Where the newest requests of a wallet that came with a key came from: up to `walkedMax` of them are looked at, and `limit` addresses told. */
export async function listCallers(
  database: Queryable,
  wallet: WalletKey,
  walk: { readonly from: Instant; readonly walkedMax: number; readonly limit: number },
): Promise<Callers> {
  const rows = await database.query<Caller & { readonly walked: number; readonly walkedTo: Instant }>(listNewest, [
    walletIdOf(wallet),
    new Date(walk.from),
    walk.walkedMax,
    walk.limit,
  ]);
  const [first] = rows;
  const isCut = first !== undefined && first.walked >= walk.walkedMax;
  return {
    callers: rows.map(({ address, requests, lastAt }) => ({ address, requests, lastAt })),
    until: isCut ? first.walkedTo : null,
  };
}

/** How often an error was answered in some days. */
export interface ErrorCount {
  readonly endpoint: string;
  readonly code: string;
  readonly requests: number;
  /** How many of them the log has no row of. */
  readonly notKept: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** The days that had it, earliest first. */
  readonly days: readonly { readonly day: string; readonly requests: number }[];
}

const listErrors = statement(
  "list_request_errors",
  `select d.endpoint,
          d.code,
          sum(d.requests)::float8 as requests,
          sum(d.not_kept)::float8 as "notKept",
          min(d.first_at) as "firstAt",
          max(d.last_at) as "lastAt",
          json_agg(json_build_object('day', d.day, 'requests', d.requests) order by d.day) as days
     from request_error_days d
    where d.wallet_id = $1 and d.day between $2::date and $3::date
    group by d.endpoint, d.code
    order by requests desc, "lastAt" desc, d.endpoint, d.code
    limit $4`,
);

/** Errors by code and endpoint, the most frequent first. Reads a row a day, endpoint and code. */
export function listRequestErrors(
  database: Queryable,
  wallet: WalletKey,
  days: { readonly from: string; readonly to: string },
  limit: number,
): Promise<ErrorCount[]> {
  return database.query<ErrorCount>(listErrors, [walletIdOf(wallet), days.from, days.to, limit]);
}
