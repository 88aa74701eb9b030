import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { assert } from "../../kernel/assert.ts";
import type { Mode } from "../../kernel/mode.ts";
import { modes } from "../../kernel/mode.ts";

/** Random bytes, as many as asked for. The program passes the operating system's, tests a fixed row. */
export type Randomness = (byteCount: number) => Uint8Array;

/** A new key with what is stored of it. The key itself is shown once and stored nowhere. */
export interface MintedKey {
  readonly text: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly firstCharacters: string;
  readonly lastCharacters: string;
}

const prefixes: Readonly<Record<Mode, string>> = { live: "ds_live_", test: "ds_test_" };
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const prefixLength = 8;
const randomLength = 32;
const checksumLength = 6;
const bodyLength = prefixLength + randomLength;
const keyLength = bodyLength + checksumLength;
const keyShape = /^ds_(live|test)_[0-9A-Za-z]{38}$/;

/** Makes a key of the mode: the prefix, 32 random characters (190 bits) and their checksum. */
export function mintKey(mode: Mode, randomness: Randomness): MintedKey {
  const body = prefixes[mode] + randomCharacters(randomness);
  const text = body + checksumOf(body);
  assert(isWellFormedKey(text), "a minted key passes its own checksum");
  return {
    text,
    hash: createHash("sha256").update(text).digest("hex"),
    firstCharacters: text.slice(prefixLength, prefixLength + 4),
    lastCharacters: text.slice(-4),
  };
}

/**
 * Whether a text can be a key of ours at all: its shape, and the checksum over everything before it, the prefix
 * included. Guesses and typing errors end here, before any SQL.
 */
export function isWellFormedKey(text: string): boolean {
  return text.length === keyLength && keyShape.test(text) && text.endsWith(checksumOf(text.slice(0, bodyLength)));
}

/** The mode that a key's prefix claims, whether or not the key exists; null when the prefix is neither. */
export function claimedMode(text: string): Mode | null {
  return modes.find((mode) => text.startsWith(prefixes[mode])) ?? null;
}

/** Shorter tokens could be guessed. The older scripts make them of 32 characters and more. */
export const olderTokenMin = 20;
const olderTokenShape = /^[!-~]{20,200}$/;

/**
 * Whether a text can be the token of an older script that a merchant came with: it has not the form of our keys, and a
 * header can carry it. Whether there is such a token, only the database knows.
 */
export function isOlderToken(text: string): boolean {
  return olderTokenShape.test(text) && claimedMode(text) === null;
}

/** What is stored of an older script's token, which went on to be its merchant's live key. */
export function olderToken(text: string): MintedKey {
  assert(isOlderToken(text), "only what can be sent is stored");
  return {
    text,
    hash: createHash("sha256").update(text).digest("hex"),
    firstCharacters: text.slice(0, 4),
    lastCharacters: text.slice(-4),
  };
}

/** How a key is recognised in lists: `ds_live_4kZq…9fB2`, a token of an older script: `4f1a…09bc`. */
export function keyHint(key: ApiKeyHint): string {
  const prefix = key.is_older_token ? "" : prefixes[key.mode];
  return `${prefix}${key.first_characters}…${key.last_characters}`;
}

/** A key's row, as far as its hint is made of it. */
interface ApiKeyHint {
  readonly mode: Mode;
  readonly first_characters: string;
  readonly last_characters: string;
  readonly is_older_token: boolean;
}

/** The part of an unknown key that may be logged: it may be a mistyped key of ours, or a secret of another system. */
export function failedKeyHint(text: string): string {
  const mode = claimedMode(text);
  if (mode === null) return "not of our form";
  return keyShape.test(text) ? `${text.slice(0, prefixLength + 4)}…` : `${prefixes[mode]}…`;
}

function randomCharacters(randomness: Randomness): string {
  // 248 = 4 × 62: bytes above it are thrown away, so that every character is equally likely.
  const fairBelow = 248;
  const drawsMax = 64;
  let text = "";
  for (let draw = 0; draw < drawsMax && text.length < randomLength; draw++) {
    for (const byte of randomness(randomLength)) {
      if (byte < fairBelow && text.length < randomLength) text += base62.charAt(byte % 62);
    }
  }
  assert(text.length === randomLength, "the source of randomness gives fair bytes");
  return text;
}

function checksumOf(body: string): string {
  let text = "";
  let rest = crc32(body);
  for (let i = 0; i < checksumLength; i++) {
    text = base62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
