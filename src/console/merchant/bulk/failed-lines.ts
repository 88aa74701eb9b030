import { categoryOf } from "../../../categories/category-slugs.ts";
import { linesMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { findBulkOrder, listBulkLines } from "../../../domain/bulk-orders/queries.ts";
import { amountOf, soldProductOf } from "../../../domain/purchases/purchase.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { formatNaira } from "../../../kernel/money.ts";
import type { ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";

/** The fields of a new order with the failed lines of another one; null where there is no such order. */
export async function failedLines(
  { reads, catalogue }: MerchantServices,
  { wallet }: ModeVisit,
  name: string,
): Promise<readonly (readonly [name: string, value: string])[] | null> {
  const reference = parseStoredReference(name);
  const order = reference === null ? null : await findBulkOrder(reads, wallet, reference);
  if (order === null) return null;
  const products = await catalogue.current();
  const failed = await listBulkLines(reads, order, "failed", { page: 1, perPage: linesMax });
  const takesAmount = "amount" in categoryOf(order.category).body.properties;
  const rows = failed.map((line) => {
    const { product } = soldProductOf(products, line);
    const value = takesAmount ? [product.biller.network, formatNaira(amountOf(line))] : [product.id];
    return [line.customerRef, ...value].join(",");
  });
  const header = takesAmount ? "phone,network,amount" : "phone,product";
  return [
    ["category", order.category],
    ["lines", [header, ...rows].join("\n")],
  ];
}
