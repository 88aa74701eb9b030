import { type Queryable, statement } from "../../platform/database/database.ts";

/** A replication slot of the server. */
interface Slot {
  readonly slot: string;
  /** How much of the write-ahead log the server keeps for it. */
  readonly bytes: number;
  /** The server has thrown away what it would need: whoever follows by it has to be made anew. */
  readonly isLost: boolean;
}

const listSlotsOfServer = statement(
  "list_replication_slots",
  `select s.slot_name as slot,
          coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn), 0)::float8 as bytes,
          s.wal_status = 'lost' as "isLost"
     from pg_replication_slots s
    where not pg_is_in_recovery()`,
);

export function listSlots(db: Queryable): Promise<Slot[]> {
  return db.query<Slot>(listSlotsOfServer);
}

const findArchiver = statement(
  "find_archiver",
  "select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing from pg_stat_archiver",
);

/** Whether the last try to archive a piece of the write-ahead log failed; false where none is archived. */
export async function isArchiveFailing(db: Queryable): Promise<boolean> {
  return (await db.query<{ failing: boolean }>(findArchiver))[0]?.failing === true;
}

// A deployment that never had one is as old as its backup. The script of a backup takes the turn `backup`: run.md, Backup.
const findBackup = statement(
  "find_backup_age",
  `select extract(epoch from now() - coalesce(
            (select free_at from turns where name = 'backup'),
            (select min(applied_at) from applied_migrations)
          ))::float8 as seconds`,
);

/** How long ago the last backup was finished. */
export async function findBackupAgeSeconds(db: Queryable): Promise<number> {
  return (await db.query<{ seconds: number }>(findBackup))[0]?.seconds ?? 0;
}
