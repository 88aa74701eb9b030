import type { CatalogueAnswer, CatalogueProgress, ListedProduct } from "./contract.ts";
import type { Ask } from "./conversation.ts";
import type { CatalogueList, Question } from "./dialect.ts";

/** Suppliers of eSIMs list some thousand packages in one answer. */
const listBytesMax = 16 * 1024 * 1024;
const listDeadlineMs = 60_000;
const pagesMax = 200;
const productsMax = 50_000;

/** Asks for a supplier's lists, page by page. All or nothing: half a list would show the other half as gone. */
export async function askCatalogue(
  lists: readonly CatalogueList[],
  ask: Ask,
  hear: (progress: CatalogueProgress) => void = () => {},
): Promise<CatalogueAnswer> {
  const products: ListedProduct[] = [];
  for (const [told, { category, question, read }] of lists.entries()) {
    let next: Question | null = question;
    for (let page = 1; next !== null; page++) {
      const { readable, evidence } = await ask(next, listDeadlineMs, listBytesMax);
      const found: ReturnType<typeof read> = readable === null || readable.status >= 400 ? null : read(readable, next);
      if (found === null) return { kind: "failed", evidence: `${category}, page ${page}: ${evidence}` };
      products.push(...found.products);
      if (page === pagesMax || products.length > productsMax) {
        return { kind: "failed", evidence: `${category}: more than ${pagesMax} pages or ${productsMax} products` };
      }
      next = found.next;
      hear({ told: next === null ? told + 1 : told, lists: lists.length, products: products.length });
    }
  }
  return { kind: "told", categories: [...new Set(lists.map(({ category }) => category))], products };
}
