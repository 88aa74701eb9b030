import type { Database } from "../../platform/database.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import type { Router } from "../../providers/router.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { goodsOf } from "./goods.ts";
import type { Claim } from "./pending-queries.ts";
import type { FinalOutcome } from "./purchase.ts";
import type { PutOff } from "./put-off.ts";
import { findPurchase } from "./queries.ts";
import type { Settle } from "./settle.ts";
import { vendRequestOf } from "./vend-request.ts";

export interface ResolveServices {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly router: Router;
  readonly settle: Settle;
  readonly putOff: PutOff;
}

/**
 * Asks what became of one pending purchase, under a lease, and settles it or puts it off. Whether the first request
 * ever left is unknown here, so it is never sent again: only asked about.
 */
export async function resolvePending(services: ResolveServices, claim: Claim): Promise<void> {
  const purchase = await findPurchase(services.database, claim.wallet, claim.id);
  if (purchase === null || purchase.status !== "pending") return;
  const catalogue = services.catalogue.peek() ?? (await services.catalogue.load());
  const { product } = goodsOf(catalogue, purchase);
  const request = vendRequestOf(purchase, purchase.attempt, purchase.purchasedAt, product);
  const outcome = await services.router.requery(purchase.supplier, request);
  const end = endOf(outcome);
  if (end === null) {
    services.putOff(purchase, { epoch: claim.epoch, tries: claim.tries });
    return;
  }
  const evidence = outcome.kind === "vended" ? "vended, on asking again" : outcome.evidence;
  await services.settle(purchase, end, { epoch: claim.epoch, evidence });
}

function endOf(outcome: VendOutcome): FinalOutcome | null {
  switch (outcome.kind) {
    case "vended":
      return { status: "successful", providerReference: outcome.providerReference, fulfilment: outcome.fulfilment };
    case "declined":
      return { status: "failed", errorCode: outcome.errorCode };
    case "unknown":
      return null;
  }
}
