import { randomBytes } from "node:crypto";
import type { BulkLimits } from "../../domain/bulk-orders/bulk-order.ts";
import { openCatalogue } from "../../domain/catalogue/catalogue.ts";
import type { FundingAccounts } from "../../domain/funding/accounts.ts";
import type { PeopleServices } from "../../domain/identity/people/send-notice.ts";
import { type KeyUses, openKeyring } from "../../domain/merchants/keyring.ts";
import type { Accept } from "../../domain/purchases/accept.ts";
import { listEndedPurchases } from "../../domain/purchases/buying/legacy-queries.ts";
import type { RouteFor } from "../../domain/purchases/buying/route-for.ts";
import { openPurchaseIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import type { Settle } from "../../domain/purchases/settle.ts";
import { openVerificationIds } from "../../domain/purchases/verification/verification-id.ts";
import type { RequestLog } from "../../domain/request-log/request-log.ts";
import type { RequerySupplier } from "../../domain/resolution/requery/requery-supplier.ts";
import type { RouteCounts } from "../../domain/suppliers/routing/route-counts.ts";
import type { RememberedRoutes } from "../../domain/suppliers/routing/route-table.ts";
import type { OpenConnector, Routing } from "../../domain/suppliers/routing/routing.ts";
import type { HttpServices } from "../../http/open-http.ts";
import { requestIds } from "../../http/request-context.ts";
import type { Visitors } from "../../http/try-it/try-it.ts";
import { openWaiting } from "../../http/waiting.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { AddressRange } from "../../platform/address.ts";
import type { Database, OpenDatabase, PoolOptions } from "../../platform/database/database.ts";
import { watchRevisions } from "../../platform/revisions.ts";
import { openRandomReserve } from "../../platform/sealing/random-reserve.ts";
import type { Logger, WideLog } from "../../platform/telemetry/log.ts";
import { type Metrics, openMetrics } from "../../platform/telemetry/metrics.ts";
import { startWatches } from "../../workers/watch.ts";
import { watches } from "../../workers/watches.ts";
import { openDatabases } from "./database-services.ts";
import { type OpenPaymentProvider, openFunding } from "./funding-services.ts";
import { openPeople, type PeopleOptions } from "./people-services.ts";
import { openPurchases } from "./purchase-services.ts";
import { type Readings, readingsAtPrimary } from "./reading-services.ts";
import { openRequestGuards } from "./request-guards.ts";
import { openSuppliers } from "./supplier-services.ts";
import { openWebhooks, type WebhookOptions, type Webhooks } from "./webhook-services.ts";
import { allMetrics, startWorkers } from "./worker-services.ts";

export interface ServiceOptions {
  readonly connectionString: string;
  readonly connectionsMax: number;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly log: Logger;
  /** Where the wide lines go; absent: none are written. */
  readonly wide?: WideLog;
  readonly rateLimitPerMinute: number;
  /** The limits of a merchant's bulk orders in a minute. */
  readonly bulkLimits: BulkLimits;
  readonly sandboxPendingSeconds: number;
  /** How long a live answer of the legacy endpoints waits for the end of its purchase; absent: it does not. */
  readonly legacyHoldMs?: number;
  readonly trustedProxies: readonly AddressRange[];
  /** Makes the connectors of the suppliers that operators entered. */
  readonly openConnector: OpenConnector;
  /** Makes the connectors of payment providers; absent: there are none. */
  readonly openPaymentProvider?: OpenPaymentProvider;
  readonly webhooks: WebhookOptions;
  /** Absent: everybody may sign up, and no password but the well-known ones is refused. */
  readonly people?: PeopleOptions;
  /** How often the due-work loop looks. */
  readonly workerPollMs: number;
  /** How often the deliverer of webhooks looks for what other processes owe; its own wakes it. */
  readonly webhookPollMs?: number;
  /** How a pool is opened, where not as usual: the crash tests listen in between. */
  readonly connect?: (options: PoolOptions) => OpenDatabase;
}

export interface Services extends HttpServices {
  /** The accounts of those who log in to the console. */
  readonly people: PeopleServices;
  /** Members whose request the console sends to the API just now. */
  readonly visitors: Visitors;
  readonly accept: Accept;
  readonly settle: Settle;
  /** What a purchase would be sold through, for its price before it is bought. */
  readonly routeFor: RouteFor;
  readonly routing: Pick<Routing, "reach" | "connectorOf">;
  /** What suppliers are sent: stored, and read from all processes, every second of `startWatching`. */
  readonly routeCounts: RouteCounts;
  readonly routes: RememberedRoutes;
  readonly fundingAccounts: FundingAccounts;
  readonly webhooks: Webhooks;
  readonly metrics: Metrics;
  readonly keyUses: KeyUses;
  readonly requestLog: RequestLog;
  /** For statements whose plan depends on their values: lists, reports. */
  readonly database: Database;
  readonly readings: Readings;
  /** Asks a supplier about an attempt, after a callback. */
  readonly requery: RequerySupplier;
  /** Opens the connections that it keeps. */
  hold(): Promise<void>;
  /** Starts looking for what a person should know, in every process. @returns how to stop */
  startWatching(): () => Promise<void>;
  /** Starts asking about pending purchases. @returns how to stop */
  startWorkers(): () => Promise<void>;
  /** Waits for what is under way, then closes the connections. */
  close(): Promise<void>;
}

/** Wires the service by plain function calls. The database must be migrated. */
export async function buildServices(options: ServiceOptions): Promise<Services> {
  return servicesOf(options, await openParts(options));
}

/** Each part with the parts that it needs, in the order in which they can be made. */
async function openParts(options: ServiceOptions) {
  const { clock, wallTime, log, wide, openConnector, trustedProxies: proxies, bulkLimits } = options;
  const { connectionString, connectionsMax, connect, rateLimitPerMinute, sandboxPendingSeconds } = options;
  const { secretBox } = options.webhooks;
  const metrics = openMetrics(allMetrics);
  const databases = openDatabases({ connectionString, connectionsMax, secretBox, log, metrics, connect });
  const { ordinary: database, batched } = databases;
  const ids = await openPurchaseIds({ database, clock, randomness: randomBytes });
  const { transactionIds } = ids;
  const verificationIds = await openVerificationIds({ secretBox, database, clock });
  const watch = watchRevisions({ database: batched, monotonicMs: () => performance.now() });
  await watch.refresh();
  const catalogue = openCatalogue({ database, watch });
  const times = { clock, wallTime };
  const reporting = { metrics, log };
  const webhooks = openWebhooks({ options: options.webhooks, database: batched, watch, ...times, ...reporting, wide });
  const suppliers = await openSuppliers({
    ...{ databases, watch, catalogue, ...times, ...reporting },
    ...{ transactionIds, secretBox, openConnector },
  });
  const waiting = openWaiting({
    listEnded: (keys) => listEndedPurchases(batched, keys),
    holdMs: options.legacyHoldMs,
    metrics,
    onError: (error) => log.error({ event: "purchase.ended_after_answer", error: String(error) }),
  });
  const purchases = openPurchases({
    ...{ databases, ...times, ...reporting, wide, secretBox, ids, verificationIds },
    ...{ catalogue, suppliers, webhooks, waiting, sandboxPendingSeconds },
  });
  const limits = { proxies, rateLimitPerMinute, bulkLimits };
  const guards = openRequestGuards({ database: batched, clock, wallTime, log, metrics, ...limits });
  const { security } = guards;
  const people = openPeople({ options: options.people, database, watch, clock, wallTime, log, secretBox, security });
  const { openPaymentProvider = () => null } = options;
  const funding = openFunding({ databases, watch, openPaymentProvider, clock, people, ...reporting });
  return {
    metrics,
    databases,
    watch,
    ids,
    catalogue,
    webhooks,
    suppliers,
    waiting,
    purchases,
    funding,
    guards,
    people,
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** What the parts do for routes, pages, commands and tests. */
function servicesOf(options: ServiceOptions, parts: Parts): Services {
  const { clock, wallTime, log, sandboxPendingSeconds } = options;
  const { metrics, databases, watch, ids, catalogue, webhooks, suppliers, waiting, purchases, guards, people } = parts;
  const { ordinary: database, batched, commits } = databases;
  const { buying, refunds } = purchases;
  const { routing, routes, routeCounts } = suppliers;
  const { security, keyUses, requestLog } = guards;
  return {
    log,
    metrics,
    security,
    database,
    readings: readingsAtPrimary(database),
    clock,
    randomness: randomBytes,
    wallTime,
    transactionIds: ids.transactionIds,
    secretBox: options.webhooks.secretBox,
    catalogue,
    routing,
    routes,
    routeCounts,
    routeFor: buying.routeFor,
    sandboxPendingSeconds,
    buy: buying.buy,
    buyForBeneficiary: buying.buyForBeneficiary,
    buyUnnamed: buying.buyUnnamed,
    placeBulkOrder: buying.placeBulkOrder,
    yieldToEventLoop: buying.yieldToEventLoop,
    accept: purchases.accept,
    settle: refunds.settle,
    verify: purchases.verify,
    findByReference: purchases.findByReference,
    requery: purchases.requery,
    receiveCallback: purchases.receiveCallback,
    receivePaymentEvent: parts.funding.receivePaymentEvent,
    fundingAccounts: parts.funding.accounts,
    confirmAbsence: commits.confirmAbsence,
    findCommitBlock: commits.look,
    waiting,
    webhooks,
    people,
    keyring: openKeyring({ database: batched, watch, clock }),
    requestIdOf: requestIds({ clock, randomness: openRandomReserve() }),
    proxies: options.trustedProxies,
    rateLimit: guards.rateLimit,
    bulkBudget: guards.bulkBudget,
    inWork: guards.inWork,
    failures: guards.failures,
    keyUses,
    visitors: guards.visitors,
    answers: guards.answers,
    requestLog,
    hold: async () => void (await Promise.all([database.hold(), batched.hold()])),
    startWatching: () => startWatching(options, parts),
    startWorkers: () => startWorkersOf(options, parts),
    close: () => close(parts),
  };
}

/** Starts the watches of every process. @returns how to stop them */
function startWatching(
  { clock, wallTime, log, wide }: ServiceOptions,
  { metrics, databases, ids, suppliers, purchases, guards }: Parts,
): () => Promise<void> {
  const { ordinary: database, batched, commits } = databases;
  const { routeCounts, breakers, emptyShelves } = suppliers;
  const { security, keyUses, requestLog } = guards;
  const { refunds } = purchases;
  const pools = { ordinary: database, batched };
  const watching = startWatches(watches, {
    database,
    ids,
    clock,
    wallTime,
    log,
    wide,
    metrics,
    refunds,
    routeCounts,
    breakers,
    emptyShelves,
    commits,
    pools,
    security,
    keyUses,
    requestLog,
  });
  return watching.stop;
}

function startWorkersOf(options: ServiceOptions, parts: Parts): () => Promise<void> {
  const { log, workerPollMs, webhookPollMs } = options;
  const { databases, purchases, suppliers, webhooks, people, funding } = parts;
  const mailer = options.people?.openMailer?.() ?? null;
  const polls = { workerPollMs, webhookPollMs };
  return startWorkers({ databases, log, purchases, suppliers, webhooks, people, funding, mailer, ...polls });
}

async function close({ databases, watch, guards, purchases, funding }: Parts): Promise<void> {
  watch.stop();
  await guards.close();
  await Promise.all([purchases.idle(), funding.idle()]);
  await Promise.all([databases.ordinary.close(), databases.batched.close()]);
}
