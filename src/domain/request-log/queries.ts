import type { Instant } from "../../kernel/clock.ts";
import type { Bucket, MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Queryable, Value } from "../../platform/database/database.ts";
import { arrayOf, statement } from "../../platform/database/database.ts";
import type { LoggedRequest } from "./logged-request.ts";

/** A row to be written. */
export interface NewLoggedRequest extends LoggedRequest {
  readonly bucket: Bucket;
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  readonly isRequestIdSent: boolean;
}

/** Errors of one day, endpoint and code that a batch adds. */
export interface NewErrors {
  readonly bucket: Bucket;
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  readonly day: string;
  readonly endpoint: string;
  readonly code: string;
  requests: number;
  /** How many of them have no row. */
  notKept: number;
  firstAt: Instant;
  lastAt: Instant;
}

// Nobody waits for it, and what it does not manage in this time is dropped. Days are locked in the order of their key.
const insertRequests = {
  secondsMax: 5,
  ...statement(
    "insert_logged_requests",
    `with stored as (
       insert into request_log (
         bucket, merchant_id, mode, at, number, method, endpoint, path, status, code, duration_ms, key_id, address,
         request_id, is_request_id_sent, reference, purchase_id, body
       )
       select bucket, merchant_id, mode, at, number, method, endpoint, path, status, code, duration_ms, key_id, address,
              request_id, is_request_id_sent, reference, purchase_id, body
         from unnest(
                $1::smallint[], $2::integer[], $3::text[], $4::timestamptz[], $5::integer[], $6::text[], $7::text[],
                $8::text[], $9::smallint[], $10::text[], $11::integer[], $12::integer[], $13::inet[], $14::text[],
                $15::boolean[], $16::text[], $17::bigint[], $18::text[]
              ) as given (
                bucket, merchant_id, mode, at, number, method, endpoint, path, status, code, duration_ms, key_id,
                address, request_id, is_request_id_sent, reference, purchase_id, body
              )
           on conflict do nothing
     )
     insert into request_error_days as d (
       bucket, merchant_id, mode, day, endpoint, code, requests, not_kept, first_at, last_at
     )
     select bucket, merchant_id, mode, day, endpoint, code, requests, not_kept, first_at, last_at
       from unnest(
              $19::smallint[], $20::integer[], $21::text[], $22::date[], $23::text[], $24::text[], $25::bigint[],
              $26::bigint[], $27::timestamptz[], $28::timestamptz[]
            ) as given (bucket, merchant_id, mode, day, endpoint, code, requests, not_kept, first_at, last_at)
      order by bucket, merchant_id, mode, day, endpoint, code
         on conflict (bucket, merchant_id, mode, day, endpoint, code) do update
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
    of((row) => row.bucket),
    of((row) => row.merchantId),
    of((row) => row.mode),
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
    ofErrors((row) => row.bucket),
    ofErrors((row) => row.merchantId),
    ofErrors((row) => row.mode),
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
