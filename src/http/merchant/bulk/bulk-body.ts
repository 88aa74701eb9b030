import { Type } from "typebox";
import type { Category } from "../../../categories/category.ts";
import { referenceField } from "../../../categories/fields.ts";
import { type BulkLine, lineBody, linesMax, orderReferenceLengthMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { invalidLines } from "../../../domain/bulk-orders/lines.ts";
import { assert } from "../../../kernel/assert.ts";
import { type FieldErrors, type Refusal, refuseField } from "../../../kernel/problems.ts";
import type { Validator } from "../../../platform/validation/validator.ts";

/** Either `items`, each a line of its own, or one product for many `phones`. */
export function bulkBody(category: Category) {
  const { reference, ...fields } = orderFields(category);
  return Type.Object({
    reference,
    items: Type.Optional(Type.Array(lineBody(category), itemsOptions)),
    ...fields,
    phones: Type.Optional(Type.Array(phoneOf(category), phonesOptions)),
  });
}

/** Checks an order piece by piece: thousands of lines at once would keep all other requests waiting. */
export interface BulkChecks {
  /** Checks the order without its lines: only the lists' lengths. */
  readonly order: Validator;
  readonly item: Validator;
  readonly phone: Validator;
}

export function bulkChecks(category: Category, compile: (route: { schema: unknown }) => Validator): BulkChecks {
  const order = Type.Object({
    ...orderFields(category),
    items: Type.Optional(Type.Array(Type.Unknown(), itemsOptions)),
    phones: Type.Optional(Type.Array(Type.Unknown(), phonesOptions)),
  });
  return {
    order: compile({ schema: order }),
    item: compile({ schema: lineBody(category) }),
    phone: compile({ schema: phoneOf(category) }),
  };
}

const itemsOptions = listOptions("The lines, 1 to 10,000.", "lines");
const phonesOptions = listOptions("Instead of `items`: one product for all of these.", "phone numbers");

function listOptions(description: string, what: string) {
  return {
    minItems: 1,
    maxItems: linesMax,
    description,
    "x-problem": { maxItems: "TOO_MANY_ITEMS" },
    "x-message": `Must be a list of 1 to 10000 ${what}.`,
  };
}

/** The order's own fields, and those that all lines of the shorthand share. */
function orderFields(category: Category) {
  const { phone: _ofEachLine, ...shared } = category.body.properties;
  const optional = Object.fromEntries(Object.entries(shared).map(([name, field]) => [name, Type.Optional(field)]));
  return { reference: referenceField(orderReferenceLengthMax), ...optional };
}

function phoneOf(category: Category) {
  const { phone } = category.body.properties;
  assert(phone !== undefined && category.customerField === "phone", "what is sold in bulk is sold to phones");
  return phone;
}

export type OrderFields = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

/** The lines of an order as they were sent, and how each is read. */
export interface SentLines {
  /** The field that holds them. */
  readonly list: "items" | "phones";
  /** None where the order's own fields leave nothing to read. */
  readonly entries: List;
  /** A fault of the order that its schema cannot express; null where there is none. */
  readonly refusal: Refusal | null;
  /** A line's own fields, of an entry that its schema has accepted. */
  fieldsOf(entry: unknown): OrderFields;
  /** Under what a line's faults are reported. */
  nameOf(position: number): Pick<BulkLine, "key" | "fieldKey">;
}

/** `order` has passed its schema, or failed it; its lists may be anything. */
export function findLines(category: Category, order: OrderFields): SentLines {
  const { items, phones } = order;
  if (items !== undefined && phones !== undefined) {
    return { ...ofItems([]), refusal: alone("phones", "Must be left out where items is sent.") };
  }
  if (phones !== undefined) return ofPhones(category, entriesOf(phones), order);
  if (items !== undefined) return ofItems(entriesOf(items));
  return { ...ofItems([]), refusal: alone("items", "Is required, unless phones is sent.") };
}

function alone(field: string, sentence: string): Refusal {
  return refuseField("VALIDATION_ERROR", field, sentence);
}

function entriesOf(list: unknown): List {
  return Array.isArray(list) && list.length <= linesMax ? list : [];
}

/** Lines as a client sent them, whatever becomes of the order; of a list that is too long, as many as an order may have. */
export function countLines(body: unknown): number {
  const { items, phones } = (body ?? {}) as OrderFields;
  const counts = [items, phones].map((list) => (Array.isArray(list) ? Math.min(list.length, linesMax) : 0));
  return counts.reduce((sum, count) => sum + count, 0);
}

function ofItems(entries: List): SentLines {
  return {
    list: "items",
    entries,
    refusal: null,
    fieldsOf: (entry) => entry as OrderFields,
    nameOf(position) {
      const key = `items.${position}`;
      return { key, fieldKey: (field) => `${key}.${field}` };
    },
  };
}

/** Each phone is a line with the fields that a line of this category has, as the order sent them: unknown ones are left. */
function ofPhones(category: Category, entries: List, order: OrderFields): SentLines {
  const known = Object.keys(category.body.properties).filter(
    (field) => field !== "phone" && order[field] !== undefined,
  );
  const shared = Object.fromEntries(known.map((field) => [field, order[field]]));
  const missing = missingFields(category, shared);
  return {
    list: "phones",
    entries,
    refusal: missing === null ? null : invalidLines(missing),
    fieldsOf: (phone) => ({ ...shared, phone }),
    nameOf(position) {
      const key = `phones.${position}`;
      return { key, fieldKey: (field) => (field === "phone" ? key : field) };
    },
  };
}

/** In the shorthand the line's fields stand at the top, where the schema cannot require them. */
function missingFields(category: Category, shared: OrderFields): FieldErrors | null {
  const required = (category.body.required ?? []).filter((field) => field !== "phone" && shared[field] === undefined);
  return required.length === 0 ? null : Object.fromEntries(required.map((field) => [field, ["Is required."]]));
}
