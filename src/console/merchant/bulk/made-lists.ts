import type { Category } from "../../../categories/category.ts";
import { categoryOf } from "../../../categories/category-slugs.ts";
import { linesMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { findBulkOrder, listBulkLines } from "../../../domain/bulk-orders/queries.ts";
import { amountOf, soldProductOf } from "../../../domain/purchases/purchase.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { formatNaira } from "../../../kernel/money.ts";
import { byteOrderMark, writeCsv } from "../../../platform/csv.ts";
import type { FileAnswer } from "../../kit/answer.tsx";
import { csvAnswer } from "../../kit/answer.tsx";
import type { ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { exampleMark, offeredIn } from "./read-lines.ts";

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

/** A list to be filled in. Its two examples are marked in the cells that everybody replaces, and refused where they stay. */
export async function template(
  { catalogue }: MerchantServices,
  visit: ModeVisit,
  category: Category | null,
): Promise<FileAnswer | null> {
  if (category?.paths.bulk === undefined) return null;
  const [one, another = one] = offeredIn(await catalogue.current(), visit.buyer, category);
  const isAmount = "amount" in category.body.properties;
  const rows = [
    ["phone", isAmount ? "amount" : "product", "reference"],
    [`${exampleMark} 08031234567`, isAmount ? "500" : String(one?.id ?? ""), "my-reference-1"],
    [`${exampleMark} 08051234567`, isAmount ? "1500.50" : String(another?.id ?? ""), ""],
  ];
  const content = byteOrderMark + writeCsv(rows);
  return csvAnswer(`${category.slug}-template.csv`, content);
}
