declare const brand: unique symbol;

/** A Nigerian mobile number in its 11-digit local form: `08031234567`. */
export type Phone = string & { readonly [brand]: "phone" };

/** The four networks of the catalogue, as the wire names them. */
export type Network = "MTN" | "GLO" | "9MOBILE" | "AIRTEL";

export const networks: readonly Network[] = ["MTN", "GLO", "9MOBILE", "AIRTEL"];

/**
 * JSON Schema pattern of what `parsePhone` accepts: local or international form, spaces and dashes between digits. No
 * two runs of them touch, so that it reads hostile text in linear time.
 */
export const phonePattern = "^[ -]*(?:(?:\\+[ -]*)?2[ -]*3[ -]*4|0)[ -]*[789][ -]*[01](?:[ -]*[0-9]){8}[ -]*$";

const phoneShape = new RegExp(phonePattern);

/** Reads `0803…`, `234803…` and `+234803…`, with spaces and dashes. Null when it is no Nigerian mobile number. */
export function parsePhone(text: string): Phone | null {
  if (!phoneShape.test(text)) return null;
  const digits = text.replace(/[^0-9]/g, "");
  return (digits.length === 11 ? digits : `0${digits.slice(3)}`) as Phone;
}

/**
 * A number that somebody looks for, in the spelling that purchases keep: a phone in local form however it is written, else
 * the text without blanks and invisible marks. Dashes stay in it: accounts may have some.
 */
export function readNumber(text: string): string {
  const visible = text.normalize("NFKC").replace(/[\p{Cf}\s]/gu, "");
  return parsePhone(visible.replace(between, "")) ?? visible;
}

const between = /[\p{Cf}\p{Pd}\s().\u2212]/gu;

/** A number or a part of one as its digits alone, `+234` as the zero that purchases keep; null for other texts. */
export function readDigits(text: string): string | null {
  const digits = text
    .normalize("NFKC")
    .replace(between, "")
    .replace(/^\+234/, "0");
  return /^[0-9]+$/.test(digits) ? digits : null;
}

// Prefixes as issued by the NCC; since portability (2013) they are a hint only.
const prefixes: Readonly<Record<Network, readonly string[]>> = {
  MTN: "0703 0704 0706 0707 0803 0806 0810 0813 0814 0816 0903 0906 0913 0916 07025 07026".split(" "),
  GLO: "0705 0805 0807 0811 0815 0905 0915".split(" "),
  "9MOBILE": "0809 0817 0818 0908 0909".split(" "),
  AIRTEL: "0701 0708 0802 0808 0812 0901 0902 0904 0907 0911 0912".split(" "),
};

const networkOfPrefix = new Map(networks.flatMap((network) => prefixes[network].map((prefix) => [prefix, network])));

/** The network to which the number's prefix was issued; null for others. A hint: the number may have been ported. */
export function networkHint(phone: Phone): Network | null {
  return networkOfPrefix.get(phone.slice(0, 5)) ?? networkOfPrefix.get(phone.slice(0, 4)) ?? null;
}

/** Reads a network's name in any case (`mtn`, `9mobile`, and `T2`, 9mobile's name since August 2025). */
export function parseNetwork(text: string): Network | null {
  const name = text.trim().toUpperCase();
  if (name === "T2") return "9MOBILE";
  return networks.find((network) => network === name) ?? null;
}
