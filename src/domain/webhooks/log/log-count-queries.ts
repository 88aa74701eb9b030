import { type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import type { EndpointOwner } from "../endpoints/endpoint.ts";
import type { AttemptKinds } from "./log-queries.ts";

const findLogOf = statement(
  "find_webhook_log",
  `select l.last_id as "lastId",
          coalesce(sum(c.attempts), 0)::bigint as total,
          coalesce(array_agg(distinct c.endpoint_number) filter (where c.attempts > 0), '{}') as endpoints
     from webhook_logs l
     left join webhook_attempt_counts c
       on c.wallet_id = l.wallet_id
      and c.event = any ($2)
      and c.successful = any ($3)
      and c.endpoint_number = coalesce($4, c.endpoint_number)
    where l.wallet_id = $1
    group by l.last_id`,
);

/** What a log holds, as of one moment. */
interface LogState {
  /** The last attempt's number. */
  readonly lastId: bigint;
  /** How many attempts of the kinds asked for there are. */
  readonly total: number;
  /** Endpoints that have such attempts. */
  readonly endpoints: readonly number[];
}

/** Reads a log's state without counting. A null `endpointNumber` stands for all endpoints. */
export async function findLog(
  db: Queryable,
  wallet: WalletKey,
  kinds: Omit<AttemptKinds, "endpoints"> & { readonly endpointNumber: number | null },
): Promise<LogState> {
  const [row] = await db.query<Omit<LogState, "total"> & { total: bigint }>(findLogOf, [
    walletIdOf(wallet),
    arrayOf(kinds.events),
    arrayOf(kinds.successful),
    kinds.endpointNumber,
  ]);
  if (row === undefined) return { lastId: 0n, total: 0, endpoints: [] };
  return { ...row, total: Number(row.total) };
}

const countEndpoints = statement(
  "count_logged_webhook_endpoints",
  `select count(distinct c.endpoint_number)::integer as endpoints
     from webhook_attempt_counts c
    where c.wallet_id in ($1::integer, -$1::integer)`,
);

/** How many of a merchant's endpoints the logs hold attempts of, removed ones among them. */
export async function countLoggedEndpoints(db: Queryable, { merchantId }: EndpointOwner): Promise<number> {
  const [row] = await db.query<{ endpoints: number }>(countEndpoints, [merchantId]);
  return row?.endpoints ?? 0;
}

const countNewer = statement(
  "count_newer_webhook_attempts",
  `select count(*) as total
     from webhook_attempts a
    where a.wallet_id = $1
      and a.event = any ($2)
      and a.successful = any ($3)
      and a.endpoint_number = any ($4)
      and a.id > $5
      and a.id <= $6`,
);

/** Counts attempts of some kinds after one attempt, up to another, by reading them. */
export async function countAttemptsBetween(
  db: Queryable,
  wallet: WalletKey,
  kinds: AttemptKinds,
  range: { readonly afterId: bigint; readonly upToId: bigint },
): Promise<number> {
  const [row] = await db.query<{ total: bigint }>(countNewer, [
    walletIdOf(wallet),
    arrayOf(kinds.events),
    arrayOf(kinds.successful),
    arrayOf(kinds.endpoints),
    range.afterId,
    range.upToId,
  ]);
  return Number(row?.total ?? 0n);
}
