/** API keys, webhook secrets, and as many digits as a PIN or token has. */
const secretShapes = /ds_(?:live|test)_\w+|whsec_[\w+/=-]+|\d(?:[ -]?\d){14,}/g;
/** `PIN: 1234-5678`, `token is AB12CD34`: what such a word announces, where it holds a digit. */
const announced = /\b(pin|token|serial|password)s?( (?:is|no|number|code))?([\s:=#]+)(?=[\w-]*\d)[\w-]{4,}/gi;
const redacted = "[redacted]";

/** Text that somebody typed, without what looks like a key, a PIN or a token: it is stored and shown. */
export function maskSecrets(text: string): string {
  return text
    .replace(secretShapes, redacted)
    .replace(announced, (_whole, word: string, more = "", gap: string) => `${word}${more}${gap}${redacted}`);
}

/** Whether a text that is a name, such as a request's id, is a key, or a PIN, token or phone number by its digits. */
export function looksSecret(name: string): boolean {
  return /ds_(live|test)_|whsec_/i.test(name) || /^\d(?:[._-]?\d){9,}$/.test(name);
}

/** Characters that move a terminal's cursor, clear or colour it, or turn the direction of writing: none is printed. */
export const terminalControls = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Text as a person may see it on a terminal: what a supplier or a merchant wrote for it to obey is spelt out. */
export function terminalText(text: string): string {
  return text.replace(terminalControls, (found) => (found === "\n" ? found : `\\u{${codeOf(found)}}`));
}

/** A character's number in hexadecimal digits. */
export function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
