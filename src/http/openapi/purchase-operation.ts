import type { FastifySchema } from "fastify";
import type { TObject } from "typebox";
import type { Category } from "../../categories/category.ts";
import type { ProblemCode } from "../../kernel/problems.ts";
import { transactionSchema } from "../schemas/transaction-schemas.ts";
import { answer, operation } from "./operation.ts";

/** What every purchase may be refused with, after its fields were read. */
const ofEveryPurchase: readonly ProblemCode[] = [
  "INSUFFICIENT_BALANCE",
  "CATEGORY_NOT_ALLOWED",
  "RECIPIENT_BLOCKED",
  "TRANSACTION_LIMIT_EXCEEDED",
  "DAILY_LIMIT_EXCEEDED",
  "REFERENCE_CONFLICT",
  "DUPLICATE_TRANSACTION",
  "PRODUCT_UNAVAILABLE",
  "BILLER_UNAVAILABLE",
];

/** What a purchase may be refused with because it takes this field. */
const ofFields: Readonly<Record<string, readonly ProblemCode[]>> = {
  product_id: ["PRODUCT_NOT_FOUND"],
  biller: ["BILLER_NOT_FOUND"],
  beneficiary_id: ["BENEFICIARY_NOT_FOUND"],
  ported: ["NETWORK_MISMATCH"],
  amount: ["AMOUNT_OUT_OF_RANGE"],
  quantity: ["QUANTITY_OUT_OF_RANGE"],
  months: ["QUANTITY_OUT_OF_RANGE"],
  recipients: ["TOO_MANY_ITEMS", "QUANTITY_OUT_OF_RANGE"],
  verification_id: ["VERIFICATION_EXPIRED"],
  expected_price: ["PRICE_CHANGED"],
};

/** The codes that buying with these fields may be refused with. */
function purchaseProblems(body: TObject): readonly ProblemCode[] {
  return [...ofEveryPurchase, ...Object.keys(body.properties).flatMap((field) => ofFields[field] ?? [])];
}

/** The codes that refuse a bulk order of such lines: an unknown product is a VALIDATION_ERROR under its line's key. */
export function bulkProblems(line: TObject): readonly ProblemCode[] {
  return purchaseProblems(line).filter((code) => code !== "PRODUCT_NOT_FOUND");
}

const once =
  "Charged once per `reference`: sent again, it answers the original in its present state, with `Idempotent-Replayed: true`.";

/** The schema of a category's purchase endpoint. */
export function purchaseOperation(category: Category, body: TObject): FastifySchema {
  const transaction = transactionSchema(category);
  const examples = Object.entries(category.examples).map(([name, fields], index) => {
    return [name, { reference: `order-${category.slug}-${index + 1}`, ...fields }] as const;
  });
  return operation({
    id: category.operation.id,
    tag: "Purchases",
    summary: category.operation.summary,
    description: `${category.operation.description}\n\n${once}`,
    body,
    examples: Object.fromEntries(examples),
    responses: {
      201: answer("Successful: charged and delivered.", transaction),
      202: answer("Pending: charged; wait for the webhook, or requery after `Retry-After` seconds.", transaction),
      422: answer("Failed: the transaction exists, and the wallet has everything back.", transaction),
    },
    problems: purchaseProblems(body),
    replays: true,
  });
}
