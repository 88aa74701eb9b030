import { refuse } from "../../kernel/problems.ts";
import { Overloaded } from "./batcher.ts";
import { type OpenDatabase, type Statement, statement } from "./database.ts";
import { NotSent } from "./database-errors.ts";

/** Why the database takes no commits; null while it does. */
export type CommitBlock = "read_only" | "commits_wait" | null;

/** Whether commits come back: a primary may turn read-only, or wait for a standby that is gone. */
export interface CommitState {
  /** Asks the database on the connections that charge. Rejects when it does not answer there. @returns as `present` */
  look(): Promise<CommitBlock>;
  /** As of the last look, and of the commits of this process that are under way. */
  present(): CommitBlock;
  /** The refusal for a call that would commit: certainly nothing was sent. Null while commits come back. */
  refusal(): Overloaded | null;
  /**
   * Confirms, by asking the database, that a row which a reading did not find does not exist.
   * @throws Refusal MAINTENANCE while a commit is under way that may bring it
   */
  confirmAbsence(): Promise<void>;
  /** How long the oldest commit has been under way, in seconds. */
  oldestSeconds(): number;
}

/** A commit that does not come back by then is tried once more, and then answered as unknown. */
export const commitSecondsMax = 10;

/** A commit takes milliseconds; where it takes longer than this, the next ones will as well. */
const waitSecondsMax = 5;

/** A commit that takes longer may belong to a request that its client has given up and now asks about. */
const unseenSecondsMax = 1;

// A commit that waits for a standby goes on waiting when its connection is gone, and is seen by every process.
const findState: Statement = {
  ...statement(
    "find_commit_state",
    `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
            coalesce(
              (
                select extract(epoch from max(clock_timestamp() - query_start))
                  from pg_stat_activity
                 where datname = current_database() and wait_event = 'SyncRep'
              ),
              0
            )::float8 as "waitSeconds"`,
  ),
  secondsMax: 4,
};

/** Looks after the commits of the database that charges: each of its pipelined statements is one. */
export function openCommitState(options: { readonly database: OpenDatabase; readonly monotonicMs: () => number }): {
  readonly commits: CommitState;
  readonly batched: OpenDatabase;
} {
  const { database, monotonicMs } = options;
  const underWay = new Set<{ readonly since: number }>();
  let seen = { isReadOnly: false, waitSeconds: 0 };

  function ownSeconds(): number {
    // They are kept in the order in which they began.
    const [oldest] = underWay;
    return oldest === undefined ? 0 : (monotonicMs() - oldest.since) / 1_000;
  }

  function oldestSeconds(): number {
    return Math.max(ownSeconds(), seen.waitSeconds);
  }

  function present(): CommitBlock {
    if (seen.isReadOnly) return "read_only";
    return oldestSeconds() > waitSecondsMax ? "commits_wait" : null;
  }

  async function look(): Promise<CommitBlock> {
    const { isUsable, reason } = await database.hold();
    if (!isUsable) throw new NotSent(`a connection to charge on is missing: ${reason}`);
    const [state] = await database.query<typeof seen>(findState);
    if (state !== undefined) seen = state;
    return present();
  }

  const batched: OpenDatabase = {
    ...database,
    query(sql, values) {
      if (sql.isPipelined !== true) return database.query(sql, values);
      const commit = { since: monotonicMs() };
      underWay.add(commit);
      return database.query<never>(sql, values).finally(() => underWay.delete(commit));
    },
  };
  const commits: CommitState = {
    look,
    present,
    refusal() {
      const commitBlock = present();
      return commitBlock === null ? null : new Overloaded(`the database takes no commits: ${commitBlock}`);
    },
    async confirmAbsence() {
      await look();
      if (!seen.isReadOnly && oldestSeconds() <= unseenSecondsMax) return;
      throw refuse("MAINTENANCE", {
        message: "A purchase may be on its way that can't be seen yet. Ask again.",
        retryAfterSeconds: 5,
      });
    },
    oldestSeconds,
  };
  return { commits, batched };
}
