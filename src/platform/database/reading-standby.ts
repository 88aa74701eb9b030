import type { Clock, Instant } from "../../kernel/clock.ts";
import { forReaders, type Queryable, type Statement, statement } from "./database.ts";
import { isTimedOut } from "./database-errors.ts";
import { isDatabaseAway } from "./refuse-when-away.ts";

/** What is read at one time, and how old that is. */
export interface Reading {
  /** It only reads: what fails at the standby is read at the primary. */
  readonly reads: Queryable;
  /** All that was committed by then is in it. Null: it is as of now. */
  readonly asOf: Instant | null;
}

/** Chooses where to read what may be a minute old: one choice for all of a page or file. */
export type OpenReading = () => Promise<Reading>;

/** Older than that nobody reads there. */
const behindSecondsMax = 60;
/** A look at the standby serves everybody for so long. */
const lookKeptMs = 2_000;
const lookSecondsMax = 2;

/** The database that both must be, and the migrations that it has seen. */
const sameness = `(select system_identifier::text from pg_control_system()) as system,
          (select md5(string_agg(name || hash, ',' order by name)) from applied_migrations) as migrations`;

const findPrimary: Statement = {
  ...statement("find_primary_state", `select ${sameness}, pg_current_wal_lsn()::text as position`),
  secondsMax: lookSecondsMax,
};

// A primary that commits nothing leaves the last commit as old as it is, and nothing behind.
const findStandby: Statement = {
  ...statement(
    "find_standby_state",
    `select ${sameness},
          pg_is_in_recovery() as "isStandby",
          case
            when pg_last_wal_replay_lsn() >= $1::pg_lsn then 0
            else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())
          end::float8 as "behindSeconds"`,
  ),
  secondsMax: lookSecondsMax,
};

interface Sameness {
  readonly system: string;
  readonly migrations: string;
}
type PrimaryState = Sameness & { readonly position: string };
type StandbyState = Sameness & { readonly isStandby: boolean; readonly behindSeconds: number | null };

/**
 * Reads at a standby of the primary while that has the same migrations and is at most a minute behind; else at the primary.
 * @param options.onChange hears why the primary is read, null where the standby is: at first, and when the other one is
 */
export function openReadingStandby(options: {
  readonly primary: Queryable;
  readonly standby: Queryable;
  readonly clock: Clock;
  readonly onChange: (reason: string | null) => void;
}): OpenReading {
  const { primary, standby, clock, onChange } = options;
  const present: Reading = { reads: forReaders(primary), asOf: null };
  const older = forReaders(standby);
  let said: string | null | undefined;
  let kept: { readonly since: Instant; readonly asOf: Promise<Instant | null> } | null = null;

  function say(reason: string | null): void {
    // Of a standby that is away, each try says something else.
    if (said === undefined || (reason === null) !== (said === null)) onChange(reason);
    said = reason;
  }

  async function look(now: Instant): Promise<Instant | null> {
    try {
      const [first] = await primary.query<PrimaryState>(findPrimary);
      const [second] = await standby.query<StandbyState>(findStandby, [first?.position]);
      const reason = first === undefined || second === undefined ? "it says nothing" : reasonAgainst(first, second);
      say(reason);
      return reason === null ? now - Math.max(0, second?.behindSeconds ?? 0) * 1_000 : null;
    } catch (error) {
      return leave(error, now);
    }
  }

  /** Until the next look. */
  function leave(error: unknown, now: Instant): null {
    say((error as Error).message);
    kept = { since: now, asOf: Promise.resolve(null) };
    return null;
  }

  const reads: Queryable = {
    async query(sql, values) {
      try {
        return await older.query(sql, values);
      } catch (error) {
        // What took too long there would take as long here, beside sales.
        if (!isDatabaseAway(error) || isTimedOut(error)) throw error;
        leave(error, clock.now());
        return present.reads.query(sql, values);
      }
    },
  };

  return async () => {
    const now = clock.now();
    if (kept === null || Math.abs(now - kept.since) >= lookKeptMs) kept = { since: now, asOf: look(now) };
    const asOf = await kept.asOf;
    return asOf === null ? present : { reads, asOf };
  };
}

/** Why nobody may read there; null where they may. */
export function reasonAgainst(primary: Sameness, standby: StandbyState): string | null {
  const { isStandby, behindSeconds } = standby;
  if (primary.system !== standby.system) return "it is another database's";
  if (!isStandby) return "it is no standby";
  if (primary.migrations !== standby.migrations) return "it has another release's tables";
  if (behindSeconds === null) return "it does not say how old it is";
  return behindSeconds > behindSecondsMax ? `it is more than ${behindSecondsMax} s behind` : null;
}
