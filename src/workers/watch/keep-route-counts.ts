import { type Breakers, tellOpenBreakers } from "../../domain/routing/breaker.ts";
import type { RouteCounts } from "../../domain/routing/route-counts.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";

/** By what is sent in so long, a supplier's cap may be passed. */
const pollMsUsual = 1_000;

/**
 * Stores every second, until stopped, what this process has counted of its routes, reads what all processes have, and says
 * which breakers it has open.
 */
export function startKeepingRouteCounts({
  services,
  log,
  pollMs = pollMsUsual,
}: {
  readonly services: {
    readonly database: Database;
    readonly routeCounts: Pick<RouteCounts, "flush">;
    readonly breakers: Pick<Breakers, "open">;
  };
  readonly log: Logger;
  readonly pollMs?: number;
}): WorkLoop {
  const { database, routeCounts, breakers } = services;
  return startWatch({
    async look() {
      await routeCounts.flush();
      await tellOpenBreakers(database, breakers);
    },
    pollMs,
    onError: (error) => log.warn({ event: "routes.not_counted", error: String(error) }),
  });
}
