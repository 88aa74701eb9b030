import { type TObject, type TSchema, Type } from "typebox";
import type { Category } from "../domain/categories/category.ts";
import { categorySlugs } from "../domain/categories/product.ts";
import { channels, purchaseStatuses } from "../domain/purchases/purchase.ts";
import { failureCodes } from "../kernel/problem-catalogue.ts";

/** Decimal naira with two decimals, as every answer writes money. */
export const moneySchema = Type.String({ pattern: "^-?[0-9]+\\.[0-9]{2}$", examples: ["1250.50"] });

/** An instant with its offset. */
export const instantSchema = Type.String({ format: "date-time", examples: ["2026-11-20T14:03:09+01:00"] });

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

function oneOf(values: readonly string[]) {
  return Type.Union(values.map((value) => Type.Literal(value)));
}

/** Present, and true, only in sandbox. */
export const sandboxField = Type.Optional(Type.Literal(true));

const text = nullable(Type.String());

const transactionFields = {
  status: oneOf(purchaseStatuses),
  reference: Type.String(),
  channel: oneOf(channels),
  transaction_id: Type.String({ examples: ["SBX01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"] }),
  category: oneOf(categorySlugs),
  message: Type.String(),
  network: text,
  biller: Type.String(),
  biller_slug: Type.String(),
  product_id: Type.Integer(),
  product: Type.String(),
  plan: text,
  phone: text,
  customer_ref: text,
  quantity: Type.Integer(),
  unit_amount: moneySchema,
  amount: moneySchema,
  face_amount: moneySchema,
  fee: moneySchema,
  discount: moneySchema,
  total_deducted: moneySchema,
  balance_before: moneySchema,
  balance_after: moneySchema,
  provider_reference: text,
  purchased_at: instantSchema,
  error_code: nullable(oneOf(Object.keys(failureCodes))),
  refunded: Type.Boolean(),
  refunded_at: nullable(instantSchema),
  completed_at: nullable(instantSchema),
  bulk_reference: text,
  metadata: nullable(Type.Record(Type.String(), Type.Unknown())),
  sandbox: sandboxField,
};

/** The answer of a category's purchase endpoint: with its secrets. */
export function transactionSchema(category: Category): TObject {
  return Type.Object({
    ...transactionFields,
    delivery: nullable(category.fulfilment),
    ...(category.token === undefined ? {} : { token: text }),
  });
}

/** A transaction of any category, as the requery answers it. */
export const anyTransactionSchema = Type.Object({
  ...transactionFields,
  delivery: nullable(Type.Object({ kind: Type.String() }, { additionalProperties: true })),
  token: Type.Optional(text),
  status_history: Type.Array(Type.Object({ status: oneOf(purchaseStatuses), at: instantSchema })),
  next_check_after: Type.Optional(Type.Integer({ description: "Seconds; present while pending." })),
});

/** A transaction in a list: what was delivered is only hinted at. */
export const listedTransactionSchema = Type.Object({
  ...transactionFields,
  delivery: nullable(Type.Object({ kind: Type.String(), has_delivery: Type.Literal(true) })),
});

export const pageMetaSchema = Type.Object({
  current_page: Type.Integer(),
  last_page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
});

/** A bulk order with one page of its lines. */
export const bulkSchema = Type.Object({
  reference: Type.String(),
  bulk_id: Type.String({ examples: ["BLK01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"] }),
  category: oneOf(categorySlugs),
  status: oneOf(["processing", "completed", "partially_completed", "failed"]),
  total: Type.Integer({ description: "Lines." }),
  successful: Type.Integer(),
  pending: Type.Integer(),
  failed: Type.Integer(),
  amount: moneySchema,
  total_deducted: moneySchema,
  total_refunded: moneySchema,
  balance_before: moneySchema,
  balance_after: moneySchema,
  created_at: instantSchema,
  completed_at: nullable(instantSchema),
  sandbox: sandboxField,
  items: Type.Array(
    Type.Object({
      index: Type.Integer({ description: "Position in the order, from 0." }),
      phone: Type.String(),
      product_id: Type.Integer(),
      reference: Type.String(),
      transaction_id: Type.String(),
      status: oneOf(purchaseStatuses),
      amount: moneySchema,
      total_deducted: moneySchema,
      message: Type.String(),
      error_code: nullable(oneOf(Object.keys(failureCodes))),
    }),
  ),
  meta: pageMetaSchema,
});
