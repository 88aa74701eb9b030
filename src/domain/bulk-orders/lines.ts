import { assert } from "../../kernel/assert.ts";
import { parseReference, type Reference } from "../../kernel/ids.ts";
import { type FieldErrors, Refusal, refuse } from "../../kernel/problems.ts";
import type { CatalogueSnapshot } from "../catalogue/snapshot.ts";
import { type PricedWish, priceWish } from "../purchases/draw-up.ts";
import type { BulkCommand, BulkLine } from "./bulk-order.ts";

/** Lines that are priced before other requests have their turn: about a millisecond. */
const linesPerBreath = 1_000;

/**
 * The lines' references: their own, or the order's with their number.
 * @throws Refusal VALIDATION_ERROR naming the lines whose reference repeats another's or the order's
 */
export function referLines(order: Reference, lines: readonly BulkLine[]): Reference[] {
  const references = lines.map((line, position) => line.reference ?? derived(order, position));
  const counts = new Map<string, number>([[order, 1]]);
  for (const reference of references) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  const errors = lines.flatMap((line, position) => {
    if (counts.get(references[position] ?? "") === 1) return [];
    const key = line.reference === null ? line.key : line.fieldKey("reference");
    return [[key, ["This reference repeats within the order."]] as const];
  });
  if (errors.length > 0) throw invalidLines(Object.fromEntries(errors));
  return references;
}

function derived(order: Reference, position: number): Reference {
  const reference = parseReference(`${order}-${position + 1}`);
  assert(reference !== null, "an order's reference leaves room for a line's number");
  return reference;
}

/**
 * Finds and prices the product of every line.
 * @throws Refusal VALIDATION_ERROR with the faults of every line; CATEGORY_NOT_ALLOWED for the whole order
 */
export async function priceLines(options: {
  readonly catalogue: CatalogueSnapshot;
  readonly command: BulkCommand;
  readonly breathe: () => Promise<void>;
}): Promise<PricedWish[]> {
  const { catalogue, command, breathe } = options;
  const { principal, category, lines } = command;
  const priced: PricedWish[] = [];
  const errors: Record<string, readonly string[]> = {};
  for (const [position, line] of lines.entries()) {
    try {
      priced.push(priceWish(catalogue, principal, category, line.wish));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === "CATEGORY_NOT_ALLOWED") throw error;
      Object.assign(errors, lineErrors(line, error));
    }
    if (position % linesPerBreath === linesPerBreath - 1) await breathe();
  }
  if (Object.keys(errors).length > 0) throw invalidLines(errors);
  return priced;
}

/** A line's refusal, under the line's own keys. What names no field is about its product. */
export function lineErrors(line: Pick<BulkLine, "fieldKey">, refusal: Refusal): FieldErrors {
  const errors = refusal.detail.errors ?? { product_id: [refusal.message] };
  return Object.fromEntries(Object.entries(errors).map(([field, messages]) => [line.fieldKey(field), messages]));
}

export function invalidLines(errors: FieldErrors): Refusal {
  const count = Object.keys(errors).length;
  return refuse("VALIDATION_ERROR", {
    message: count === 1 ? "The order has a wrong field." : `The order has ${count} wrong fields.`,
    errors,
  });
}
