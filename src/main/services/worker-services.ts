import type { CompletionServices } from "../../domain/bulk-orders/announce.ts";
import { purchaseMetrics } from "../../domain/buying/observed-purchases.ts";
import type { PeopleServices } from "../../domain/people/people-services.ts";
import { requestLogMetrics } from "../../domain/request-log/request-log.ts";
import type { AskAbout } from "../../domain/resolution/callbacks/verify-callback.ts";
import type { ResolveServices } from "../../domain/resolution/requery/resolve-pending.ts";
import { supplierMetrics } from "../../domain/routing/measured-router.ts";
import type { Routing } from "../../domain/routing/routing.ts";
import { heldMetrics } from "../../http/legacy/ended-purchases.ts";
import { legacyPurchaseMetrics } from "../../http/legacy/purchases.ts";
import type { Database } from "../../platform/database/database.ts";
import { batchMetrics } from "../../platform/telemetry/batch-metrics.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { poolMetrics } from "../../platform/telemetry/pool-metrics.ts";
import { startResolvingPending } from "../../workers/resolve-pending.ts";
import { startSendingLetters } from "../../workers/send-letters.ts";
import { startAskingAboutCallbacks } from "../../workers/verify-callbacks.ts";
import { startWatches } from "../../workers/watch.ts";
import { chores, watches } from "../../workers/watches.ts";
import type { PeopleOptions } from "./people-services.ts";
import { breakerMetrics } from "./supplier-services.ts";
import type { Webhooks } from "./webhook-services.ts";

/** All metrics of /metrics. */
export const allMetrics = [
  ...watches.flatMap(({ metrics = [] }) => metrics),
  ...breakerMetrics,
  ...heldMetrics,
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
  const mailer = options.people?.openMailer?.();
  return stopping([
    startWatches(chores, { ...services, log }),
    startResolvingPending({ services, log, pollMs: workerPollMs }),
    startAskingAboutCallbacks({ services, log, pollMs: workerPollMs }),
    services.webhooks.startDelivering({ database: services.batched, log, pollMs: webhookPollMs }),
    ...(mailer === undefined ? [] : [startSendingLetters({ services: services.people, mailer, log })]),
  ]);
}

function stopping(loops: readonly { stop(): Promise<void> }[]): () => Promise<void> {
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
  };
}
