import type { Instant } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import { type LegacySettings, legacySettings } from "./legacy-settings.ts";
import type { MerchantStatus } from "./merchant.ts";

/** The settings of a merchant that operators set; those that are left out stay as they are. */
export interface MerchantSettings {
  readonly status?: MerchantStatus;
  readonly limit_tier?: number;
  readonly price_tier?: number;
  /** Null: it is off. */
  readonly duplicate_guard_seconds?: number | null;
  /** Null: it is withdrawn. */
  readonly api_approved_at?: null;
  /** Null: the usual ones. */
  readonly legacy_data_networks?: string | null;
  readonly legacy_airtime_networks?: string | null;
  readonly legacy_prefix_check?: boolean;
}

const settingColumns = `status, limit_tier, price_tier, duplicate_guard_seconds, api_approved_at, legacy_data_networks,
          legacy_airtime_networks, legacy_prefix_check`;

// What $2 does not name stays as it is: jsonb_populate_record begins with the row.
const updateSettings = statement(
  "update_merchant_settings",
  `update merchants m
      set (${settingColumns}) = (
            select ${settingColumns}
              from jsonb_populate_record(m, $2::jsonb)
          )
    where m.id = $1
      and not to_jsonb(m) @> $2::jsonb
   returning m.id`,
);

/** Whether a setting changed; false when they were that already. */
export async function updateMerchantSettings(tx: Tx, id: MerchantId, settings: MerchantSettings): Promise<boolean> {
  return (await tx.query(updateSettings, [id, JSON.stringify(settings)])).length === 1;
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
