import type { Product } from "../../../categories/product/product.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { typedText, wholeNumber } from "../../../kernel/typed-text.ts";
import type { Cell } from "../../../platform/csv.ts";
import { readCsvUpTo } from "../../../platform/csv-text.ts";
import { priceFault } from "../../catalogue/changes/new-product.ts";
import { isSamePrice, type PriceLine } from "../../catalogue/price-changes/price-lines.ts";
import { type Price, type PriceScope, readUnitPrice } from "../../catalogue/pricing.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { priceText } from "../price-lists/difference-row.ts";
import type { LineFault } from "../route-lists/line-faults.ts";
import type { RouteTable } from "../routing/route-table.ts";
import { marginOf, scopesOf } from "./margin.ts";

/** These products with all their prices, as a file that may be sent back changed. Amounts are naira. */
export function priceRecords(
  { catalogue, routes }: { readonly catalogue: CatalogueSnapshot; readonly routes: RouteTable },
  products: readonly Product[],
): Cell[][] {
  const scopes = scopesOf(catalogue.pricedTiers);
  const head = ["product_id", "code", "category", "biller", "product", "on_sale", "supplier", "cost", "margin_percent"];
  const rows = products.map((product): Cell[] => {
    const base = catalogue.ownPrice(product.id, { of: "everyone" });
    const margin = base === null ? null : marginOf(product, base, routes.routesOf(product.id));
    const { id, code, biller, name, available } = product;
    return [
      ...[id, code, biller.category, biller.name, name, available],
      ...(margin === null ? [null, null, null] : [margin.route.supplier, priceText(margin.route.cost), margin.share]),
      ...scopes.map((scope) => ownText(catalogue.ownPrice(id, scope))),
    ];
  });
  return [[...head, ...scopes.map(columnOf)], ...rows];
}

function ownText(price: Price | null): string | null {
  return price === null ? null : priceText(price);
}

/** `base_price`, `tier_2_price`: the columns of prices, there and back. */
function columnOf(scope: PriceScope): string {
  return scope.of === "tier" ? `tier_${scope.tier}_price` : "base_price";
}

const linesMax = 50_000;
const headings = new Map(scopesOf([1, 2, 3, 4, 5, 6, 7, 8, 9]).map((scope) => [columnOf(scope), scope]));

interface ReadFile {
  readonly lines: readonly PriceLine[];
  readonly faults: readonly LineFault[];
}

/**
 * Reads the prices of a file: `product_id`, and one column or more of `base_price`, `tier_1_price` to `tier_9_price`. An
 * empty cell leaves a price as it is, `none` takes a tier's own price away; other columns are not read.
 * @throws Refusal VALIDATION_ERROR at `file` where it is no such file; wrong lines are returned, by number
 */
export async function readPriceFile(given: string, catalogue: CatalogueSnapshot): Promise<ReadFile> {
  const { names: heading, rows } = await readCsvUpTo(linesMax, given, "file");
  const names = heading.map((name) => name.toLowerCase());
  const idAt = names.indexOf("product_id");
  const columns = names.flatMap((name, at) => {
    const scope = headings.get(name);
    return scope === undefined ? [] : [{ name, at, scope }];
  });
  if (idAt < 0 || columns.length === 0) {
    throw refuseField(
      "VALIDATION_ERROR",
      "file",
      "The first line has to name the columns: product_id, and base_price or tier_1_price to tier_9_price.",
    );
  }
  const lines: PriceLine[] = [];
  const faults: LineFault[] = [];
  const seen = new Map<number, number>();
  for (const { line, cells: record } of rows) {
    const product = catalogue.findProduct(idIn(record[idAt]));
    if (product === null) {
      faults.push({ line, sentence: `There’s no product “${record[idAt] ?? ""}”.` });
      continue;
    }
    const before = seen.get(product.id);
    if (before !== undefined)
      faults.push({ line, sentence: `Product ${product.id} stands in line ${before} already.` });
    seen.set(product.id, line);
    for (const { name, at, scope } of columns) {
      const read = readCell(typedText(record[at] ?? ""), { product, scope, catalogue });
      if (typeof read === "string") faults.push({ line, sentence: `${name}: ${read}` });
      else if (read !== null) lines.push(read);
    }
  }
  return { lines, faults };
}

function idIn(cell = ""): ProductId {
  return (wholeNumber(typedText(cell).replace(/\.0+$/, "")) ?? 0) as ProductId;
}

/** What a person typed for a price: the line that it makes, null where it stays as it is, or what is wrong with it. */
export function readCell(
  text: string,
  {
    product,
    scope,
    catalogue,
  }: { readonly product: Product; readonly scope: PriceScope; readonly catalogue: CatalogueSnapshot },
): PriceLine | string | null {
  if (text === "") return null;
  const before = catalogue.ownPrice(product.id, scope);
  const line = { productId: product.id, scope, before };
  if (text.toLowerCase() === "none") {
    if (scope.of === "everyone") return "The base price can’t be taken away.";
    return before === null ? null : { ...line, after: null };
  }
  const price = readUnitPrice(text);
  if (price === null) return `“${text.slice(0, 40)}” isn’t a price. Write 985.00, or 97.5% of the face value.`;
  const present = before ?? catalogue.ownPrice(product.id, { of: "everyone" });
  const after: Price = { ...price, fee: present?.fee ?? null };
  if (isSamePrice(before, after)) return null;
  return priceFault(price, product) ?? { ...line, after };
}
