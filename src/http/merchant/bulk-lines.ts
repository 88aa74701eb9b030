import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
  type BulkCommand,
  type BulkLine,
  linesMax,
  orderReferenceLengthMax,
} from "../../domain/bulk-orders/bulk-order.ts";
import { findFaults, invalidLines, lineErrors, type ReadLine } from "../../domain/bulk-orders/lines.ts";
import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import type { Category } from "../../domain/categories/category.ts";
import { assert } from "../../kernel/assert.ts";
import { parseReference, type Reference } from "../../kernel/ids.ts";
import { type FieldErrors, Refusal, refuseField } from "../../kernel/problems.ts";
import { refuseWhenAway } from "../../platform/refuse-when-away.ts";
import { type Fault, refusalOf } from "../plugins/faults.ts";
import { principalOf } from "../request-context.ts";
import { referenceField } from "./reference-field.ts";

/** Lines that are read before other requests have their turn: about a millisecond. */
const linesPerBreath = 1_000;

interface BulkBody {
  readonly reference: string;
  readonly items?: readonly SentLine["fields"][];
  readonly phones?: readonly string[];
  readonly [field: string]: unknown;
}

/** Either `items`, each a line of its own, or one product for many `phones`. */
export function bulkBody(category: Category) {
  const { phone, ...lineFields } = category.body.properties;
  assert(phone !== undefined, "what is sold in bulk is sold to phones");
  const optional = Object.fromEntries(Object.entries(lineFields).map(([name, field]) => [name, Type.Optional(field)]));
  return Type.Object({
    reference: referenceField(orderReferenceLengthMax),
    items: Type.Optional(
      Type.Array(Type.Object({ ...category.body.properties, reference: Type.Optional(referenceField(100)) }), {
        minItems: 1,
        maxItems: linesMax,
        description: "The lines, 1 to 10,000.",
        "x-problem": { maxItems: "TOO_MANY_ITEMS" },
        "x-message": "Must be a list of 1 to 10000 lines.",
      }),
    ),
    ...optional,
    phones: Type.Optional(
      Type.Array(phone, {
        minItems: 1,
        maxItems: linesMax,
        description: "Instead of `items`: one product for all of these.",
        "x-problem": { maxItems: "TOO_MANY_ITEMS" },
        "x-message": "Must be a list of 1 to 10000 phone numbers.",
      }),
    ),
  });
}

interface BulkReaderServices {
  readonly catalogue: Catalogue;
  readonly breathe: () => Promise<void>;
}

/**
 * Reads a request whose body `bulkBody` has looked at. @throws Refusal with every faulty line: what is malformed hides
 * nothing of what the catalogue says of the others, so that an order is corrected once
 */
export async function readBulkCommand(
  category: Category,
  request: FastifyRequest,
  services: BulkReaderServices,
): Promise<BulkCommand> {
  const faults: readonly Fault[] = request.validationError?.validation ?? [];
  if (request.validationError !== undefined && !faults.every(isOfLine)) throw request.validationError;
  const malformed = faults.length === 0 ? null : refusalOf(faults);
  const body = request.body as BulkBody;
  const sent = linesAsSent(category, body);
  if (sent instanceof Refusal) {
    throw malformed === null ? sent : invalidLines({ ...errorsOf(malformed), ...errorsOf(sent) });
  }
  const { lines, errors } = await readLines(category, sent, faults, services.breathe);
  const principal = principalOf(request);
  const reference = parseReference(body.reference);
  if (malformed === null && lines.every(isSound)) {
    assert(reference !== null, "the schema let only references through");
    return { principal, category, reference, lines };
  }
  // Where a reference is malformed, nobody knows yet which others it will repeat.
  const known = faults.some(isOfReference) ? null : reference;
  throw await refusalOfOrder({ principal, category, reference: known, lines, errors }, malformed, services);
}

/** All that is wrong with an order: what is malformed, what reading its lines found, what the catalogue says of them. */
async function refusalOfOrder(
  {
    errors,
    ...order
  }: Omit<BulkCommand, "reference" | "lines"> & {
    readonly reference: Reference | null;
    readonly lines: readonly ReadLine[];
    readonly errors: FieldErrors;
  },
  malformed: Refusal | null,
  { catalogue, breathe }: BulkReaderServices,
): Promise<Refusal> {
  const snapshot = catalogue.peek() ?? (await catalogue.load().catch(refuseWhenAway));
  const before = errorsOf(malformed);
  const all = await findFaults({ ...order, catalogue: snapshot, found: { ...before, ...errors }, breathe });
  const isMalformedAlone = Object.keys(all).length === Object.keys(before).length;
  return malformed !== null && isMalformedAlone ? malformed : invalidLines(all);
}

function errorsOf(refusal: Refusal | null): FieldErrors {
  return refusal?.detail.errors ?? {};
}

const lineFault = /^\/(items|phones)\/([0-9]+)(\/|$)/;

/** Faults of anything else leave no lines to read. */
function isOfLine({ instancePath }: Fault): boolean {
  return lineFault.test(instancePath) || instancePath === "/reference";
}

function isOfReference({ instancePath }: Fault): boolean {
  return instancePath.endsWith("/reference");
}

function isSound(line: ReadLine): line is BulkLine {
  return line.wish !== null;
}

/** The lines, those that are faulty without a wish, and what reading the others found. */
async function readLines(
  category: Category,
  sent: readonly SentLine[],
  malformed: readonly Fault[],
  breathe: () => Promise<void>,
): Promise<{ readonly lines: ReadLine[]; readonly errors: FieldErrors }> {
  const faulty = new Set(malformed.map(({ instancePath }) => Number(lineFault.exec(instancePath)?.[2] ?? -1)));
  const lines: ReadLine[] = [];
  const errors: Record<string, readonly string[]> = {};
  for (const [position, { fields, key, fieldKey }] of sent.entries()) {
    const line: ReadLine = { wish: null, reference: fields?.reference ?? null, key, fieldKey };
    try {
      lines.push(faulty.has(position) ? line : { ...line, wish: category.read(fields as never) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      Object.assign(errors, lineErrors({ fieldKey }, error));
      lines.push(line);
    }
    if (position % linesPerBreath === linesPerBreath - 1) await breathe();
  }
  return { lines, errors };
}

interface SentLine extends Pick<BulkLine, "key" | "fieldKey"> {
  /** Null, or none of an object's, only where the schema said so. */
  readonly fields: { readonly reference?: Reference; readonly [field: string]: unknown } | null;
}

function linesAsSent(category: Category, body: BulkBody): SentLine[] | Refusal {
  const { items, phones, reference: _order, ...shared } = body;
  if (items !== undefined && phones !== undefined)
    return refuseField("VALIDATION_ERROR", "phones", "Must be left out where items is sent.");
  if (items !== undefined) {
    return items.map((fields, position) => {
      const key = `items.${position}`;
      return { fields, key, fieldKey: (field) => `${key}.${field}` };
    });
  }
  if (phones === undefined) return refuseField("VALIDATION_ERROR", "items", "Is required, unless phones is sent.");
  const missing = missingFields(category, shared);
  if (missing !== null) return invalidLines(missing);
  return phones.map((phone, position) => {
    const key = `phones.${position}`;
    return { fields: { ...shared, phone }, key, fieldKey: (field) => (field === "phone" ? key : field) };
  });
}

/** In the shorthand the line's fields stand at the top, where the schema cannot require them. */
function missingFields(category: Category, shared: Readonly<Record<string, unknown>>): FieldErrors | null {
  const required = (category.body.required ?? []).filter((field) => field !== "phone" && shared[field] === undefined);
  return required.length === 0 ? null : Object.fromEntries(required.map((field) => [field, ["Is required."]]));
}
