import type { Product } from "../../../categories/product/product.ts";
import type { MerchantId, ProductId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { nameOfLine, type PriceLine } from "../../catalogue/price-changes/price-lines.ts";
import { type Price, type PriceScope, quote } from "../../catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { extremeSales } from "../routing/limits.ts";
import type { RouteTable } from "../routing/route-table.ts";
import { isBelowCost, type Margin, marginOf, smallestTotal } from "./margin.ts";

/** A price of a change, with what it means: amounts are those of the smallest sale, fee included. */
export interface PreviewedLine extends PriceLine {
  readonly product: Product;
  readonly paidBefore: Kobo;
  readonly paidAfter: Kobo;
  /** Of what was paid before, in hundredths of a percent, away from zero: a change never looks smaller than it is. */
  readonly moved: bigint;
  readonly margin: Margin | null;
  readonly isBelowCost: boolean;
}

/** What merchants of one price tier pay otherwise by a change. */
export interface TierEffect {
  readonly tier: number;
  readonly merchants: number;
  /** Products that cost them more, and less. */
  readonly dearer: number;
  readonly cheaper: number;
}

export interface Preview {
  /** Prices below cost come first. */
  readonly lines: readonly PreviewedLine[];
  readonly products: number;
  readonly dearer: number;
  readonly cheaper: number;
  readonly belowCost: number;
  /** The most that one price moves, since a day ago and in any sale, in hundredths of a percent. */
  readonly largest: bigint;
}

export interface Known {
  readonly catalogue: CatalogueSnapshot;
  readonly routes: RouteTable;
}

interface Around {
  /** The price tiers of the merchants whose own prices it sets. */
  readonly tiers: ReadonlyMap<MerchantId, number>;
  /** By the names of lines what they were a day ago, where that was another price. */
  readonly past: ReadonlyMap<string, Price | null>;
}

/** What a change comes to, by the costs of now. */
export function previewOf(
  { catalogue, routes }: Known,
  lines: readonly PriceLine[],
  around: Around = { tiers: new Map(), past: new Map() },
): Preview {
  const paidBy = pricesPaid(catalogue, lines, around);
  let largest = 0n;
  const previewed = lines.flatMap((line): PreviewedLine[] => {
    const product = catalogue.findProduct(line.productId);
    const { before, dayAgo, after } = paidBy(line);
    // What only a newer version sells is not this one's to preview.
    if (product === null || before === null || dayAgo === null || after === null) return [];
    const [paidBefore, paidAfter] = [smallestTotal(product, before), smallestTotal(product, after)];
    const own = routes.routesOf(product.id);
    for (const sale of extremeSales(product)) {
      const [was, is] = [quote(product, dayAgo, sale).total, quote(product, after, sale).total];
      const moved = magnitude(movedBy(was, is));
      if (moved > largest) largest = moved;
    }
    return [
      {
        ...line,
        ...{ product, paidBefore, paidAfter, moved: movedBy(paidBefore, paidAfter) },
        margin: marginOf(product, after, own),
        isBelowCost: isBelowCost(product, after, own),
      },
    ];
  });
  const isLoss = ({ isBelowCost }: PreviewedLine) => isBelowCost;
  return {
    lines: [...previewed.filter(isLoss), ...previewed.filter((line) => !isLoss(line))],
    products: new Set(lines.map(({ productId }) => productId)).size,
    dearer: previewed.filter(({ moved }) => moved > 0n).length,
    cheaper: previewed.filter(({ moved }) => moved < 0n).length,
    belowCost: previewed.filter(isLoss).length,
    largest,
  };
}

/** What those pay whom a line is about: its own price, else their tier's, else the base price. */
function pricesPaid(catalogue: CatalogueSnapshot, lines: readonly PriceLine[], { tiers, past }: Around) {
  const changed = new Map(lines.map((line) => [nameOfLine(line), line.after]));
  return ({ productId, scope: own, before }: PriceLine) => {
    const tier = own.of === "merchant" ? tiers.get(own.merchantId) : undefined;
    const scopes: readonly PriceScope[] = [own, ...(tier === undefined ? [] : [tierScope(tier)]), { of: "everyone" }];
    const named = scopes.map((scope) => ({
      name: nameOfLine({ productId, scope }),
      price: scope === own ? before : catalogue.ownPrice(productId, scope),
    }));
    const paid = (others: ReadonlyMap<string, Price | null>) => {
      const prices = named.map(({ name, price }) => (others.has(name) ? (others.get(name) ?? null) : price));
      return prices.find((price) => price !== null) ?? null;
    };
    return { before: paid(new Map()), dayAgo: paid(past), after: paid(changed) };
  };
}

function tierScope(tier: number): PriceScope {
  return { of: "tier", tier };
}

/** Tiers with merchants, and what a change that is not made yet means to those without a price of their own. */
export function tierEffects(
  catalogue: CatalogueSnapshot,
  lines: readonly PriceLine[],
  merchants: ReadonlyMap<number, number>,
): readonly TierEffect[] {
  const bases = basesAfter(lines);
  const changed = new Map<string, Price | null>();
  for (const { productId, scope, after } of lines) {
    if (scope.of === "tier") changed.set(`${scope.tier} ${productId}`, after);
  }
  const ids = [...new Set(lines.map(({ productId }) => productId))];
  return [...merchants].map(([tier, count]) => {
    const effect = { tier, merchants: count, dearer: 0, cheaper: 0 };
    for (const id of ids) {
      const product = catalogue.findProduct(id);
      const base = catalogue.ownPrice(id, { of: "everyone" });
      const own = catalogue.ownPrice(id, { of: "tier", tier });
      const ownAfter = changed.has(`${tier} ${id}`) ? (changed.get(`${tier} ${id}`) ?? null) : own;
      const [before, after] = [own ?? base, ownAfter ?? bases.get(id) ?? base];
      if (product === null || before === null || after === null || before === after) continue;
      const moved = smallestTotal(product, after) - smallestTotal(product, before);
      if (moved > 0n) effect.dearer += 1;
      if (moved < 0n) effect.cheaper += 1;
    }
    return effect;
  });
}

function basesAfter(lines: readonly PriceLine[]): ReadonlyMap<ProductId, Price> {
  return new Map(
    lines.flatMap(({ productId, scope, after }) =>
      scope.of === "everyone" && after !== null ? [[productId, after] as const] : [],
    ),
  );
}

function movedBy(before: Kobo, after: Kobo): bigint {
  const share = (magnitude(after - before) * 10_000n + before - 1n) / before;
  return after < before ? -share : share;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
