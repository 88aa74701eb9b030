import { assert } from "../../kernel/assert.ts";
import { parseReference, type Reference } from "../../kernel/ids.ts";
import { type FieldErrors, Refusal, refuse } from "../../kernel/problems.ts";
import type { CatalogueSnapshot } from "../catalogue/snapshot.ts";
import type { Category } from "../categories/category.ts";
import { overTransactionLimit, type SpendingLimits } from "../limits/limits.ts";
import type { Principal } from "../merchants/merchant.ts";
import { type PricedWish, priceWish } from "../purchases/draw-up.ts";
import type { BulkCommand, BulkLine } from "./bulk-order.ts";

/** Lines that are priced before other requests have their turn: about a millisecond. */
const linesPerBreath = 1_000;

/** What of a line tells its reference, and where its faults are told. */
type NamedLine = Pick<BulkLine, "reference" | "key" | "fieldKey">;

/** A line as far as it could be read: without a wish where it is faulty. */
export type ReadLine = NamedLine & { readonly wish: BulkLine["wish"] | null };

/** The lines' references: their own, or the order's with their number. */
export function referLines(order: Reference, lines: readonly NamedLine[]): Reference[] {
  return lines.map((line, position) => line.reference ?? derived(order, position));
}

/** Names the lines whose reference repeats another's or the order's. */
export function repeatErrors(
  order: Reference,
  lines: readonly NamedLine[],
  references: readonly Reference[],
): FieldErrors {
  const counts = new Map<string, number>([[order, 1]]);
  for (const reference of references) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  const repeating = lines.filter((_, position) => counts.get(references[position] ?? "") !== 1);
  return referenceErrors(repeating, "This reference repeats within the order.");
}

/** Names the lines at these positions: their references are used already. */
export function takenErrors(lines: readonly NamedLine[], taken: readonly number[]): FieldErrors {
  const named = taken.flatMap((position) => lines[position] ?? []);
  return referenceErrors(named, "This reference is used already.");
}

/** Told of the line itself where its reference was derived: it has no such field. */
function referenceErrors(lines: readonly NamedLine[], message: string): FieldErrors {
  const keyOf = (line: NamedLine) => (line.reference === null ? line.key : line.fieldKey("reference"));
  return Object.fromEntries(lines.map((line) => [keyOf(line), [message]]));
}

function derived(order: Reference, position: number): Reference {
  const reference = parseReference(`${order}-${position + 1}`);
  assert(reference !== null, "an order's reference leaves room for a line's number");
  return reference;
}

/**
 * Finds and prices the product of every line. `repeats` are faults that were found before, to be told with the others.
 * @throws Refusal VALIDATION_ERROR with the faults of every line; CATEGORY_NOT_ALLOWED for the whole order
 */
export async function priceLines(options: {
  readonly catalogue: CatalogueSnapshot;
  readonly command: BulkCommand;
  readonly repeats: FieldErrors;
  readonly breathe: () => Promise<void>;
}): Promise<PricedWish[]> {
  const { command, repeats, ...by } = options;
  const { priced, errors } = await priceAll({ ...by, ...command, found: repeats });
  if (!isEmpty(errors)) throw invalidLines(errors);
  return priced;
}

/**
 * What keeps an order from being placed of which something is `found` to be wrong before: the faults of every line.
 * Repeated references are among them unless the order's is null.
 */
export async function findFaults(
  options: Omit<Lines, "found"> & { readonly reference: Reference | null; readonly found: FieldErrors },
): Promise<FieldErrors> {
  const { reference, lines } = options;
  const repeats = reference === null ? {} : repeatErrors(reference, lines, referLines(reference, lines));
  return (await priceAll({ ...options, found: { ...repeats, ...options.found } })).errors;
}

interface Lines {
  readonly catalogue: CatalogueSnapshot;
  readonly principal: Principal;
  readonly category: Category;
  readonly lines: readonly ReadLine[];
  /** Faults that were found before. */
  readonly found: FieldErrors;
  readonly breathe: () => Promise<void>;
}

/** Prices the lines that could be read. @throws Refusal CATEGORY_NOT_ALLOWED where nothing else is wrong */
async function priceAll({ catalogue, principal, category, lines, found, breathe }: Lines): Promise<{
  readonly priced: PricedWish[];
  readonly errors: FieldErrors;
}> {
  const priced: PricedWish[] = [];
  const errors: Record<string, readonly string[]> = { ...found };
  for (const [position, line] of lines.entries()) {
    try {
      if (line.wish !== null) priced.push(priceWish(catalogue, principal, category, line.wish));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Of the whole order, and told after what needs no catalogue.
      if (error.code !== "CATEGORY_NOT_ALLOWED") Object.assign(errors, lineErrors(line, error));
      else if (isEmpty(found)) throw error;
      else return { priced, errors: found };
    }
    if (position % linesPerBreath === linesPerBreath - 1) await breathe();
  }
  return { priced, errors };
}

function isEmpty(errors: FieldErrors): boolean {
  return Object.keys(errors).length === 0;
}

/** Why one line keeps the whole order from being placed. */
export interface RefusedLine {
  readonly line: BulkLine;
  readonly refusal: Refusal;
  /** What of the line it is about. */
  readonly field: "amount" | "product_id";
}

/** @throws Refusal TRANSACTION_LIMIT_EXCEEDED with every line that costs too much */
export function checkLineLimits(
  limits: SpendingLimits | null,
  lines: readonly BulkLine[],
  priced: readonly PricedWish[],
): void {
  const refused = lines.flatMap((line, position): RefusedLine[] => {
    const total = priced[position]?.price.total;
    const refusal = total === undefined ? null : overTransactionLimit(limits, total);
    return refusal === null ? [] : [{ line, refusal, field: line.wish.amount === null ? "product_id" : "amount" }];
  });
  if (refused.length > 0) throw refusalOfLines(refused);
}

/** The first line's refusal, with the errors of all. */
export function refusalOfLines(refused: readonly RefusedLine[]): Refusal {
  const [first] = refused;
  assert(first !== undefined, "a line was refused");
  const errors: Record<string, readonly string[]> = {};
  for (const { line, refusal, field } of refused) Object.assign(errors, lineErrors(line, refusal, field));
  return refuse(first.refusal.code, { ...first.refusal.detail, errors });
}

/** A line's refusal, under the line's own keys. What names no field is about its product, unless told otherwise. */
export function lineErrors(line: Pick<BulkLine, "fieldKey">, refusal: Refusal, field = "product_id"): FieldErrors {
  const errors = refusal.detail.errors ?? { [field]: [refusal.message] };
  return Object.fromEntries(Object.entries(errors).map(([name, messages]) => [line.fieldKey(name), messages]));
}

export function invalidLines(errors: FieldErrors): Refusal {
  const count = Object.keys(errors).length;
  return refuse("VALIDATION_ERROR", {
    message: count === 1 ? "The order has a wrong field." : `The order has ${count} wrong fields.`,
    errors,
  });
}
