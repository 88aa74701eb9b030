import type { Product } from "../../../categories/product/product.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import { subtract } from "../../../kernel/money.ts";
import { type Cell, writeCsv } from "../../../platform/csv.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { amountOf, discountOf, type Purchase, soldProductOf, totalDeductedOf } from "../../purchases/purchase.ts";

interface PurchaseWriting {
  readonly products: CatalogueSnapshot;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
  /** Columns of the list's own, behind the API's. */
  readonly more: readonly (readonly [name: string, cellOf: (purchase: Purchase) => Cell])[];
}

type CellOf = (purchase: Purchase, product: Product, writing: PurchaseWriting) => Cell;

/** The fields' names, as the API has them. What was delivered is not among them: tokens and PINs are money. */
const columns: readonly (readonly [name: string, cellOf: CellOf])[] = [
  ["purchased_at", ({ purchasedAt }, _, { wallTime }) => wallTime.format(purchasedAt)],
  ["reference", ({ reference }) => reference],
  ["transaction_id", ({ id, wallet }, _, { transactionIds }) => transactionIds.format(id, wallet.mode)],
  ["status", ({ status }) => status],
  ["error_code", ({ errorCode }) => errorCode],
  ["channel", ({ channel }) => channel],
  ["category", (_, { biller }) => biller.category],
  ["biller", (_, { biller }) => biller.name],
  ["product_id", (_, { id }) => id],
  ["product", (_, { name }) => name],
  ["customer_ref", ({ customerRef }) => customerRef],
  ["phone", ({ phone }) => phone],
  ["quantity", ({ quantity }) => quantity],
  ["amount", amountOf],
  ["fee", ({ fee }) => fee],
  ["discount", discountOf],
  ["total_deducted", totalDeductedOf],
  ["balance_before", ({ balanceBefore }) => balanceBefore],
  ["balance_after", (purchase) => subtract(purchase.balanceBefore, totalDeductedOf(purchase))],
  ["completed_at", ({ completedAt }, _, { wallTime }) => (completedAt === null ? null : wallTime.format(completedAt))],
  ["refunded_at", ({ refundedAt }, _, { wallTime }) => (refundedAt === null ? null : wallTime.format(refundedAt))],
  ["bulk_reference", ({ bulk }) => bulk?.reference ?? null],
];

/** The first record. */
export function purchaseCsvHeading(more: readonly string[]): string {
  return writeCsv([[...columns.map(([name]) => name), ...more]]);
}

/** Purchases as records of CSV. */
export function writePurchaseCsv(purchases: readonly Purchase[], writing: PurchaseWriting): string {
  const records = purchases.map((purchase) => {
    const { product } = soldProductOf(writing.products, purchase);
    return [
      ...columns.map(([, cellOf]) => cellOf(purchase, product, writing)),
      ...writing.more.map(([, cellOf]) => cellOf(purchase)),
    ];
  });
  return writeCsv(records);
}
