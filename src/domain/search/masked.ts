import { maskSecrets } from "../../kernel/mask-secrets.ts";
import { maskText } from "../../providers/evidence/mask-text.ts";

const digitsShown = 4;

/** A customer's number by its last four characters: enough to tell whose it is to somebody who knows it. */
export function maskedNumber(number: string | null): string | null {
  if (number === null) return null;
  const shown = number.length > 2 * digitsShown ? number.slice(-digitsShown) : "";
  return shown.padStart(number.length, "*");
}

/**
 * A text that a person or a receiver wrote, without keys, PINs, tokens, numbers and mail addresses. Suppliers' answers
 * were redacted before they were stored; people and merchants' receivers may write anything.
 */
export function maskedWords(text: string): string {
  return maskText(maskSecrets(text));
}
