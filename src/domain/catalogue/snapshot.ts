import type { BillerSelector, Claim, ProductSelector } from "../../categories/category.ts";
import type { Biller, Product } from "../../categories/product/product.ts";
import { assert, unreachable } from "../../kernel/assert.ts";
import type { MerchantId, ProductId } from "../../kernel/ids.ts";
import type { Network } from "../../kernel/phone.ts";
import { type Refusal, refuse, refuseField } from "../../kernel/problems.ts";
import type { Price, PriceScope } from "./pricing.ts";

/** The merchant that looks or buys: prices and visibility depend on nothing else. */
export interface Buyer {
  readonly merchantId: MerchantId;
  readonly priceTier: number;
}

/** A biller that the buyer can see, with all of its products, withdrawn ones too, by id. */
export interface BillerView {
  readonly biller: Biller;
  readonly products: readonly Product[];
}

/** The catalogue's rows at one revision. */
export interface CatalogueContents {
  readonly billers: readonly Biller[];
  readonly products: readonly Product[];
  /** Base prices by product; by tier and product; by merchant and product. */
  readonly basePrices: ReadonlyMap<ProductId, Price>;
  readonly tierPrices: ReadonlyMap<number, ReadonlyMap<ProductId, Price>>;
  readonly merchantPrices: ReadonlyMap<MerchantId, ReadonlyMap<ProductId, Price>>;
  readonly hiddenCategories: ReadonlyMap<MerchantId, ReadonlySet<string>>;
}

/** The whole catalogue as of one moment. Nothing here waits. */
export interface CatalogueSnapshot {
  /** Finds any product that ever was, so that old purchases can be shown. */
  findProduct(id: ProductId): Product | null;
  /** Every product that ever was, hidden and withdrawn ones too. */
  readonly products: readonly Product[];
  /** The data plan that the legacy endpoints' clients know by this number. */
  findLegacyPlan(legacyPlanId: number): Product | null;
  /**
   * The one product that a purchase request means.
   * @throws Refusal CATEGORY_NOT_ALLOWED, PRODUCT_NOT_FOUND, BILLER_NOT_FOUND, VALIDATION_ERROR (on the selector's
   * field, unless exactly one product fits), BILLER_UNAVAILABLE, PRODUCT_UNAVAILABLE
   */
  resolve(selector: ProductSelector, category: string, buyer: Buyer): Product;
  /**
   * The biller that a request names, with those of its products on offer that fit every claim.
   * @throws Refusal CATEGORY_NOT_ALLOWED, BILLER_NOT_FOUND, PRODUCT_NOT_FOUND, VALIDATION_ERROR (on the field of the
   * claim that none fits), BILLER_UNAVAILABLE, PRODUCT_UNAVAILABLE
   */
  resolveBiller(selector: BillerSelector, category: string, buyer: Buyer): BillerView;
  /** What this buyer pays: its own price, else its tier's, else the base price. */
  priceOf(product: Product, buyer: Buyer): Price;
  /** The price that was set for everyone, a tier or a merchant; null where the tier or merchant has none of its own. */
  ownPrice(productId: ProductId, scope: PriceScope): Price | null;
  /** Price tiers that have a price of their own for some product, in order. */
  readonly pricedTiers: readonly number[];
  /** Every biller whose category is not hidden from the buyer, by category and name. */
  billers(buyer: Buyer): readonly BillerView[];
  /** Null when there is no such biller, or its category is hidden from the buyer. */
  findBiller(slug: string, buyer: Buyer): BillerView | null;
  /** Equal for buyers who see the same things at the same prices: what is made for one can be shown to the other. */
  termsKey(buyer: Buyer): string;
}

/** How long a client waits before it asks again for something that is switched off. */
const unavailableRetrySeconds = 60;

/** Indexes what was read. */
export function snapshotOf(contents: CatalogueContents): CatalogueSnapshot {
  const { basePrices, tierPrices, merchantPrices, hiddenCategories } = contents;
  const productById = new Map(contents.products.map((product) => [product.id, product]));
  const productByLegacyPlan = new Map(contents.products.map((product) => [product.legacyPlanId, product]));
  const productsBySlug = grouped(contents.products, (product) => product.biller.slug);
  const productsByCategory = grouped(contents.products, (product) => product.biller.category);
  const productsIn = (category: string) => productsByCategory.get(category) ?? [];
  const views = contents.billers.map((biller) => ({ biller, products: productsBySlug.get(biller.slug) ?? [] }));
  const viewBySlug = new Map(views.map((view) => [view.biller.slug, view]));
  const isHidden = (category: string, buyer: Buyer): boolean =>
    hiddenCategories.get(buyer.merchantId)?.has(category) ?? false;

  return {
    findProduct: (id) => productById.get(id) ?? null,
    products: contents.products,
    findLegacyPlan: (legacyPlanId) => productByLegacyPlan.get(legacyPlanId) ?? null,
    resolve(selector, category, buyer) {
      if (isHidden(category, buyer)) throw refuse("CATEGORY_NOT_ALLOWED");
      switch (selector.by) {
        case "product":
          return offered(productById.get(selector.productId), category);
        case "biller":
          return theOne(named(viewBySlug.get(selector.biller), category).products, selector);
        case "network":
          return theOne(ofNetwork(selector.network, productsIn(category)), selector);
        case "category":
          return theOne(productsIn(category), selector);
        default:
          return unreachable(selector);
      }
    },
    resolveBiller(selector, category, buyer) {
      if (isHidden(category, buyer)) throw refuse("CATEGORY_NOT_ALLOWED");
      if (selector.by === "biller") return onOffer(named(viewBySlug.get(selector.biller), category), selector.claims);
      const product = productById.get(selector.productId);
      if (product?.biller.category !== category) throw refuse("PRODUCT_NOT_FOUND");
      return onOffer({ biller: product.biller, products: [product] }, selector.claims);
    },
    priceOf(product, buyer) {
      const price =
        merchantPrices.get(buyer.merchantId)?.get(product.id) ??
        tierPrices.get(buyer.priceTier)?.get(product.id) ??
        basePrices.get(product.id);
      assert(price !== undefined, "every product has a base price");
      return price;
    },
    ownPrice(productId, scope) {
      switch (scope.of) {
        case "everyone":
          return basePrices.get(productId) ?? null;
        case "tier":
          return tierPrices.get(scope.tier)?.get(productId) ?? null;
        case "merchant":
          return merchantPrices.get(scope.merchantId)?.get(productId) ?? null;
        default:
          return unreachable(scope);
      }
    },
    pricedTiers: [...tierPrices.keys()].sort((one, other) => one - other),
    billers: (buyer) => views.filter((view) => !isHidden(view.biller.category, buyer)),
    findBiller(slug, buyer) {
      const view = viewBySlug.get(slug) ?? null;
      return view === null || isHidden(view.biller.category, buyer) ? null : view;
    },
    termsKey: ({ merchantId, priceTier }) =>
      merchantPrices.has(merchantId) || hiddenCategories.has(merchantId)
        ? `merchant ${merchantId} tier ${priceTier}`
        : `tier ${priceTier}`,
  };
}

function ofNetwork(network: Network, products: readonly Product[]): readonly Product[] {
  return products.filter((product) => product.biller.network === network);
}

function named(view: BillerView | undefined, category: string): BillerView {
  if (view?.biller.category !== category) throw refuse("BILLER_NOT_FOUND");
  return view;
}

/** The biller's products that fit every claim and can be bought now: at least one. */
function onOffer({ biller, products }: BillerView, claims: readonly Claim[]): BillerView {
  if (biller.status === "unavailable") throw switchedOff("BILLER_UNAVAILABLE");
  let fitting = products;
  for (const claim of claims) {
    fitting = fitting.filter(claim.holds);
    if (fitting.length === 0) throw refuseField("VALIDATION_ERROR", claim.field, "Fits no product.");
  }
  const available = fitting.filter((product) => product.available);
  if (available.length === 0) throw switchedOff("PRODUCT_UNAVAILABLE");
  return { biller, products: available };
}

/** The only fitting candidate that is on offer; where none is on offer, the only fitting one, so that it is refused. */
function theOne(candidates: readonly Product[], selector: Exclude<ProductSelector, { by: "product" }>): Product {
  const fitting = candidates.filter((product) => selector.claims.every((claim) => claim.holds(product)));
  const available = fitting.filter((product) => product.available);
  const [product, another] = available.length > 0 ? available : fitting;
  if (product === undefined) throw refuseField("VALIDATION_ERROR", selector.field, "Fits no product.");
  if (another === undefined) return offered(product, product.biller.category);
  if (available.length === 0) throw switchedOff("PRODUCT_UNAVAILABLE");
  throw refuseField("VALIDATION_ERROR", selector.field, "Fits several products; send product_id.");
}

function offered(product: Product | undefined, category: string): Product {
  if (product?.biller.category !== category) throw refuse("PRODUCT_NOT_FOUND");
  if (product.biller.status === "unavailable") throw switchedOff("BILLER_UNAVAILABLE");
  if (!product.available) throw switchedOff("PRODUCT_UNAVAILABLE", product.replacedBy);
  return product;
}

/** The refusal of what may be on offer again later, with what took a product's place. */
function switchedOff(code: "BILLER_UNAVAILABLE" | "PRODUCT_UNAVAILABLE", replacedBy: ProductId | null = null): Refusal {
  const meta = replacedBy === null ? {} : { meta: { replaced_by: replacedBy } };
  return refuse(code, { retryAfterSeconds: unavailableRetrySeconds, ...meta });
}

/** Rows by a key, in their order. (`Map.groupBy` is not there before Node 21.) */
export function grouped<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}
