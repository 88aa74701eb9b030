import { randomUUID } from "node:crypto";
import { observedBulkOrders } from "../../domain/bulk-orders/bulk-object.ts";
import { openPlaceBulkOrder, type PlaceBulkOrder } from "../../domain/bulk-orders/place.ts";
import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import { type Accept, openAccept } from "../../domain/purchases/accept.ts";
import { type Announcements, openAnnouncements } from "../../domain/purchases/announce.ts";
import { type Buy, openBuy } from "../../domain/purchases/buying/buy.ts";
import { type BuyForBeneficiary, openBuyForBeneficiary } from "../../domain/purchases/buying/buy-for-beneficiary.ts";
import {
  type BuyUnnamed,
  type Guard,
  openBuyGuarded,
  openBuyUnnamed,
  openGuard,
} from "../../domain/purchases/buying/guard.ts";
import { countEnds, observedBuy } from "../../domain/purchases/buying/observed-purchases.ts";
import { openPrepare } from "../../domain/purchases/buying/prepare-purchase.ts";
import { openRouteFor, type RouteFor } from "../../domain/purchases/buying/route-for.ts";
import type { PurchaseIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import { type FindByReference, openFindByReference } from "../../domain/purchases/find.ts";
import { openSettle, type Settle } from "../../domain/purchases/settle.ts";
import type { VerificationIds } from "../../domain/purchases/verification/verification-id.ts";
import { openVerify, type Verify } from "../../domain/purchases/verification/verify.ts";
import {
  type AskAbout,
  openAskAbout,
  openReceiveCallback,
  type ReceiveCallback,
} from "../../domain/resolution/callbacks/receive-callback.ts";
import { openRequerySupplier, type RequerySupplier } from "../../domain/resolution/requery/requery-supplier.ts";
import { openRescheduleRequery } from "../../domain/resolution/requery/reschedule-requery.ts";
import type { ResolveServices } from "../../domain/resolution/requery/resolve-pending.ts";
import { vend } from "../../domain/resolution/vend.ts";
import { type RefundWatch, watchRefunds } from "../../domain/resolution/watch-refunds.ts";
import type { Waiting } from "../../http/waiting.ts";
import { assert } from "../../kernel/assert.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import { type ProductId, parseReference, type Reference } from "../../kernel/ids.ts";
import { openYieldToEventLoop } from "../../platform/pacing.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger, WideLog } from "../../platform/telemetry/log.ts";
import { type Metrics, measureBatches } from "../../platform/telemetry/metrics.ts";
import { type Databases, refusingWhileStill } from "./database-services.ts";
import type { SupplierServices } from "./supplier-services.ts";
import type { Webhooks } from "./webhook-services.ts";

/** The ways to buy, each told of with all that it refuses. */
export interface Buying {
  readonly buy: Buy;
  readonly buyUnnamed: BuyUnnamed;
  readonly buyForBeneficiary: BuyForBeneficiary;
  readonly placeBulkOrder: PlaceBulkOrder;
  readonly routeFor: RouteFor;
  readonly yieldToEventLoop: () => Promise<void>;
}

/** From a request, or a supplier's word, to the final status. */
export interface PurchaseServices {
  readonly buying: Buying;
  readonly accept: Accept;
  readonly findByReference: FindByReference;
  readonly refunds: RefundWatch;
  readonly verify: Verify;
  /** What workers go on with pending purchases by. */
  readonly resolving: ResolveServices;
  readonly requery: RequerySupplier;
  readonly askAbout: AskAbout;
  readonly receiveCallback: ReceiveCallback;
  /** Waits for what is under way. */
  idle(): Promise<void>;
}

interface PurchaseParts {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly log: Logger;
  readonly wide: WideLog | undefined;
  readonly metrics: Metrics;
  readonly secretBox: SecretBox;
  readonly ids: PurchaseIds;
  readonly verificationIds: VerificationIds;
  readonly catalogue: Catalogue;
  readonly suppliers: SupplierServices;
  readonly webhooks: Webhooks;
  readonly waiting: Waiting;
  readonly sandboxPendingSeconds: number;
}

export function openPurchases(parts: PurchaseParts): PurchaseServices {
  const { databases, clock, wallTime, log, metrics, catalogue, suppliers, verificationIds } = parts;
  const { transactionIds } = parts.ids;
  const { router, routing } = suppliers;
  const { ordinary: database, batched } = databases;
  const { endpoints, stamps } = parts.webhooks;
  const findByReference = openFindByReference(batched, measureBatches(metrics, "find"));
  const { refusal } = databases.commits;
  const accept = openAccept({
    database: batched,
    clock,
    wallTime,
    refusal,
    onBatch: measureBatches(metrics, "accept"),
  });
  const announcements = openAnnouncements({ catalogue, endpoints, wallTime, transactionIds, stamps });
  const refunds = openSettling(parts, announcements);
  const resolving = openResolving(parts, refunds.settle);
  const guard = openGuard(batched);
  const requery = openRequerySupplier(resolving);
  const askAbout = openAskAbout({ database, clock, requery, log });
  const { connectorOf } = routing;
  const receiveCallback = openReceiveCallback({ database, connectorOf, askAbout, log, transactionIds });
  return {
    buying: openBuying(parts, { accept, findByReference, announcements, resolving, guard }),
    accept,
    findByReference,
    refunds,
    verify: openVerify({ clock, catalogue, router, routing, verificationIds, log }),
    resolving,
    requery,
    askAbout,
    receiveCallback,
    async idle() {
      await receiveCallback.idle();
      const busy = [accept, refunds.settle, suppliers.writers, findByReference, guard, parts.waiting];
      await Promise.all(busy.map((each) => each.idle()));
    },
  };
}

function openBuying(
  parts: PurchaseParts,
  given: Pick<PurchaseServices, "accept" | "findByReference" | "resolving"> & {
    readonly announcements: Announcements;
    readonly guard: Guard;
  },
): Buying {
  const { databases, clock, wallTime, log, metrics, wide, ids, catalogue, suppliers, sandboxPendingSeconds } = parts;
  const { ordinary: database, commits } = databases;
  const { findByReference, announcements, resolving, guard } = given;
  const { mintPurchaseId, transactionIds } = ids;
  const { router } = suppliers;
  const routeFor = openRouteFor(suppliers.routing, suppliers.routeCounts.unserved);
  const yieldToEventLoop = openYieldToEventLoop();
  const prepare = openPrepare({ mintPurchaseId, transactionIds, router, announcements, sandboxPendingSeconds });
  const buyOnce = openBuy({
    database,
    clock,
    wallTime,
    log,
    catalogue,
    routeFor,
    prepare,
    accept: refusingWhileStill(commits, given.accept),
    vend: (accepted, order) => vend(resolving, accepted, order),
    findByReference,
    checkVerification: parts.verificationIds.check,
  });
  const place = openPlaceBulkOrder({
    database,
    mintPurchaseId,
    routeFor,
    prepare,
    clock,
    wallTime,
    catalogue,
    settle: resolving.settle,
    findByReference,
    yieldToEventLoop,
  });
  const buy = openBuyGuarded({ buy: buyOnce, guard, catalogue, findByReference });
  const observers = { metrics, wide, clock, transactionIds };
  return {
    buy: observedBuy(buy, observers),
    buyUnnamed: observedBuy(openBuyUnnamed({ buy, guard, mintReference }), observers),
    buyForBeneficiary: observedBuy(openBuyForBeneficiary({ buy, database, catalogue, findByReference }), observers),
    placeBulkOrder: observedBulkOrders(refusingWhileStill(commits, place), observers),
    routeFor,
    yieldToEventLoop,
  };
}

/** A reference for a purchase that came without one. */
export function mintReference(): Reference {
  const reference = parseReference(`legacy-${randomUUID()}`);
  assert(reference !== null, "what is made here is a reference");
  return reference;
}

/** The door to a final status, with an eye on how long refunds take to pass it. */
function openSettling(parts: PurchaseParts, announcements: Announcements): RefundWatch {
  const { databases, clock, log, metrics, secretBox, ids, catalogue, webhooks, waiting } = parts;
  const { transactionIds } = ids;
  const categoryOf = (id: ProductId) => catalogue.peek()?.findProduct(id)?.biller.category ?? null;
  const count = countEnds(metrics, ({ productId }) => categoryOf(productId));
  const settle = openSettle({
    database: databases.batched,
    clock,
    announcements,
    secretBox,
    transactionIds,
    onEnqueued: webhooks.wake,
    onEnded(end) {
      waiting.ended(end);
      count(end);
    },
    onBatch: measureBatches(metrics, "settle"),
  });
  return watchRefunds(settle, { clock, log, categoryOf });
}

/** What comes of a supplier's word. */
function openResolving(parts: PurchaseParts, settle: Settle): ResolveServices {
  const { databases, clock, log, wide, secretBox, ids, catalogue, suppliers } = parts;
  const { transactionIds } = ids;
  return {
    database: databases.ordinary,
    clock,
    log,
    wide,
    transactionIds,
    secretBox,
    catalogue,
    router: suppliers.router,
    routing: suppliers.routing,
    settle,
    reroute: suppliers.reroute,
    rescheduleRequery: openRescheduleRequery({ database: databases.batched, clock, log, transactionIds, secretBox }),
  };
}
