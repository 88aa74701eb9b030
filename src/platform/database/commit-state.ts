import { refuse } from "../../kernel/problems.ts";
import { Overloaded } from "./batcher.ts";
import { type OpenDatabase, type Queryable, type Statement, statement } from "./database.ts";
import { isConnectionLost, isNotSent, NotSent } from "./database-errors.ts";

/** Why the database takes no commits; null while it does. */
export type CommitBlock = "read_only" | "commits_wait" | null;

/** Whether commits come back: a primary may turn read-only, or wait for a standby that is gone. */
export interface CommitState {
  /** Asks the database on the connections that charge. Rejects when it does not answer, or charge, there. @returns as `present` */
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

/** A look takes no longer: probes wait for it. */
const lookSecondsMax = 4;

/** A commit takes milliseconds; where it takes longer than this, the next ones will as well. */
const waitSecondsMax = 5;

/** A commit that takes longer may belong to a request that its client has given up and now asks about. */
const unseenSecondsMax = 1;

/** One connection that was cut is made anew within a moment: what charges is away where it stays lost for longer. */
const lostSecondsMin = 1;

/** Of a loss before then nobody knows whether it lasts: the next commit tells. The watch asks every second. */
const lostSecondsKept = 10;

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
  secondsMax: lookSecondsMax,
};

/**
 * Looks after the commits of the database that charges: each of its pipelined statements is one. What stands between here
 * and the server may answer everything but them, so they are asked themselves.
 * @param options.chargeNothing sends the statement that charges, with nothing to charge
 */
export function openCommitState(options: {
  readonly database: OpenDatabase;
  readonly monotonicMs: () => number;
  readonly chargeNothing: (database: Queryable) => Promise<unknown>;
}): {
  readonly commits: CommitState;
  readonly batched: OpenDatabase;
} {
  const { database, monotonicMs, chargeNothing } = options;
  const underWay = new Set<{ readonly since: number }>();
  let seen = { isReadOnly: false, waitSeconds: 0 };
  const losses = openLosses(monotonicMs);

  function oldestSeconds(): number {
    // They are kept in the order in which they began.
    const [oldest] = underWay;
    const ownSeconds = oldest === undefined ? 0 : (monotonicMs() - oldest.since) / 1_000;
    return Math.max(ownSeconds, seen.waitSeconds);
  }

  function present(): CommitBlock {
    if (seen.isReadOnly) return "read_only";
    return oldestSeconds() > waitSecondsMax ? "commits_wait" : null;
  }

  async function readState(): Promise<CommitBlock> {
    const { isUsable, reason } = await database.hold();
    if (!isUsable) throw new NotSent(`a connection to charge on is missing: ${reason}`);
    const [state] = await database.query<typeof seen>(findState);
    if (state !== undefined) seen = state;
    return present();
  }

  async function look(): Promise<CommitBlock> {
    const commitBlock = await readState();
    if (commitBlock !== null) return commitBlock;
    // Commits under way tell by themselves, and a question would wait behind them.
    if (underWay.size === 0) await chargeNothing(looking);
    if (losses.areLasting()) throw new NotSent("what would charge is lost on its way");
    return null;
  }

  async function carryOut<Row>(sql: Statement, values?: readonly unknown[]): Promise<Row[]> {
    const commit = { since: monotonicMs() };
    underWay.add(commit);
    try {
      const rows = await database.query<Row>(sql, values);
      losses.note(null);
      return rows;
    } catch (error) {
      losses.note(error);
      throw error;
    } finally {
      underWay.delete(commit);
    }
  }

  const looking: Queryable = { query: (sql, values) => carryOut({ ...sql, secondsMax: lookSecondsMax }, values) };
  const batched: OpenDatabase = {
    ...database,
    query: (sql, values) => (sql.isPipelined === true ? carryOut(sql, values) : database.query(sql, values)),
  };
  const commits: CommitState = {
    look,
    present,
    refusal() {
      const commitBlock = present() ?? (losses.areLasting() ? "lost" : null);
      return commitBlock === null ? null : new Overloaded(`the database takes no commits: ${commitBlock}`);
    },
    async confirmAbsence() {
      await readState();
      if (!seen.isReadOnly && oldestSeconds() <= unseenSecondsMax && !losses.areLasting()) return;
      throw refuse("MAINTENANCE", {
        message: "A purchase may be on its way that can't be seen yet. Ask again.",
        retryAfterSeconds: 5,
      });
    },
    oldestSeconds,
  };
  return { commits, batched };
}

/** Whether commits come back with nothing, again and again. */
function openLosses(monotonicMs: () => number) {
  /** When that was first and last since one was answered; null where the last one was. */
  let lost: { readonly first: number; readonly last: number } | null = null;
  return {
    /** Takes what a commit ended with; null where it was carried out. */
    note(error: unknown): void {
      const now = monotonicMs();
      lost = isConnectionLost(error) || isNotSent(error) ? { first: lost?.first ?? now, last: now } : null;
    },
    areLasting(): boolean {
      if (lost === null) return false;
      return lost.last - lost.first >= lostSecondsMin * 1_000 && monotonicMs() - lost.last < lostSecondsKept * 1_000;
    },
  };
}
