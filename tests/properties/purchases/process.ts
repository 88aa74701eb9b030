import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { simulatedFindings, simulatedFulfilment } from "../../../src/categories/fulfilment/simulated.ts";
import type { Catalogue } from "../../../src/domain/catalogue/catalogue.ts";
import { type Accept, openAccept } from "../../../src/domain/purchases/accept.ts";
import { type Announcements, openAnnouncements } from "../../../src/domain/purchases/announce.ts";
import { type Buy, openBuy } from "../../../src/domain/purchases/buying/buy.ts";
import { openPrepare } from "../../../src/domain/purchases/buying/prepare-purchase.ts";
import { openRouteFor, type RouteFor } from "../../../src/domain/purchases/buying/route-for.ts";
import { openFindByReference } from "../../../src/domain/purchases/find.ts";
import type { Purchase } from "../../../src/domain/purchases/purchase.ts";
import type { NewPurchase } from "../../../src/domain/purchases/queries.ts";
import { openSettle, type Settle } from "../../../src/domain/purchases/settle.ts";
import type { PendingClaim } from "../../../src/domain/resolution/requery/pending-queries.ts";
import { openRescheduleRequery } from "../../../src/domain/resolution/requery/reschedule-requery.ts";
import { resolvePending } from "../../../src/domain/resolution/requery/resolve-pending.ts";
import { openReroute, type Reroute } from "../../../src/domain/resolution/reroute/reroute.ts";
import { vend } from "../../../src/domain/resolution/vend.ts";
import { openRouting, type Routing } from "../../../src/domain/suppliers/routing/routing.ts";
import type { Endpoint } from "../../../src/domain/webhooks/endpoints/endpoint.ts";
import { deliveryIdMinter } from "../../../src/domain/webhooks/events/event.ts";
import { type Clock, wallTime } from "../../../src/kernel/clock.ts";
import { purchaseIdMinter } from "../../../src/kernel/ids.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import type { Connector } from "../../../src/providers/contract.ts";
import { openRouter, type Router } from "../../../src/providers/router.ts";
import { simulator } from "../../../src/providers/simulator.ts";
import { blankEndpoint } from "../../support/endpoints.ts";
import { connectorsAtHand } from "../../support/fake-supplier.ts";
import { testTransactionIds as transactionIds } from "../../support/transaction-ids.ts";
import { testSecretBox } from "../../support/webhooks.ts";
import { counted, type Loss, losing } from "./faulty-database.ts";
import { neverOpen, nothingSent, routesTo } from "./routes.ts";
import { supplierNames } from "./scripted-supplier.ts";

export const zone = wallTime("Africa/Lagos");

/** Where a process dies, seen from the request that it is busy with. */
export const crashPoints = [
  "after C1",
  "before the request",
  "after the request",
  "before the reroute",
  "after the reroute",
  "before C2",
  "after C2",
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** How a process that dies looks to the request in it: nothing that follows is carried out. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** What can be replaced in a process to plant a fault. */
export interface Parts {
  readonly router: Router;
  readonly routeFor: RouteFor;
  readonly settle: Settle;
  readonly announcements: Announcements;
  readonly database: Database;
  /** By which a request knows how late it is. */
  readonly clock: Clock;
}

export interface ProcessOptions {
  readonly number: number;
  readonly database: Database;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly supplier: Omit<Connector, "name">;
  readonly plant?: ((parts: Parts) => Parts) | undefined;
  readonly crash?: CrashPoint | undefined;
  readonly loss?: Loss | undefined;
  /** Runs when a purchase was accepted, before its request leaves. */
  readonly onAccepted?: ((purchase: Purchase, sent: NewPurchase) => Promise<void>) | undefined;
}

/** The purchase services as one process of the program wires them, with seams to break it at. */
export interface Process {
  readonly buy: Buy;
  readonly accept: Accept;
  readonly settle: Settle;
  readonly findByReference: ReturnType<typeof openFindByReference>;
  resolve(claim: PendingClaim): Promise<void>;
  /** Resolves when nothing is left to do in the background. */
  idle(): Promise<void>;
}

export function startProcess(options: ProcessOptions): Process {
  const { catalogue } = options;
  const database = losing(options.database, options.loss);
  const background = counted(options.database);
  const log = pino({ level: "silent" });
  const shared = {
    log,
    database: options.database,
    catalogue,
    wallTime: zone,
    rescheduleRequery: openRescheduleRequery({
      database: background.database,
      clock: options.clock,
      log,
      transactionIds,
      secretBox: testSecretBox,
    }),
    findByReference: openFindByReference(options.database),
    transactionIds,
    secretBox: testSecretBox,
  };
  const routing = openRouting({
    routes: routesTo(supplierNames),
    breakers: neverOpen,
    soldOut: { has: () => false, version: 0 },
    counts: nothingSent,
    openConnector: connectorsAtHand(supplierNames.map((name) => ({ ...options.supplier, name }))),
  });
  const announcements = announcementsOf(options);
  const { router, routeFor, settle, clock } = crashing(
    options.crash,
    planted(options, { database, routing, announcements }),
  );
  const reroute = crashingReroute(options.crash, openReroute({ database, catalogue, routing, transactionIds }));
  const honestAccept = openAccept({ database, clock: options.clock, wallTime: zone });
  const accept = Object.assign(
    async (purchase: NewPurchase) => {
      const acceptance = await honestAccept(purchase);
      if (acceptance.kind === "accepted") await options.onAccepted?.(acceptance.purchase, purchase);
      if (acceptance.kind === "accepted" && options.crash === "after C1") throw new Crash();
      return acceptance;
    },
    { idle: () => honestAccept.idle() },
  );
  const resolving = { ...shared, clock, router, routing, settle, reroute };
  const mintPurchaseId = purchaseIdMinter(options.clock, options.number);
  const buy = openBuy({
    ...shared,
    clock,
    routeFor,
    prepare: openPrepare({ mintPurchaseId, transactionIds, router, announcements, sandboxPendingSeconds: 20 }),
    accept,
    vend: (accepted, order) => vend(resolving, accepted, order),
    checkVerification: () => {},
  });
  const resolve = (claim: PendingClaim) => resolvePending(resolving, claim, clock.now());
  return { buy, accept, settle, findByReference: shared.findByReference, resolve, idle: background.idle };
}

/** What every merchant of odd number wants: each end. The others want those that no response told. */
export function wantsAll(merchantId: number): boolean {
  return merchantId % 2 === 1;
}

/** One, or two that want the same. */
export function endpointsOf(merchantId: number): readonly Endpoint[] {
  const numbers = merchantId % 3 === 0 ? [1, 2] : [1];
  const notify = wantsAll(merchantId) ? "all" : "changes";
  return numbers.map((endpointNumber) => ({
    ...blankEndpoint,
    endpointNumber,
    url: "https://merchant.example/hook",
    notify,
    secret: "sealed",
    secretHint: "led",
  }));
}

function announcementsOf({ catalogue, clock }: ProcessOptions): Announcements {
  const mintDeliveryId = deliveryIdMinter({ clock, randomness: randomBytes });
  return openAnnouncements({
    catalogue,
    wallTime: zone,
    transactionIds,
    endpoints: { find: async ({ merchantId }) => endpointsOf(merchantId) },
    stamps: { mintDeliveryId, clock, wallTime: zone },
  });
}

function planted(
  { plant, clock }: ProcessOptions,
  given: { readonly database: Database; readonly routing: Routing; readonly announcements: Announcements },
): Parts {
  const { database, routing, announcements } = given;
  const sandboxConnector = simulator(simulatedFulfilment(zone), simulatedFindings(zone));
  const router = openRouter({ simulator: sandboxConnector, connectorOf: routing.connectorOf });
  const settle = openSettle({
    database,
    clock,
    announcements,
    secretBox: testSecretBox,
    transactionIds,
  });
  const parts = { router, routeFor: openRouteFor(routing), settle, announcements, database, clock };
  return plant?.(parts) ?? parts;
}

/** Crashes around the commit that begins the next attempt. */
function crashingReroute(point: CrashPoint | undefined, reroute: Reroute): Reroute {
  const crashing = async (...call: Parameters<Reroute>) => {
    if (point === "before the reroute") throw new Crash();
    const next = await reroute(...call);
    if (point === "after the reroute" && next.kind === "rerouted") throw new Crash();
    return next;
  };
  return Object.assign(crashing, { idle: () => reroute.idle() });
}

/** Crashes at the supplier's and at C2's door. The simulator has no door: it is part of the process. */
function crashing(point: CrashPoint | undefined, parts: Parts): Parts {
  const { router, settle } = parts;
  const at = (reached: CrashPoint) => {
    if (point === reached) throw new Crash();
  };
  const crashingSettle: Settle = Object.assign(
    async (...call: Parameters<Settle>) => {
      at("before C2");
      const end = await settle(...call);
      at("after C2");
      return end;
    },
    { together: settle.together, idle: () => settle.idle() },
  );
  const crashingRouter: Router = {
    ...router,
    async vend(supplier, request) {
      if (supplier === null) return router.vend(supplier, request);
      at("before the request");
      const outcome = await router.vend(supplier, request);
      at("after the request");
      return outcome;
    },
  };
  return { ...parts, router: crashingRouter, settle: crashingSettle };
}
