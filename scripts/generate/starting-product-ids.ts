import { readFileSync } from "node:fs";
import { startingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";

const fixture = new URL("../../tests/fixtures/starting-product-ids.json", import.meta.url);

/**
 * Which code each id of the starting catalogue had when it was first written here. New ids are added; what is there stays,
 * whatever the catalogue says now, so that the test of the starting catalogue sees an id that changed its meaning.
 */
export function renderStartingProductIds(): string {
  const shipped: Record<string, string> = JSON.parse(readFileSync(fixture, "utf8"));
  const present = Object.fromEntries(startingCatalogue.products.map(({ id, code }) => [String(id), code]));
  return `${JSON.stringify({ ...present, ...shipped }, null, 2)}\n`;
}
