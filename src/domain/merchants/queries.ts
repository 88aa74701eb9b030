import type { Instant } from "../../kernel/clock.ts";
import type { ApiKeyId, MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Kobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import { type LegacySettings, legacySettings } from "./legacy-settings.ts";
import { formatMerchantId, type MerchantStatus } from "./merchant.ts";

/** What decides whether, what and at which price a merchant buys. */
export interface StandingRow {
  readonly merchant_id: MerchantId;
  readonly status: MerchantStatus;
  readonly api_approved: boolean;
  readonly sandbox_on: boolean;
  readonly price_tier: number;
  readonly per_transaction: Kobo;
  readonly per_day: Kobo;
  readonly duplicate_guard_seconds: number | null;
  readonly legacy_data_networks: string | null;
  readonly legacy_airtime_networks: string | null;
  readonly legacy_prefix_check: boolean;
}

/** Of `merchants m` with its tier, `limit_tiers t`, and the platform's switch of the sandbox, `platform_switches s`. */
export const standingColumns = `
          m.id as merchant_id,
          m.status,
          m.api_approved_at is not null as api_approved,
          s.is_on as sandbox_on,
          m.price_tier,
          t.per_transaction,
          t.per_day,
          m.duplicate_guard_seconds,
          m.legacy_data_networks,
          m.legacy_airtime_networks,
          m.legacy_prefix_check`;

/** Of `merchants m`: the addresses that its keys are used from. */
export const allowlistColumns = `
          array(
            select a.address_range::text
              from ip_allowlist a
             where a.merchant_id = m.id
             order by a.position
          ) as allowlist`;

/** A key that is neither revoked nor unknown, with its account, as one row. */
export interface AccountRow extends StandingRow {
  readonly hash: string;
  readonly key_id: ApiKeyId;
  readonly mode: Mode;
  readonly expires_at: Instant | null;
  readonly allowlist: readonly string[];
}

const listAccountsByKey = statement(
  "list_accounts_by_key",
  `select encode(k.hash, 'hex') as hash,
          k.id as key_id,
          k.mode,
          k.expires_at,
          ${standingColumns},
          ${allowlistColumns}
     from api_keys k
     join merchants m on m.id = k.merchant_id
     join limit_tiers t on t.tier = m.limit_tier
     join platform_switches s on s.name = 'sandbox'
    where k.hash = any (select decode(given, 'hex') from unnest($1::text[]) as given)
      and k.revoked_at is null`,
);

/** The accounts of the keys with these hashes; hashes that are unknown or revoked are left out. */
export function listAccounts(database: Queryable, hashes: readonly string[]): Promise<AccountRow[]> {
  return database.query<AccountRow>(listAccountsByKey, [arrayOf(hashes)]);
}

export interface MerchantRow {
  readonly id: MerchantId;
  readonly name: string;
  readonly email: string;
  readonly status: MerchantStatus;
  /** Why it is suspended, for its people; null where nobody said. */
  readonly suspended_because: string | null;
  readonly api_approved_at: Instant | null;
  readonly price_tier: number;
  readonly limit_tier: number;
  /** Null: no guard. */
  readonly duplicate_guard_seconds: number | null;
  readonly created_at: Instant;
}

const merchantColumns =
  "id, name, email, status, suspended_because, api_approved_at, price_tier, limit_tier, duplicate_guard_seconds, created_at";

const insertMerchantRows = statement(
  "insert_merchants",
  `insert into merchants (name, email, api_approved_at, created_at)
   select name, email, case when $3 then $4::timestamptz end, $4
     from unnest($1::text[], $2::text[]) with ordinality as given (name, email, n)
    order by n
   returning id`,
);

/** Adds merchants in the order given; the answer is in the same order. */
export async function insertMerchants(
  tx: Tx,
  merchants: readonly { readonly name: string; readonly email: string }[],
  options: { readonly approved: boolean; readonly now: Instant },
): Promise<{ id: MerchantId }[]> {
  const rows = await tx.query<{ id: MerchantId }>(insertMerchantRows, [
    arrayOf(merchants.map(({ name }) => name)),
    arrayOf(merchants.map(({ email }) => email)),
    options.approved,
    new Date(options.now),
  ]);
  return rows.sort((a, b) => a.id - b.id);
}

const findMerchantLocked = statement(
  "find_merchant_for_update",
  `select ${merchantColumns}
     from merchants
    where id = $1
      for no key update`,
);

/** The merchant, its row locked until the transaction ends: changes to its keys and addresses happen one by one. */
export async function findMerchantForUpdate(tx: Tx, id: MerchantId): Promise<MerchantRow | null> {
  return (await tx.query<MerchantRow>(findMerchantLocked, [id]))[0] ?? null;
}

const findMerchantById = statement(
  "find_merchant",
  `select ${merchantColumns}
     from merchants
    where id = $1`,
);

export async function findMerchant(database: Queryable, id: MerchantId): Promise<MerchantRow | null> {
  return (await database.query<MerchantRow>(findMerchantById, [id]))[0] ?? null;
}

const listMerchantsAfter = statement(
  "list_merchants",
  `select ${merchantColumns}
     from merchants
    where id > $1
    order by id
    limit $2`,
);

/** Merchants by id, from the one after `afterId`. */
export function listMerchants(database: Queryable, afterId: number, limit: number): Promise<MerchantRow[]> {
  return database.query<MerchantRow>(listMerchantsAfter, [afterId, limit]);
}

const listRanges = statement(
  "list_ip_allowlist",
  `select address_range::text as range
     from ip_allowlist
    where merchant_id = $1
    order by position`,
);

/** The addresses that a merchant may call from; none means from everywhere. */
export async function listAllowlist(db: Queryable, id: MerchantId): Promise<string[]> {
  return (await db.query<{ range: string }>(listRanges, [id])).map(({ range }) => range);
}

const deleteAllowlist = statement("delete_ip_allowlist", "delete from ip_allowlist where merchant_id = $1");

const insertAllowlist = statement(
  "insert_ip_allowlist",
  `insert into ip_allowlist (merchant_id, position, address_range)
   select $1, n, address_range::cidr
     from unnest($2::text[]) with ordinality as given (address_range, n)`,
);

/** Replaces the whole list. The caller holds the merchant's row. */
export async function updateAllowlist(tx: Tx, id: MerchantId, ranges: readonly string[]): Promise<void> {
  await tx.query(deleteAllowlist, [id]);
  if (ranges.length > 0) await tx.query(insertAllowlist, [id, arrayOf(ranges)]);
}

const findSwitch = statement(
  "find_sandbox_switch",
  `select is_on as "isOn"
     from platform_switches
    where name = 'sandbox'`,
);

/** Whether sandbox keys work. */
export async function findSandboxSwitch(db: Queryable): Promise<boolean> {
  return (await db.query<{ isOn: boolean }>(findSwitch))[0]?.isOn === true;
}

const updateSwitch = statement(
  "update_sandbox_switch",
  `update platform_switches
      set is_on = $1
    where name = 'sandbox'
      and is_on <> $1
   returning name`,
);

/** Whether the switch moved. */
export async function updateSandboxSwitch(tx: Tx, isOn: boolean): Promise<boolean> {
  return (await tx.query(updateSwitch, [isOn])).length === 1;
}

/** @throws Refusal NOT_FOUND */
export async function findExistingMerchant(database: Queryable, id: MerchantId): Promise<MerchantRow> {
  return (await findMerchant(database, id)) ?? unknown(id);
}

/** The merchant, its row locked until the transaction ends. @throws Refusal NOT_FOUND */
export async function lockMerchant(tx: Tx, id: MerchantId): Promise<MerchantRow> {
  return (await findMerchantForUpdate(tx, id)) ?? unknown(id);
}

function unknown(id: MerchantId): never {
  throw refuse("NOT_FOUND", { message: `There is no merchant ${formatMerchantId(id)}.` });
}

/** The settings of a merchant that operators set; those that are left out stay as they are. */
export interface MerchantSettings {
  readonly status?: MerchantStatus;
  /** Null: nobody said, or it is not suspended. */
  readonly suspended_because?: string | null;
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

const settingColumns = `status, suspended_because, limit_tier, price_tier, duplicate_guard_seconds, api_approved_at,
          legacy_data_networks, legacy_airtime_networks, legacy_prefix_check`;

// What $2 does not name stays as it is: jsonb_populate_record begins with the row.
const updateSettings = statement(
  "update_merchant_settings",
  `update merchants m
      set (${settingColumns}) = (
            select ${settingColumns}
              from jsonb_populate_record(m, $2::jsonb)
          )
    where m.id = any ($1::integer[])
      and not to_jsonb(m) @> $2::jsonb
   returning m.id`,
);

/** Whether a setting changed; false when they were that already. */
export async function updateMerchantSettings(tx: Tx, id: MerchantId, settings: MerchantSettings): Promise<boolean> {
  return (await updateSettingsOfAll(tx, [id], settings)) === 1;
}

/** Gives merchants the same settings. @returns how many of them had others */
export async function updateSettingsOfAll(
  tx: Tx,
  ids: readonly MerchantId[],
  settings: MerchantSettings,
): Promise<number> {
  return (await tx.query(updateSettings, [arrayOf(ids), JSON.stringify(settings)])).length;
}

const updateApproval = statement(
  "update_api_approval",
  `update merchants
      set api_approved_at = $2
    where id = any ($1::integer[])
      and api_approved_at is null
   returning id`,
);

/** Opens live access. @returns how many of the merchants had it not before */
export async function updateApiApprovals(tx: Tx, ids: readonly MerchantId[], now: Instant): Promise<number> {
  return (await tx.query(updateApproval, [arrayOf(ids), new Date(now)])).length;
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

const countByTier = statement(
  "count_merchants_by_price_tier",
  `select price_tier as tier, count(*)::integer as merchants
     from merchants
    group by price_tier
    order by price_tier`,
);

/** How many merchants each price tier has. */
export async function countMerchantsByTier(db: Queryable): Promise<ReadonlyMap<number, number>> {
  const rows = await db.query<{ tier: number; merchants: number }>(countByTier);
  return new Map(rows.map(({ tier, merchants }) => [tier, merchants]));
}
