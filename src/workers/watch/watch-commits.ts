import type { CommitState, Standstill } from "../../platform/database/commit-state.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Metric, Metrics } from "../../platform/telemetry/metrics.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";

const pollMs = 1_000;

export const commitMetrics: readonly Metric[] = [
  {
    name: "dispense_oldest_commit_seconds",
    kind: "gauge",
    help: "How long the oldest commit has been under way, of this process or waiting for a standby.",
  },
];

/**
 * Checks each second, until stopped, whether the database takes commits. While it does not, connections are made anew,
 * so that the primary that takes over is found. The log says once that this began, and once that it is over.
 */
export function startWatchingCommits(options: {
  readonly commits: CommitState;
  /** The databases to connect to anew. */
  readonly databases: readonly Database[];
  readonly metrics: Metrics;
  readonly log: Logger;
}): WorkLoop {
  const { commits, databases, metrics, log } = options;
  let said: Standstill = null;
  return startWatch({
    async look() {
      const standstill = await commits.look();
      metrics.set("dispense_oldest_commit_seconds", commits.oldestSeconds());
      if (standstill !== said) tell(standstill);
      said = standstill;
      if (standstill !== null) for (const database of databases) database.renew();
    },
    pollMs,
    // That the database is away altogether is told by what loses its connection.
    onError: () => {},
  });

  function tell(standstill: Standstill): void {
    const oldestSeconds = Math.round(commits.oldestSeconds());
    if (standstill === null) log.info({ event: "database.commits_again" });
    else log.error({ event: "database.no_commits", reason: standstill, oldestSeconds });
  }
}
