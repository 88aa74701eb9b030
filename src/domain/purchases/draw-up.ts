import { assert } from "../../kernel/assert.ts";
import type { PurchaseId, Reference } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import type { Router } from "../../providers/router.ts";
import { type Quote, quote } from "../catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../catalogue/snapshot.ts";
import type { Category, Wish } from "../categories/category.ts";
import type { SpendingLimits } from "../limits/limits.ts";
import type { Principal } from "../merchants/merchant.ts";
import type { Announcements } from "./announce.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { Goods } from "./goods.ts";
import type { Channel, PurchaseTerms } from "./purchase.ts";
import type { NewPurchase } from "./queries.ts";
import { dispatchDueSeconds } from "./reroute.ts";
import type { Route, RouteFor } from "./route-for.ts";
import { checkProductRules } from "./rules.ts";
import { vendRequestOf } from "./vend-request.ts";

/** A wish with the product that it means and what that costs. */
export interface PricedWish {
  readonly wish: Wish;
  readonly goods: Goods;
  readonly price: Quote;
}

/** Finds the product, checks its rules and prices it. From memory. @throws Refusal */
export function priceWish(
  catalogue: CatalogueSnapshot,
  principal: Principal,
  category: Category,
  wish: Wish,
): PricedWish {
  const product = catalogue.resolve(wish.selector, category.slug, principal);
  checkProductRules(category, wish, product);
  return { wish, goods: { product, category }, price: quote(product, catalogue.priceOf(product, principal), wish) };
}

export interface DrawUpServices {
  readonly mintPurchaseId: () => PurchaseId;
  readonly router: Router;
  readonly routeFor: RouteFor;
  readonly announcements: Announcements;
  readonly sandboxPendingSeconds: number;
}

/** A purchase ready to be accepted. */
export interface DrawnUp {
  readonly purchase: NewPurchase;
  readonly goods: Goods;
  /** The simulator's outcome, known before the charge. */
  readonly foreseen: VendOutcome | null;
}

const firstAttempt = { attempt: 1, providerReference: null };

/** Writes a purchase down, with its id and, where it can be foreseen, its outcome. Nothing is charged yet. */
export async function drawUp(
  services: DrawUpServices,
  order: {
    readonly principal: Principal;
    readonly channel: Channel;
    readonly priced: PricedWish;
    readonly reference: Reference;
    readonly metadata: JsonObject | null;
    readonly route: Route;
    readonly limits: SpendingLimits | null;
    readonly bulk: PurchaseTerms["bulk"];
  },
): Promise<DrawnUp> {
  const { principal, priced, route } = order;
  const { wish, goods, price } = priced;
  const terms: PurchaseTerms = {
    wallet: { bucket: principal.bucket, merchantId: principal.merchantId, mode: principal.mode },
    id: services.mintPurchaseId(),
    reference: order.reference,
    fingerprint: fingerprintOf(goods.category.slug, wish.intent),
    channel: order.channel,
    productId: goods.product.id,
    customerRef: wish.customerRef,
    phone: wish.phone,
    quantity: price.quantity,
    unitAmount: price.unitAmount,
    faceAmount: price.faceAmount,
    fee: price.fee,
    total: price.total,
    supplier: route.supplier,
    supplierCode: route.supplierCode,
    details: wish.details,
    metadata: order.metadata,
    bulk: order.bulk,
  };
  const request = route.foreseeable ? vendRequestOf(terms, goods.product, firstAttempt) : null;
  const foreseen = request === null ? null : await services.router.vend(route.supplier, request);
  // Told as an event, too: it is accepted as pending then, and settled by the same request.
  const isTold = foreseen?.kind === "vended" && (await services.announcements.repeatsSuccess(terms.wallet));
  const { step, dueSeconds } = nextStep(foreseen, order.bulk !== null, services.sandboxPendingSeconds);
  const purchase: NewPurchase = {
    terms,
    vended: foreseen?.kind === "vended" && !isTold ? foreseen : null,
    dayLimit: order.limits?.perDay ?? null,
    cost: route.cost,
    routeReason: route.reason,
    step,
    dueSeconds,
  };
  // C1 stores what was vended as it is: a supplier's goods must pass the door of C2, which seals them.
  assert(purchase.vended === null || terms.supplier === null, "only the sandbox's success is known beforehand");
  return { purchase, goods, foreseen };
}

/** What the due-work loop does with it, and when, unless it is settled before. */
function nextStep(
  foreseen: VendOutcome | null,
  isBulkLine: boolean,
  sandboxPendingSeconds: number,
): Pick<NewPurchase, "step" | "dueSeconds"> {
  if (foreseen?.kind === "unknown") return { step: "requery", dueSeconds: sandboxPendingSeconds };
  // A live line waits for a worker to send it; nobody has asked the supplier yet.
  if (foreseen === null && isBulkLine) return { step: "queued", dueSeconds: 0 };
  return { step: "dispatch", dueSeconds: dispatchDueSeconds };
}
