import { assert } from "../../kernel/assert.ts";
import type { Clock, Instant } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { type Router, vendDeadlineMs } from "../../providers/router.ts";
import type { Product } from "../categories/product.ts";
import type { FinalOutcome, Purchase } from "./purchase.ts";
import type { PutOff } from "./put-off.ts";
import { findPurchase } from "./queries.ts";
import { dispatchDueSeconds, type Reroute } from "./reroute.ts";
import type { Settle } from "./settle.ts";
import { vendRequestOf } from "./vend-request.ts";

export interface VendServices {
  readonly clock: Clock;
  readonly database: Database;
  readonly router: Router;
  readonly settle: Settle;
  readonly reroute: Reroute;
  readonly putOff: PutOff;
}

/** A request that leaves later than this after its attempt was recorded could still be under way when it comes due. */
const sendableMs = dispatchDueSeconds * 1_000 - vendDeadlineMs;

/** A client that has waited for so long is answered; a worker asks whoever is left. */
const patienceMs = 40_000;

interface VendOrder {
  readonly product: Product;
  /** The simulator's outcome, known already. */
  readonly foreseen: VendOutcome | null;
}

/**
 * Asks the supplier once, after the charge is durable, and after an explicit no the next one, each attempt recorded in
 * a commit of its own before anybody is asked. `unknown` leaves the purchase pending.
 */
export function vend(services: VendServices, accepted: Purchase, order: VendOrder): Promise<Purchase> {
  if (order.foreseen !== null) return conclude(services, accepted, order.foreseen);
  return attempt(services, accepted, { product: order.product, recordedAt: accepted.purchasedAt, tried: [] });
}

/** One attempt, and after it the next: `reroute` bounds their number. */
async function attempt(
  services: VendServices,
  purchase: Purchase,
  order: { readonly product: Product; readonly recordedAt: Instant; readonly tried: readonly string[] },
): Promise<Purchase> {
  const { clock, router, reroute } = services;
  // The commit took long, or this process was stopped: somebody may have asked by now, heard "never received" and
  // refunded.
  if (clock.now() - order.recordedAt > sendableMs) return purchase;
  const outcome = await router.vend(purchase.supplier, vendRequestOf(purchase, order.product, purchase));
  if (outcome.kind !== "declined") return conclude(services, purchase, outcome);
  const recordedAt = clock.now();
  const sends = recordedAt - purchase.purchasedAt < patienceMs;
  const next = await reroute(purchase, outcome, { epoch: 0, sends, tried: order.tried });
  if (next.kind === "nowhere") return conclude(services, purchase, outcome);
  if (next.kind === "lost") return stored(services, purchase);
  if (!sends || purchase.supplier === null) return next.purchase;
  return attempt(services, next.purchase, { ...order, recordedAt, tried: [...order.tried, purchase.supplier] });
}

/** Ends the purchase as the supplier said, or leaves it pending, to be asked about. */
function conclude(services: VendServices, purchase: Purchase, outcome: VendOutcome): Promise<Purchase> {
  if (outcome.kind !== "unknown") {
    return services.settle(purchase, endOf(outcome), { epoch: 0, evidence: evidenceOf(outcome) });
  }
  if (purchase.supplier !== null) services.putOff(purchase, { epoch: 0, tries: 0, answer: outcome });
  return Promise.resolve(purchase);
}

async function stored(services: VendServices, purchase: Purchase): Promise<Purchase> {
  const present = await findPurchase(services.database, purchase.wallet, purchase.id);
  assert(present !== null, "a purchase that was accepted stays stored");
  return present;
}

/** An explicit word of a supplier. */
export type Verdict = Exclude<VendOutcome, { kind: "unknown" }>;

/** The end that a supplier's word makes. */
export function endOf(verdict: Verdict): FinalOutcome {
  const providerReference = verdict.providerReference ?? null;
  if (verdict.kind === "declined") return { status: "failed", errorCode: verdict.errorCode, providerReference };
  return { status: "successful", providerReference, fulfilment: verdict.fulfilment };
}

export function evidenceOf(verdict: Verdict): string {
  return verdict.evidence ?? "vended";
}
