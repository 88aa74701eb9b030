import { type Kobo, kobo, parseNaira } from "../../kernel/money.ts";
import { isShortened, ungrouped } from "../../kernel/typed-text.ts";

/**
 * Reads an amount as it is written, to the kobo: `0`, `1250.5`, `1,250.50`, and `1250.5000` of a decimal column. An amount
 * that somebody reckoned in floats is no amount of kobo: it is refused. @returns a sentence that says why
 */
export function readExactly(text: string): Kobo | string {
  const digits = ungrouped(text);
  if (/^-[0-9.]*[1-9]/.test(digits)) return `The balance is negative (${text.slice(0, 40)}): settle it first.`;
  if (isShortened(digits))
    return `The amount ${text.slice(0, 40)} has an exponent: its kobo are lost. Export it as text.`;
  if (/^[0-9]+(?:\.[0-9]{3})*,[0-9]+$/.test(digits))
    return `The amount “${text.slice(0, 40)}” has a decimal comma: export it with a point, without signs between thousands.`;
  if (/^[0-9]+\.[0-9]{2}[0-9]*[1-9]/.test(digits)) {
    return `The amount ${text.slice(0, 40)} has more than two decimals: say which kobo it is.`;
  }
  const exact = digits.replace(/^-?(?=0+(?:\.0*)?$)/, "").replace(/(\.[0-9]{2})0+$/, "$1");
  if (/^0+(?:\.0*)?$/.test(exact)) return kobo(0n);
  return parseNaira(exact) ?? `The amount “${text.slice(0, 40)}” can't be read.`;
}
