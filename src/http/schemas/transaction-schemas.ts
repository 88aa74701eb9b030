import { type TObject, Type } from "typebox";
import type { Category } from "../../categories/category.ts";
import { categories } from "../../categories/registry.ts";
import { channels } from "../../domain/purchases/purchase.ts";
import { failureCodes } from "../../kernel/failure-codes.ts";
import {
  categorySchema,
  errorCodeSchema,
  instant,
  integer,
  messageExample,
  money,
  networkSchema,
  nullable,
  oneOf,
  phoneSchema,
  productIdSchema,
  purchaseStatusSchema,
  referenceSchema,
  sandboxField,
  slugSchema,
  text,
  transactionIdSchema,
} from "./schemas.ts";
import { sentInAnswers } from "./sent-fields.ts";

const transactionFields = {
  status: purchaseStatusSchema,
  reference: referenceSchema("Your reference, unique per mode.", "order-data-1"),
  channel: oneOf(channels, { description: "The door that the purchase came by.", "x-component": "Channel" }),
  transaction_id: transactionIdSchema,
  category: categorySchema,
  message: text(500, "The result in words, for people.", messageExample),
  network: networkSchema,
  biller: text(100, "The biller's name.", "MTN Data"),
  biller_slug: slugSchema,
  product_id: productIdSchema,
  product: text(150, "The product's name.", "MTN 1GB 30 days"),
  plan: nullable(text(100, "The plan, bouquet or denomination.", "1GB")),
  phone: nullable(phoneSchema),
  customer_ref: nullable(
    text(64, "The number that was bought for: phone, meter, smartcard or account.", "08031234567"),
  ),
  quantity: integer({ minimum: 1, maximum: 100_000 }, "Pieces; for SMS, recipients × pages.", 1),
  unit_amount: money("Nominal price of one unit.", "640.00"),
  amount: money("`unit_amount` × `quantity`.", "640.00"),
  face_amount: money("Nominal value in naira; `amount` where the product has no other.", "640.00"),
  fee: money("Charged on top.", "0.00"),
  discount: money("What your price lies below `amount`.", "0.00"),
  total_deducted: money("`amount` − `discount` + `fee`; 0.00 once it failed and was refunded.", "640.00"),
  balance_before: money("The wallet before the purchase.", "100000.00"),
  balance_after: money("`balance_before` − `total_deducted`.", "99360.00"),
  provider_reference: nullable(text(200, "The supplier's own reference.", "SIM-SBX01KAGZ7Q3M5T8V1X4Y6Z9B2C3D")),
  purchased_at: instant("When it was accepted."),
  error_code: errorCodeSchema,
  refunded: Type.Boolean({
    description: "Whether the wallet got everything back: when it failed, or later, when its supplier took it back.",
  }),
  refunded_at: nullable(instant("When it was refunded.")),
  completed_at: nullable(instant("When it became final.")),
  bulk_reference: nullable(referenceSchema("The bulk order that it is a line of.", "order-bulk-1", 90)),
  ...sentInAnswers,
  sandbox: sandboxField,
};

/** The fields of a purchase in every answer. */
const transactionBase = Type.Object(transactionFields, {
  description: "A purchase, as every answer and event tells it.",
  "x-component": "Transaction",
});

const tokenField = nullable(
  Type.String({
    pattern: "^[0-9]{20}$",
    maxLength: 20,
    description: "The 20 digits to enter at the meter; null until successful, and for postpaid meters.",
    examples: ["00001234567890123456"],
  }),
);

const failedCodeField = oneOf(Object.keys(failureCodes), {
  description: "Of a 422 alone: its `error_code` again, for clients that read every 422 as an error.",
});

/** `electricity` → `ElectricityTransaction`. */
function componentOf(category: Category): string {
  const words = category.slug.split("_").map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join("")}Transaction`;
}

/** The answer of a category's purchase endpoint: with its secrets. */
export function transactionSchema(category: Category): TObject {
  return Type.Object(
    {
      ...transactionFields,
      delivery: nullable(category.fulfilment),
      ...(category.token === undefined ? {} : { token: tokenField }),
      code: Type.Optional(failedCodeField),
    },
    {
      description: `A purchase of the category \`${category.slug}\`, with what was delivered.`,
      "x-component": componentOf(category),
      "x-extends": transactionBase,
    },
  );
}

/** Several categories deliver the same. */
const fulfilments = [...new Set(categories.map(({ fulfilment }) => fulfilment))];

/** A transaction of any category, as the requery answers it. */
export const anyTransactionSchema = Type.Object(
  {
    ...transactionFields,
    delivery: Type.Union([...fulfilments, Type.Null()], {
      description: "What was delivered, by its `kind`; null until successful (SMS: always there).",
    }),
    token: Type.Optional(tokenField),
    status_history: Type.Array(Type.Object({ status: purchaseStatusSchema, at: instant("Since when.") }), {
      minItems: 1,
      maxItems: 2,
      description: "Oldest first.",
    }),
    next_check_after: Type.Optional(
      integer({ minimum: 1, maximum: 86_400 }, "Seconds to wait before asking again; present while pending.", 20),
    ),
  },
  {
    description: "A purchase of any category, with what was delivered and its history.",
    "x-component": "TransactionDetails",
    "x-extends": transactionBase,
  },
);

/** A transaction in a list or an event: what was delivered is only hinted at. */
export const listedTransactionSchema = Type.Object(
  {
    ...transactionFields,
    delivery: nullable(
      Type.Object(
        {
          kind: text(20, "What was delivered; the requery tells it.", "topup"),
          has_delivery: Type.Unsafe<true>({ type: "boolean", const: true }),
        },
        { "x-component": "DeliveryHint" },
      ),
    ),
  },
  {
    description: "A purchase without its secrets, as lists and events tell it.",
    "x-component": "ListedTransaction",
    "x-extends": transactionBase,
  },
);
