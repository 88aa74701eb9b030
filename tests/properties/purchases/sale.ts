import { airtime } from "../../../src/categories/airtime.ts";
import type { Category, PurchaseIntent } from "../../../src/categories/category.ts";
import { data } from "../../../src/categories/data.ts";
import type { Biller, Product } from "../../../src/categories/product/product.ts";
import type { Catalogue } from "../../../src/domain/catalogue/catalogue.ts";
import type { Price } from "../../../src/domain/catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../../../src/domain/catalogue/snapshot.ts";
import { snapshotOf } from "../../../src/domain/catalogue/snapshot.ts";
import type { MerchantId, ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";

/** Something that a merchant may ask for: one of the goods below, for a number whose last digits decide the outcome. */
export interface Sale {
  readonly goods: number;
  readonly suffix: string;
}

interface OnSale {
  readonly name: string;
  readonly category: Category;
  readonly product: Partial<Product>;
  readonly price: Price;
  readonly body: Readonly<Record<string, string>>;
  /** What it costs in kobo, worked out by hand: pricing is not what is tested here. */
  readonly total: bigint;
}

const fixed = (price: bigint, fee: bigint | null = null): Price => ({
  kind: "fixed",
  kobo: kobo(price),
  fee: fee === null ? null : { kind: "flat", kobo: kobo(fee) },
});

/** Cheap to dear: a discount, a fee, a share of a named amount, most of a wallet, more than a live purchase may cost. */
export const onSale: readonly OnSale[] = [
  { name: "cheap", category: data, product: face(10_000n), price: fixed(9_750n), body: {}, total: 9_750n },
  {
    name: "with fee",
    category: data,
    product: face(100_000n),
    price: fixed(95_000n, 2_000n),
    body: {},
    total: 97_000n,
  },
  {
    name: "airtime",
    category: airtime,
    product: { amountType: "variable", face: null, minAmount: 5_000n, maxAmount: 5_000_000n },
    price: { kind: "percent", basisPoints: basisPoints(9_700n), fee: null },
    body: { amount: "1234.00" },
    total: 119_698n,
  },
  { name: "dear", category: data, product: face(4_500_000n), price: fixed(4_500_000n), body: {}, total: 4_500_000n },
  {
    name: "too dear",
    category: data,
    product: face(6_000_000n),
    price: fixed(6_000_000n),
    body: {},
    total: 6_000_000n,
  },
];

export function totalOf(sale: Sale): bigint {
  return onSale[sale.goods]!.total;
}

export function categoryOf(sale: Sale): Category {
  return onSale[sale.goods]!.category;
}

export function intentOf(sale: Sale): PurchaseIntent {
  const { category, body } = onSale[sale.goods]!;
  return category.read({ product_id: sale.goods + 1, phone: `0803123${sale.suffix}`, ...body } as never);
}

export function describeSale(sale: Sale): string {
  return `${onSale[sale.goods]!.name} …${sale.suffix}`;
}

function face(value: bigint): Partial<Product> {
  return { amountType: "fixed", face: kobo(value) };
}

/** A catalogue in memory from which goods can be withdrawn. */
export interface ShopWindow extends Catalogue {
  offer(goods: number, available: boolean): void;
}

export function openShopWindow(): ShopWindow {
  const withdrawn = new Set<number>();
  let snapshot = snapshotWithout(withdrawn);
  return {
    peek: () => snapshot,
    current: async () => snapshot,
    offer(goods, available) {
      if (available) withdrawn.delete(goods);
      else withdrawn.add(goods);
      snapshot = snapshotWithout(withdrawn);
    },
  };
}

function snapshotWithout(withdrawn: ReadonlySet<number>): CatalogueSnapshot {
  const billers = { data: billerOf(data), airtime: billerOf(airtime) };
  const products = onSale.map((item, index) => ({
    ...productOf(item, index, item.category === data ? billers.data : billers.airtime),
    available: !withdrawn.has(index),
  }));
  return snapshotOf({
    billers: Object.values(billers),
    products,
    basePrices: new Map(onSale.map((item, index) => [(index + 1) as ProductId, item.price])),
    tierPrices: new Map(),
    merchantPrices: new Map<MerchantId, never>(),
    hiddenCategories: new Map(),
  });
}

function billerOf(category: Category): Biller {
  return {
    slug: `mtn-${category.slug}`,
    name: "MTN",
    category: category.slug,
    network: "MTN",
    customerField: "phone",
    customerLabel: "Phone number",
    requiresVerification: false,
    supportsBulk: true,
    meterTypes: null,
    minAmount: null,
    maxAmount: null,
    status: "available",
  };
}

function productOf(item: OnSale, index: number, biller: Biller): Product {
  return {
    id: (index + 1) as ProductId,
    code: `goods-${index + 1}`,
    biller,
    name: item.name,
    plan: null,
    planType: null,
    validity: null,
    amountType: "fixed",
    face: null,
    minAmount: null,
    maxAmount: null,
    minQuantity: 1,
    maxQuantity: 1,
    faceCurrency: "NGN",
    foreignFace: null,
    fxRate: null,
    meterType: null,
    legacyPlanId: null,
    attributes: {},
    available: true,
    replacedBy: null,
    updatedAt: 0,
    ...item.product,
  };
}
