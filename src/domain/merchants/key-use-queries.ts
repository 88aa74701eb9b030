import type { Instant } from "../../kernel/clock.ts";
import type { ApiKeyId } from "../../kernel/ids.ts";
import { arrayOf, type Queryable, statement } from "../../platform/database.ts";

export interface KeyUse {
  readonly keyId: ApiKeyId;
  readonly usedAt: Instant;
  /** Null where the client's address was unreadable. */
  readonly address: string | null;
}

const insertUses = statement(
  "insert_api_key_uses",
  `insert into api_key_uses as u (key_id, used_at, address)
   select key_id, used_at, address::inet
     from unnest($1::integer[], $2::timestamptz[], $3::text[]) as given (key_id, used_at, address)
    order by key_id
       on conflict (key_id) do update
          set used_at = excluded.used_at,
              address = excluded.address
        where u.used_at < excluded.used_at`,
);

/** Keeps the latest use of each key, whichever process saw it. Locks rows in the order of the keys. Safe to repeat. */
export async function insertKeyUses(database: Queryable, uses: readonly KeyUse[]): Promise<void> {
  await database.query(insertUses, [
    arrayOf(uses.map(({ keyId }) => keyId)),
    arrayOf(uses.map(({ usedAt }) => new Date(usedAt).toISOString())),
    arrayOf(uses.map(({ address }) => address)),
  ]);
}
