import { hash } from "node:crypto";
import type { JsonObject } from "../../kernel/json.ts";

/**
 * Digest of what a request asks to buy, as a UUID: the first 128 bits of SHA-256 over the category and its intent.
 * Two requests under one reference with different fingerprints conflict.
 */
export function fingerprintOf(category: string, intent: JsonObject): string {
  const digest = hash("sha256", `${category}\n${inOneOrder(intent)}`, "hex");
  const [a, b, c] = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16)];
  return `${a}-${b}-${c}-${digest.slice(16, 20)}-${digest.slice(20, 32)}`;
}

/** Keys with their values in one order, so that the digest does not depend on how a category spells its intent. */
function inOneOrder(intent: JsonObject): string {
  const keys = Object.keys(intent);
  // A handful, mostly in order: sorting them costs more than all the rest.
  if (!keys.every((key, i) => i === 0 || (keys[i - 1] ?? "") < key)) keys.sort();
  return JSON.stringify(keys.map((key) => [key, intent[key]]));
}
