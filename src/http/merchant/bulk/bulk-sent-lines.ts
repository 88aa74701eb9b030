import type { Category } from "../../../categories/category.ts";
import { type BulkLine, linesMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { invalidLines } from "../../../domain/bulk-orders/lines.ts";
import { type FieldErrors, type Refusal, refuseField } from "../../../kernel/problems.ts";

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
