import { Type } from "typebox";
import {
  categorySchema,
  errorCodeSchema,
  instant,
  integer,
  messageExample,
  money,
  nullable,
  oneOf,
  pageMetaSchema,
  phoneSchema,
  productIdSchema,
  purchaseStatusSchema,
  referenceSchema,
  sandboxField,
  text,
  transactionIdSchema,
} from "./schemas.ts";

const bulkFields = {
  reference: referenceSchema("Your reference of the order.", "order-bulk-1", 90),
  bulk_id: Type.String({
    pattern: "^BLK[0-9A-HJKMNP-TV-Z]{26}$",
    maxLength: 29,
    description: "Our name for the order.",
    examples: ["BLK01KAGZ7Q3M5T8V1X4Y6Z9B2C3D"],
  }),
  category: categorySchema,
  status: oneOf(["processing", "completed", "partially_completed", "failed"], {
    description: "`processing` while a line is pending; then whether all, some or none were successful.",
    "x-component": "BulkStatus",
  }),
  total: lineCount("Lines.", 2),
  successful: lineCount("Lines that were fulfilled.", 2),
  pending: lineCount("Lines that are not final yet.", 0),
  failed: lineCount("Lines that failed and were refunded.", 0),
  amount: money("Nominal price of all lines.", "1280.00"),
  total_deducted: money("What the order cost so far, refunds subtracted.", "1280.00"),
  total_refunded: money("What failed lines gave back.", "0.00"),
  balance_before: money("The wallet before the order.", "100000.00"),
  balance_after: money("`balance_before` − `total_deducted`.", "98720.00"),
  created_at: instant("When it was accepted."),
  completed_at: nullable(instant("When its last line became final.")),
  sandbox: sandboxField,
};

function lineCount(description: string, example: number) {
  return integer({ minimum: 0, maximum: 10_000 }, description, example);
}

/** A bulk order without its lines, as `bulk.completed` tells it. */
export const bulkSummarySchema = Type.Object(bulkFields, {
  description: "A bulk order, without its lines.",
  "x-component": "BulkSummary",
});

/** A bulk order with one page of its lines. */
export const bulkSchema = Type.Object(
  {
    ...bulkFields,
    items: Type.Array(
      Type.Object(
        {
          index: integer(
            { minimum: 0, maximum: 9_999 },
            "Position in the order, from 0: `items.{index}` in `errors`, whatever the page.",
            0,
          ),
          phone: phoneSchema,
          product_id: productIdSchema,
          reference: referenceSchema(
            "The line's own reference, yours or `{order's reference}-{index + 1}`: requery it like any other.",
            "order-bulk-1-1",
          ),
          transaction_id: transactionIdSchema,
          status: purchaseStatusSchema,
          amount: money("Nominal price of the line.", "640.00"),
          total_deducted: money("What the line cost; 0.00 once it was refunded.", "640.00"),
          message: text(500, "The result in words, for people.", messageExample),
          error_code: errorCodeSchema,
        },
        { "x-component": "BulkLine" },
      ),
      { maxItems: 1_000, description: "One page of the lines, in the order sent." },
    ),
    meta: pageMetaSchema,
  },
  {
    description: "A bulk order with one page of its lines.",
    "x-component": "BulkOrder",
    "x-extends": bulkSummarySchema,
  },
);
