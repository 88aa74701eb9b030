import type { Instant } from "../../../kernel/clock.ts";
import { arrayOf, type Queryable, statement } from "../../../platform/database/database.ts";

/** What is counted: attempts at a subject from a source. */
export interface Counted {
  readonly subject: Buffer;
  readonly source: string;
}

/** What attempts are counted under: `max` within `windowMs` of the first one. */
export interface Counting extends Counted {
  readonly max: number;
  readonly windowMs: number;
}

// A count that began long enough ago begins anew, and one that a clock which was ahead began later than now.
const isOver = `(f.first_at <= excluded.first_at - (excluded.kept_until - excluded.first_at)
               or f.first_at > excluded.first_at + interval '1 minute')`;

const insert = statement(
  "insert_log_in_failures",
  `insert into log_in_failures as f (subject, source, failures, first_at, kept_until)
   select i.subject, i.source, 1, $5::timestamptz, $5 + make_interval(secs => i.seconds)
     from unnest($1::bytea[], $2::text[], $4::double precision[]) as i (subject, source, seconds)
    order by i.subject, i.source
       on conflict (subject, source) do update
          set failures = case when ${isOver} then 1 else f.failures + 1 end,
              first_at = case when ${isOver} then excluded.first_at else f.first_at end,
              kept_until = excluded.kept_until
        where ${isOver}
           or f.failures < (
                select i.max
                  from unnest($1::bytea[], $2::text[], $3::integer[]) as i (subject, source, max)
                 where i.subject = excluded.subject and i.source = excluded.source
              )
   returning subject, source, failures`,
);

/**
 * Counts an attempt under each of them before it is made, so that no two that come at once pass for one. @returns how many
 * it makes, in their order; null where `max` were counted already: under that one it is not
 */
export async function insertFailures(
  db: Queryable,
  counts: readonly Counting[],
  now: Instant,
): Promise<readonly (number | null)[]> {
  const rows = await db.query<Counted & { readonly failures: number }>(insert, valuesOf(counts, now));
  const isOf = (one: Counted) => (row: Counted) => row.source === one.source && row.subject.equals(one.subject);
  return counts.map((one) => rows.find(isOf(one))?.failures ?? null);
}

const findFull = statement(
  "find_full_log_in_failure",
  `select f.first_at + make_interval(secs => i.seconds) as "endsAt"
     from unnest($1::bytea[], $2::text[], $3::integer[], $4::double precision[])
            with ordinality as i (subject, source, max, seconds, place)
     join log_in_failures f
       on f.subject = i.subject and f.source = i.source
    where f.failures >= i.max
      and f.first_at > $5::timestamptz - make_interval(secs => i.seconds)
      and f.first_at <= $5 + interval '1 minute'
    order by i.place
    limit 1`,
);

/** When the first of them that has its `max` begins anew; null where none has. */
export async function findFullFailure(
  db: Queryable,
  counts: readonly Counting[],
  now: Instant,
): Promise<Instant | null> {
  return (await db.query<{ endsAt: Instant }>(findFull, valuesOf(counts, now)))[0]?.endsAt ?? null;
}

function subjectsOf(counts: readonly Counted[]): string {
  return arrayOf(counts.map(({ subject }) => `\\x${subject.toString("hex")}`));
}

function valuesOf(counts: readonly Counting[], now: Instant): unknown[] {
  return [
    subjectsOf(counts),
    arrayOf(counts.map(({ source }) => source)),
    arrayOf(counts.map(({ max }) => max)),
    arrayOf(counts.map(({ windowMs }) => windowMs / 1_000)),
    new Date(now),
  ];
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
  "update_log_in_failures_less",
  `with counted as materialized (
     select f.subject, f.source
       from unnest($1::bytea[], $2::text[]) as i (subject, source)
       join log_in_failures f
         on f.subject = i.subject and f.source = i.source
      order by f.subject, f.source
        for update of f
   ),
   last as (
     delete from log_in_failures f
      using counted c
      where f.subject = c.subject
        and f.source = c.source
        and f.failures = 1
   )
   update log_in_failures f
      set failures = f.failures - 1
     from counted c
    where f.subject = c.subject
      and f.source = c.source
      and f.failures > 1`,
);

/** Takes back one attempt under each of them. */
export async function updateFailuresLess(db: Queryable, counts: readonly Counted[]): Promise<void> {
  await db.query(updateLess, [subjectsOf(counts), arrayOf(counts.map(({ source }) => source))]);
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
