import type { Product } from "../../../categories/product/product.ts";
import { type Price, quote, unitFee, unitPrice } from "../../../domain/catalogue/pricing.ts";
import type { Buyer, CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { add, formatNaira, type Kobo, kobo, zeroKobo } from "../../../kernel/money.ts";

/** What the address of the prices asks for. */
export interface PriceQuery {
  readonly q: string | null;
  readonly category: string | null;
  readonly biller: string | null;
  /** Only prices that changed in the last 24 hours. */
  readonly changed: "day" | null;
}

/** A product with what this merchant pays for one of it. */
export interface PricedProduct {
  readonly product: Product;
  readonly isOnOffer: boolean;
  readonly isChanged: boolean;
  /** Nominal value of one; null where the customer names the amount, or there is none. */
  readonly face: Kobo | null;
  /** All that one costs, with the fee; null where it depends on the amount. */
  readonly pays: Kobo | null;
  /** Hundredths of a percent less than the face amount; null where there is nothing to compare with. */
  readonly discount: bigint | null;
  /** Of one, at the least amount where that is named. */
  readonly fee: Kobo;
  /** In hundredths of a percent where the fee is a share. */
  readonly feeShare: bigint | null;
}

const changedWithinMs = 24 * 3_600_000;
const wordsMax = 20;

/** The products that fit, by category and biller, each with this buyer's price. What another took the place of is left out. */
export function pricesFor(
  catalogue: CatalogueSnapshot,
  buyer: Buyer,
  query: PriceQuery,
  now: Instant,
): readonly PricedProduct[] {
  const words = (query.q ?? "").toLowerCase().split(/\s+/).filter(Boolean).slice(0, wordsMax);
  return catalogue
    .billers(buyer)
    .filter(({ biller }) => (query.category ?? biller.category) === biller.category)
    .filter(({ biller }) => (query.biller ?? biller.slug) === biller.slug)
    .flatMap(({ products }) => products)
    .filter(({ replacedBy }) => replacedBy === null)
    .filter((product) => words.every((word) => wordsOf(product).includes(word)))
    .map((product) => priced(product, catalogue.priceOf(product, buyer), now))
    .filter(({ isChanged }) => isChanged || query.changed === null);
}

function wordsOf({ name, plan, code, id, biller }: Product): string {
  return [name, plan, code, id, biller.name, biller.slug, biller.network, biller.category].join(" ").toLowerCase();
}

function priced(product: Product, price: Price, now: Instant): PricedProduct {
  const isFixed = product.amountType === "fixed";
  const one = isFixed ? quote(product, price, { amount: null, quantity: 1 }) : null;
  const hasFace = one !== null && (product.face !== null || product.foreignFace !== null);
  return {
    product,
    isOnOffer: product.available && product.biller.status !== "unavailable",
    isChanged: now - product.updatedAt < changedWithinMs,
    face: hasFace ? one.faceAmount : null,
    pays: one === null ? unitWithFee(product, price) : one.total,
    discount: price.kind === "percent" ? 10_000n - price.basisPoints : hasFace ? shareOf(one) : null,
    fee: one === null ? unitFee(product, price) : one.fee,
    feeShare: price.fee?.kind === "percent" ? price.fee.basisPoints : null,
  };
}

/** Of a product whose amount is named, but whose price is fixed all the same. */
function unitWithFee(product: Product, price: Price): Kobo | null {
  const unit = unitPrice(product, price);
  return unit === null ? null : add(unit, unitFee(product, price));
}

/** Rounded down: nobody is promised more than is given. */
function shareOf({ discount, amount }: { readonly discount: Kobo; readonly amount: Kobo }): bigint | null {
  return amount > zeroKobo ? (discount * 10_000n) / amount : null;
}

/** Hundredths of a percent have two decimals as kobo do. */
export function percentText(share: bigint): string {
  return formatNaira(kobo(share));
}
