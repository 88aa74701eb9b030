import { referenceDigits } from "../rig/load.ts";
import { type Database, statement } from "../src/platform/database/database.ts";
import { loadedPrefix, stride, yearMs } from "./growth-load.ts";

const rowsPerSlice = 100_000;
/** As long as the log is kept, less an hour: nothing is purged while it is measured. */
const logMs = 30 * 86_400_000 - 3_600_000;
/** Nothing of the benchmark's own requests is older. */
const endedMs = 60_000;

/** Of one request in a million: far apart, so that they are sought among all others. */
export const rareCode = "PRICE_CHANGED";
/** Where one request in a million came from. */
export const rareAddress = "203.0.113.9";
const codes = ["INSUFFICIENT_BALANCE", "VALIDATION_ERROR", "INVALID_PHONE", "RATE_LIMITED", "SANDBOX_FORCED_FAILURE"];
const statuses = [402, 400, 400, 429, 422];

// In the order of time; even numbers are the big merchant's, as its purchases are. Six of ten requests buy, three ask
// for what was bought, one for the balance; three in a hundred failed. Those about one purchase are neighbours: a dozen
// where log and purchases have as many rows. One client in twenty chooses its requests' ids, others have ids of ours.
const loadSlice = statement(
  "load_log_slice",
  `insert into request_log (
     wallet_id, at, number, method, endpoint, path, status, code, duration_ms, key_id, address,
     request_id, is_request_id_sent, reference, body
   )
   select -i.merchant_id, to_timestamp(i.ms / 1000.0), i.n % 2147483647,
          case when i.kind < 600 then 'POST' else 'GET' end,
          '/api/v1/merchant/' || case when i.kind < 600 then 'data/purchase'
                                      when i.kind < 900 then 'transactions/:reference'
                                      else 'wallet/balance' end,
          '/api/v1/merchant/' || case when i.kind < 600 then 'data/purchase'
                                      when i.kind < 900 then 'transactions/' || r.reference
                                      else 'wallet/balance' end,
          coalesce(f.status, case when i.kind < 600 then 201 else 200 end), f.code, 5 + i.hash & 63, k.id,
          case when i.n % 1000000 < 2 then '${rareAddress}' else '198.51.100.' || (i.hash >> 30) % 16 end::inet,
          case when i.kind % 20 = 0 then 'client-' || i.n
               else 'req_' || t.made || upper(substr(md5(i.n::text), 1, 16)) end,
          i.kind % 20 = 0,
          case when i.kind < 900 then r.reference end,
          case when i.kind < 600
               then '{"reference":"' || r.reference || '","product_id":101,"phone":"0803***' || (i.hash >> 34) % 9000 || '"}' end
     from (
            select n, hash, hash & 1023 as kind, $3::bigint + n * ${logMs} / $5::bigint as ms,
                   case when n % 2 = 0 then $6::integer else ($7::integer[])[1 + (n / 2) % cardinality($7)] end
                     as merchant_id,
                   ($4::bigint * (365 - 30) / 365 + n * ($4::bigint * 30 / 365) / $5::bigint) / 2 * 2 + n % 2 as bought
              from generate_series($1::bigint, $2::bigint - 1) as n
             cross join lateral (select (hashint8extended(n, 3) >> 1) & 9007199254740991) as h (hash)
          ) i
    cross join lateral (
            select '${loadedPrefix}' || lpad((i.bought / 2 * ${stride} % (($4 + 1) / 2))::text, ${referenceDigits}, '0')
                     || case when i.n % 2 = 0 then '' else '-' || i.bought end
          ) as r (reference)
    cross join lateral (
            select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', ((i.ms >> 5 * place) & 31)::integer + 1, 1), ''
                     order by place desc)
              from generate_series(0, 9) as place
          ) as t (made)
    cross join lateral (
            select case when i.n % 1000000 < 2 then '${rareCode}'
                        when (i.hash >> 10) & 1023 < 30 then ($8::text[])[1 + (i.hash >> 20) % cardinality($8)] end,
                   case when i.n % 1000000 < 2 then 409
                        when (i.hash >> 10) & 1023 < 30 then ($9::smallint[])[1 + (i.hash >> 20) % cardinality($9)] end
          ) as f (code, status)
     join api_keys k
       on k.merchant_id = i.merchant_id and k.mode = 'test' and k.slot = 1
    order by i.n`,
);

// As the service counts them with each batch.
const countErrors = statement(
  "load_error_days",
  `insert into request_error_days as d (wallet_id, day, endpoint, code, requests, first_at, last_at)
   select wallet_id, (at at time zone 'Africa/Lagos')::date, endpoint, code, count(*), min(at), max(at)
     from request_log
    where code is not null
    group by wallet_id, (at at time zone 'Africa/Lagos')::date, endpoint, code
       on conflict (wallet_id, day, endpoint, code) do update
          set requests = excluded.requests, first_at = excluded.first_at, last_at = excluded.last_at`,
);

interface LogLoad {
  /** As many as there are purchases. */
  readonly rows: number;
  readonly bigMerchant: number;
  readonly others: readonly number[];
  readonly progress: (text: string) => void;
}

/** Loads a month of the request log: as many rows as there are purchases, half of them the big merchant's. */
export async function loadRequestLog(database: Database, load: LogLoad): Promise<void> {
  const { rows, bigMerchant, others, progress } = load;
  const startMs = Date.now() - endedMs - logMs;
  for (let first = 0; first < rows; first += rowsPerSlice) {
    const before = Math.min(rows, first + rowsPerSlice);
    await database.query(loadSlice, [first, before, startMs, rows, rows, bigMerchant, others, codes, statuses]);
    progress(`\r${before.toLocaleString("en-GB")} requests loaded `);
  }
  progress("\n");
  await database.query(countErrors);
}

/** When the oldest purchase that the log tells of was made. */
export function firstLoggedMs(): number {
  return Date.now() - yearMs * (30 / 365);
}
