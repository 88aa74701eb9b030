import { createHmac } from "node:crypto";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";

/** What a caller reads out of a token or PIN, so that its sale is found. */
export const codeEndDigits = 6;

const purpose = "ends of delivered codes";
/** 36 bits: as many as six digits need, and some. */
const hashEmails = 6;

/** The lists of a fulfilment whose pieces hold a code, and where in a piece it stands. */
const codeLists = { tokens: "value", pins: "pin", cards: "code" } as const;

/**
 * Keyed hashes of the last digits of every token, PIN and card code, and of the number that the receipt has from the biller,
 * separated by spaces; null where there is none. They lie beside the seal, so that a sale is found by them without opening others. Without the encryption key they say nothing.
 */
export function codeEndsOf(secretBox: SecretBox, fulfilment: JsonObject): string | null {
  const codes = Object.entries(codeLists).flatMap(([list, field]) => piecesIn(fulfilment[list], field));
  const receipt = fulfilment.receipt_number;
  const ends = [...codes.map(endOf), typeof receipt === "string" ? receiptName(receipt) : null].filter(
    (end) => end !== null,
  );
  if (ends.length === 0) return null;
  return [...new Set(ends.map(hasher(secretBox, secretBox.sealingKeyId)))].join(" ");
}

/** What the last digits of a code may have become: a hash for each key that is held. Null for what is too short. */
export function codeEndHashes(secretBox: SecretBox, text: string): readonly string[] | null {
  const end = endOf(text);
  return end === null ? null : secretBox.keyIds.map((keyId) => hasher(secretBox, keyId)(end));
}

/** What the biller's number on a receipt may have become: it is found whole, in any case. */
export function receiptHashes(secretBox: SecretBox, text: string): readonly string[] {
  return secretBox.keyIds.map((keyId) => hasher(secretBox, keyId)(receiptName(text)));
}

/** Never the same as the end of a code. */
function receiptName(text: string): string {
  return `receipt ${text.toUpperCase().replace(/[ -]/g, "")}`;
}

function hasher(secretBox: SecretBox, keyId: string): (end: string) => string {
  const key = secretBox.derive(keyId, { purpose, salt: Buffer.alloc(0) });
  return (end) => createHmac("sha256", key).update(end).digest("base64url").slice(0, hashEmails);
}

function piecesIn(list: Json | undefined, field: string): string[] {
  if (!Array.isArray(list)) return [];
  return list.map((piece) => (piece as JsonObject | null)?.[field]).filter((code) => typeof code === "string");
}

/** The last digits, however the code is grouped. */
function endOf(code: string): string | null {
  const digits = code.replace(/[ -]/g, "");
  return /^\d+$/.test(digits) && digits.length >= codeEndDigits ? digits.slice(-codeEndDigits) : null;
}
