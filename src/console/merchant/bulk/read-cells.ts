import type { Product } from "../../../categories/product/product.ts";
import { formatNaira, notAnAmount, readAmount as readPlainAmount } from "../../../kernel/money.ts";
import { type Network, type Phone, parseNetwork, parsePhone } from "../../../kernel/phone.ts";
import { isShortened, ungrouped } from "../../../kernel/typed-text.ts";

/** What was undone in a cell because only one meaning was left. */
export type Repair = "zero" | "exponent" | "decimals" | "commas" | "signs" | "product";

/** What is said of it, once, with the number of its lines. */
export const repairSentences: Readonly<Record<Repair, (lines: string) => string>> = {
  zero: (lines) => `We added the 0 that Excel removed on ${lines}.`,
  exponent: (lines) => `We wrote out the number that Excel had shortened on ${lines}.`,
  decimals: (lines) => `We removed the .0 that Excel added on ${lines}.`,
  commas: (lines) => `We removed the commas from the number on ${lines}.`,
  signs: (lines) => `We removed other characters from the number on ${lines}.`,
  product: (lines) => `We matched the name of the product on ${lines}. Check the Product column.`,
};

/** What a cell means, or the sentence that says why it can't be told. */
export type Reading<Value> =
  | { readonly value: Value; readonly repair?: Repair }
  | { readonly value: null; readonly fault: string };

export function readPhone(cell: string): Reading<Phone> {
  const phone = parsePhone(cell);
  if (phone !== null) return { value: phone };
  const repairs: Repair[] = [];
  let text = cell;
  const mend = (repair: Repair, mended: string) => {
    if (mended !== text) repairs.push(repair);
    text = mended;
  };
  mend("exponent", writtenOut(text));
  mend("decimals", text.replace(/\.0+$/, ""));
  mend("commas", ungrouped(text));
  mend("signs", text.replace(/[().]/g, " ").replace(/^\s*00(?=234)/, ""));
  mend("signs", text.replace(/^([ +-]*2[ -]*3[ -]*4)[ -]*0(?=[ -]*[789])/, "$1"));
  if (/^[ -]*[789]/.test(text)) mend("zero", `0${text}`);
  const mended = parsePhone(text);
  const [first] = repairs;
  // The 0 is what people look for: it is said before what else was undone.
  const repair = repairs.includes("zero") ? "zero" : first;
  if (mended !== null && repair !== undefined) return { value: mended, repair };
  return { value: null, fault: phoneFault(cell) };
}

/** `8.031234567E+09` has all of its digits; of a shorter one they are lost, and it stays as it is. */
function writtenOut(text: string): string {
  const [, first = "", rest = "", exponent] = /^([1-9])[.,]([0-9]{9,12})E\+?([0-9]{1,2})$/i.exec(text) ?? [];
  return rest.length === Number(exponent) ? `${first}${rest}` : text;
}

/** Why a text is no phone number, with what stands there: a letter among its digits is never taken for one. */
export function phoneFault(cell: string): string {
  if (cell === "") return "No phone number.";
  if (isShortened(cell))
    return `Excel shortened this number to ${cell}. Set the column to Text and type the number again.`;
  if (/[0-9]{10}[^0-9]+\+?[0-9]{10}/.test(cell)) return "Two numbers. Give each a line of its own.";
  const digits = cell.replace(/[^0-9]/g, "").length;
  const [letter] = digits >= 7 ? (/\p{L}/u.exec(cell) ?? []) : [];
  if (letter !== undefined) return `“${shown(cell)}” isn’t a phone number. “${letter}” is a letter.`;
  if (/[^0-9+\-. ()]/.test(cell) || digits === 0) return `“${shown(cell)}” isn’t a phone number.`;
  if (digits !== 11) return `${digits} ${digits === 1 ? "digit" : "digits"}. A Nigerian mobile number has 11.`;
  return `No Nigerian mobile number begins with ${shown(cell).slice(0, 4)}.`;
}

/** An amount as the API takes it: `₦1,500.00`, `#500`, `1 500`, `500 naira`. A comma in another place is asked about. */
export function readAmount(cell: string): Reading<string> {
  if (cell === "") return { value: null, fault: "No amount." };
  const bare = cell
    .replace(/^(?:=N=|#) ?(?=[0-9])/i, "")
    .replace(/(?<=[0-9]) ?(?:naira|\/[=-])$/i, "")
    .replace(/^([0-9]{1,3})((?: [0-9]{3})+)(?=$|\.)/, (grouped) => grouped.replaceAll(" ", ""));
  const amount = readPlainAmount(bare);
  if (amount !== null) return { value: formatNaira(amount) };
  if (isShortened(cell)) return { value: null, fault: `Excel shortened this amount. ${notAnAmount(cell)}` };
  return { value: null, fault: notAnAmount(cell) };
}

const otherNames: Readonly<Record<string, Network>> = { ETISALAT: "9MOBILE", GLOBACOM: "GLO", MTNNG: "MTN" };

/** A network as people write it; as it stands where nobody knows it, for the check to say so. */
export function readNetwork(cell: string): string {
  const name = cell.replace(/[\s-]/g, "").toUpperCase();
  return parseNetwork(name) ?? otherNames[name] ?? cell;
}

/** `MTN 500`: a network before the amount, where a list has no column for it. */
export function splitNetwork(cell: string): readonly [network: string, amount: string] {
  const [, name = "", amount = ""] = /^([A-Za-z9][A-Za-z2]+(?:[ -]mobile)?)[ :-]+([₦#N=]*[0-9].*)$/i.exec(cell) ?? [];
  const network = readNetwork(name);
  return parseNetwork(network) === null ? ["", cell] : [network, amount];
}

type FindProduct = (cell: string, network: string | null) => Reading<number | string>;

/** Finds a product by its number, code or name; of the number's network, where several have the plan. */
export function productFinder(offered: readonly Product[]): FindProduct {
  const named = offered.map((product) => {
    const { name, plan, planType, validity, code, biller } = product;
    const names = [code, name, plan ?? name, `${biller.network} ${plan ?? name}`].map(plain);
    return {
      product,
      names: new Set(names),
      words: wordsOf([biller.name, biller.network, name, plan, planType, validity].join(" ")),
    };
  });
  const example = offered[0]?.id ?? 1001;
  const found = new Map<string, Reading<number | string>>();
  const find: FindProduct = (cell, network) => {
    const number = ungrouped(cell).replace(/\.0+$/, "");
    if (/^[0-9]+$/.test(number)) return { value: number };
    if (cell === "") return { value: null, fault: `No product. Use its number, such as ${example}.` };
    const exact = named.filter(({ names }) => names.has(plain(cell)));
    const words = [...wordsOf(cell)];
    const fitting = exact.length > 0 ? exact : named.filter((one) => words.every((word) => one.words.has(word)));
    const ofNetwork = fitting.filter(({ product }) => product.biller.network === network);
    const left = fitting.length > 1 && ofNetwork.length > 0 ? ofNetwork : fitting;
    const [only, another] = left;
    if (only === undefined) {
      return { value: null, fault: `We don’t sell “${shown(cell)}”. Use the product number, such as ${example}.` };
    }
    if (another === undefined) return { value: only.product.id, repair: "product" };
    const some = left.slice(0, 4).map(({ product }) => `${product.id} ${product.name}`);
    const more = left.length > some.length ? " …" : "";
    return {
      value: null,
      fault: `“${shown(cell)}” fits ${left.length} products. Use a number: ${some.join(", ")}${more}`,
    };
  };
  // Ten thousand lines name a few products.
  return (cell, network) => {
    const key = `${network} ${cell}`;
    const reading = found.get(key) ?? find(cell, network);
    found.set(key, reading);
    return reading;
  };
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

/** `1 GB` and `1GB`, `30-days` and `30 days` are the same words. */
function wordsOf(text: string): ReadonlySet<string> {
  const joined = plain(text).replace(/(?<=[0-9]) ?(?=(?:[kmgt]b|days?|hours?|hrs?|weeks?|months?)\b)/g, "");
  return new Set(joined.split(/[^a-z0-9.]+/).filter((word) => word !== ""));
}

function shown(text: string): string {
  return text.slice(0, 40);
}
