import { isOnOffer, type Product } from "../../../categories/product/product.ts";
import type { PriceScope } from "../../../domain/catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import type { RouteTable } from "../../../domain/suppliers/routing/route-table.ts";
import { type Losses, scopesOf } from "../../../domain/suppliers/selling-prices/margin.ts";
import { networks } from "../../../kernel/phone.ts";
import { choiceFilter, readList, textFilter } from "../../kit/list-page.tsx";
import { offerFilters, optionsOf } from "../../kit/offer-filters.ts";
import type { Visit } from "../../kit/visit.ts";
import { pricesPath } from "./price-words.tsx";

/** Price tiers that there may be, as the tables bound them. */
const tiers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
/** More columns than these are chosen one by one. */
const tiersShown = 3;

/** What prices are looked at by: one state of the catalogue, of the routes, and of what is below cost. */
export interface PriceTable {
  readonly catalogue: CatalogueSnapshot;
  readonly routes: RouteTable;
  readonly losses: Losses;
}

/** Of each state of the catalogue, found once: it may have tens of thousands of products. */
const billersKnown = new WeakMap<CatalogueSnapshot, readonly Product["biller"][]>();

function billersOf(catalogue: CatalogueSnapshot): readonly Product["biller"][] {
  const known = billersKnown.get(catalogue);
  if (known !== undefined) return known;
  const billers = [...new Map(catalogue.products.map(({ biller }) => [biller.slug, biller])).values()];
  billersKnown.set(catalogue, billers);
  return billers;
}

export function priceFilters(visit: Pick<Visit, "query">, { catalogue }: PriceTable) {
  return {
    ...offerFilters(visit, billersOf(catalogue)),
    network: choiceFilter("Network", optionsOf(networks)),
    margin: choiceFilter("Margin", [
      { value: "below-cost", label: "Below cost" },
      { value: "no-route", label: "No supplier" },
      { value: "own", label: "Merchant’s own" },
    ] as const),
    sale: choiceFilter("Sale", [
      { value: "on", label: "On sale" },
      { value: "off", label: "Off sale" },
    ] as const),
    tier: choiceFilter(
      "Tier",
      tiers.map((tier) => ({ value: String(tier), label: `Tier ${tier}` })),
    ),
    merchant: textFilter("Merchant", "ID, such as mer_17", parseMerchantId),
  };
}

export function readPriceQuery(visit: Pick<Visit, "query">, table: PriceTable) {
  return readList(visit, pricesPath, priceFilters(visit, table));
}

export type PriceQuery = ReturnType<typeof readPriceQuery>;

const wordsMax = 20;

/** The products that fit, in the catalogue's order. */
export function findProducts(
  { values }: Pick<PriceQuery, "values">,
  { catalogue, routes, losses }: PriceTable,
): readonly Product[] {
  const { q, category, biller, network, margin, sale, merchant: merchantId } = values;
  if (q === null && category === null && biller === null && network === null && margin === null && sale === null) {
    return catalogue.products;
  }
  const marginFits: Readonly<Record<NonNullable<typeof margin>, (product: Product) => boolean>> = {
    "below-cost": (product) => losses.has(product),
    "no-route": ({ id }) => routes.routesOf(id).length === 0,
    own: ({ id }) => merchantId !== null && catalogue.ownPrice(id, { of: "merchant", merchantId }) !== null,
  };
  const words = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean).slice(0, wordsMax);
  return catalogue.products.filter(
    (product) =>
      (category === null || product.biller.category === category) &&
      (biller === null || product.biller.slug === biller) &&
      (network === null || product.biller.network === network) &&
      (sale === null || isOnOffer(product) === (sale === "on")) &&
      (margin === null || marginFits[margin](product)) &&
      (words.length === 0 || hasWords(product, words)),
  );
}

function hasWords(product: Product, words: readonly string[]): boolean {
  const { name, plan, code, id, biller } = product;
  const text = [name, plan, code, id, biller.name, biller.slug, biller.category].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The prices that the table has a column for: the base price, and the tier or merchant that is asked for, else the first tiers in use. */
export function scopesShown({ values }: PriceQuery, { catalogue }: PriceTable): readonly PriceScope[] {
  const { tier, merchant: merchantId } = values;
  const tiers = scopesOf(tier === null ? catalogue.pricedTiers.slice(0, tiersShown) : [Number(tier)]);
  return merchantId === null ? tiers : [...tiers, { of: "merchant", merchantId }];
}

/** A price by the name that a form sends; undefined for none. */
export function scopeNamed(key: string): PriceScope | undefined {
  const merchantId = parseMerchantId(key);
  return merchantId === null ? scopesByName.get(key) : { of: "merchant", merchantId };
}

/** All prices that a change of many may be about, by the name that a form sends. */
export const scopesByName: ReadonlyMap<string, PriceScope> = new Map(
  scopesOf(tiers).map((scope) => [scopeKey(scope), scope]),
);

/** `base`, `tier-2`, `mer_17`. */
export function scopeKey(scope: PriceScope): string {
  if (scope.of === "merchant") return formatMerchantId(scope.merchantId);
  return scope.of === "tier" ? `tier-${scope.tier}` : "base";
}
