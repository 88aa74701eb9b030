import type { MerchantId, ProductId } from "../../../kernel/ids.ts";
import type { Json } from "../../../kernel/json.ts";
import type { Price, PriceScope } from "../pricing.ts";
import { priceOfRow, rowOfPrice } from "../product-row.ts";

/** A price that a change sets: null before, where the tier had none of its own; null after, where it has none any more. */
export interface PriceLine {
  readonly productId: ProductId;
  readonly scope: PriceScope;
  readonly before: Price | null;
  readonly after: Price | null;
}

/** A price as it is stored: its columns as keys, without nulls. */
export type StoredPrice = Readonly<
  Partial<Record<"price" | "price_basis_points" | "fee" | "fee_basis_points" | "fee_cap", number>>
>;

/** A price of a change as its lines keep it, and as history has it. Neither tier nor merchant: it is the base price. */
export interface StoredLine {
  readonly product: ProductId;
  readonly tier?: number | null;
  readonly merchant?: MerchantId | null;
  readonly before?: StoredPrice | null;
  readonly after?: StoredPrice | null;
}

export function storedLine({ productId, scope, before, after }: PriceLine): StoredLine {
  return {
    product: productId,
    ...(scope.of === "tier" ? { tier: scope.tier } : {}),
    ...(scope.of === "merchant" ? { merchant: scope.merchantId } : {}),
    ...(before === null ? {} : { before: storedPrice(before) }),
    ...(after === null ? {} : { after: storedPrice(after) }),
  };
}

export function lineOf({ product, tier = null, merchant = null, before = null, after = null }: StoredLine): PriceLine {
  return { productId: product, scope: scopeOf(tier, merchant), before: priceOf(before), after: priceOf(after) };
}

/** The lines of a change as JSON has them. */
export function linesOf(stored: string): PriceLine[] {
  return (JSON.parse(stored) as readonly StoredLine[]).map(lineOf);
}

export function scopeOf(tier: number | null, merchantId: MerchantId | null): PriceScope {
  if (merchantId !== null) return { of: "merchant", merchantId };
  return tier === null ? { of: "everyone" } : { of: "tier", tier };
}

/** Which price a line of a change sets, as a name for forms. */
export function nameOfLine({ productId, scope }: Pick<PriceLine, "productId" | "scope">): string {
  return [productId, ...Object.values(scope)].join(" ");
}

/** What an open change keeps others from asking for. */
export function subjectOfLine(line: Pick<PriceLine, "productId" | "scope">): string {
  return `price ${nameOfLine(line)}`;
}

/** The names of those prices that somebody changed again since the change that these lines take back. */
export function changedAgain(undone: readonly PriceLine[], lines: readonly PriceLine[]): ReadonlySet<string> {
  const left = new Map(undone.map((line) => [nameOfLine(line), line.after]));
  const changed = lines.filter((line) => !isSamePrice(line.before, left.get(nameOfLine(line)) ?? null));
  return new Set(changed.map(nameOfLine));
}

export function isSamePrice(one: Price | null, other: Price | null): boolean {
  return JSON.stringify(one && storedPrice(one)) === JSON.stringify(other && storedPrice(other));
}

/** Amounts travel as JSON numbers: the tables' bounds keep them far below 2^53. */
function storedPrice(price: Price): StoredPrice {
  const columns = Object.entries(rowOfPrice(price)).filter(([, value]) => value !== null);
  return Object.fromEntries(columns.map(([name, value]): [string, Json] => [name, Number(value)])) as StoredPrice;
}

function priceOf(stored: StoredPrice | null): Price | null {
  if (stored === null) return null;
  const amount = (value: number | undefined) => (value === undefined ? null : BigInt(value));
  return priceOfRow({
    price: amount(stored.price),
    price_basis_points: stored.price_basis_points ?? null,
    fee: amount(stored.fee),
    fee_basis_points: stored.fee_basis_points ?? null,
    fee_cap: amount(stored.fee_cap),
  });
}
