import type { Json } from "../../kernel/json.ts";
import type { ListedProduct } from "../contract.ts";
import type { CatalogueList } from "../dialect.ts";
import { at, textAt } from "../reply.ts";
import { saysYes } from "./envelope.ts";

/** All packages in one answer, some 2,600 with their networks. */
export const packageList: CatalogueList = {
  category: "esim",
  question: { method: "POST", path: "/package/list", body: { locationCode: "", type: "BASE" } },
  read({ json }) {
    const rows = at(json, "obj", "packageList");
    if (!saysYes(json) || !Array.isArray(rows)) return null;
    return { products: rows.flatMap(listedProduct), next: null };
  },
};

/** What has no code cannot be ordered. */
function listedProduct(row: Json): readonly ListedProduct[] {
  const supplierCode = textAt(row, "packageCode");
  if (supplierCode === null) return [];
  const slug = textAt(row, "slug");
  // A region's places fill pages; the slug begins with its name.
  const biller = slug?.split("_")[0] ?? textAt(row, "location") ?? "";
  const hundredths = hundredthsOf(textAt(row, "price"), "ceiling");
  const currency = textAt(row, "currencyCode") ?? "USD";
  const isCost = hundredths !== null && /^[A-Z]{3}$/.test(currency);
  return [
    {
      category: "esim",
      supplierCode,
      ...(slug === null ? {} : { otherCodes: [slug] }),
      name: textAt(row, "name") ?? slug ?? supplierCode,
      biller,
      face: null,
      cost: isCost ? { kind: "fixed", currency, hundredths } : null,
    },
  ];
}

/**
 * Their amounts are ten-thousandths. `floor` for what we have, `ceiling` for what we pay: neither may look better than
 * it is.
 */
export function hundredthsOf(tenThousandths: string | null, rounding: "floor" | "ceiling"): bigint | null {
  if (!/^[0-9]{1,18}$/.test(tenThousandths ?? "")) return null;
  return (BigInt(tenThousandths ?? "0") + (rounding === "ceiling" ? 99n : 0n)) / 100n;
}
