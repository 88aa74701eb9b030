import { type Phone, parsePhone } from "./phone.ts";

/** Nothing to undo, as in nearly every cell of a million lines. */
const asIs = /^(?:[!-&(-<>-_a-~](?:[ -~]*[!-~])?)?$/;
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;
const dashes = /[\p{Pd}\u2212]/gu;

/**
 * What a person, or a spreadsheet for them, wrote, as far as it has one reading: no invisible marks, plain blanks and
 * dashes, and without the signs by which a spreadsheet marks a text: `'0803…`, `="0803…"`.
 */
export function typedText(text: string): string {
  if (asIs.test(text)) return text;
  return text
    .replace(invisible, "")
    .replace(/\p{Zs}/gu, " ")
    .replace(dashes, "-")
    .trim()
    .replace(/^="(.*)"$/, "$1")
    .replace(/^['‘’`](?=[0-9=+\-@＝＋＠])/, "");
}

/** A phone number as typed. Ten digits are one whose first zero a spreadsheet took, and `.0` is what it added. */
export function typedPhone(text: string): string {
  const typed = typedText(text).replace(/\.0+$/, "");
  return withZero(typed) === null ? typed : `0${typed}`;
}

/** The phone number that ten digits are whose first zero was lost; null for every other text. */
export function withZero(text: string): Phone | null {
  return /^[ -]*[1-9]/.test(text) ? parsePhone(`0${text}`) : null;
}

/** What ten digits may be where a phone number belongs, as nobody guesses for a program; null for every other text. */
export function zeroLostSentence(text: string): string | null {
  const whole = withZero(text);
  if (whole === null) return null;
  return `Has 10 digits. Send "${whole}" if its first 0 was lost; otherwise a digit is missing, as a Nigerian mobile number has 11.`;
}

/** Whether a spreadsheet wrote a long number with an exponent: its other digits are lost. */
export function isShortened(text: string): boolean {
  return /^-?[0-9](?:[.,][0-9]+)?E\+?[0-9]{1,3}$/i.test(text);
}

/** A whole number from 1, of nine digits at most; null for everything else. */
export function wholeNumber(text: string): number | null {
  return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : null;
}

/** Digits as people group them, `1,234,567.50`, without the commas. A comma anywhere else stays, to be refused. */
export function ungrouped(text: string): string {
  return /^[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?$/.test(text) ? text.replaceAll(",", "") : text;
}

/**
 * What no name and no label holds: what can't be seen, ends a line, or turns the direction of writing, so that another
 * thing is read than stands there. Inside of a regular expression's brackets, and by numbers alone, as clients in every
 * language read the API's patterns.
 */
export const unseenLetters =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb";

const unseen = new RegExp(`[${unseenLetters}]`);

export function hasUnseenLetters(text: string): boolean {
  return unseen.test(text);
}
