import { randomBytes, randomUUID } from "node:crypto";
import type { BulkLimits } from "../../domain/bulk-orders/bulk-order.ts";
import { observedBulkOrders } from "../../domain/bulk-orders/order-line.ts";
import { openPlaceBulkOrder } from "../../domain/bulk-orders/place.ts";
import { type Buy, openBuy } from "../../domain/buying/buy.ts";
import { openBuyForBeneficiary } from "../../domain/buying/buy-for-beneficiary.ts";
import { openBuyGuarded } from "../../domain/buying/buy-guarded.ts";
import { openBuyUnnamed } from "../../domain/buying/buy-unnamed.ts";
import { listEndedPurchases } from "../../domain/buying/legacy-queries.ts";
import { countEnds, type Observers, observedBuy } from "../../domain/buying/observed-purchases.ts";
import type { RouteFor } from "../../domain/buying/route-for.ts";
import { type Catalogue, openCatalogue } from "../../domain/catalogue/catalogue.ts";
import type { AddressRange } from "../../domain/merchants/address.ts";
import type { KeyUses } from "../../domain/merchants/key-uses.ts";
import { openKeyring } from "../../domain/merchants/keyring.ts";
import type { PeopleServices } from "../../domain/people/people-services.ts";
import { type Accept, openAccept } from "../../domain/purchases/accept.ts";
import { type Announcements, openAnnouncements } from "../../domain/purchases/announce.ts";
import { openPurchaseIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import { openFindByReference } from "../../domain/purchases/find.ts";
import type { EndedPurchase } from "../../domain/purchases/purchase.ts";
import { openSettle, type Settle } from "../../domain/purchases/settle.ts";
import type { RequestLog } from "../../domain/request-log/request-log.ts";
import type { RequerySupplier } from "../../domain/resolution/requery/requery-supplier.ts";
import { openRescheduleRequery } from "../../domain/resolution/requery/reschedule-requery.ts";
import { type RefundWatch, watchRefunds } from "../../domain/resolution/watch-refunds.ts";
import type { RouteCounts } from "../../domain/routing/route-counts.ts";
import type { OpenConnector } from "../../domain/routing/routing.ts";
import { openVerificationIds } from "../../domain/verification/verification-id.ts";
import { openVerify } from "../../domain/verification/verify.ts";
import type { HttpServices } from "../../http/open-http.ts";
import { requestIds } from "../../http/request-id.ts";
import type { Visitors } from "../../http/try-it/visitors.ts";
import { openWaiting, type Waiting } from "../../http/waiting.ts";
import { assert } from "../../kernel/assert.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import { type ProductId, parseReference, type Reference, type TransactionIds } from "../../kernel/ids.ts";
import { type CommitState, openCommitState } from "../../platform/database/commit-state.ts";
import type { Plans } from "../../platform/database/connection-config.ts";
import { type Database, openDatabase, openPool, type PoolOptions } from "../../platform/database/database.ts";
import type { Needs } from "../../platform/database/reach-database.ts";
import { refusalWhenAway } from "../../platform/database/refuse-when-away.ts";
import { oneATurn } from "../../platform/one-a-turn.ts";
import { watchRevisions } from "../../platform/revisions.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import { measureBatches } from "../../platform/telemetry/batch-metrics.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type Metrics, openMetrics } from "../../platform/telemetry/metrics.ts";
import { measurePool } from "../../platform/telemetry/pool-metrics.ts";
import type { WideLog } from "../../platform/telemetry/wide-log.ts";
import { openWatching } from "./door-services.ts";
import { openPeople, type PeopleOptions } from "./people-services.ts";
import { openCallbacks, openSuppliers } from "./supplier-services.ts";
import { openWebhooks, type WebhookOptions, type Webhooks } from "./webhook-services.ts";
import { allMetrics, startWatching, startWorkers } from "./worker-services.ts";

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
  readonly webhooks: WebhookOptions;
  /** Absent: everybody may sign up, and no password but the well-known ones is refused. */
  readonly people?: PeopleOptions;
  /** How often the due-work loop looks. */
  readonly workerPollMs: number;
  /** How often the deliverer of webhooks looks for what other processes owe; its own wakes it. */
  readonly webhookPollMs?: number;
  /** How a pool is opened, where not as usual: the crash tests listen in between. */
  readonly connect?: (options: PoolOptions) => Database;
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
  /** What suppliers are sent: stored, and read from all processes, every second of `startWatching`. */
  readonly routeCounts: RouteCounts;
  readonly webhooks: Webhooks;
  readonly metrics: Metrics;
  readonly keyUses: KeyUses;
  readonly requestLog: RequestLog;
  /** For statements whose plan depends on their values: lists, reports. */
  readonly database: Database;
  /** Asks a supplier about an attempt, after a callback. */
  readonly requery: RequerySupplier;
  /** Starts looking for what a person should know, in every process. @returns how to stop */
  startWatching(): () => Promise<void>;
  /** Starts asking about pending purchases. @returns how to stop */
  startWorkers(): () => Promise<void>;
  /** Waits for what is under way, then closes the connections. */
  close(): Promise<void>;
}

const monotonicMs = () => performance.now();

/** Wires the service by plain function calls. The database must be migrated. */
export async function buildServices(options: ServiceOptions): Promise<Services> {
  const { clock, wallTime, log } = options;
  const { secretBox } = options.webhooks;
  const metrics = openMetrics(allMetrics);
  const database = connect(options, metrics, "ordinary");
  const { commits, batched } = openCommitState({ database: connect(options, metrics, "batched"), monotonicMs });
  const measured = { database: batched, metrics, wide: options.wide };
  const ids = await openPurchaseIds({ database, clock, randomness: randomBytes });
  const verificationIds = await openVerificationIds({ ...options.webhooks, database, clock });
  const watch = watchRevisions({ database: batched, monotonicMs });
  await watch.refresh();
  const catalogue = openCatalogue({ database, watch });
  const findByReference = openFindByReference(batched, measureBatches(metrics, "find"));
  const accept = refusingWhileStill(commits, openCharging(options, measured));
  const webhooks = openWebhooks(options.webhooks, { ...measured, watch, clock });
  const stamps = { mintDeliveryId: webhooks.mintDeliveryId, clock, wallTime };
  const writing = { catalogue, wallTime, wide: options.wide, ...ids };
  const announcements = openAnnouncements({ ...writing, endpoints: webhooks.endpoints, stamps });
  const waiting = openWaitingAnswers(options, measured);
  const refunds = openSettling(options, { ...writing, ...measured, announcements, webhooks, waiting });
  const rescheduleRequery = openRescheduleRequery({ ...options.webhooks, ...ids, database: batched, clock, log });
  const suppliers = await openSuppliers(options, { ...writing, database, batched, watch, metrics });
  const watching = openWatching(options, measured);
  const people = openPeople(options, { database, monotonicMs, security: watching.security });
  const stored = { people, database, accept, findByReference, rescheduleRequery, secretBox };
  const shared = { ...writing, ...refunds, ...stored, ...suppliers, log, clock };
  const drawing = { ...options, ...shared, announcements, yieldToEventLoop: oneATurn() };
  const buyOnce = openBuy({ ...drawing, checkVerification: verificationIds.check });
  const buying = openBuying(buyOnce, shared, measured);
  const callbacks = openCallbacks(shared);
  const pools = { ordinary: database, batched };
  const watched = { ...measured, ...watching, services: shared, refunds, log, commits, pools };
  return {
    ...shared,
    waiting,
    ...buying,
    verify: openVerify({ ...shared, verificationIds, log }),
    placeBulkOrder: observedBulkOrders(refusingWhileStill(commits, openPlaceBulkOrder(drawing)), shared),
    yieldToEventLoop: drawing.yieldToEventLoop,
    confirmAbsence: commits.confirmAbsence,
    ...callbacks,
    webhooks,
    keyring: openKeyring({ database: batched, watch, clock }),
    sandboxPendingSeconds: options.sandboxPendingSeconds,
    randomness: randomBytes,
    requestIdOf: requestIds({ clock, randomness: randomBytes }),
    findStandstill: commits.look,
    metrics,
    ...watching,
    startWorkers: () =>
      startWorkers(options, { ...shared, ...callbacks, webhooks, batched, stamps, endpoints: webhooks.endpoints }),
    startWatching: () => startWatching(watched),
    async close() {
      watch.stop();
      await watching.closeDoor();
      await callbacks.receiveCallback.idle();
      const { buyUnnamed } = buying;
      await allIdle([accept, refunds.settle, suppliers.writers, findByReference, buyUnnamed, waiting]);
      await Promise.all([database.close(), batched.close()]);
    },
  };
}

function openWaitingAnswers({ log, legacyHoldMs: holdMs }: ServiceOptions, { database, metrics }: Measured): Waiting {
  const listEnded: Parameters<typeof openWaiting>[0]["listEnded"] = (keys) => listEndedPurchases(database, keys);
  const onError = (error: unknown) => log.error({ event: "purchase.ended_after_answer", error: String(error) });
  return openWaiting({ listEnded, holdMs, metrics, onError });
}

/** The ways to buy, each told of with all that it refuses. */
function openBuying(
  buyOnce: Buy,
  services: Omit<Parameters<typeof openBuyGuarded>[0] & Parameters<typeof openBuyForBeneficiary>[0], "buy"> &
    Omit<Observers, "metrics">,
  { database, metrics }: Measured,
): Pick<Services, "buy" | "buyUnnamed" | "buyForBeneficiary"> {
  const observers = { ...services, metrics };
  const buy = openBuyGuarded({ ...services, database, buy: buyOnce });
  return {
    buy: observedBuy(buy, observers),
    buyUnnamed: observedBuy(openBuyUnnamed({ buy, database, mintReference }), observers),
    buyForBeneficiary: observedBuy(openBuyForBeneficiary({ ...services, buy }), observers),
  };
}

/** Refuses calls that would commit, before anything is sent, while no commit comes back. */
function refusingWhileStill<Act extends (...given: never[]) => Promise<unknown>>(commits: CommitState, act: Act): Act {
  const refusing = (...given: Parameters<Act>) => {
    const refusal = commits.refusal();
    return refusal === null ? act(...given) : Promise.reject(refusalWhenAway(refusal));
  };
  return Object.assign(refusing, act) as unknown as Act;
}

async function allIdle(busy: readonly { idle(): Promise<void> }[]): Promise<void> {
  await Promise.all(busy.map((each) => each.idle()));
}

/** Measures how many charges share a commit. */
function openCharging({ clock, wallTime }: ServiceOptions, { database, metrics }: Measured): Accept {
  return openAccept({ database, clock, wallTime, onBatch: measureBatches(metrics, "accept") });
}

interface Measured {
  readonly database: Database;
  readonly metrics: Metrics;
}

/** The door to a final status, with an eye on how long refunds take to pass it. */
function openSettling(
  { clock, log, webhooks: { secretBox } }: ServiceOptions,
  services: {
    readonly database: Database;
    readonly announcements: Announcements;
    readonly catalogue: Catalogue;
    readonly transactionIds: TransactionIds;
    readonly webhooks: Pick<Webhooks, "wake">;
    readonly waiting: Waiting;
    readonly metrics: Metrics;
  },
): RefundWatch {
  const categoryOf = (id: ProductId) => services.catalogue.peek()?.findProduct(id)?.biller.category ?? null;
  const { metrics, waiting } = services;
  const count = countEnds(metrics, ({ productId }) => categoryOf(productId));
  const onEnded = (end: EndedPurchase) => {
    waiting.ended(end);
    count(end);
  };
  const told = { onOwed: services.webhooks.wake, onEnded, onBatch: measureBatches(metrics, "settle") };
  return watchRefunds(openSettle({ ...services, ...told, clock, secretBox }), { clock, log, categoryOf });
}

/** A reference for a purchase that came without one. */
function mintReference(): Reference {
  const reference = parseReference(`legacy-${randomUUID()}`);
  assert(reference !== null, "what is made here is a reference");
  return reference;
}

/** Read by reference, rate leases, claim and record deliveries: each has one statement under way. */
const pooledConnections = 6;
/** Accept and settle have a connection each. */
const pipelined = ["accept_purchases", "settle_purchases"];
const batchedConnections = pooledConnections + pipelined.length;

/** What a process with such a pool opens, and for what. */
export function connectionsFor(connectionsMax: number): Needs {
  return { charge: batchedConnections, read: Math.max(2, connectionsMax - batchedConnections) };
}

/** Tells an operator who looks at the connections which keys this process holds: `keys rotate` asks. */
function processName(plans: Plans, { keyIds }: SecretBox): string {
  return ["dispense", plans, ...keyIds].join(" ");
}

function connect(options: ServiceOptions, metrics: Metrics, plans: Plans): Database {
  const openMeasured = (given: PoolOptions) => {
    const pool = openPool(given);
    measurePool(pool, metrics, plans);
    return openDatabase(pool, plans === "batched" ? pipelined : []);
  };
  const { connectionString, log, connect: open = openMeasured } = options;
  const { read: ordinary = 0 } = connectionsFor(options.connectionsMax);
  return open({
    connectionString,
    connectionsMax: plans === "batched" ? pooledConnections : ordinary,
    applicationName: processName(plans, options.webhooks.secretBox),
    plans,
    onLost: (error) => log.warn({ event: "database.connection_lost", error: String(error) }),
  });
}
