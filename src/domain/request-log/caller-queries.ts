import type { Instant } from "../../kernel/clock.ts";
import { type WalletKey, walletIdOf } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";

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
