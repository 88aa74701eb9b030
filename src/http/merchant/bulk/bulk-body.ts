import { Type } from "typebox";
import type { Category } from "../../../categories/category.ts";
import { referenceField } from "../../../categories/fields.ts";
import { lineBody, linesMax, orderReferenceLengthMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { assert } from "../../../kernel/assert.ts";
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
