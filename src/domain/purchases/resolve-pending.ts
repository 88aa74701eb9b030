import type { Clock, Instant } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { type Router, vendDeadlineMs } from "../../providers/router.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { goodsOf } from "./goods.ts";
import type { Claim } from "./pending-queries.ts";
import type { FinalOutcome } from "./purchase.ts";
import type { PutOff } from "./put-off.ts";
import { findPurchase } from "./queries.ts";
import type { Settle } from "./settle.ts";
import { vendRequestOf } from "./vend-request.ts";

export interface ResolveServices {
  readonly clock: Clock;
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly router: Router;
  readonly settle: Settle;
  readonly putOff: PutOff;
}

/** Longer than a supplier's deadline, so that a living holder is not overtaken. */
export const leaseSeconds = 90;

/**
 * Asks about one pending purchase, under a lease, and settles it or puts it off. A queued one (a bulk order's line) is
 * sent now, for the first time. Of any other it is unknown here whether its request ever left, so it is never sent
 * again: only asked about.
 */
export async function resolvePending(services: ResolveServices, claim: Claim, claimedAt: Instant): Promise<void> {
  const purchase = await findPurchase(services.database, claim.wallet, claim.id);
  if (purchase === null || purchase.status !== "pending") return;
  const catalogue = services.catalogue.peek() ?? (await services.catalogue.load());
  const { product } = goodsOf(catalogue, purchase);
  const request = vendRequestOf(purchase, purchase.attempt, purchase.purchasedAt, product, purchase.providerReference);
  const isFirst = claim.step === "queued";
  // This process was stopped in between: by the time that its request arrives, another one may hold the lease.
  if (isFirst && services.clock.now() - claimedAt > leaseSeconds * 1_000 - vendDeadlineMs) return;
  const ask = isFirst ? services.router.vend : services.router.requery;
  const outcome = await ask(purchase.supplier, request);
  if (outcome.kind === "unknown") {
    services.putOff(purchase, { epoch: claim.epoch, tries: claim.tries, answer: outcome });
    return;
  }
  const evidence = outcome.evidence ?? "vended, in the background";
  await services.settle(purchase, endOf(outcome), { epoch: claim.epoch, evidence });
}

function endOf(outcome: Exclude<VendOutcome, { kind: "unknown" }>): FinalOutcome {
  if (outcome.kind === "declined") return { status: "failed", errorCode: outcome.errorCode };
  return { status: "successful", providerReference: outcome.providerReference, fulfilment: outcome.fulfilment };
}
