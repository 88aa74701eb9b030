import type { Instant } from "../kernel/clock.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Kobo } from "../kernel/money.ts";

/** A purchase as a supplier or the simulator needs to know it. Nothing here names a merchant. */
export interface VendRequest {
  /** `TXN…` or `SBX…`: also the seed of what the simulator makes up. */
  readonly transactionId: string;
  /** Counts from 1; a reroute makes a new attempt. */
  readonly attempt: number;
  /** Our name for this attempt at the supplier. Asking again uses the same one. */
  readonly supplierReference: string;
  /** The supplier's own name for the product, as the route that was chosen says; null where the route says none. */
  readonly supplierCode: string | null;
  /** The supplier's reference of this attempt, where an earlier answer told it: some can only be asked by that. */
  readonly providerReference: string | null;
  /**
   * For how many milliseconds the supplier has said that it never received this attempt, and nothing else; null where it
   * did not say so, or its last word was another.
   */
  readonly notReceivedMs: number | null;
  /** When the purchase was made: the simulator's only time, so that asking again tells the same dates. */
  readonly at: Instant;
  readonly mode: Mode;
  readonly category: string;
  readonly productId: number;
  readonly productCode: string;
  readonly productName: string;
  readonly plan: string | null;
  readonly billerSlug: string;
  readonly billerName: string;
  readonly network: string | null;
  /** Facts of the product that its category understands: what `vendAttributes` (`product/product.ts`) tells. */
  readonly attributes: JsonObject;
  /** The number that is bought for: phone, meter, smartcard, account. Null where none was given. */
  readonly customerRef: string | null;
  readonly phone: string | null;
  readonly quantity: number;
  /** Nominal price of one unit in kobo. */
  readonly unitAmount: Kobo;
  /** Nominal value of the whole in kobo. */
  readonly faceAmount: Kobo;
  /** Further fields of the category's request: `meter_type`, `months`, `recipients`, … */
  readonly details: JsonObject;
}

/** A number that is asked about before anything is bought. Nothing here names a merchant. */
export interface VerifyRequest {
  readonly mode: Mode;
  readonly category: string;
  readonly billerSlug: string;
  readonly billerName: string;
  /** Meter, smartcard or account. */
  readonly customerRef: string;
  /** The supplier's own name for what the biller sells; null where no route says one. */
  readonly supplierCode: string | null;
  /** Further fields of the category's request: `meter_type`. */
  readonly details: JsonObject;
  /** The biller's products for such a number, so that the answer can name the one that the customer has. */
  readonly products: readonly OfferedProduct[];
  /** When it is asked: the simulator's only time. */
  readonly at: Instant;
}

export interface OfferedProduct {
  readonly productId: number;
  readonly productCode: string;
  readonly productName: string;
  readonly plan: string | null;
  /** Nominal price in kobo; null where the customer chooses the amount. */
  readonly face: Kobo | null;
}
