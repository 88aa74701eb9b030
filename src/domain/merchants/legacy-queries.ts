import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../platform/database.ts";
import { type LegacySettings, legacySettings, type NumberedGoods } from "./legacy-settings.ts";

const updateDataNetworks = statement(
  "update_legacy_data_networks",
  `update merchants
      set legacy_data_networks = $2
    where id = $1
      and legacy_data_networks is distinct from $2
   returning id`,
);

const updateAirtimeNetworks = statement(
  "update_legacy_airtime_networks",
  `update merchants
      set legacy_airtime_networks = $2
    where id = $1
      and legacy_airtime_networks is distinct from $2
   returning id`,
);

/** Whether the numbers changed; null sets the usual ones. */
export async function updateLegacyNetworks(
  tx: Tx,
  id: MerchantId,
  { goods, numbers }: { readonly goods: NumberedGoods; readonly numbers: string | null },
): Promise<boolean> {
  const update = goods === "data" ? updateDataNetworks : updateAirtimeNetworks;
  return (await tx.query(update, [id, numbers])).length === 1;
}

const updatePrefixCheck = statement(
  "update_legacy_prefix_check",
  `update merchants
      set legacy_prefix_check = $2
    where id = $1
      and legacy_prefix_check <> $2
   returning id`,
);

/** Whether the check changed; false when it was that already. */
export async function updateLegacyPrefixCheck(tx: Tx, id: MerchantId, isOn: boolean): Promise<boolean> {
  return (await tx.query(updatePrefixCheck, [id, isOn])).length === 1;
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
