import type { CategorySlug } from "../../categories/category-slugs.ts";
import type { MeterType } from "../../categories/product/product.ts";
import { assert } from "../../kernel/assert.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { basisPoints, parseNaira } from "../../kernel/money.ts";
import type { Network } from "../../kernel/phone.ts";
import type { Fee, Price } from "./pricing.ts";

/** A biller as the starting catalogue writes it. */
export interface StartingBiller {
  readonly slug: string;
  readonly name: string;
  readonly category: CategorySlug;
  readonly network?: Network;
  readonly customerField: string;
  readonly customerLabel: string;
  readonly requiresVerification?: boolean;
  readonly supportsBulk?: boolean;
  readonly meterTypes?: readonly MeterType[];
  readonly description?: string;
}

/**
 * A product as the starting catalogue writes it. Ids are written out, never counted: a row that is added in the middle
 * must not change what another id means. A `range` makes the amount variable.
 */
export interface StartingProduct {
  readonly id: number;
  readonly code: string;
  readonly biller: string;
  readonly name: string;
  readonly plan?: string;
  readonly planType?: string;
  readonly validity?: string;
  readonly legacyPlanId?: number;
  readonly face?: Kobo;
  /** Hundredths of `currency`, which is NGN unless given. */
  readonly range?: readonly [minimum: bigint, maximum: bigint];
  readonly maxQuantity?: number;
  readonly currency?: string;
  readonly foreignFace?: bigint;
  readonly fxRate?: Kobo;
  readonly meterType?: MeterType;
  readonly attributes?: JsonObject;
  readonly price: Price;
  readonly description?: string;
}

/** What one file of the starting catalogue holds. */
export interface StartingPart {
  readonly billers: readonly StartingBiller[];
  readonly products: readonly StartingProduct[];
}

/** The description of a product whose figures could not be found and are plausible only. */
export const sampleData = "Sample data: the figures are plausible, not quoted from anyone. Set your own price.";

/** Where the figures of the other products come from. */
export const publicPrice = "From public price lists of 2024 to 2026. Set your own price.";

export function describe(isSample: boolean): string {
  return isSample ? sampleData : publicPrice;
}

/** `naira(98.9)`: ninety-eight naira ninety. Also hundredths of any other currency. */
export function naira(amount: number): Kobo {
  const parsed = parseNaira(amount);
  assert(parsed !== null, `the starting catalogue's ${amount} is an amount`);
  return parsed;
}

/** So many naira a unit. */
export function fixed(amount: number, fee: Fee | null = null): Price {
  return { kind: "fixed", kobo: naira(amount), fee };
}

/** `percent(96.8)`: the merchant pays 96.8 % of the nominal amount. */
export function percent(share: number, fee: Fee | null = null): Price {
  // Hundredths of a percent are read as hundredths of a naira are.
  return { kind: "percent", basisPoints: basisPoints(naira(share)), fee };
}

/** `mtn`, `Corporate gifting`, `1.5GB` as part of a code: `mtn-corporate-gifting-1.5gb`. */
export function codeOf(...parts: readonly string[]): string {
  return parts
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-");
}
