import type { Instant } from "../../kernel/clock.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { formatNaira, kobo } from "../../kernel/money.ts";
import type { Network } from "../../kernel/phone.ts";

export const meterTypes = ["prepaid", "postpaid"] as const;

export type MeterType = (typeof meterTypes)[number];

/** The company that the customer knows: MTN, Ikeja Electric, DStv. */
export interface Biller {
  readonly slug: string;
  readonly name: string;
  /** The slug of its category. */
  readonly category: string;
  readonly network: Network | null;
  /** The request field that holds the customer's number: `phone`, `meter_number`, … */
  readonly customerField: string;
  readonly customerLabel: string;
  readonly requiresVerification: boolean;
  readonly supportsBulk: boolean;
  readonly meterTypes: readonly MeterType[] | null;
  /** Bounds over its products of variable amount, in hundredths of their face currency; null where it has none. */
  readonly minAmount: bigint | null;
  readonly maxAmount: bigint | null;
  readonly status: "available" | "degraded" | "unavailable";
}

/** What can be bought. A product id never changes meaning; a product is withdrawn, never deleted. */
export interface Product {
  readonly id: ProductId;
  readonly code: string;
  readonly biller: Biller;
  readonly name: string;
  readonly plan: string | null;
  readonly planType: string | null;
  readonly validity: string | null;
  readonly amountType: "fixed" | "variable";
  /**
   * Nominal value of one unit in kobo (of a foreign card: at the present rate); null where the product has none, or
   * where the client names the amount.
   */
  readonly face: Kobo | null;
  /** Bounds of a variable amount, in hundredths of `faceCurrency`. */
  readonly minAmount: bigint | null;
  readonly maxAmount: bigint | null;
  readonly minQuantity: number;
  readonly maxQuantity: number;
  /** Currency of the card's value; `NGN` for everything but foreign gift cards. */
  readonly faceCurrency: string;
  /** Fixed value of one foreign card in hundredths of `faceCurrency`; null for naira products and ranges. */
  readonly foreignFace: bigint | null;
  /** Kobo per whole unit of `faceCurrency`; null for naira products. */
  readonly fxRate: Kobo | null;
  readonly meterType: MeterType | null;
  /** A data plan's number for clients of the legacy endpoints; null for others. Below 1,000, where no product id is. */
  readonly legacyPlanId: number | null;
  /** Facts that only the category understands; its `sells` lists them. */
  readonly attributes: JsonObject;
  readonly available: boolean;
  readonly replacedBy: ProductId | null;
  readonly updatedAt: Instant;
}

const attributesOfProducts = new WeakMap<Product, JsonObject>();

/**
 * The product's facts for a supplier: its attributes and the facts that have columns. Amounts as decimal strings.
 * Put together once for each product in memory, as every purchase asks for it.
 */
export function vendAttributes(product: Product): JsonObject {
  const known = attributesOfProducts.get(product);
  if (known !== undefined) return known;
  const attributes = {
    ...product.attributes,
    amount_type: product.amountType,
    plan_type: product.planType,
    validity: product.validity,
    meter_type: product.meterType,
    face_currency: product.faceCurrency,
    foreign_face: product.foreignFace === null ? null : formatNaira(kobo(product.foreignFace)),
    fx_rate: product.fxRate === null ? null : formatNaira(product.fxRate),
  };
  attributesOfProducts.set(product, attributes);
  return attributes;
}

/** Whether the catalogue offers it, whoever could serve it. */
export function isOnOffer({ available, biller }: Pick<Product, "available" | "biller">): boolean {
  return available && biller.status !== "unavailable";
}
