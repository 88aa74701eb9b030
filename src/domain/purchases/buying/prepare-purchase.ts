import type { Category, PurchaseIntent } from "../../../categories/category.ts";
import { assert } from "../../../kernel/assert.ts";
import type { PurchaseId, Reference, TransactionIds } from "../../../kernel/ids.ts";
import type { VendOutcome } from "../../../providers/contract.ts";
import type { Router } from "../../../providers/router.ts";
import { type Quote, quote } from "../../catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import type { Principal } from "../../merchants/merchant.ts";
import type { Announcements } from "../announce.ts";
import { fingerprintOf } from "../fingerprint.ts";
import type { Channel, PurchaseTerms, SentTerms, SoldProduct } from "../purchase.ts";
import type { NewPurchase } from "../queries.ts";
import { dispatchDueSeconds, vendRequestOf } from "../vend-request.ts";
import type { Route } from "./route-for.ts";
import { checkProductRules } from "./rules.ts";

/** A purchase intent with the product that it names and what that costs. */
export interface PricedIntent {
  readonly requested: PurchaseIntent;
  readonly soldProduct: SoldProduct;
  readonly price: Quote;
}

/** Finds the product, checks its rules and prices it. From memory. @throws Refusal */
export function priceIntent(
  catalogue: CatalogueSnapshot,
  principal: Principal,
  category: Category,
  requested: PurchaseIntent,
): PricedIntent {
  const product = catalogue.resolve(requested.selector, category.slug, principal);
  checkProductRules(category, requested, product);
  return {
    requested,
    soldProduct: { product, category },
    price: quote(product, catalogue.priceOf(product, principal), requested),
  };
}

interface PrepareServices {
  readonly mintPurchaseId: () => PurchaseId;
  readonly transactionIds: TransactionIds;
  readonly router: Router;
  readonly announcements: Announcements;
  readonly sandboxPendingSeconds: number;
}

/** What to buy: the merchant, the priced purchase intent, its reference and the supplier to send it to. */
export interface PurchaseOrder {
  readonly principal: Principal;
  readonly channel: Channel;
  readonly priced: PricedIntent;
  readonly reference: Reference;
  readonly sent: SentTerms;
  readonly route: Route;
  readonly bulk: PurchaseTerms["bulk"];
}

const firstAttempt = { attempt: 1, providerReference: null };

/** Makes a purchase with its id and, where it can be predicted, its outcome. Nothing is stored or charged yet. */
export type Prepare = (order: PurchaseOrder) => Promise<NewPurchase>;

export function openPrepare(services: PrepareServices): Prepare {
  return (order) => prepare(services, order);
}

async function prepare(services: PrepareServices, order: PurchaseOrder): Promise<NewPurchase> {
  const { principal, route, bulk, priced } = order;
  const terms = termsOf(order, services.mintPurchaseId());
  const request = () => vendRequestOf(services.transactionIds, terms, priced.soldProduct.product, firstAttempt);
  const predicted = route.predictable ? await services.router.vend(terms.supplier, request()) : null;
  // A success that is also sent as an event is accepted as pending, and settled by the same request.
  const isEnd = predicted?.kind === "vended" && !(await services.announcements.repeatsSuccess(terms.wallet));
  // C1 stores a fulfilment as it is: a supplier's fulfilment must go through C2, which seals it.
  assert(!isEnd || terms.supplier === null, "only the sandbox's success is known beforehand");
  const { step, dueSeconds } = nextStep(predicted, bulk !== null, services.sandboxPendingSeconds);
  return {
    terms,
    predicted,
    vended: isEnd ? predicted : null,
    dayLimit: principal.limits?.perDay ?? null,
    cost: route.cost,
    foreignCost: route.foreignCost,
    routeReason: route.reason,
    step,
    dueSeconds,
  };
}

/** What a purchase is charged for and why, under the given id. */
export function termsOf(order: PurchaseOrder, id: PurchaseId): PurchaseTerms {
  const { principal, priced, route } = order;
  const { requested, soldProduct, price } = priced;
  const terms = {
    wallet: { merchantId: principal.merchantId, mode: principal.mode },
    id,
    reference: order.reference,
    fingerprint: fingerprintOf(soldProduct.category.slug, requested.intent),
    channel: order.channel,
    productId: soldProduct.product.id,
    customerRef: requested.customerRef,
    phone: requested.phone,
    quantity: price.quantity,
    unitAmount: price.unitAmount,
    faceAmount: price.faceAmount,
    fee: price.fee,
    total: price.total,
    supplier: route.supplier,
    supplierCode: route.supplierCode,
    details: requested.details,
    bulk: order.bulk,
  };
  // By assignment: a spread of so many fields takes microseconds.
  return Object.assign(terms, order.sent);
}

/** What the due-work loop does with the purchase, and when, unless it is settled before. */
function nextStep(
  predicted: VendOutcome | null,
  isBulkLine: boolean,
  sandboxPendingSeconds: number,
): Pick<NewPurchase, "step" | "dueSeconds"> {
  if (predicted?.kind === "unknown") return { step: "requery", dueSeconds: sandboxPendingSeconds };
  // A live line waits for a worker to send it; nobody has asked the supplier yet.
  if (predicted === null && isBulkLine) return { step: "queued", dueSeconds: 0 };
  return { step: "dispatch", dueSeconds: dispatchDueSeconds };
}
