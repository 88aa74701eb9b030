import type { Instant } from "../../kernel/clock.ts";
import type { ApiKeyId, MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { AddressRange } from "../../platform/address.ts";
import type { LegacySettings } from "./legacy-settings.ts";
import type { SpendingLimits } from "./limits/limits.ts";

/** The merchant for which something is bought or read, in a mode, and the key that let it in. The key decided the mode. */
export interface Principal {
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  /** Null: a member let it in, who logged in to the console. */
  readonly keyId: ApiKeyId | null;
  readonly priceTier: number;
  /** The limits of its limit tier; null in sandbox, where none apply. */
  readonly limits: SpendingLimits | null;
  /** The same purchase is not made twice within this time; null: the merchant's duplicate guard is off. */
  readonly duplicateGuardSeconds: number | null;
  /** How its older clients buy. */
  readonly legacy: LegacySettings;
}

export type MerchantStatus = "active" | "suspended";

/** All that authentication needs to know about the account of a key, or of a member, as of one moment. */
export interface Account {
  readonly principal: Principal;
  readonly status: MerchantStatus;
  readonly apiApproved: boolean;
  /** The operator's switch for the whole platform. */
  readonly sandboxOn: boolean;
  readonly keyExpiresAt: Instant | null;
  /** Empty: from everywhere. */
  readonly allowlist: readonly AddressRange[];
}

/** A merchant's public name: `mer_17`. */
export function formatMerchantId(id: MerchantId): string {
  return `mer_${id}`;
}

/** Reads `mer_17`, or `17` as people type it; null for anything else. */
export function parseMerchantId(text: string): MerchantId | null {
  return parseNumbered("mer", text) as MerchantId | null;
}

/** A key's public name, which is not the key: `key_42`. */
export function formatApiKeyId(id: ApiKeyId): string {
  return `key_${id}`;
}

/** Reads `key_42` or `42`; null for anything else. */
export function parseApiKeyId(text: string): ApiKeyId | null {
  return parseNumbered("key", text) as ApiKeyId | null;
}

const idMax = 2_147_483_647; // the integer columns'

function parseNumbered(prefix: string, text: string): number | null {
  const digits = text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : text;
  if (!/^[1-9][0-9]{0,9}$/.test(digits)) return null;
  const id = Number(digits);
  return id <= idMax ? id : null;
}
