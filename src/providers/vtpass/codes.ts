import type { FailureCode } from "../../kernel/failure-codes.ts";

/**
 * VTpass's documented codes (vtpass.com/documentation/response-codes). What is not here is `unknown`: 099 (processing),
 * 044 (resolved by a person), and all that is new.
 * `refused`: nothing was accepted, where the answer holds no transaction. `failed`: it was accepted, and came to nothing,
 * where no status contradicts it.
 */
export type Meaning =
  | { readonly kind: "processed" }
  /** `reversed`: it was vended, and the money is back in our wallet there. */
  | { readonly kind: "failed"; readonly reversed?: true }
  | { readonly kind: "refused"; readonly errorCode: FailureCode };

const refused = (errorCode: FailureCode = "PROVIDER_DECLINED"): Meaning => ({ kind: "refused", errorCode });
const failed: Meaning = { kind: "failed" };

export const codes: Readonly<Record<string, Meaning>> = {
  "000": { kind: "processed" },
  "001": { kind: "processed" },
  "016": failed, // transaction failed
  "040": { kind: "failed", reversed: true },
  "091": failed, // not processed, and not charged
  "010": refused(), // no such variation
  "011": refused(), // invalid arguments
  "012": refused(), // no such product
  "013": refused(), // below the least amount
  "017": refused(), // above the largest
  "018": refused("OPERATOR_UNAVAILABLE"), // our balance there is low
  "019": refused(), // the same service for the same number within 30 seconds
  "021": refused("OPERATOR_UNAVAILABLE"), // account locked
  "022": refused("OPERATOR_UNAVAILABLE"), // account suspended
  "023": refused("OPERATOR_UNAVAILABLE"), // no access to the API
  "024": refused("OPERATOR_UNAVAILABLE"), // account inactive
  "025": refused(), // the recipient's bank
  "026": refused("RECIPIENT_INVALID"), // the recipient's account
  "027": refused("OPERATOR_UNAVAILABLE"), // our address is not on their list
  "028": refused("OPERATOR_UNAVAILABLE"), // the product is not on our list
  "030": refused("OPERATOR_UNAVAILABLE"), // the biller cannot be reached
  "031": refused(), // below the least quantity
  "032": refused(), // above the largest
  "034": refused("OPERATOR_UNAVAILABLE"), // service suspended
  "035": refused("OPERATOR_UNAVAILABLE"), // service inactive
  "083": refused("OPERATOR_UNAVAILABLE"), // system error
  "085": refused("OPERATOR_UNAVAILABLE"), // request id of another form
  "087": refused("OPERATOR_UNAVAILABLE"), // wrong credentials
};

/** "This request id was used before." We send each once, so somebody else has: another deployment of this account. */
export const usedBefore = "014";

/** "This request id was not used here." Said of a requery. */
export const neverReceived = "015";

/** `content.transactions.type`, and what we sell as that: all that its answers say of the product in words of its own. */
export const categoriesOfType: Readonly<Record<string, readonly string[]>> = {
  "Airtime Recharge": ["airtime"],
  "Data Services": ["data", "voice", "internet"],
  "TV Subscription": ["cable"],
  "Electricity Bill": ["electricity"],
  Education: ["education"],
};

/** `content.transactions.status`. Others (initiated, pending, resolved, …) are `unknown`. */
export const statuses: Readonly<Record<string, "vended" | "failed" | "reversed">> = {
  delivered: "vended",
  failed: "failed",
  reversed: "reversed",
};
