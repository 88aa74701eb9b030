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

const columns = [
  "purchased_at",
  "reference",
  "transaction_id",
  "status",
  "error_code",
  "channel",
  "category",
  "biller",
  "product_id",
  "product",
  "customer_ref",
  "phone",
  "quantity",
  "amount",
  "fee",
  "discount",
  "total_deducted",
  "balance_before",
  "balance_after",
  "completed_at",
  "refunded_at",
  "bulk_reference",
];

/** The first record: the fields' names, as the API has them. */
export function purchaseCsvHeading(more: readonly string[]): string {
  return writeCsv([[...columns, ...more]]);
}

/** Purchases as records of CSV, without what was delivered: tokens and PINs are money. */
export function writePurchaseCsv(purchases: readonly Purchase[], writing: PurchaseWriting): string {
  const { products, wallTime, transactionIds } = writing;
  const timeOf = (instant: number | null) => (instant === null ? null : wallTime.format(instant));
  const records = purchases.map((purchase) => {
    const { product } = soldProductOf(products, purchase);
    const deducted = totalDeductedOf(purchase);
    return [
      wallTime.format(purchase.purchasedAt),
      purchase.reference,
      transactionIds.format(purchase.id, purchase.wallet.mode),
      purchase.status,
      purchase.errorCode,
      purchase.channel,
      product.biller.category,
      product.biller.name,
      product.id,
      product.name,
      purchase.customerRef,
      purchase.phone,
      purchase.quantity,
      amountOf(purchase),
      purchase.fee,
      discountOf(purchase),
      deducted,
      purchase.balanceBefore,
      subtract(purchase.balanceBefore, deducted),
      timeOf(purchase.completedAt),
      timeOf(purchase.refundedAt),
      purchase.bulk?.reference ?? null,
      ...writing.more.map(([, cellOf]) => cellOf(purchase)),
    ];
  });
  return writeCsv(records);
}
