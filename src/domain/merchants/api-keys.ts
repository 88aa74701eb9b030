import { assert } from "../../kernel/assert.ts";
import type { Clock, Instant } from "../../kernel/clock.ts";
import type { ApiKeyId, MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import { hasUnseenLetters } from "../../kernel/typed-text.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { mintKey, type Randomness } from "./key-format.ts";
import { type ApiKeyRow, findApiKey, insertApiKeys, updateApiKeyEnd, updateExpiredApiKeys } from "./key-queries.ts";
import { closedGate } from "./keyring.ts";
import { formatApiKeyId } from "./merchant.ts";
import { lockMerchant } from "./queries.ts";

export interface KeyServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** A key just made: the only moment at which its text exists. */
export interface CreatedKey {
  readonly id: ApiKeyId;
  readonly mode: Mode;
  readonly text: string;
}

/** Of one merchant and mode. */
export const activeKeysMax = 5;
/** What a key may be called, in characters, as the table bounds it. */
export const keyLabelMax = 100;

/** For how long a rotated key still works: at once, an hour, a day, a week. */
export const rotationGraces = { "0": 0, "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000 } as const;
export type RotationGrace = keyof typeof rotationGraces;

interface KeyRequest {
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  readonly label: string;
  readonly createdBy: string;
}

/**
 * Makes a key. Locks the merchant's row. Not safe to repeat: every call makes another key.
 * @throws Refusal VALIDATION_ERROR (the label), NOT_FOUND, API_ACCESS_NOT_APPROVED (a live key before approval), KEY_LIMIT_REACHED
 */
export async function createKey(services: KeyServices, requested: KeyRequest): Promise<CreatedKey> {
  if (requested.label.length > keyLabelMax || hasUnseenLetters(requested.label)) {
    throw refuseField("VALIDATION_ERROR", "label", `Must be at most ${keyLabelMax} characters, on one line.`);
  }
  return services.database.transaction(async (tx) => {
    await lockForKeys(tx, requested.merchantId, requested.mode);
    const created = await addKey(tx, services, requested);
    await bumpRevision(tx, "merchants");
    return created;
  });
}

/** The holder that a key must have; null for an operator, whose keys are everybody's. */
type Holder = Pick<KeyRequest, "merchantId" | "mode"> | null;

interface Rotation {
  readonly keyId: ApiKeyId;
  readonly grace: RotationGrace;
  readonly createdBy: string;
}

/**
 * Makes a key in place of another one, which ends after the grace and holds its slot until then. Locks the merchant's
 * row. Whosever it is: for operators. @throws Refusal NOT_FOUND (also when the key has ended), API_ACCESS_NOT_APPROVED,
 * KEY_LIMIT_REACHED
 */
export function rotateKey(services: KeyServices, requested: Rotation): Promise<CreatedKey> {
  return rotate(services, requested, null);
}

/** The same for a merchant's member: another merchant's or the other mode's key is not found. */
export function rotateOwnKey(
  services: KeyServices,
  requested: Rotation & Pick<KeyRequest, "merchantId" | "mode">,
): Promise<CreatedKey> {
  return rotate(services, requested, requested);
}

/** Ends a key now, whosever it is: for operators. @throws Refusal NOT_FOUND when there is none, or it was revoked before */
export function revokeKey(services: Omit<KeyServices, "randomness">, keyId: ApiKeyId): Promise<void> {
  return revoke(services, keyId, null);
}

/** The same for a merchant's member: another merchant's or the other mode's key is not found. */
export function revokeOwnKey(
  services: Omit<KeyServices, "randomness">,
  { keyId, ...holder }: Pick<KeyRequest, "merchantId" | "mode"> & { readonly keyId: ApiKeyId },
): Promise<void> {
  return revoke(services, keyId, holder);
}

/** What became of a key. */
export function keyStateOf(row: ApiKeyRow, now: Instant): "active" | "expired" | "revoked" {
  // An expired key whose slot was needed carries its expiry as revocation.
  if (row.revoked_at !== null) return row.revoked_at === row.expires_at ? "expired" : "revoked";
  return row.expires_at !== null && row.expires_at <= now ? "expired" : "active";
}

function rotate(services: KeyServices, requested: Rotation, holder: Holder): Promise<CreatedKey> {
  return services.database.transaction(async (tx) => {
    const old = await findOwnKey(tx, requested.keyId, holder);
    await lockForKeys(tx, old.merchant_id, old.mode);
    const now = services.clock.now();
    await endKey(tx, { keyId: old.id, end: now + rotationGraces[requested.grace], now });
    const created = await addKey(tx, services, {
      merchantId: old.merchant_id,
      mode: old.mode,
      label: old.label,
      createdBy: requested.createdBy,
    });
    await bumpRevision(tx, "merchants");
    return created;
  });
}

function revoke({ database, clock }: Omit<KeyServices, "randomness">, keyId: ApiKeyId, holder: Holder): Promise<void> {
  return database.transaction(async (tx) => {
    if (holder !== null) await findOwnKey(tx, keyId, holder);
    const now = clock.now();
    await endKey(tx, { keyId, end: now, now });
    await bumpRevision(tx, "merchants");
  });
}

/** A key never changes its merchant or mode, so that it need not be locked. */
async function findOwnKey(tx: Tx, keyId: ApiKeyId, holder: Holder): Promise<ApiKeyRow> {
  const key = await findApiKey(tx, keyId);
  const isOwn =
    key !== null && (holder === null || (key.merchant_id === holder.merchantId && key.mode === holder.mode));
  if (!isOwn) throw unknownKey(keyId);
  return key;
}

/** Locks the merchant's row, and refuses where keys of the mode are not to be made for it. */
async function lockForKeys(tx: Tx, id: MerchantId, mode: Mode): Promise<void> {
  const merchant = await lockMerchant(tx, id);
  // The platform's sandbox switch stops keys from working, not from being made.
  const closed = closedGate(mode, { apiApproved: merchant.api_approved_at !== null, sandboxOn: true });
  if (closed !== null) throw refuse(closed);
}

async function addKey(tx: Tx, services: KeyServices, requested: KeyRequest): Promise<CreatedKey> {
  const now = services.clock.now();
  await updateExpiredApiKeys(tx, requested.merchantId, now);
  const key = mintKey(requested.mode, services.randomness);
  const [row, ...more] = await insertApiKeys(tx, [{ ...requested, key }], { createdBy: requested.createdBy, now });
  if (row === undefined) throw refuse("KEY_LIMIT_REACHED", { meta: { limit: activeKeysMax } });
  assert(more.length === 0, "one request makes one key");
  return { id: row.id, mode: row.mode, text: key.text };
}

async function endKey(tx: Tx, key: { keyId: ApiKeyId; end: Instant; now: Instant }): Promise<void> {
  if (!(await updateApiKeyEnd(tx, key.keyId, key.end, key.now))) throw unknownKey(key.keyId);
}

function unknownKey(id: ApiKeyId) {
  return refuse("NOT_FOUND", { message: `There is no active key ${formatApiKeyId(id)}.` });
}
