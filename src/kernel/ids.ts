import { assert } from "./assert.ts";
import type { Clock, Instant } from "./clock.ts";
import type { Mode } from "./mode.ts";

declare const brand: unique symbol;

/** Wire form `mer_…` is only this number: merchants are few and never enumerable by others. */
export type MerchantId = number & { readonly [brand]: "merchant" };
/** A wallet in the database: `wallets.wallet_id`, which every key of a wallet's rows has. */
export type WalletId = number & { readonly [brand]: "wallet" };
export type ProductId = number & { readonly [brand]: "product" };
export type ApiKeyId = number & { readonly [brand]: "api key" };
/** 63 bits, time-ordered: 41 bits of milliseconds since 2020, 10 bits of process, 12 bits of counter. */
export type PurchaseId = bigint & { readonly [brand]: "purchase" };
/** The merchant's own name for a purchase, unique per merchant and mode. */
export type Reference = string & { readonly [brand]: "reference" };

/** A merchant's wallet: it has one for each mode. */
export interface WalletKey {
  readonly merchantId: MerchantId;
  readonly mode: Mode;
}

const signs: Readonly<Record<Mode, number>> = { live: 1, test: -1 };

/** The merchant's number for its live wallet, the same below zero for the sandbox's. */
export function walletIdOf({ merchantId, mode }: WalletKey): WalletId {
  return (signs[mode] * merchantId) as WalletId;
}

/** Which wallet an id names. */
export function walletOfId(id: WalletId): WalletKey {
  return { merchantId: Math.abs(id) as MerchantId, mode: id > 0 ? "live" : "test" };
}

/** A wallet as one text, for what this process keeps in maps and sets. */
export function walletName({ merchantId, mode }: WalletKey): string {
  return `${merchantId} ${mode}`;
}

const referenceForm = "(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,100}$";
const transactionIdForm = "(TXN|SBX)[0-9A-HJKMNP-TV-Z]{26}$";

/** A reference may not look like a transaction id: `GET /transactions/{reference}` takes either. */
export const referencePattern = `^(?!${transactionIdForm})${referenceForm}`;
const referenceShape = new RegExp(referencePattern);
const storedReferenceShape = new RegExp(`^${referenceForm}`);
const transactionIdShape = new RegExp(`^${transactionIdForm}`);

export function parseReference(text: string): Reference | null {
  return referenceShape.test(text) ? (text as Reference) : null;
}

/** A reference that is looked for: that of an older purchase may have the form of a transaction id. */
export function parseStoredReference(text: string): Reference | null {
  return storedReferenceShape.test(text) ? (text as Reference) : null;
}

const epochMs = Date.UTC(2020, 0, 1);
const tailBits = 22n;
const tailMax = 0x3fffffn;
const counterMax = 4_096;
export const processNumberMax = 1_024;

/**
 * Makes purchase ids, none below `first`. `processNumber` must be unique among the processes that run at one time on one
 * database.
 */
export function purchaseIdMinter(clock: Clock, processNumber: number, first = 0n as PurchaseId): () => PurchaseId {
  assert(processNumber >= 0 && processNumber < processNumberMax, "a process number fits ten bits");
  let lastMs = Number((first + tailMax) >> tailBits);
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
  let text = tenDigits(instant);
  for (const byte of chance(16)) text += crockford.charAt(byte % 32);
  return text;
}

/** Mixes 32 bits (murmur3's finaliser). */
function mix(seed: number): number {
  let hash = seed | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The parts of a transaction id. */
interface TransactionIdParts {
  readonly id: PurchaseId;
  readonly mode: Mode;
  /** The number of the deployment that made it. */
  readonly deployment: number;
}

/**
 * The public name of a purchase: `TXN` or `SBX` and a ULID. The ULID carries the id itself (time, then its 22 low bits),
 * so it needs no column and no index; its last eleven characters are the deployment's number in 32 bits, mixed with the
 * id so that one ULID does not tell its neighbours', and 23 bits of checksum.
 */
export function writeTransactionId({ id, mode, deployment }: TransactionIdParts): string {
  const instant = purchaseTime(id);
  const tail = Number(id & tailMax);
  const first = firstMix(instant, tail);
  const second = mix(first ^ (instant % 1_000_000));
  const ending = elevenDigits(deployment ^ first, ((deployment ^ first) << 23) | (mix(deployment ^ second) >>> 9));
  return `${transactionIdPrefix[mode]}${tenDigits(instant)}${fiveDigits(tail)}${ending}`;
}

/** Thirty bits of one number, from the top, and the low 25 of another. */
function elevenDigits(high: number, low: number): string {
  return crockford.charAt(high >>> 27) + fiveDigits(high >>> 2) + fiveDigits(low);
}

function firstMix(instant: Instant, tail: number): number {
  return mix(tail ^ mix(Math.floor(instant / 1_000)));
}

/** Reads one of this mode, whoever's it is; null when it is of the other, or its checksum is wrong. */
export function readTransactionId(text: string, mode: Mode): TransactionIdParts | null {
  if (!transactionIdShape.test(text) || !text.startsWith(transactionIdPrefix[mode])) return null;
  const digits = [...text.slice(3)].map((character) => crockford.indexOf(character));
  const numberAt = (from: number, to: number) => digits.slice(from, to).reduce((sum, digit) => sum * 32 + digit, 0);
  const instant = numberAt(0, 10);
  const tail = numberAt(10, 15);
  if (instant < epochMs || instant - epochMs >= 2 ** 41 || tail > Number(tailMax)) return null;
  const id = ((BigInt(instant - epochMs) << tailBits) | BigInt(tail)) as PurchaseId;
  const deployment = (Math.floor(numberAt(15, 22) / 8) ^ firstMix(instant, tail)) >>> 0;
  const parts = { id, mode, deployment };
  return writeTransactionId(parts) === text ? parts : null;
}

/** A deployment's number, 32 bits, and the first purchase id that carries it. */
export interface DeploymentNumber {
  readonly number: number;
  readonly from: PurchaseId;
}

/** The transaction ids of one deployment. */
export interface TransactionIds {
  format(id: PurchaseId, mode: Mode): string;
  /** The purchase that a public id names in this mode; null when it is not one of ours. */
  parse(text: string, mode: Mode): PurchaseId | null;
}

/**
 * Writes and reads transaction ids with the numbers that the deployment has had: an id that was given once is never
 * written with another number.
 */
export function transactionIds(numbers: readonly DeploymentNumber[]): TransactionIds {
  const newestFirst = numbers.toSorted((a, b) => (a.from < b.from ? 1 : -1));
  const [newest] = newestFirst;

  function deploymentOf(id: PurchaseId): number | null {
    if (newest !== undefined && id >= newest.from) return newest.number;
    return newestFirst.find(({ from }) => id >= from)?.number ?? null;
  }

  return {
    format(id, mode) {
      const deployment = deploymentOf(id);
      assert(deployment !== null, "what is sold has a deployment number");
      return writeTransactionId({ id, mode, deployment });
    },
    parse(text, mode) {
      const parts = readTransactionId(text, mode);
      return parts !== null && parts.deployment === deploymentOf(parts.id) ? parts.id : null;
    },
  };
}
