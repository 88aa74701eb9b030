import type { CompletionServices } from "../../domain/bulk-orders/announce.ts";
import { purchaseMetrics } from "../../domain/buying/observed-purchases.ts";
import type { PeopleServices } from "../../domain/people/people-services.ts";
import { requestLogMetrics } from "../../domain/request-log/request-log.ts";
import type { AskAbout } from "../../domain/resolution/callbacks/verify-callback.ts";
import type { ResolveServices } from "../../domain/resolution/requery/resolve-pending.ts";
import { supplierMetrics } from "../../domain/routing/measured-router.ts";
import type { Routing } from "../../domain/routing/routing.ts";
import { waitingMetrics } from "../../http/waiting.ts";
import { legacyPurchaseMetrics } from "../../legacy/purchases.ts";
import type { Database } from "../../platform/database/database.ts";
import { batchMetrics } from "../../platform/telemetry/batch-metrics.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { poolMetrics } from "../../platform/telemetry/pool-metrics.ts";
import { startAnnouncing } from "../../workers/announce.ts";
import { startCountingPurchases } from "../../workers/count-purchases.ts";
import { startPurgingRequestLog } from "../../workers/purge-request-log.ts";
import { startPurgingSandbox } from "../../workers/purge-sandbox.ts";
import { startResolvingPending } from "../../workers/resolve-pending.ts";
import { startAskingAboutCallbacks } from "../../workers/verify-callbacks.ts";
import { startAskingBalances } from "../../workers/watch/ask-balances.ts";
import { startAskingCatalogues } from "../../workers/watch/ask-catalogues.ts";
import { startKeepingRouteCounts } from "../../workers/watch/keep-route-counts.ts";
import { dueWorkMetrics, startMeasuringDueWork } from "../../workers/watch/measure-due-work.ts";
import { startMeasuringWebhooks, webhookMetrics } from "../../workers/watch/measure-webhooks.ts";
import { startKeepingKeyUses, startTellingCommands, startTellingSecurity } from "../../workers/watch/tell-security.ts";
import { balanceMetrics, startWatchingBalances } from "../../workers/watch/watch-balances.ts";
import { catalogueMetrics, startWatchingCatalogues } from "../../workers/watch/watch-catalogues.ts";
import { clockMetrics, startWatchingClock } from "../../workers/watch/watch-clock.ts";
import { commitMetrics, startWatchingCommits } from "../../workers/watch/watch-commits.ts";
import { pendingMetrics, startWatchingPending } from "../../workers/watch/watch-pending.ts";
import { routeMetrics, startWatchingRoutes } from "../../workers/watch/watch-routes.ts";
import { startWatchingStock, stockMetrics } from "../../workers/watch/watch-stock.ts";
import { startWritingRequestLog } from "../../workers/watch/write-request-log.ts";
import { type PeopleOptions, startPeopleWorkers } from "./people-services.ts";
import { breakerMetrics } from "./supplier-services.ts";
import type { Webhooks } from "./webhook-services.ts";

/** All metrics of /metrics. */
export const allMetrics = [
  ...pendingMetrics,
  ...stockMetrics,
  ...webhookMetrics,
  ...dueWorkMetrics,
  ...breakerMetrics,
  ...balanceMetrics,
  ...routeMetrics,
  ...catalogueMetrics,
  ...clockMetrics,
  ...commitMetrics,
  ...waitingMetrics,
  ...legacyPurchaseMetrics,
  ...purchaseMetrics,
  ...requestLogMetrics,
  ...supplierMetrics,
  ...batchMetrics,
  ...poolMetrics,
];

/** An idle look costs a third of a millisecond; half of this is what an event of another process waits. */
const usualWebhookPollMs = 100;

/** Everything that happens without a request. @returns how to stop it */
export function startWorkers(
  options: {
    readonly log: Logger;
    readonly workerPollMs: number;
    readonly webhookPollMs?: number;
    readonly people?: PeopleOptions;
  },
  services: ResolveServices &
    CompletionServices & {
      readonly webhooks: Webhooks;
      readonly people: PeopleServices;
      readonly batched: Database;
      readonly askAbout: AskAbout;
      readonly routing: Pick<Routing, "connectors">;
    },
): () => Promise<void> {
  const { log, workerPollMs, webhookPollMs = usualWebhookPollMs } = options;
  return stopping([
    startResolvingPending({ services, log, pollMs: workerPollMs }),
    startAskingAboutCallbacks({ services, log, pollMs: workerPollMs }),
    startAskingBalances({ services, log }),
    startAskingCatalogues({ services, log }),
    startPurgingSandbox({ services, log }),
    startPurgingRequestLog({ services, log }),
    startCountingPurchases({ services, log }),
    startAnnouncing({ services, log, onOwed: services.webhooks.wake }),
    services.webhooks.startDelivering({ database: services.batched, log, pollMs: webhookPollMs }),
    ...startPeopleWorkers(options.people, services.people),
  ]);
}

/** Starts the watches of every process: they log and measure what a person should know. @returns how to stop */
export function startWatching(
  options: Parameters<typeof startWatchingPending>[0] &
    Parameters<typeof startWatchingStock>[0] &
    Parameters<typeof startWatchingRoutes>[0] &
    Parameters<typeof startKeepingRouteCounts>[0] &
    Parameters<typeof startWatchingCommits>[0] &
    Parameters<typeof startTellingCommands>[0] &
    Parameters<typeof startKeepingKeyUses>[0] &
    Parameters<typeof startWritingRequestLog>[0],
) {
  return stopping([
    startWatchingPending(options),
    startWatchingStock(options),
    startWatchingBalances(options),
    startWatchingRoutes(options),
    startKeepingRouteCounts(options),
    startWatchingCatalogues(options),
    startWatchingClock(options),
    startWatchingCommits(options),
    startTellingSecurity(options),
    startTellingCommands(options),
    startKeepingKeyUses(options),
    startWritingRequestLog(options),
    startMeasuringWebhooks(options),
    startMeasuringDueWork(options),
  ]);
}

function stopping(loops: readonly { stop(): Promise<void> }[]): () => Promise<void> {
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}
