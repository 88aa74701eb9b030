import type { CategorySlug } from "../../../categories/category-slugs.ts";
import type { MeterType } from "../../../categories/product/product.ts";
import type { Instant } from "../../../kernel/clock.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import type { Network, Phone } from "../../../kernel/phone.ts";

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
