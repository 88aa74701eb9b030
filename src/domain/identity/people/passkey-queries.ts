import type { Instant } from "../../../kernel/clock.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { PersonId } from "./person.ts";

export interface StoredPasskey {
  /** As its authenticator made it, in base64url. */
  readonly id: string;
  readonly personId: PersonId;
  readonly publicKey: Buffer;
  readonly counter: bigint;
  readonly transports: readonly string[];
  readonly label: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

const columns = `credential_id as id, person_id as "personId", public_key as "publicKey", counter, transports, label,
          created_at as "createdAt", last_used_at as "lastUsedAt"`;

const list = statement(
  "list_passkeys",
  `select ${columns}
     from passkeys
    where person_id = $1
    order by created_at, credential_id`,
);

export function listPasskeysOf(db: Queryable, personId: PersonId): Promise<StoredPasskey[]> {
  return db.query<StoredPasskey>(list, [personId]);
}

const find = statement(
  "find_passkey",
  `select ${columns}
     from passkeys
    where credential_id = $1`,
);

export async function findPasskey(db: Queryable, id: string): Promise<StoredPasskey | null> {
  return (await db.query<StoredPasskey>(find, [id]))[0] ?? null;
}

const insert = statement(
  "insert_passkey",
  `insert into passkeys (credential_id, person_id, public_key, counter, transports, label, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (credential_id) do nothing
   returning 1`,
);

/** False where the authenticator is somebody's already. */
export async function insertPasskey(
  tx: Tx,
  passkey: Omit<StoredPasskey, "createdAt" | "lastUsedAt"> & { readonly now: Instant },
): Promise<boolean> {
  const { id, personId, publicKey, counter, transports, label, now } = passkey;
  const values = [id, personId, publicKey, counter, transports, label, new Date(now)];
  return (await tx.query(insert, values)).length === 1;
}

const updateUsed = statement(
  "update_passkey_used",
  `update passkeys
      set counter = $3,
          last_used_at = $4
    where credential_id = $1
      and person_id = $2
      and (counter < $3 or (counter = 0 and $3 = 0))
   returning 1`,
);

/** Notes a use. False where the authenticator's count did not move on, or the passkey is gone. Many always count 0. */
export async function updatePasskeyUsed(
  tx: Tx,
  { id, personId }: Pick<StoredPasskey, "id" | "personId">,
  { counter, now }: { readonly counter: number; readonly now: Instant },
): Promise<boolean> {
  return (await tx.query(updateUsed, [id, personId, counter, new Date(now)])).length === 1;
}

const deleteAll = statement("delete_passkeys", "delete from passkeys where person_id = $1 returning 1");

/** @returns how many were deleted */
export async function deletePasskeysOf(tx: Tx, personId: PersonId): Promise<number> {
  return (await tx.query(deleteAll, [personId])).length;
}

const deleteOne = statement(
  "delete_passkey",
  `delete from passkeys
    where credential_id = $1
      and person_id = $2
   returning 1`,
);

export async function deletePasskey(
  tx: Tx,
  { id, personId }: Pick<StoredPasskey, "id" | "personId">,
): Promise<boolean> {
  return (await tx.query(deleteOne, [id, personId])).length === 1;
}
