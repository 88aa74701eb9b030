import type { Instant } from "../../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { PersonId } from "./person.ts";

const deleteAll = statement("delete_backup_codes", "delete from backup_codes where person_id = $1");

export async function deleteBackupCodes(tx: Tx, personId: PersonId): Promise<void> {
  await tx.query(deleteAll, [personId]);
}

const insert = statement(
  "insert_backup_codes",
  `insert into backup_codes (person_id, code_hash)
   select $1, decode(hash, 'hex')
     from unnest($2::text[]) as given (hash)`,
);

export async function insertBackupCodes(tx: Tx, personId: PersonId, hashes: readonly Buffer[]): Promise<void> {
  await tx.query(insert, [personId, arrayOf(hashes.map((hash) => hash.toString("hex")))]);
}

const updateUsed = statement(
  "update_backup_code_used",
  `update backup_codes
      set used_at = $3
    where person_id = $1
      and code_hash = $2
      and used_at is null
   returning 1`,
);

/** Uses a code: true for one caller alone. */
export async function updateBackupCodeUsed(tx: Tx, personId: PersonId, hash: Buffer, now: Instant): Promise<boolean> {
  return (await tx.query(updateUsed, [personId, hash, new Date(now)])).length === 1;
}

const countLeft = statement(
  "count_backup_codes",
  "select count(*)::integer as left from backup_codes where person_id = $1 and used_at is null",
);

/** How many are still good. */
export async function countBackupCodes(db: Queryable, personId: PersonId): Promise<number> {
  return (await db.query<{ left: number }>(countLeft, [personId]))[0]?.left ?? 0;
}
