import { type CategorySlug, categoryOf } from "../../../categories/category-slugs.ts";
import { hasMeterTypes, readCustomerNumber } from "../../../categories/customer-number.ts";
import type { Biller, MeterType } from "../../../categories/product/product.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import type { Network, Phone } from "../../../kernel/phone.ts";
import { refuse, refuseField } from "../../../kernel/problems.ts";

/** The merchant that beneficiaries belong to, whatever the mode of its key. */
export type Owner = Pick<WalletKey, "merchantId">;

/** A customer's number that a merchant keeps. */
export interface Beneficiary extends BeneficiaryFacts {
  /** `ben_` and a ULID. */
  readonly id: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** The merchant's facts about a beneficiary. */
export interface BeneficiaryFacts {
  /** The merchant's own name for it. */
  readonly label: string;
  readonly category: CategorySlug;
  /** As the category's purchases take it, in one spelling. */
  readonly customerRef: string;
  /** Null: any biller of the category. */
  readonly billerSlug: string | null;
  readonly network: Network | null;
  readonly meterType: MeterType | null;
  readonly customerName: string | null;
  /** Where the customer can be reached, where that is not the number itself. */
  readonly phone: Phone | null;
}

/** Enough for a shop's regular customers; a list of everybody belongs into the merchant's own database. */
export const beneficiariesMax = 10_000;

export const beneficiaryIdPattern = "^ben_[0-9A-HJKMNP-TV-Z]{26}$";

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
