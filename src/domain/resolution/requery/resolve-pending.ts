import type { Product } from "../../../categories/product/product.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { vendDeadlineMs } from "../../../providers/router.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { type Purchase, soldProductOf } from "../../purchases/purchase.ts";
import { findPurchase } from "../../purchases/queries.ts";
import { vendRequestOf } from "../../purchases/vend-request.ts";
import { notSentTo, type Routing } from "../../suppliers/routing/routing.ts";
import { applyOutcome, settleOutcome } from "../apply-outcome.ts";
import { listAttempts } from "../incident-queries.ts";
import { declineWasRetracted } from "../reroute/reroute.ts";
import type { VendServices } from "../vend.ts";
import { type Declined, writeVendLine } from "../verdict.ts";
import type { PendingClaim } from "./pending-queries.ts";

export interface ResolveServices extends VendServices {
  readonly catalogue: Catalogue;
  readonly routing: Pick<Routing, "admits">;
}

/** Longer than a supplier's deadline, so that a living holder is not overtaken. */
export const leaseSeconds = 90;

/** A purchase that could not be sent to anybody for so long is given back. */
const unsentMs = 3_600_000;

/**
 * Asks about one pending purchase, under a lease, and settles it, puts it off or, after an explicit no, queues it for the
 * next supplier. A queued one (a bulk order's line, a rerouted purchase) is sent now, for the first time. Of any other it
 * is unknown here whether its request ever left, so it is never sent again: only asked about.
 */
export async function resolvePending(
  services: ResolveServices,
  claim: PendingClaim,
  claimedAt: Instant,
): Promise<void> {
  const { clock, router, transactionIds } = services;
  const purchase = await findPurchase(services.database, claim.wallet, claim.id);
  if (purchase === null || purchase.status !== "pending") return;
  const catalogue = await services.catalogue.current();
  const { product } = soldProductOf(catalogue, purchase);
  const { notReceivedMs } = claim;
  const request = vendRequestOf(transactionIds, purchase, product, { ...purchase, notReceivedMs });
  const isFirst = claim.step === "queued";
  if (isFirst && (await declineWasRetracted(services, purchase, claim.epoch))) return;
  if (isFirst && !(await routeStillOpen(services, purchase, product))) {
    return rerouteUnsent(services, purchase, claim, notSentTo(purchase.supplier));
  }
  // This process was stopped in between: by the time that its request arrives, another one may hold the lease. Asked last
  // of all, so that nothing that takes time comes behind it.
  if (isFirst && clock.now() - claimedAt > leaseSeconds * 1_000 - vendDeadlineMs) return;
  const sentAt = clock.now();
  const question = isFirst ? "vend" : "requery";
  const outcome = await router[question](purchase.supplier, request);
  const exchange = { question, purchase, request, outcome, tookMs: clock.now() - sentAt } as const;
  if (outcome.kind === "unknown") {
    writeVendLine(services.wide, exchange, "ask_again");
    await services.rescheduleRequery(purchase, { epoch: claim.epoch, tries: claim.tries, answer: outcome });
    return;
  }
  // The supplier said itself that nothing came of it: under the same reference it may be asked again.
  if (isFirst && outcome.kind === "declined" && outcome.notNow === true) {
    writeVendLine(services.wide, exchange, "queue");
    return rerouteUnsent(services, purchase, claim, outcome);
  }
  writeVendLine(services.wide, exchange, await applyOutcome(services, purchase, outcome, claim.epoch));
}

/** A route was chosen when the purchase was queued: its supplier may have been switched off since, or be in trouble. */
async function routeStillOpen({ routing }: ResolveServices, purchase: Purchase, product: Product): Promise<boolean> {
  return purchase.supplier === null || routing.admits(product, purchase.supplier, purchase);
}

/** To the next supplier, or back into the queue until one takes it. None accepted it: giving it back loses nothing. */
async function rerouteUnsent(
  services: ResolveServices,
  purchase: Purchase,
  { epoch }: PendingClaim,
  verdict: Declined,
): Promise<void> {
  const next = await services.reroute(purchase, verdict, { epoch, sends: false });
  if (next.kind !== "none_left") return;
  const unsentFor = services.clock.now() - (await waitingSince(services, purchase));
  if (unsentFor < unsentMs) await services.rescheduleRequery.requeue(purchase, { epoch, evidence: verdict.evidence });
  else await settleOutcome(services, purchase, verdict, { epoch });
}

/** Since its last attempt ended, or it was made. */
async function waitingSince({ database }: ResolveServices, purchase: Purchase): Promise<Instant> {
  const attempts = purchase.attempt === 1 ? [] : await listAttempts(database, purchase.wallet, purchase.id);
  return attempts.at(-1)?.endedAt ?? purchase.purchasedAt;
}
