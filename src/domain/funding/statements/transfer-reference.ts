import { assert } from "../../../kernel/assert.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { parseMerchantId } from "../../merchants/merchant.ts";

/** Digits and capitals that nobody takes for another one. A prime number of them, which the check needs. */
const alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const base = alphabet.length;
const digits = 5;
/** Far more merchants than there are. */
const merchantsMax = base ** digits;
/** Spreads numbers that follow each other, and finds them again: their product is 1 by `merchantsMax`. */
const [spread, gather] = [16_777_213, 28_359_866];

/**
 * What a merchant writes into a transfer's narration, such as `DSP-7K2M9Q`: the same for all of its transfers. One wrong
 * letter, or two that changed places, make it nobody's, never another merchant's.
 */
export function formatTransferReference(merchantId: MerchantId): string {
  assert(merchantId < merchantsMax, "a transfer's reference has room for the merchant");
  const spreadId = (merchantId * spread) % merchantsMax;
  const values = Array.from({ length: digits }, (_, at) => Math.floor(spreadId / base ** at) % base);
  return `DSP-${[...values, checkOf(values)].map((value) => alphabet[value]).join("")}`;
}

/** Weights that differ, by a prime: any one wrong digit and any two that changed places change the sum. */
function checkOf(values: readonly number[]): number {
  return values.reduce((sum, value, at) => sum + value * (at + 2), 0) % base;
}

function merchantOf(letters: string): MerchantId | null {
  const values = [...letters].map((letter) => alphabet.indexOf(letter));
  const own = values.slice(0, digits);
  if (values.includes(-1) || checkOf(own) !== values[digits]) return null;
  const spreadId = own.reduceRight((sum, value) => sum * base + value, 0);
  return parseMerchantId(String((spreadId * gather) % merchantsMax));
}

/** The merchants whom a narration names, by a transfer's reference or, as they did before there was one, by `mer_17`. */
export function merchantsNamedIn(narration: string): readonly MerchantId[] {
  const text = narration.normalize("NFKC").toUpperCase();
  const byReference = [...text.matchAll(/DSP[^A-Z0-9]{0,3}([2-9A-Z]{6})(?![A-Z0-9])/g)];
  const byId = [...text.matchAll(/(?<![A-Z0-9])MER[_ -]?([1-9][0-9]{0,8})(?![A-Z0-9])/g)];
  const named = [
    ...byReference.map(([, letters = ""]) => merchantOf(letters)),
    ...byId.map(([, id = ""]) => parseMerchantId(id)),
  ];
  return [...new Set(named.filter((id) => id !== null))];
}
