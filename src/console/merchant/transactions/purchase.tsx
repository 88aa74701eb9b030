import type { Product } from "../../../categories/product/product.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { type Purchase, soldProductOf } from "../../../domain/purchases/purchase.ts";
import type { FailureCode } from "../../../kernel/failure-codes.ts";
import type { PurchaseId } from "../../../kernel/ids.ts";
import { columnsOf } from "../../kit/columns.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { Customer, channelNames, ProductName, saleStatus } from "../../kit/sale.tsx";
import type { ModeVisit } from "../access.ts";

const column = columnsOf<PurchaseRow>();

/** The page of one purchase. */
export function purchasePath(visit: ModeVisit, reference: string): string {
  return visit.to(`transactions/${encodeURIComponent(reference)}`);
}

/** Why a sale failed and what to do, for whoever stands at the counter. */
export const failureAdvice: Readonly<Record<FailureCode, string>> = {
  PROVIDER_DECLINED: "The supplier declined it.",
  RECIPIENT_NOT_ELIGIBLE: "This customer can’t get this product. Offer another plan.",
  RECIPIENT_INVALID: "The supplier doesn’t know this number. Check it with the customer.",
  RECIPIENT_BARRED: "This number is barred. The customer has to call their provider.",
  OPERATOR_UNAVAILABLE: "The network was down. Try again in a few minutes.",
  METER_DEBT_BLOCKED: "The meter is blocked by a debt. The customer has to call their electricity company.",
  OUT_OF_STOCK: "This product was out of stock. Offer another, or try later.",
  EXPIRED_UNCONFIRMED: "The supplier never confirmed it.",
  SANDBOX_FORCED_FAILURE: "This sandbox number always fails.",
};

/** A line of a list of transactions. */
export interface PurchaseRow {
  readonly purchase: Purchase;
  readonly product: Pick<Product, "name" | "biller">;
  /** The person who sold it by hand. */
  readonly soldBy?: string | undefined;
}

export function purchaseRows(
  purchases: readonly Purchase[],
  products: CatalogueSnapshot,
  sellers: ReadonlyMap<PurchaseId, string> = new Map(),
): readonly PurchaseRow[] {
  return purchases.map((purchase) => ({
    ...{ purchase, product: soldProductOf(products, purchase).product, soldBy: sellers.get(purchase.id) },
  }));
}

/** The columns of a list of transactions. */
export function purchaseColumns({ hasSellers = false } = {}): readonly Column<PurchaseRow>[] {
  const soldBy: Column<PurchaseRow> = column.extra("Sold by", (row) => row.soldBy);
  return [
    column.when("Time", ({ purchase }) => purchase.purchasedAt),
    column.lead("Product", ({ product }) => <ProductName product={product} />),
    column.sub("For", ({ purchase }) => <Customer text={purchase.customerRef ?? ""} />),
    column.extra("Reference", ({ purchase }) => <span class="id">{purchase.reference}</span>),
    column.extra("Channel", ({ purchase }) => channelNames[purchase.channel]),
    ...(hasSellers ? [soldBy] : []),
    column.amount("Charged", ({ purchase }) => purchase.total),
    column.status("Status", ({ purchase }) => saleStatus(purchase)),
  ];
}
