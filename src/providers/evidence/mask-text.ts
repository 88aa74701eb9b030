const longDigits = /[0-9](?:[ -]?[0-9]){6,}/g;
const maskable = /[0-9](?:[ -]?[0-9]){6}|@/;
const announcing = /pin|token|serial|voucher|code/i;
const announcement = /(pin|token|serial|voucher|code)s?(?: ?(?:no|number|code)\b)?(?: is\b| are\b|[\s.:="'#(-])+/;
/** The first group holds a digit, or a hyphen follows it. So the `failed` of `Token generation failed` is no secret. */
const groups = /(?=[a-z]*[0-9-])[0-9a-z]+(?:-[0-9a-z]+|[ ,|<=>]+(?=[a-z-]*[0-9])[0-9a-z-]+)*/;
/** `Your PIN is AB12-CD34`, `Serial No: …`, `user_token=…`: what a word announces, and what is listed beside it. */
const announced = new RegExp(`(${announcement.source})(${groups.source})`, "gi");
const secretCharactersMin = 4;
/** Suppliers call most things a code: variations, errors, answers. Those of cards are longer, and in capitals. */
const codeCharactersMin = 10;
const numberAlone = /^[0-9]{7,}$/;
const digitsInGroups = /^[0-9](?:[ -]?[0-9])*$/;
/** An eSIM's activation code, wherever it stands: whoever has it has the profile. */
const activationCode = /(?:LPA:|\b)1\$[^\s"'&<]{1,200}/gi;
/** Looked for at the beginnings of words alone: tried from every letter on, a long word would take quadratic time. */
const mailAddress = /(?<![^\s"@])[^\s"@]+@[^\s"@]+/g;
/** Twice what an answer's evidence has room for: one text must not take the time of many answers. */
const textCharactersMax = 4_000;
/** No secret is as long. So much is left out where a text was cut, as the first half of one might stand there. */
const secretCharactersMax = 200;
const openingCharacters = 60;

/**
 * Texts lose every run of seven digits or more, grouped ones too, mail addresses, and codes that a word announces. Of a
 * long one, only the beginning is kept.
 */
export function maskText(text: string): string {
  if (text.length <= textCharactersMax) return maskWhole(text);
  return `${maskedBeginning(text, maskWhole)}… of ${text.length} characters`;
}

/** Our references stand in paths, and are kept: they hold letters. */
export function maskPath(path: string): string {
  if (!maskable.test(path)) return path;
  return path
    .split("/")
    .map((part) => (/^[0-9 -]{7,}$/.test(part) ? maskText(part) : part))
    .join("/");
}

/** The beginning of a text of which nobody knows what it holds: no code that a word announces, and no digit. */
export function maskedOpening(text: string): string {
  const mask = (whole: string) => whole.replace(announced, withoutSecret).replace(/[0-9]/g, "#");
  const masked = text.length <= textCharactersMax ? mask(text) : maskedBeginning(text, mask);
  return masked.slice(0, openingCharacters);
}

/** Masked before it is cut; and what the mask saw no end of is left out. */
function maskedBeginning(text: string, mask: (text: string) => string): string {
  return mask(text.slice(0, textCharactersMax)).slice(0, -secretCharactersMax);
}

function maskWhole(text: string): string {
  const spoken = announcing.test(text) ? text.replace(announced, withoutSecret) : text;
  const received = spoken.includes("$") ? spoken.replace(activationCode, "[activation code]") : spoken;
  // Most texts and nearly all names hold neither: one look costs less than two searches.
  if (!maskable.test(received)) return received;
  // A customer's number, and nothing else: the same, without a search.
  if (numberAlone.test(received)) return `[${received.length} digits]`;
  return received
    .replace(mailAddress, "[e-mail]")
    .replace(longDigits, (run) => `[${run.replace(/\D/g, "").length} digits]`);
}

/** Masks the text after a word such as "PIN", unless it is too short or plain to be worth money. */
function withoutSecret(whole: string, opening: string, word: string, found: string): string {
  // Digits alone are counted as such, with all others.
  if (digitsInGroups.test(found) && maskable.test(found)) return whole;
  const characters = found.replace(/[^0-9a-z]/gi, "").length;
  const isPlain = /[a-z]/.test(found) && (word.toLowerCase() === "code" || !/[0-9]/.test(found));
  const isShort = characters < (word.toLowerCase() === "code" ? codeCharactersMin : secretCharactersMin);
  return isPlain || isShort ? whole : `${opening}[${characters} characters]`;
}
