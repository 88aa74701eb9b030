import type { Product } from "../../../categories/product/product.ts";
import type { MerchantId, ProductId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { PriceLine } from "../../catalogue/price-changes/price-change.ts";
import type { Price } from "../../catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
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
  /** The most that one price moves, in hundredths of a percent. */
  readonly largest: bigint;
}

interface Known {
  readonly catalogue: CatalogueSnapshot;
  readonly routes: RouteTable;
}

/** What a change comes to, by the costs of now. `tiers` has those of the merchants whose own prices it sets. */
export function previewOf(
  { catalogue, routes }: Known,
  lines: readonly PriceLine[],
  tiers: ReadonlyMap<MerchantId, number> = new Map(),
): Preview {
  const bases = basesAfter(lines);
  const tierPrice = ({ productId, scope }: PriceLine) => {
    const tier = scope.of === "merchant" ? tiers.get(scope.merchantId) : undefined;
    return tier === undefined ? null : catalogue.ownPrice(productId, { of: "tier", tier });
  };
  const previewed = lines.flatMap((line): PreviewedLine[] => {
    const product = catalogue.findProduct(line.productId);
    const base = catalogue.ownPrice(line.productId, { of: "everyone" });
    const before = line.before ?? tierPrice(line) ?? base;
    const after = line.after ?? tierPrice(line) ?? bases.get(line.productId) ?? base;
    // What only a newer version sells is not this one's to preview.
    if (product === null || before === null || after === null) return [];
    const [paidBefore, paidAfter] = [smallestTotal(product, before), smallestTotal(product, after)];
    const own = routes.routesOf(product.id);
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
    largest: previewed.reduce((most, { moved }) => (magnitude(moved) > most ? magnitude(moved) : most), 0n),
  };
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
