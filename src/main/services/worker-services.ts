import type { PeopleServices } from "../../domain/identity/people/send-notice.ts";
import { purchaseMetrics } from "../../domain/purchases/buying/observed-purchases.ts";
import { requestLogMetrics } from "../../domain/request-log/request-log.ts";
import { supplierMetrics } from "../../domain/suppliers/routing/breaker.ts";
import { waitingMetrics } from "../../http/waiting.ts";
import { legacyPurchaseMetrics } from "../../legacy/purchases.ts";
import type { Mailer } from "../../platform/mail.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { batchMetrics, poolMetrics } from "../../platform/telemetry/metrics.ts";
import { startAskingAboutPayments } from "../../workers/ask-about-payments.ts";
import { startOpeningAccounts } from "../../workers/open-accounts.ts";
import { startAskingAboutCallbacks, startResolvingPending } from "../../workers/resolve-pending.ts";
import { startSendingEmails } from "../../workers/send-emails.ts";
import { startWatches } from "../../workers/watch.ts";
import { chores, watches } from "../../workers/watches.ts";
import type { Databases } from "./database-services.ts";
import type { FundingServices } from "./funding-services.ts";
import type { PurchaseServices } from "./purchase-services.ts";
import { breakerMetrics, type SupplierServices } from "./supplier-services.ts";
import type { Webhooks } from "./webhook-services.ts";

/** All metrics of /metrics. */
export const allMetrics = [
  ...watches.flatMap(({ metrics = [] }) => metrics),
  ...breakerMetrics,
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
export function startWorkers(given: {
  readonly databases: Databases;
  readonly log: Logger;
  readonly purchases: PurchaseServices;
  readonly suppliers: SupplierServices;
  readonly webhooks: Webhooks;
  readonly people: PeopleServices;
  readonly funding: FundingServices;
  readonly mailer: Mailer | null;
  readonly workerPollMs: number;
  readonly webhookPollMs: number | undefined;
}): () => Promise<void> {
  const { databases, log, purchases, suppliers, webhooks, people, funding, mailer, workerPollMs } = given;
  const { ordinary: database } = databases;
  const { resolving, askAbout } = purchases;
  const { clock, transactionIds } = resolving;
  const { endpoints, stamps } = webhooks;
  const { wallTime } = stamps;
  const { routing } = suppliers;
  const { commits } = databases;
  const { secretBox, company, publicUrl } = people;
  const sender = webhooks.openSender();
  const loops = [
    startWatches(chores, {
      ...{ database, clock, wallTime, log, transactionIds, endpoints, stamps, routing },
      webhooks,
      people,
      providers: funding.providers,
      providerOf: funding.providers.providerOf,
      reviews: { ...resolving, database },
      ...{ commits, secretBox, company, publicUrl, sender, rules: webhooks.rules },
    }),
    startResolvingPending({ services: resolving, log, pollMs: workerPollMs }),
    startAskingAboutPayments({ services: { database, ...funding }, log, pollMs: workerPollMs }),
    startOpeningAccounts({ services: { database, ...funding }, log, pollMs: workerPollMs }),
    startAskingAboutCallbacks({ services: { database, askAbout }, log, pollMs: workerPollMs }),
    webhooks.startDelivering(given.webhookPollMs ?? usualWebhookPollMs),
    ...(mailer === null ? [] : [startSendingEmails({ services: people, mailer, log })]),
  ];
  return async () => {
    await Promise.all(loops.map((loop) => loop.stop()));
    await sender.close();
  };
}
