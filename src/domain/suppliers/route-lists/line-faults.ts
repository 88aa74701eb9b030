import type { ProductId } from "../../../kernel/ids.ts";
import { aboutField, refuse } from "../../../kernel/problems.ts";
import { arrayOf, type Queryable } from "../../../platform/database/database.ts";
import { listKnownProducts } from "../queries.ts";
import type { EnteredRoute } from "../routing/route.ts";

/** A route and the line of the list that it comes from. */
export type ListedRoute = EnteredRoute & { readonly line: number };

/** What is wrong with a line, as a sentence that names it. */
export interface LineFault {
  readonly line: number;
  readonly sentence: string;
}

/** Faults that are named one by one; all of them are counted. */
const namedMax = 100;

/** Finds the faulty lines: unknown products, products that come twice, and values that the table would refuse. */
export async function findLineFaults(db: Queryable, routes: readonly ListedRoute[]): Promise<LineFault[]> {
  const ids = arrayOf(routes.map(({ productId }) => productId));
  const known = new Set((await db.query<{ id: ProductId }>(listKnownProducts, [ids])).map(({ id }) => id));
  const lines = new Map<ProductId, number>();
  const faults: LineFault[] = [];
  for (const route of routes) {
    const { productId, line } = route;
    const before = lines.get(productId);
    if (before === undefined) lines.set(productId, line);
    else faults.push({ line, sentence: `Product ${productId} is in line ${before} and in line ${line}.` });
    const rules = [...(known.has(productId) ? [] : ["There is no such product."]), ...brokenRules(route)];
    if (rules.length > 0) faults.push({ line, sentence: `Line ${line}: ${rules.join(" ")}` });
  }
  return faults;
}

function* brokenRules({ supplierCode, cost }: ListedRoute): Generator<string> {
  if (supplierCode.length < 1 || supplierCode.length > 200) {
    yield aboutField("code", "Must have 1 to 200 characters.");
  }
  if (cost.kind === "percent" && cost.basisPoints === 0n) {
    yield aboutField("cost", "Must be above zero, and a share at most 100 %.");
  }
}

/** @throws Refusal VALIDATION_ERROR that names every fault, in the order of the lines; none where there is none */
export function refuseFaults(faults: readonly LineFault[]): void {
  const sentences = faults.toSorted((one, other) => one.line - other.line).map(({ sentence }) => sentence);
  if (sentences.length === 0) return;
  if (sentences.length === 1) throw refuse("VALIDATION_ERROR", { message: `${sentences[0]} No route was set.` });
  const named = sentences.slice(0, namedMax);
  const more = sentences.length - named.length;
  if (more > 0) named.push(`and ${more} more`);
  const message = [`No route was set: ${sentences.length} faults.`, ...named].join("\n  ");
  throw refuse("VALIDATION_ERROR", { message });
}
