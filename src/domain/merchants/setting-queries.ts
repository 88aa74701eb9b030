import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, type Statement, statement, type Tx } from "../../platform/database/database.ts";
import { type LegacySettings, legacySettings } from "./legacy-settings.ts";
import type { MerchantStatus } from "./merchant.ts";

/** The settings of a merchant that operators set one by one. */
interface MerchantSettings {
  readonly status: MerchantStatus;
  readonly limit_tier: number;
  readonly price_tier: number;
  /** Null: it is off. */
  readonly duplicate_guard_seconds: number | null;
  /** Null: it is withdrawn. */
  readonly api_approved_at: null;
  /** Null: the usual ones. */
  readonly legacy_data_networks: string | null;
  readonly legacy_airtime_networks: string | null;
  readonly legacy_prefix_check: boolean;
}

const settingUpdates: { readonly [Name in keyof MerchantSettings]: Statement } = {
  status: statement(
    "update_merchant_status",
    `update merchants
        set status = $2
      where id = $1
        and status is distinct from $2
     returning id`,
  ),
  limit_tier: statement(
    "update_merchant_limit_tier",
    `update merchants
        set limit_tier = $2
      where id = $1
        and limit_tier is distinct from $2
     returning id`,
  ),
  price_tier: statement(
    "update_merchant_price_tier",
    `update merchants
        set price_tier = $2
      where id = $1
        and price_tier is distinct from $2
     returning id`,
  ),
  duplicate_guard_seconds: statement(
    "update_merchant_duplicate_guard_seconds",
    `update merchants
        set duplicate_guard_seconds = $2
      where id = $1
        and duplicate_guard_seconds is distinct from $2
     returning id`,
  ),
  api_approved_at: statement(
    "update_merchant_api_approved_at",
    `update merchants
        set api_approved_at = $2
      where id = $1
        and api_approved_at is distinct from $2
     returning id`,
  ),
  legacy_data_networks: statement(
    "update_merchant_legacy_data_networks",
    `update merchants
        set legacy_data_networks = $2
      where id = $1
        and legacy_data_networks is distinct from $2
     returning id`,
  ),
  legacy_airtime_networks: statement(
    "update_merchant_legacy_airtime_networks",
    `update merchants
        set legacy_airtime_networks = $2
      where id = $1
        and legacy_airtime_networks is distinct from $2
     returning id`,
  ),
  legacy_prefix_check: statement(
    "update_merchant_legacy_prefix_check",
    `update merchants
        set legacy_prefix_check = $2
      where id = $1
        and legacy_prefix_check is distinct from $2
     returning id`,
  ),
};

/** Whether the setting changed; false when it was that already. */
export async function updateMerchantSetting<Name extends keyof MerchantSettings>(
  tx: Tx,
  id: MerchantId,
  name: Name,
  value: MerchantSettings[Name],
): Promise<boolean> {
  return (await tx.query(settingUpdates[name], [id, value])).length === 1;
}

const updateApproval = statement(
  "update_api_approval",
  `update merchants
      set api_approved_at = $2
    where id = $1
      and api_approved_at is null
   returning id`,
);

/** Whether approval is new; false when it was given before. */
export async function updateApiApproval(tx: Tx, id: MerchantId, now: Instant): Promise<boolean> {
  return (await tx.query(updateApproval, [id, new Date(now)])).length === 1;
}

const findLegacy = statement(
  "find_legacy_settings",
  `select legacy_data_networks, legacy_airtime_networks, legacy_prefix_check
     from merchants
    where id = $1`,
);

/** How the merchant's older clients buy; null when there is no such merchant. */
export async function findLegacySettings(db: Queryable, id: MerchantId): Promise<LegacySettings | null> {
  const [row] = await db.query<Parameters<typeof legacySettings>[0]>(findLegacy, [id]);
  return row === undefined ? null : legacySettings(row);
}
