import { Type } from "typebox";
import { referencePattern } from "../../kernel/ids.ts";

/** The merchant's own name for a purchase or an order: its idempotency key. */
export function referenceField(maxLength: number) {
  return Type.String({
    pattern: referencePattern,
    maxLength,
    description: "Your name for it, and its idempotency key: sent again, it answers the original.",
    examples: ["order-20261120-0001"],
    "x-problem": { pattern: "INVALID_REFERENCE", maxLength: "INVALID_REFERENCE" },
    "x-message": `Must be 1 to ${maxLength} letters, digits, dots, dashes, underscores or colons, and no transaction_id.`,
  });
}
