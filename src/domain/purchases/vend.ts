import type { Clock, Instant } from "../../kernel/clock.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { type Router, vendDeadlineMs } from "../../providers/router.ts";
import type { Product } from "../categories/product.ts";
import { hearOvertaken, settleVerdict, type VerdictServices } from "./follow-verdict.ts";
import type { Purchase } from "./purchase.ts";
import { dispatchDueSeconds } from "./reroute.ts";
import { vendRequestOf } from "./vend-request.ts";

export interface VendServices extends VerdictServices {
  readonly clock: Clock;
  readonly router: Router;
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
  if (next.kind === "lost") return hearOvertaken(services, purchase, outcome);
  if (!sends || purchase.supplier === null) return next.purchase;
  return attempt(services, next.purchase, { ...order, recordedAt, tried: [...order.tried, purchase.supplier] });
}

/** Ends the purchase as the supplier said, or leaves it pending, to be asked about. */
async function conclude(services: VendServices, purchase: Purchase, outcome: VendOutcome): Promise<Purchase> {
  if (outcome.kind !== "unknown") return settleVerdict(services, purchase, outcome, 0);
  // Before the answer goes out: some suppliers can only be asked by the name that they have just told.
  if (purchase.supplier !== null) await services.putOff(purchase, { epoch: 0, tries: 0, answer: outcome });
  return purchase;
}
