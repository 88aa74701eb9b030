import { type TSchema, Type } from "typebox";
import { categorySlugs } from "../../categories/category-slugs.ts";
import { slugPattern } from "../../categories/fields.ts";
import { purchaseStatuses } from "../../domain/purchases/purchase.ts";
import { failureCodes } from "../../kernel/failure-codes.ts";
import { type Network, networks } from "../../kernel/phone.ts";

/** Decimal naira with two decimals, as every answer writes money. */
export const moneySchema = money("Naira, with two decimals.");

/** An amount that says what it is of. */
export function money(description: string, example = "1250.50") {
  return Type.String({
    pattern: "^-?[0-9]{1,14}\\.[0-9]{2}$",
    maxLength: 18,
    description,
    examples: [example],
    "x-component": "Money",
  });
}

/** An instant with its offset. */
export const instantSchema = instant("ISO 8601 with its offset.");

/** An instant that says what happened then. */
export function instant(description: string, example = "2026-11-20T14:03:09+01:00") {
  return Type.String({
    format: "date-time",
    maxLength: 25,
    description,
    examples: [example],
    "x-component": "Instant",
  });
}

/** What an instant in a request must be (`parseInstant`). */
export const instantMessage = "Must be ISO 8601 with an offset, or YYYY-MM-DD.";

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** Free text of an answer. Its bound is what the database holds, so that a client can size its columns. */
export function text(maxLength: number, description: string, example: string) {
  return Type.String({ maxLength, description, examples: [example] });
}

/** A whole number of an answer. */
export function integer(bounds: { minimum: number; maximum: number }, description: string, example: number) {
  return Type.Integer({ ...bounds, description, examples: [example] });
}

export function oneOf(values: readonly string[], notes: { description?: string; "x-component"?: string } = {}) {
  return Type.Unsafe<string>({ type: "string", enum: [...values], examples: [values[0]], ...notes });
}

/** Present, and true, only in sandbox. */
export const sandboxField = Type.Optional(
  Type.Unsafe<true>({ type: "boolean", const: true, description: "Present, and true, only in sandbox." }),
);

export const categorySchema = oneOf(categorySlugs, {
  description: "The kind of product.",
  "x-component": "Category",
});

export const networkSchema = Type.Unsafe<Network | null>({
  type: ["string", "null"],
  enum: [...networks, null],
  description: "The mobile network; null where none is concerned.",
  examples: ["MTN"],
});

export const productIdSchema = integer(
  { minimum: 1_000, maximum: 2_147_483_647 },
  "The catalogue's id. Never changes meaning.",
  1_002,
);

export const slugSchema = Type.String({
  pattern: slugPattern,
  maxLength: 63,
  description: "The biller's slug, as in `/billers/{slug}/products`.",
  examples: ["mtn-data"],
});

export const purchaseStatusSchema = oneOf(purchaseStatuses, {
  description: "`pending` means wait: do not buy again. The other two are final.",
  "x-component": "PurchaseStatus",
});

export const errorCodeSchema = nullable(
  oneOf(Object.keys(failureCodes), {
    description: "Why it failed; null unless it did.",
    "x-component": "FailureCode",
  }),
);

export const phoneSchema = Type.String({
  pattern: "^0[0-9]{10}$",
  maxLength: 11,
  description: "In local form, whatever was sent.",
  examples: ["08031234567"],
});

export function referenceSchema(description: string, example: string, maxLength = 100) {
  return Type.String({ pattern: "^[A-Za-z0-9._:-]+$", maxLength, description, examples: [example] });
}

export const transactionIdSchema = Type.String({
  pattern: "^(SBX|TXN)[0-9A-HJKMNP-TV-Z]{26}$",
  maxLength: 29,
  description: "Our name for it: `SBX…` in sandbox, `TXN…` live.",
  examples: ["SBX01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"],
});

/** A `message` as an answer writes it. */
export const messageExample = "MTN 1GB 30 days for 08031234567: successful.";

export const pageMetaSchema = Type.Object(
  {
    current_page: integer({ minimum: 1, maximum: 1_000_000 }, "Counts from 1.", 1),
    last_page: integer({ minimum: 1, maximum: 2_147_483_647 }, "1 for an empty list.", 1),
    per_page: integer({ minimum: 1, maximum: 1_000 }, "How many a page has.", 20),
    total: integer({ minimum: 0, maximum: 2_147_483_647 }, "All that the filters match, exactly.", 1),
  },
  { "x-component": "PageMeta" },
);

/**
 * As long as Node lets a request's head be. What no thing of ours can be called is not found, however it looks: neither
 * the router nor a schema refuses it for its form.
 */
export const parameterLengthMax = 16_384;

/** A name in a path. */
export function pathParameter(description: string, example: string) {
  return Type.String({ maxLength: parameterLengthMax, description, examples: [example] });
}
