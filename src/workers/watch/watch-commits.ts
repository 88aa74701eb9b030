import { insertProcessAlert } from "../../domain/alerts/alert-queries.ts";
import type { Clock } from "../../kernel/clock.ts";
import { measureClockSkew, skewMsMax } from "../../platform/clock-skew.ts";
import type { CommitBlock, CommitState } from "../../platform/database/commit-state.ts";
import type { Database, OpenDatabase, TakenConnections } from "../../platform/database/database.ts";
import { isDiskFull, isNotSent } from "../../platform/database/database-errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { gauges, type Metric } from "../../platform/telemetry/metrics.ts";
import type { Job, Reporting } from "../watch.ts";

/** What lasts is said again. */
const logAgainMs = 60_000;

const metrics: readonly Metric[] = [
  ...gauges([], {
    dispense_oldest_commit_seconds:
      "How long the oldest commit has been under way, of this process or waiting for a standby.",
  }),
  {
    name: "dispense_ready",
    kind: "gauge",
    help: "1 while the database answers and takes commits, 0 while it does not: as /readyz says.",
    together: "min",
  },
];

interface CommitServices extends Reporting {
  readonly commits: CommitState;
  /** The databases whose connections are kept, by the names of their pools. */
  readonly pools: Readonly<Record<string, OpenDatabase>>;
}

/**
 * Whether the database takes commits; opens the connections that are missing. While it takes none, connections are made
 * anew, so that the primary that takes over is found. The log says once that something began, and once that it is over.
 */
export const commitWatch: Job<CommitServices> = {
  name: "commits",
  everyMs: 1_000,
  metrics,
  logsFailures: true,
  open({ commits, pools, metrics, log }) {
    const hold = openHold(pools, log);
    const away = openAwayLog(log);
    let said: CommitBlock = null;
    let isStuck = false;
    return async () => {
      try {
        isStuck = await hold();
        // Once more: one connection that was cut is no outage.
        const commitBlock = await commits.look().catch(() => commits.look());
        away.isBack();
        metrics.set("dispense_ready", commitBlock === null ? 1 : 0);
        metrics.set("dispense_oldest_commit_seconds", commits.oldestSeconds());
        if (commitBlock !== said) report(log, commitBlock, Math.round(commits.oldestSeconds()));
        said = commitBlock;
        if (commitBlock !== null) for (const database of Object.values(pools)) database.renew();
      } catch (error) {
        metrics.set("dispense_ready", 0);
        // Where there are too few connections, that was said.
        if (!isStuck || !isNotSent(error)) away.isAway(error);
        throw error;
      }
    };
  },
};

function report(log: Logger, commitBlock: CommitBlock, oldestSeconds: number): void {
  if (commitBlock === null) log.info({ event: "database.commits_again" });
  else log.error({ event: "database.no_commits", reason: commitBlock, oldestSeconds });
}

function openAwayLog(log: Logger) {
  let awaySince: number | null = null;
  return {
    isAway(error: unknown) {
      if (awaySince !== null) return;
      awaySince = performance.now();
      const reason = isDiskFull(error) ? "disk full" : (error as Error).message;
      log.error({ event: "database.away", reason });
    },
    isBack() {
      if (awaySince === null) return;
      log.info({ event: "database.back", seconds: Math.round((performance.now() - awaySince) / 1_000) });
      awaySince = null;
    },
  };
}

/** Opens what is missing. @returns whether any pool has connections */
function openHold(pools: CommitServices["pools"], log: Logger): () => Promise<boolean> {
  const logUsedConnections = openConnectionsLog(log);
  return async () => {
    const all = await Promise.all(Object.entries(pools).map(async ([pool, db]) => ({ pool, ...(await db.hold()) })));
    const isAny = all.some(({ connections: taken }) => taken > 0);
    // Of a database that is away nothing is missing.
    if (isAny) for (const one of all) logUsedConnections(one);
    return isAny;
  };
}

/**
 * Says of each pool that it lacks connections, again each minute, and when it has them all again. A machine that is slow to
 * open them, as at a start, lacks none at its next look.
 */
function openConnectionsLog(log: Logger): (one: TakenConnections & { readonly pool: string }) => void {
  /** When it was said last; null after one look, which says nothing. */
  const saidAt = new Map<string, number | null>();
  return ({ pool, connections: taken, max, reason }) => {
    const since = saidAt.get(pool);
    const connections = `${taken} of ${max}`;
    if (reason === null) {
      saidAt.delete(pool);
      if (typeof since === "number") log.info({ event: "database.connections_again", pool, connections });
    } else if (since === undefined) {
      saidAt.set(pool, null);
    } else if (since === null || performance.now() - since >= logAgainMs) {
      saidAt.set(pool, performance.now());
      log.error({ event: "database.few_connections", pool, connections, reason });
    }
  };
}

const advice = "This process's clock is not the database's: synchronise both machines' clocks (NTP).";

const clockMetrics = gauges([], {
  dispense_clock_skew_seconds:
    "How far this process's clock is ahead of the database's; below zero where it is behind.",
});

/** This process's clock beside the database's. While it is off, each process logs its own with every look. */
export const clockWatch: Job<Reporting & { readonly database: Database; readonly clock: Clock }> = {
  name: "clock",
  everyMs: 60_000,
  metrics: clockMetrics,
  open:
    ({ database, clock, metrics, log }) =>
    async () => {
      const { skewMs, sureMs } = await measureClockSkew(database, clock);
      const skewSeconds = skewMs / 1_000;
      metrics.set("dispense_clock_skew_seconds", skewSeconds);
      if (sureMs <= skewMsMax) return;
      log.error({ event: "clock.skewed", skewSeconds }, advice);
      const sentence = `A machine’s clock is ${skewSeconds.toFixed(1)} s off the database’s. Synchronise both (NTP).`;
      await insertProcessAlert(database, { name: "clock", sentence });
    },
};
