import type { Instant } from "../../kernel/clock.ts";
import type { ApiKeyId, MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { MintedKey } from "./key-format.ts";

/** A key without the key. */
export interface ApiKeyRow {
  readonly id: ApiKeyId;
  readonly merchant_id: MerchantId;
  readonly mode: Mode;
  readonly slot: number;
  readonly first_characters: string;
  readonly last_characters: string;
  readonly is_older_token: boolean;
  readonly label: string;
  readonly created_by: string;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  readonly revoked_at: Instant | null;
}

const keyColumns = `id, merchant_id, mode, slot, first_characters, last_characters, is_older_token, label, created_by,
          created_at, expires_at, revoked_at`;

/** A key, and when and from where it was last used: null where it never was, or by nobody whose address was readable. */
export interface UsedApiKeyRow extends ApiKeyRow {
  readonly used_at: Instant | null;
  readonly used_from: string | null;
}

const listKeysOfMerchant = statement(
  "list_api_keys",
  `select ${keyColumns}, u.used_at, host(u.address) as used_from
     from api_keys
     left join api_key_uses u on u.key_id = id
    where merchant_id = $1
    order by id`,
);

export function listApiKeys(database: Queryable, merchantId: MerchantId): Promise<UsedApiKeyRow[]> {
  return database.query<UsedApiKeyRow>(listKeysOfMerchant, [merchantId]);
}

const findKey = statement(
  "find_api_key",
  `select ${keyColumns}
     from api_keys
    where id = $1`,
);

export async function findApiKey(database: Queryable, id: ApiKeyId): Promise<ApiKeyRow | null> {
  return (await database.query<ApiKeyRow>(findKey, [id]))[0] ?? null;
}

const updateExpired = statement(
  "update_expired_api_keys",
  `update api_keys
      set revoked_at = expires_at
    where merchant_id = $1
      and revoked_at is null
      and expires_at <= $2`,
);

/** Takes the slots from keys that have expired. The caller holds the merchant's row. */
export async function updateExpiredApiKeys(tx: Tx, merchantId: MerchantId, now: Instant): Promise<void> {
  await tx.query(updateExpired, [merchantId, new Date(now)]);
}

interface NewApiKey {
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  readonly key: Pick<MintedKey, "hash" | "firstCharacters" | "lastCharacters">;
  readonly label: string;
}

const insertKeys = statement(
  "insert_api_keys",
  `insert into api_keys (merchant_id, mode, slot, hash, first_characters, last_characters, label, created_by, created_at,
                         is_older_token)
   select merchant_id, mode, free.slot, decode(hash, 'hex'), first_characters, last_characters, label, $7, $8, $9
     from unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       as given (merchant_id, mode, hash, first_characters, last_characters, label)
    cross join lateral (
            select place.slot
              from generate_series(1, 5) as place (slot)
             where not exists (
                     select 1
                       from api_keys k
                      where k.merchant_id = given.merchant_id
                        and k.mode = given.mode
                        and k.slot = place.slot
                        and k.revoked_at is null)
             order by place.slot
             limit 1
          ) as free
   returning id, merchant_id, mode`,
);

/**
 * Adds keys, each in the lowest free slot of its account and mode; one without a free slot is left out. No two of one
 * account and mode in one call. `areOlderTokens`: they came with merchants of an older script. The caller holds the
 * merchants' rows, or they are new.
 */
export function insertApiKeys(
  tx: Tx,
  keys: readonly NewApiKey[],
  options: { readonly createdBy: string; readonly now: Instant; readonly areOlderTokens?: boolean },
): Promise<{ id: ApiKeyId; merchant_id: MerchantId; mode: Mode }[]> {
  return tx.query(insertKeys, [
    arrayOf(keys.map(({ merchantId }) => merchantId)),
    arrayOf(keys.map(({ mode }) => mode)),
    arrayOf(keys.map(({ key }) => key.hash)),
    arrayOf(keys.map(({ key }) => key.firstCharacters)),
    arrayOf(keys.map(({ key }) => key.lastCharacters)),
    arrayOf(keys.map(({ label }) => label)),
    options.createdBy,
    new Date(options.now),
    options.areOlderTokens ?? false,
  ]);
}

const listHashes = statement(
  "list_api_key_hashes",
  `select encode(hash, 'hex') as hash, merchant_id as "merchantId"
     from api_keys
    where hash = any (select decode(given, 'hex') from unnest($1::text[]) as given)`,
);

/** Which of these hashes are a key here, be it revoked, and whose. */
export function listKnownHashes(
  database: Queryable,
  hashes: readonly string[],
): Promise<{ readonly hash: string; readonly merchantId: MerchantId }[]> {
  return database.query(listHashes, [arrayOf(hashes)]);
}

const deleteUses = statement(
  "delete_older_token_uses",
  `delete from api_key_uses u
    using api_keys k
    where k.id = u.key_id
      and k.merchant_id = any ($1::integer[])
      and k.is_older_token`,
);
const deleteTokens = statement(
  "delete_older_tokens",
  "delete from api_keys where merchant_id = any ($1::integer[]) and is_older_token",
);
const updateAllEnded = statement(
  "update_api_keys_ended",
  `update api_keys
      set revoked_at = $2
    where merchant_id = any ($1::integer[])
      and revoked_at is null`,
);

/**
 * Ends all keys of merchants whose move is taken back. Older tokens go altogether, so that they can come again. The caller
 * raises the revision.
 */
export async function updateKeysMovedBack(tx: Tx, ids: readonly MerchantId[], now: Instant): Promise<void> {
  await tx.query(deleteUses, [arrayOf(ids)]);
  await tx.query(deleteTokens, [arrayOf(ids)]);
  await tx.query(updateAllEnded, [arrayOf(ids), new Date(now)]);
}

const updateEnd = statement(
  "update_api_key_end",
  `update api_keys
      set expires_at = case when $2 > $3 then least(expires_at, $2) else expires_at end,
          revoked_at = case when $2 <= $3 then $2 end
    where id = $1
      and revoked_at is null
      and (expires_at is null or expires_at > $3)
   returning id`,
);

/** Ends a key at an instant, or at once when that has come. Never later than it would have ended. False: it had ended. */
export async function updateApiKeyEnd(tx: Tx, id: ApiKeyId, end: Instant, now: Instant): Promise<boolean> {
  return (await tx.query(updateEnd, [id, new Date(end), new Date(now)])).length === 1;
}

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
