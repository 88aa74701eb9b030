import { assert } from "./assert.ts";
import type { Clock, Instant } from "./clock.ts";
import type { Mode } from "./mode.ts";

declare const brand: unique symbol;

/** Wire form `mer_…` is only this number: merchants are few and never enumerable by others. */
export type MerchantId = number & { readonly [brand]: "merchant" };
/** The virtual shard (0–63) that leads every tenant key; given to a merchant for life. */
export type Bucket = number & { readonly [brand]: "bucket" };
export type ProductId = number & { readonly [brand]: "product" };
export type ApiKeyId = number & { readonly [brand]: "api key" };
/** 63 bits, time-ordered: 41 bits of milliseconds since 2020, 10 bits of process, 12 bits of counter. */
export type PurchaseId = bigint & { readonly [brand]: "purchase" };
/** The merchant's own name for a purchase, unique per merchant and mode. */
export type Reference = string & { readonly [brand]: "reference" };

export const bucketCount = 64;

/** A merchant's wallet: the key that every tenant statement begins with. */
export interface WalletKey {
  readonly bucket: Bucket;
  readonly merchantId: MerchantId;
  readonly mode: Mode;
}

/** A wallet as one text, for what this process keeps in maps and sets. */
export function walletName({ merchantId, mode }: WalletKey): string {
  return `${merchantId} ${mode}`;
}

export const referencePattern = "^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,100}$";
const referenceShape = new RegExp(referencePattern);

export function parseReference(text: string): Reference | null {
  return referenceShape.test(text) ? (text as Reference) : null;
}

const epochMs = Date.UTC(2020, 0, 1);
const tailBits = 22n;
const counterMax = 4_096;
export const processNumberMax = 1_024;

/** Makes purchase ids. `processNumber` must be unique among the processes that run at one time. */
export function purchaseIdMinter(clock: Clock, processNumber: number): () => PurchaseId {
  assert(processNumber >= 0 && processNumber < processNumberMax, "a process number fits ten bits");
  let lastMs = 0;
  let counter = 0;
  return () => {
    const now = clock.now() - epochMs;
    counter += 1;
    if (now > lastMs) {
      lastMs = now;
      counter = 0;
    } else if (counter === counterMax) {
      // More than 4,096 ids in one millisecond, or a clock set back: run ahead rather than repeat one.
      lastMs += 1;
      counter = 0;
    }
    return ((BigInt(lastMs) << tailBits) | BigInt(processNumber * counterMax + counter)) as PurchaseId;
  };
}

/** When the id was made, and so when the purchase was: the one source of `purchased_at`. */
export function purchaseTime(id: PurchaseId): Instant {
  return Number(id >> tailBits) + epochMs;
}

/** The smallest id that a purchase made at or after `instant` can have, for ranges over the primary key. */
export function firstPurchaseIdAt(instant: Instant): PurchaseId {
  const elapsedMs = Math.max(0, Math.min(instant - epochMs, 2 ** 41 - 1));
  return (BigInt(Math.ceil(elapsedMs)) << tailBits) as PurchaseId;
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const transactionIdPrefix: Readonly<Record<Mode, string>> = { live: "TXN", test: "SBX" };

function digitCode(bits: number, shift: number): number {
  return crockford.charCodeAt((bits >>> shift) & 31);
}

/** The low 25 bits in base 32. By codes: a table of longer pieces is faster only while it stays in the cache. */
function fiveDigits(bits: number): string {
  return String.fromCharCode(
    digitCode(bits, 20),
    digitCode(bits, 15),
    digitCode(bits, 10),
    digitCode(bits, 5),
    digitCode(bits, 0),
  );
}

/** An instant as a ULID has it. */
function tenDigits(instant: Instant): string {
  return fiveDigits(Math.floor(instant / 2 ** 25)) + fiveDigits(instant % 2 ** 25);
}

/** Random bytes, as many as asked for. */
type Chance = (byteCount: number) => Uint8Array;

/** A ULID: 48 bits of time and 80 of chance. Sorts by time, and tells nobody any other. */
export function ulid(instant: Instant, chance: Chance): string {
  const random = Array.from(chance(16), (byte) => crockford.charAt(byte % 32));
  return tenDigits(instant) + random.join("");
}

/** Two independent 32-bit mixes of the id (murmur3's finaliser), so that one id's ULID does not tell its neighbours'. */
function mix(seed: number): number {
  let hash = seed | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The public name of a purchase: `TXN` or `SBX` and a ULID. The ULID carries the id itself (time, then its 22 low
 * bits), so it needs no column and no index; the last eleven characters are a checksum of both.
 */
export function formatTransactionId(id: PurchaseId, mode: Mode): string {
  const instant = purchaseTime(id);
  const tail = Number(id & 0x3fffffn);
  const first = mix(tail ^ mix(Math.floor(instant / 1_000)));
  const second = mix(first ^ (instant % 1_000_000));
  const checksum = `${crockford.charAt(first >>> 27)}${fiveDigits(first >>> 2)}${fiveDigits(second >>> 7)}`;
  return `${transactionIdPrefix[mode]}${tenDigits(instant)}${fiveDigits(tail)}${checksum}`;
}

/** The purchase that a public id names in this mode; null when it is not one of ours. */
export function parseTransactionId(text: string, mode: Mode): PurchaseId | null {
  if (!/^(TXN|SBX)[0-9A-HJKMNP-TV-Z]{26}$/.test(text)) return null;
  const digits = [...text.slice(3, 18)].map((character) => crockford.indexOf(character));
  const instant = digits.slice(0, 10).reduce((sum, digit) => sum * 32 + digit, 0);
  const tail = digits.slice(10).reduce((sum, digit) => sum * 32 + digit, 0);
  if (instant < epochMs || instant - epochMs >= 2 ** 41 || tail > 0x3fffff) return null;
  const id = ((BigInt(instant - epochMs) << tailBits) | BigInt(tail)) as PurchaseId;
  return formatTransactionId(id, mode) === text ? id : null;
}
