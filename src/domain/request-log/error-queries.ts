import type { Instant } from "../../kernel/clock.ts";
import { type WalletKey, walletIdOf } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";

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
