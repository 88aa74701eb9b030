import type { Instant } from "../../../kernel/clock.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";

/** What is counted: attempts at a subject from a source. */
export interface Counted {
  readonly subject: Buffer;
  readonly source: string;
}

const insert = statement(
  "insert_log_in_failure",
  `insert into log_in_failures as f (subject, source, failures, first_at, kept_until)
   values ($1, $2, 1, $3, $6)
       on conflict (subject, source) do update
          set failures = case when f.first_at <= $4 or f.first_at > $3 + interval '1 minute' then 1 else f.failures + 1 end,
              first_at = case when f.first_at <= $4 or f.first_at > $3 + interval '1 minute' then $3 else f.first_at end,
              kept_until = $6
        where f.failures < $5
           or f.first_at <= $4
           or f.first_at > $3 + interval '1 minute'
   returning failures`,
);

/**
 * Counts an attempt before it is made, so that no two that come at once pass for one. A count that began at `anewBefore`
 * or earlier begins anew, and one that a clock which was ahead began later than now. @returns how many it makes; null where
 * `max` were counted already: then this one is not
 */
export async function insertFailure(
  db: Queryable,
  { subject, source }: Counted,
  counting: {
    readonly now: Instant;
    readonly anewBefore: Instant;
    /** A count is deleted then. */
    readonly keptUntil: Instant;
    readonly max: number;
  },
): Promise<number | null> {
  const { now, anewBefore, keptUntil, max } = counting;
  const values = [subject, source, new Date(now), new Date(anewBefore), max, new Date(keptUntil)];
  return (await db.query<{ failures: number }>(insert, values))[0]?.failures ?? null;
}

const find = statement(
  "find_log_in_failure",
  `select first_at as "firstAt"
     from log_in_failures
    where subject = $1
      and source = $2`,
);

/** When a count began; null where there is none. */
export async function findFailureStart(db: Queryable, { subject, source }: Counted): Promise<Instant | null> {
  return (await db.query<{ firstAt: Instant }>(find, [subject, source]))[0]?.firstAt ?? null;
}

const findOther = statement(
  "find_seen_before",
  `select 1
     from log_in_failures
    where (subject = $1 and source <> $2)
       or (subject = $3 and (source <> $4 or failures > 1))
    limit 1`,
);

/** Whether anything is remembered under `one` beside it, or under `other` beside one time of it. */
export async function wasSeenBefore(db: Queryable, one: Counted, other: Counted): Promise<boolean> {
  return (await db.query(findOther, [one.subject, one.source, other.subject, other.source])).length > 0;
}

const deleteOne = statement(
  "delete_log_in_failure",
  `delete from log_in_failures
    where subject = $1
      and ($2::text is null or source = $2)`,
);

/** Forgets the attempts at a subject: from a source, or for null from everywhere. */
export async function deleteFailures(db: Queryable, subject: Buffer, source: string | null): Promise<void> {
  await db.query(deleteOne, [subject, source]);
}

const updateLess = statement(
  "update_log_in_failure_less",
  `with last as (
     delete from log_in_failures
      where subject = $1
        and source = $2
        and failures = 1
   )
   update log_in_failures
      set failures = failures - 1
    where subject = $1
      and source = $2
      and failures > 1`,
);

/** Takes back one attempt. */
export async function updateFailuresLess(db: Queryable, { subject, source }: Counted): Promise<void> {
  await db.query(updateLess, [subject, source]);
}

const deleteStale = statement(
  "delete_stale_log_in_failures",
  `delete from log_in_failures
    where (subject, source) in (select subject, source from log_in_failures where kept_until <= $1 limit $2)
   returning 1`,
);

/** @returns how many were deleted */
export async function deleteStaleFailures(db: Queryable, now: Instant, limit: number): Promise<number> {
  return (await db.query(deleteStale, [new Date(now), limit])).length;
}
