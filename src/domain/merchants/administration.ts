import type { Clock } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import { type Refusal, refuse, refuseField } from "../../kernel/problems.ts";
import { type AddressRange, parseAddressRange } from "../../platform/address.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { violatedConstraint } from "../../platform/database/database-errors.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { type LegacySettings, storedText } from "./legacy-settings.ts";
import type { SpendingLimits } from "./limits/limits.ts";
import { updateLimitTier, updateLimitTierName } from "./limits/queries.ts";
import type { MerchantStatus } from "./merchant.ts";
import {
  lockMerchant,
  type MerchantSettings,
  updateAllowlist,
  updateApiApprovals,
  updateMerchantSettings,
  updateSandboxSwitch,
} from "./queries.ts";

// Every change here is felt by all processes within a second: it bumps the revision in its own transaction.

interface Services {
  readonly database: Database;
  readonly clock: Clock;
}

export const allowlistMax = 50;

/**
 * Lets live keys be made and used. `onApproved` tells of it in the same transaction. False when it was approved before.
 * @throws Refusal NOT_FOUND
 */
export function approveMerchant(
  { database, clock }: Services,
  id: MerchantId,
  onApproved: (tx: Tx) => Promise<void> = async () => {},
): Promise<boolean> {
  return changeMerchant(database, id, async (tx) => {
    const isApproved = (await updateApiApprovals(tx, [id], clock.now())) === 1;
    if (isApproved) await onApproved(tx);
    return isApproved;
  });
}

/**
 * Refuses live keys from now on (API_ACCESS_NOT_APPROVED), and makes none; the sandbox goes on. They work again once it is
 * approved again. False when it was not approved. @throws Refusal NOT_FOUND
 */
export function withdrawApproval({ database }: Services, id: MerchantId): Promise<boolean> {
  return changeSettings(database, id, { api_approved_at: null });
}

/**
 * Suspends or resumes. `because` is kept while it is suspended, for its people; `onChanged` tells of it in the same
 * transaction. False when it was that already. @throws Refusal NOT_FOUND
 */
export function setMerchantStatus(
  { database }: Services,
  id: MerchantId,
  status: MerchantStatus,
  more: { readonly because?: string; readonly onChanged?: (tx: Tx) => Promise<void> } = {},
): Promise<boolean> {
  const { because = null, onChanged = async () => {} } = more;
  return changeMerchant(database, id, async (tx) => {
    const settings = { status, suspended_because: status === "suspended" ? because : null };
    const isChanged = await updateMerchantSettings(tx, id, settings);
    if (isChanged) await onChanged(tx);
    return isChanged;
  });
}

/** Gives a merchant other spending limits: those of a tier. False when it was in it already. @throws Refusal NOT_FOUND */
export async function setMerchantLimitTier({ database }: Services, id: MerchantId, tier: number): Promise<boolean> {
  try {
    return await changeSettings(database, id, { limit_tier: tier });
  } catch (error) {
    throw violatedConstraint(error) === "merchants_limit_tier_fkey" ? noLimitTier(tier) : error;
  }
}

function noLimitTier(tier: number): Refusal {
  return refuse("NOT_FOUND", { message: `There is no limit tier ${tier}.` });
}

/**
 * Puts a merchant in another price tier, in the transaction that tells it of its new prices. Locks the merchant's row.
 * Returns the tier it was in, which is the same where nothing changed. @throws Refusal NOT_FOUND
 */
export async function setMerchantPriceTier(tx: Tx, id: MerchantId, tier: number): Promise<number> {
  const merchant = await lockMerchant(tx, id);
  if (await updateMerchantSettings(tx, id, { price_tier: tier })) await bumpRevision(tx, "merchants");
  return merchant.price_tier;
}

/** In seconds: the duplicate guard's window may be a day at most. */
export const duplicateGuardRange = { min: 5, max: 86_400 } as const;

/**
 * Sets the window, in seconds, within which the same is not bought twice; null: no guard. False when it was that
 * already. @throws Refusal NOT_FOUND, VALIDATION_ERROR
 */
export function setDuplicateGuard({ database }: Services, id: MerchantId, seconds: number | null): Promise<boolean> {
  const { min, max } = duplicateGuardRange;
  if (seconds !== null && (seconds < min || seconds > max)) {
    throw refuseField("VALIDATION_ERROR", "seconds", `Must be ${min} to ${max} seconds.`);
  }
  return changeSettings(database, id, { duplicate_guard_seconds: seconds });
}

/**
 * Sets how a merchant's older clients buy: how they number networks for data and for airtime, and whether airtime to a number
 * of another network's prefix is refused, or sold, as customers take their numbers along. What is not given stays. False when
 * all was so already. @throws Refusal NOT_FOUND
 */
export function setLegacySettings(
  { database }: Pick<Services, "database">,
  id: MerchantId,
  { networks = {}, checksPrefixes }: LegacyChange,
): Promise<boolean> {
  const numbers = Object.entries(networks).map(([category, set]) => [`legacy_${category}_networks`, storedText(set)]);
  const check = checksPrefixes === undefined ? {} : { legacy_prefix_check: checksPrefixes };
  return changeSettings(database, id, { ...Object.fromEntries(numbers), ...check });
}

interface LegacyChange {
  readonly networks?: Partial<LegacySettings["networks"]>;
  readonly checksPrefixes?: boolean;
}

/**
 * Replaces the addresses that a merchant may call from; none means from everywhere. Returns the list as stored: bits
 * beyond a prefix cleared, repetitions left out.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR for an unreadable range, one that is every address, or more than 50
 */
export async function setAllowlist(
  { database }: Services,
  id: MerchantId,
  ranges: readonly string[],
): Promise<string[]> {
  const texts = readAllowlist(ranges).map(({ text }) => text);
  await changeMerchant(database, id, async (tx) => {
    await updateAllowlist(tx, id, texts);
    return true;
  });
  return texts;
}

/**
 * The ranges that a list stands for: repetitions left out.
 * @throws Refusal VALIDATION_ERROR for an unreadable range, one that is every address, or more than 50
 */
export function readAllowlist(ranges: readonly string[]): AddressRange[] {
  // No range has 60 characters: more of what is none isn't said back.
  const read = new Map(ranges.map((text) => readRange(text.slice(0, 60))).map((range) => [range.text, range] as const));
  if (read.size <= allowlistMax) return [...read.values()];
  throw refuseField("VALIDATION_ERROR", "ranges", `Must be at most ${allowlistMax} address ranges.`);
}

/** Switches the sandbox on or off for everybody. False when it was that already. */
export function switchSandbox({ database }: Pick<Services, "database">, isOn: boolean): Promise<boolean> {
  return database.transaction(async (tx) => {
    const changed = await updateSandboxSwitch(tx, isOn);
    if (changed) await bumpRevision(tx, "merchants");
    return changed;
  });
}

function readRange(text: string): AddressRange {
  const range = parseAddressRange(text);
  if (range !== null && range.bits > 0) return range;
  if (range !== null) {
    throw refuseField(
      "VALIDATION_ERROR",
      "ranges",
      `${text} is every address: an empty list lets everybody in, and says so.`,
    );
  }
  throw refuseField("VALIDATION_ERROR", "ranges", `${text} is no address range such as 192.0.2.0/24 or 2001:db8::/32.`);
}

/** Changes a merchant whose row it locks; `change` says whether anything did. @throws Refusal NOT_FOUND */
function changeSettings(database: Database, id: MerchantId, settings: MerchantSettings): Promise<boolean> {
  return changeMerchant(database, id, (tx) => updateMerchantSettings(tx, id, settings));
}

function changeMerchant(database: Database, id: MerchantId, change: (tx: Tx) => Promise<boolean>): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockMerchant(tx, id);
    const changed = await change(tx);
    if (changed) await bumpRevision(tx, "merchants");
    return changed;
  });
}

/**
 * Sets what live merchants of a tier may spend, in kobo; null leaves a limit as it is. A `name` replaces the tier's. Every process goes by it within a
 * second; purchases that were accepted stay so. Returns the limits as they are now. Safe to repeat.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR when the day would allow less than one transaction
 */
export async function setLimitTier(
  database: Database,
  tier: number,
  limits: { readonly perTransaction: Kobo | null; readonly perDay: Kobo | null; readonly name?: string | null },
): Promise<SpendingLimits> {
  try {
    return await database.transaction(async (tx) => {
      // Accounts are remembered with their limits.
      await bumpRevision(tx, "merchants");
      const stored = await updateLimitTier(tx, tier, limits);
      if (stored === null) throw noLimitTier(tier);
      if (limits.name !== undefined) await updateLimitTierName(tx, tier, limits.name);
      return stored;
    });
  } catch (error) {
    if (violatedConstraint(error) !== "limit_tiers_day_holds_a_transaction") throw error;
    throw refuseField("VALIDATION_ERROR", "per_day", "The day's limit must be at least that of one transaction.");
  }
}
