import type { Category, PurchaseIntent } from "../../../categories/category.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { checkTransactionLimit } from "../../merchants/limits/limits.ts";
import type { Principal } from "../../merchants/merchant.ts";
import { findBeneficiary } from "../beneficiaries/beneficiaries.ts";
import {
  type BeneficiaryCommand,
  type BeneficiaryPurchaseServices,
  requestForBeneficiary,
} from "./buy-for-beneficiary.ts";
import { type PricedIntent, priceIntent } from "./prepare-purchase.ts";
import type { RouteFor } from "./route-for.ts";

/** What would be bought, before anything is charged. */
export interface Preview extends PricedIntent {
  /** The beneficiary that fills the number in; null where the number itself was given. */
  readonly beneficiaryLabel: string | null;
}

export interface PreviewServices extends BeneficiaryPurchaseServices {
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
): Promise<Preview> {
  const catalogue = await services.catalogue.current();
  const priced = priceIntent(catalogue, principal, category, requested);
  await services.routeFor(principal, priced.soldProduct.product, priced.price, null);
  checkTransactionLimit(principal.limits, priced.price.total);
  return { ...priced, beneficiaryLabel: null };
}

/** The same for a customer whose number is saved. @throws Refusal as `buyForBeneficiary` would, but for the balance */
export async function previewForBeneficiary(services: PreviewServices, command: BeneficiaryCommand): Promise<Preview> {
  const { principal, category, beneficiaryId } = command;
  const { requested } = await requestForBeneficiary(services, command);
  const preview = await previewPurchase(services, { principal, category, requested });
  const { label } = await findBeneficiary(services.database, principal, beneficiaryId);
  return { ...preview, beneficiaryLabel: label };
}
