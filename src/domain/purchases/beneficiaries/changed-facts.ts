import { categoryOf } from "../../../categories/category-slugs.ts";
import { hasMeterTypes, readCustomerNumber } from "../../../categories/customer-number.ts";
import type { Biller } from "../../../categories/product/product.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { BeneficiaryFacts } from "./beneficiary.ts";

/** The fields of a beneficiary that a request sends: a field that is left out stays as it was, null empties a field. */
export type BeneficiaryChanges = Partial<BeneficiaryFacts>;

/** The facts of a new beneficiary. */
export const noFacts = { billerSlug: null, network: null, meterType: null, customerName: null, phone: null };

/**
 * The facts after a change, the number in the spelling of its category. A biller that went away since it was saved stays
 * as it is until it is sent again.
 * @throws Refusal BILLER_NOT_FOUND, VALIDATION_ERROR (network, meter_type), and what `readCustomerNumber` throws
 */
export function changedFacts(
  before: BeneficiaryFacts,
  sent: BeneficiaryChanges,
  findBiller: (slug: string) => Biller | null,
): BeneficiaryFacts {
  const facts = { ...before, ...sent };
  const category = categoryOf(facts.category);
  const customerRef = readCustomerNumber(category, facts.customerRef, "customer_ref");

  const biller = facts.billerSlug === null ? null : findBiller(facts.billerSlug);
  const isBillerSent = sent.billerSlug !== undefined || sent.category !== undefined;
  if (isBillerSent && facts.billerSlug !== null && biller?.category !== facts.category)
    throw refuse("BILLER_NOT_FOUND");
  if (facts.meterType !== null && !hasMeterTypes(category)) {
    throw refuseField("VALIDATION_ERROR", "meter_type", "Must be left out: only an electricity meter has one.");
  }
  if (facts.meterType !== null && biller?.meterTypes?.includes(facts.meterType) === false) {
    throw refuseField("VALIDATION_ERROR", "meter_type", `Is no kind of meter that ${biller.name} has.`);
  }
  return { ...facts, customerRef, network: networkOf(facts, biller) };
}

/** The biller's where it has one; another one next to it is a mistake. */
function networkOf({ network }: BeneficiaryFacts, biller: Biller | null): BeneficiaryFacts["network"] {
  const own = biller?.network ?? null;
  if (network !== null && own !== null && network !== own) {
    throw refuseField("VALIDATION_ERROR", "network", `Must be the biller's: ${own}.`);
  }
  return own ?? network;
}
