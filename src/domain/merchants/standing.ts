import type { MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { type LegacySettings, legacySettings } from "./legacy-settings.ts";
import { type SpendingLimits, spendingLimits } from "./limits/limits.ts";
import type { MerchantStatus, Principal } from "./merchant.ts";
import type { StandingRow } from "./queries.ts";

/** What decides whether, what and at which price a merchant buys, as of one moment. */
export interface Standing {
  readonly merchantId: MerchantId;
  readonly status: MerchantStatus;
  readonly apiApproved: boolean;
  /** The operator's switch for the whole platform. */
  readonly sandboxOn: boolean;
  readonly priceTier: number;
  /** Of live purchases. */
  readonly limits: SpendingLimits;
  readonly duplicateGuardSeconds: number | null;
  readonly legacy: LegacySettings;
}

export function standingOf(row: StandingRow): Standing {
  return {
    merchantId: row.merchant_id,
    status: row.status,
    apiApproved: row.api_approved,
    sandboxOn: row.sandbox_on,
    priceTier: row.price_tier,
    limits: { perTransaction: row.per_transaction, perDay: row.per_day },
    duplicateGuardSeconds: row.duplicate_guard_seconds,
    legacy: legacySettings(row),
  };
}

/** The principal of the merchant in a mode, but for the key that let it in. */
export function principalIn(standing: Standing, mode: Mode): Omit<Principal, "keyId"> {
  const { merchantId, priceTier, duplicateGuardSeconds, legacy } = standing;
  const limits = spendingLimits(mode, standing.limits);
  return { merchantId, mode, priceTier, limits, duplicateGuardSeconds, legacy };
}
