import type { Category, PurchaseIntent } from "../../../categories/category.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { checkTransactionLimit } from "../../merchants/limits/limits.ts";
import type { Principal } from "../../merchants/merchant.ts";
import { type PricedIntent, priceIntent } from "./prepare-purchase.ts";
import type { RouteFor } from "./route-for.ts";

export interface PreviewServices {
  readonly catalogue: Catalogue;
  readonly routeFor: RouteFor;
}

/** Tells what a purchase would cost now. Charges and stores nothing. @throws Refusal as `buy` would, but for the balance */
export async function previewPurchase(
  services: PreviewServices,
  {
    principal,
    category,
    requested,
  }: {
    readonly principal: Principal;
    readonly category: Category;
    readonly requested: PurchaseIntent;
  },
): Promise<PricedIntent> {
  const catalogue = await services.catalogue.current();
  const priced = priceIntent(catalogue, principal, category, requested);
  await services.routeFor(principal, priced.soldProduct.product, priced.price, null);
  checkTransactionLimit(principal.limits, priced.price.total);
  return priced;
}
