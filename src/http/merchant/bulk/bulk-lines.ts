import type { FastifyRequest } from "fastify";
import type { Category } from "../../../categories/category.ts";
import type { BulkCommand, BulkLine } from "../../../domain/bulk-orders/bulk-order.ts";
import { checkLines, invalidLines, lineErrors, type ReadLine } from "../../../domain/bulk-orders/lines.ts";
import { assert } from "../../../kernel/assert.ts";
import { parseReference, type Reference } from "../../../kernel/ids.ts";
import { type FieldErrors, Refusal, refuse } from "../../../kernel/problems.ts";
import { refuseWhenAway } from "../../../platform/database/refuse-when-away.ts";
import { bodyMissing, codesOf, type Fault, refusalOf } from "../../../platform/validation/faults.ts";
import type { Validator } from "../../../platform/validation/validator.ts";
import { principalOf } from "../../request-context.ts";
import type { RouteServices } from "../../services.ts";
import { type BulkChecks, findLines, type OrderFields, type SentLines } from "./bulk-body.ts";

/** Lines that are checked before other requests have their turn: about a millisecond. */
const entriesPerSlice = 50;

/** The faults of so many malformed lines are found out and answered, not those of further lines. */
const describedLinesMax = 100;

/**
 * Checks and reads an order. @throws Refusal with every faulty line: what is malformed hides nothing of what the
 * catalogue says of the others, so that an order is corrected once
 */
export async function readBulkCommand(
  category: Category,
  checks: BulkChecks,
  request: FastifyRequest,
  services: RouteServices,
): Promise<BulkCommand> {
  const { order, faults } = checkOrder(request.body, checks.order);
  const isOrderSound = faults.every(isOfReference);
  const sent = findLines(category, order);
  const mayRead = isOrderSound && sent.refusal === null;
  const { lines, errors, found } = await readLines({
    category,
    checks,
    sent,
    mayRead,
    yieldToEventLoop: services.yieldToEventLoop,
  });
  const malformed = refusalOfMalformed([...faults, ...found.faults], found.undescribed);
  if (malformed !== null && !isOrderSound) throw malformed;
  if (sent.refusal !== null) {
    throw malformed === null ? sent.refusal : invalidLines({ ...errorsOf(malformed), ...errorsOf(sent.refusal) });
  }
  const principal = principalOf(request);
  const reference = readReference(order.reference);
  if (malformed === null && lines.every(isSound)) {
    assert(reference !== null, "the schema let only references through");
    return { principal, category, reference, lines };
  }
  // Once a malformed reference is corrected it may repeat another one, so the references can't be compared yet.
  const known = found.isReferenceMalformed ? null : reference;
  throw await refusalOfOrder({ principal, category, reference: known, lines, errors }, malformed, services);
}

/** Checks an order without its lines: a copy whose lists have their length but no entries. */
function checkOrder(
  body: unknown,
  check: Validator,
): { readonly order: OrderFields; readonly faults: readonly Fault[] } {
  if (body === undefined) throw bodyMissing();
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const order: Record<string, unknown> = isObject ? { ...body } : {};
  const { items, phones } = order;
  if (Array.isArray(items)) order.items = new Array(items.length);
  if (Array.isArray(phones)) order.phones = new Array(phones.length);
  const faults = check(isObject ? order : body) ? [] : (check.errors ?? []);
  if (Array.isArray(items)) order.items = items;
  if (Array.isArray(phones)) order.phones = phones;
  return { order, faults };
}

/** All that is wrong with an order: what is malformed, what reading its lines found, what the catalogue says of them. */
async function refusalOfOrder(
  order: Omit<BulkCommand, "reference" | "lines"> & {
    readonly reference: Reference | null;
    readonly lines: readonly ReadLine[];
    readonly errors: FieldErrors;
  },
  malformed: Refusal | null,
  { catalogue, yieldToEventLoop }: RouteServices,
): Promise<Refusal> {
  const snapshot = await catalogue.current().catch(refuseWhenAway);
  const before = errorsOf(malformed);
  const found = { ...before, ...order.errors };
  const { errors: all } = await checkLines({ ...order, catalogue: snapshot, found, yieldToEventLoop });
  const isMalformedAlone = Object.keys(all).length === Object.keys(before).length;
  return malformed !== null && isMalformedAlone ? malformed : invalidLines(all);
}

function errorsOf(refusal: Refusal | null): FieldErrors {
  return refusal?.detail.errors ?? {};
}

function isOfReference({ instancePath }: Fault): boolean {
  return instancePath.endsWith("/reference");
}

function isSound(line: ReadLine): line is BulkLine {
  return line.requested !== null;
}

/** Null for what is none, of whatever type it was sent. */
function readReference(sent: unknown): Reference | null {
  return typeof sent === "string" ? parseReference(sent) : null;
}

/** The faults that the schema found in an order's lines. */
interface FoundFaults {
  readonly faults: Fault[];
  /** The lines beyond those that `faults` describes, by their keys. */
  readonly undescribed: Record<string, readonly string[]>;
  isReferenceMalformed: boolean;
}

/** Checks every line, and reads those that are sound unless the order itself isn't. Faulty lines come without an intent. */
async function readLines(options: {
  readonly category: Category;
  readonly checks: BulkChecks;
  readonly sent: SentLines;
  readonly mayRead: boolean;
  readonly yieldToEventLoop: () => Promise<void>;
}): Promise<{ readonly lines: ReadLine[]; readonly errors: FieldErrors; readonly found: FoundFaults }> {
  const { category, checks, sent, mayRead, yieldToEventLoop } = options;
  const check = sent.list === "items" ? checks.item : checks.phone;
  const lines: ReadLine[] = [];
  const errors: Record<string, readonly string[]> = {};
  const collect = collectFaults(sent);
  for (let at = 0; at < sent.entries.length; at += entriesPerSlice) {
    for (const entry of sent.entries.slice(at, at + entriesPerSlice)) {
      const position = lines.length;
      const isValid = check(entry);
      if (!isValid) collect.add(position, check.errors ?? []);
      const fields = isValid ? sent.fieldsOf(entry) : null;
      const reference = readReference((entry as OrderFields | null)?.reference);
      const line: ReadLine = { requested: null, reference, ...sent.nameOf(position) };
      try {
        lines.push(fields === null || !mayRead ? line : { ...line, requested: category.read(fields as never) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        Object.assign(errors, lineErrors(line, error));
        lines.push(line);
      }
    }
    await yieldToEventLoop();
  }
  return { lines, errors, found: collect.found };
}

/** Describes the first malformed lines, and of the others only what changes the code of the refusal. */
function collectFaults(sent: SentLines): {
  readonly found: FoundFaults;
  add(position: number, faults: readonly Fault[]): void;
} {
  const found: FoundFaults = { faults: [], undescribed: {}, isReferenceMalformed: false };
  const codes = new Set<string>();
  let described = 0;
  return {
    found,
    add(position, faults) {
      const news = codesOf(faults).filter((code) => !codes.has(code));
      for (const code of news) codes.add(code);
      found.isReferenceMalformed ||= faults.some(isOfReference);
      if (described >= describedLinesMax && news.length === 0) {
        found.undescribed[sent.nameOf(position).key] = ["Is malformed."];
        return;
      }
      described += 1;
      const path = `/${sent.list}/${position}`;
      found.faults.push(...faults.map((fault) => ({ ...fault, instancePath: `${path}${fault.instancePath}` })));
    },
  };
}

function refusalOfMalformed(faults: readonly Fault[], undescribed: FieldErrors): Refusal | null {
  if (faults.length === 0) return null;
  const { code, message, detail } = refusalOf(faults);
  return refuse(code, { ...detail, message, errors: { ...detail.errors, ...undescribed } });
}
