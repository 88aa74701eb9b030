/** Why a vend failed, as a failed transaction's `error_code` tells it. */
export const failureCodes = {
  PROVIDER_DECLINED: "The provider declined the purchase.",
  RECIPIENT_NOT_ELIGIBLE: "The recipient is not eligible for this product.",
  RECIPIENT_INVALID: "The provider does not know the recipient.",
  RECIPIENT_BARRED: "The recipient is barred.",
  OPERATOR_UNAVAILABLE: "The operator was not available.",
  METER_DEBT_BLOCKED: "The meter is blocked by a debt.",
  OUT_OF_STOCK: "The product is out of stock.",
  EXPIRED_UNCONFIRMED: "The purchase could not be confirmed in time.",
  SANDBOX_FORCED_FAILURE: "The sandbox number asked for a failure.",
} as const;

export type FailureCode = keyof typeof failureCodes;
