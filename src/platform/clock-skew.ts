import { assert } from "../kernel/assert.ts";
import type { Clock, Instant } from "../kernel/clock.ts";
import { type Queryable, statement } from "./database/database.ts";

const findTime = statement("find_time", "select now() as time");

/** How far a process's clock is from the database's, in milliseconds. */
export interface ClockSkew {
  /** Above zero where the process is ahead; by the middle of the question's round trip. */
  readonly skewMs: number;
  /** The smallest possible skew, whenever in the round trip the database read its clock; never below zero. */
  readonly sureMs: number;
}

/** The time by the database's clock. */
export async function readDatabaseClock(database: Queryable): Promise<Instant> {
  const [row] = await database.query<{ time: Instant }>(findTime);
  assert(row !== undefined, "the database knows its time");
  return row.time;
}

/**
 * Synchronised clocks are some milliseconds apart. At 30 s purchases are refused: their ids, which begin with the time,
 * lie below what another process has counted already.
 */
export const skewMsMax = 2_000;

/** Compares the process's clock with the database's. */
export async function measureClockSkew(
  database: Queryable,
  clock: Clock,
): Promise<ClockSkew & { readonly databaseTime: Instant }> {
  const sentAt = clock.now();
  const databaseTime = await readDatabaseClock(database);
  const halfMs = (clock.now() - sentAt) / 2;
  const skewMs = sentAt + halfMs - databaseTime;
  return { databaseTime, skewMs, sureMs: Math.max(0, Math.abs(skewMs) - halfMs) };
}

/** The database's time as it was read last, and what has passed since by a clock that never jumps. */
export interface DatabaseClock extends Clock {
  /** Reads it anew. @returns whether the process's own clock shows the same time */
  read(): Promise<boolean>;
}

export function openDatabaseClock(database: Queryable, clock: Clock, monotonicMs: () => number): DatabaseClock {
  let [time, at] = [clock.now(), monotonicMs()];
  return {
    now: () => time + Math.floor(monotonicMs() - at),
    async read() {
      const { databaseTime, sureMs } = await measureClockSkew(database, clock);
      [time, at] = [databaseTime, monotonicMs()];
      return sureMs <= skewMsMax;
    },
  };
}
