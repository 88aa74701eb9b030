import type { Category } from "../../categories/category.ts";
import { assert } from "../../kernel/assert.ts";
import { parseReference, type Reference } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { problems } from "../../kernel/problem-catalogue.ts";
import { type FieldErrors, type ProblemCode, Refusal, refuse } from "../../kernel/problems.ts";
import type { CatalogueSnapshot } from "../catalogue/snapshot.ts";
import { overTransactionLimit, type SpendingLimits } from "../merchants/limits/limits.ts";
import type { Principal } from "../merchants/merchant.ts";
import { type PricedIntent, priceIntent } from "../purchases/buying/prepare-purchase.ts";
import type { BulkCommand, BulkLine } from "./bulk-order.ts";

/** Lines that are priced before other requests have their turn: about a millisecond. */
const linesPerSlice = 50;
/** Wrong lines whose errors are answered. */
const namedLinesMax = 100;

/** The parts of a line that decide its reference, and under which key its faults are answered. */
type NamedLine = Pick<BulkLine, "reference" | "key" | "fieldKey">;

/** A line as far as it could be read: without its purchase intent where it is faulty. */
export type ReadLine = NamedLine & { readonly requested: BulkLine["requested"] | null };

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
 * @throws Refusal with the faults of every line (`refusalOfAll`); CATEGORY_NOT_ALLOWED for the whole order
 */
export async function priceLines(options: {
  readonly catalogue: CatalogueSnapshot;
  readonly command: BulkCommand;
  readonly repeats: FieldErrors;
  readonly yieldToEventLoop: () => Promise<void>;
}): Promise<PricedIntent[]> {
  const { command, repeats, ...by } = options;
  const { priced, refused } = await priceAll({ ...by, ...command, found: refusalsOf(repeats) });
  if (refused.length > 0) throw refusalOfAll(refused);
  return priced;
}

/**
 * Finds the faults of every line of an order in which faults were `found` before, so that all are answered together, and
 * prices the lines that have none. Repeated references are among the faults unless the order's reference is null.
 * @throws Refusal CATEGORY_NOT_ALLOWED where nothing else is wrong
 */
export async function checkLines(
  options: Omit<Lines, "found"> & { readonly reference: Reference | null; readonly found?: FieldErrors },
): Promise<{ readonly errors: FieldErrors; readonly priced: readonly PricedIntent[] }> {
  const { reference, lines, found = {} } = options;
  const repeats = reference === null ? {} : repeatErrors(reference, lines, referLines(reference, lines));
  const { priced, refused } = await priceAll({ ...options, found: refusalsOf({ ...repeats, ...found }) });
  return { errors: errorsOf(refused), priced };
}

interface Lines {
  readonly catalogue: CatalogueSnapshot;
  readonly principal: Principal;
  readonly category: Category;
  readonly lines: readonly ReadLine[];
  /** Refusals that were found before, under the order's keys. */
  readonly found: readonly Refusal[];
  readonly yieldToEventLoop: () => Promise<void>;
}

/** Prices the lines that could be read. @throws Refusal CATEGORY_NOT_ALLOWED where nothing else is wrong */
async function priceAll({ catalogue, principal, category, lines, found, yieldToEventLoop }: Lines): Promise<{
  readonly priced: PricedIntent[];
  readonly refused: readonly Refusal[];
}> {
  const priced: PricedIntent[] = [];
  const refused = [...found];
  for (const [position, line] of lines.entries()) {
    try {
      if (line.requested !== null) priced.push(priceIntent(catalogue, principal, category, line.requested));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // This refuses the whole order, and only where the lines have no fault that is found without the catalogue.
      if (error.code !== "CATEGORY_NOT_ALLOWED") refused.push(faultOfLine(line, error));
      else if (found.length === 0) throw error;
      else return { priced, refused: found };
    }
    if (position % linesPerSlice === linesPerSlice - 1) await yieldToEventLoop();
  }
  return { priced, refused };
}

function refusalsOf(errors: FieldErrors): Refusal[] {
  return Object.keys(errors).length === 0 ? [] : [invalidLines(errors)];
}

/** A line's product that is unknown, foreign or withdrawn is a wrong field of the order, whatever its code alone. */
function faultOfLine(line: NamedLine, refusal: Refusal): Refusal {
  const reported = refusalOfLine(line, refusal);
  return problems[reported.code].status === 400 ? reported : invalidLines(reported.detail.errors ?? {});
}

/** @throws Refusal TRANSACTION_LIMIT_EXCEEDED with every line that costs too much */
export function checkLineLimits(
  limits: SpendingLimits | null,
  lines: readonly BulkLine[],
  priced: readonly PricedIntent[],
): void {
  const refused = lines.flatMap((line, position): Refusal[] => {
    const total = priced[position]?.price.total;
    const refusal = total === undefined ? null : overTransactionLimit(limits, total);
    return refusal === null
      ? []
      : [refusalOfLine(line, refusal, line.requested.amount === null ? "product_id" : "amount")];
  });
  if (refused.length > 0) throw refusalOfAll(refused);
}

/** A line's refusal, under the line's own keys. What names no field is about its product, unless told otherwise. */
export function lineErrors(line: Pick<BulkLine, "fieldKey">, refusal: Refusal, field = "product_id"): FieldErrors {
  const errors = refusal.detail.errors ?? { [field]: [refusal.message] };
  return Object.fromEntries(Object.entries(errors).map(([name, messages]) => [line.fieldKey(name), messages]));
}

/** The same as a refusal of the order, which `refusalOfAll` puts together with the other lines'. */
export function refusalOfLine(line: NamedLine, refusal: Refusal, field?: string): Refusal {
  const { code, message, detail } = refusal;
  return refuse(code, { ...detail, message, errors: lineErrors(line, refusal, field) });
}

/**
 * Makes one refusal with every error: under the code that all refusals share, with the meta that they share, as each
 * line would be refused alone; else under the code `otherwise`.
 */
export function refusalOfAll(refused: readonly Refusal[], otherwise: ProblemCode = "VALIDATION_ERROR"): Refusal {
  const [first, ...others] = refused;
  assert(first !== undefined, "something was refused");
  if (others.length === 0) return first;
  const errors = errorsOf(refused);
  const code = others.every((other) => other.code === first.code) ? first.code : otherwise;
  if (code === "VALIDATION_ERROR") return invalidLines(errors);
  const { message, detail } = refused.find((one) => one.code === code) ?? first;
  const { meta: _ofOne, ...kept } = detail;
  return refuse(code, { ...kept, message, ...metaOfAll(refused), errors });
}

function errorsOf(refused: readonly Refusal[]): FieldErrors {
  const errors: Record<string, readonly string[]> = {};
  for (const { detail } of refused) Object.assign(errors, detail.errors);
  return errors;
}

/** Lines of products with other ranges may have no more than the currency in common. */
function metaOfAll(refused: readonly Refusal[]): { readonly meta?: JsonObject } {
  const [first = {}, ...others] = refused.map(({ detail }) => detail.meta ?? {});
  const alike = Object.entries(first).filter(([name, value]) => others.every((meta) => meta[name] === value));
  return alike.length === 0 ? {} : { meta: Object.fromEntries(alike) };
}

export function invalidLines(errors: FieldErrors): Refusal {
  const count = Object.keys(errors).length;
  return refuse("VALIDATION_ERROR", {
    message: count === 1 ? "The order has a wrong field." : `The order has ${count} wrong fields.`,
    errors,
  });
}

const lineField = /^(?:items|phones)\.([0-9]+)(?:\.|$)/;

/** The line that an error is about, counted from 0; -1 for the order itself. */
function lineOf(field: string): number {
  return Number(lineField.exec(field)?.[1] ?? -1);
}

/**
 * The same refusal with the errors of the first hundred wrong lines, in their order, and how many there are: ten
 * thousand of them would be an answer of 2.5 MB.
 */
export function nameFirstLines({ code, message, detail }: Refusal): Refusal {
  const errors = Object.entries(detail.errors ?? {}).map(([field, messages]) => ({
    field,
    messages,
    line: lineOf(field),
  }));
  const lines = new Set(errors.map(({ line }) => line).filter((line) => line >= 0));
  if (lines.size === 0) return refuse(code, { ...detail, message });
  const lastNamed = [...lines].sort((one, other) => one - other)[namedLinesMax - 1] ?? Number.POSITIVE_INFINITY;
  const named = errors.filter(({ line }) => line <= lastNamed).sort((one, other) => one.line - other.line);
  return refuse(code, {
    ...detail,
    message,
    errors: Object.fromEntries(named.map(({ field, messages }) => [field, messages])),
    meta: { ...detail.meta, invalid_lines: lines.size },
  });
}
