import type { Instant } from "../../kernel/clock.ts";
import { vendDeadlineMs } from "../../providers/router.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { goodsOf } from "./goods.ts";
import type { Claim } from "./pending-queries.ts";
import { findPurchase } from "./queries.ts";
import { endOf, evidenceOf, type VendServices } from "./vend.ts";
import { vendRequestOf } from "./vend-request.ts";

export interface ResolveServices extends VendServices {
  readonly catalogue: Catalogue;
}

/** Longer than a supplier's deadline, so that a living holder is not overtaken. */
export const leaseSeconds = 90;

/**
 * Asks about one pending purchase, under a lease, and settles it, puts it off or, after an explicit no, queues it for the
 * next supplier. A queued one (a bulk order's line, a rerouted purchase) is sent now, for the first time. Of any other it
 * is unknown here whether its request ever left, so it is never sent again: only asked about.
 */
export async function resolvePending(services: ResolveServices, claim: Claim, claimedAt: Instant): Promise<void> {
  const purchase = await findPurchase(services.database, claim.wallet, claim.id);
  if (purchase === null || purchase.status !== "pending") return;
  const catalogue = services.catalogue.peek() ?? (await services.catalogue.load());
  const { product } = goodsOf(catalogue, purchase);
  const request = vendRequestOf(purchase, product, purchase);
  const isFirst = claim.step === "queued";
  // This process was stopped in between: by the time that its request arrives, another one may hold the lease.
  if (isFirst && services.clock.now() - claimedAt > leaseSeconds * 1_000 - vendDeadlineMs) return;
  const ask = isFirst ? services.router.vend : services.router.requery;
  const outcome = await ask(purchase.supplier, request);
  if (outcome.kind === "unknown") {
    services.putOff(purchase, { epoch: claim.epoch, tries: claim.tries, answer: outcome });
    return;
  }
  if (outcome.kind === "declined") {
    const next = await services.reroute(purchase, outcome, { epoch: claim.epoch, sends: false });
    if (next.kind !== "nowhere") return;
  }
  await services.settle(purchase, endOf(outcome), { epoch: claim.epoch, evidence: evidenceOf(outcome) });
}
