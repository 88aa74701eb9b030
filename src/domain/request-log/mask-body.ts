import { categories } from "../../categories/registry.ts";
import { maskSecrets } from "../../kernel/mask-secrets.ts";

/** What a stored body takes at most, in bytes. */
export const bodyBytesMax = 4_096;

const redacted = "[redacted]";

// Names are compared without case, underscores and other signs: `API-Key`, `api_key` and `apiKey` are one.
const secretName =
  /^(api)?keys?$|^auth|authorization|token|pins?$|password|passphrase|secret|credential|^lpa$|^codes?$|serial|vouchers?$|^otp$|^cvv|^cvc|privatekey|accesskey|seed$/;

/** Numbers that a customer of the merchant is known by, by the names that clients of all kinds give them. */
const customerName =
  /phone|mobile|msisdn|meter|smartcard|^iuc|iuc$|account|customer|e?mail|recipient|iccid|imei|cardnumber|billerscode|^bvn$|^nin$|identity/;

/** They say what kind of number it is, or whose key it is by number, and are no number of a customer. */
const plainName = /types?$|^(rotatesecret|verificationid|beneficiaryid)$/;

/** What the merchant calls its own things by: it looks for them here. */
const referenceName = /^(references?|ident|requestid|clientreference|bulkreference|transactionid|deliveryid|eventid)$/;

/** Ids of what is sold stand as numbers, and are no customer's. */
const productName = /^(productid|plan|networkid)$/;

const customerFields: ReadonlySet<string> = new Set(categories.map(({ customerField }) => bare(customerField)));

/** Fields and items of one level, levels, and characters of one text that are looked at. */
const itemsMax = 50;
const depthMax = 6;
const charactersMax = 1_000;

/**
 * A body as it may be stored: JSON of at most 4 KiB, in which secrets are left out, by name and by shape, and of numbers and
 * addresses of customers the last characters are kept. What the merchant calls its purchases by stays. Bounded, whatever
 * came.
 */
export function maskBody(body: unknown): string | null {
  if (body === undefined || body === null) return null;
  return cut(JSON.stringify(maskValue(body, "", 0)));
}

/** Path and query of a request as they may be stored. A route's path holds the merchant's own names, which stay. */
export function maskPath(url: string, isKnownRoute: boolean): string {
  const [path = "", query] = splitOnce(url.slice(0, 4 * charactersMax), "?");
  const masked = isKnownRoute ? maskKeys(path) : maskText(path);
  const shown = query === undefined ? masked : `${masked}?${maskQuery(query)}`;
  return shown.length <= pathLengthMax ? shown : `${shown.slice(0, pathLengthMax - 1)}…`;
}

const pathLengthMax = 500;

/** Whether a reference is a key or a webhook's secret by its form: then it is nobody's name for a purchase. */
export function isKeyLike(text: string): boolean {
  return keyShape.test(text);
}

const keyShape = /ds_(?:live|test)_|whsec_/i;

function maskKeys(path: string): string {
  return path
    .split("/")
    .map((step) => (keyShape.test(step) ? redacted : step))
    .join("/");
}

function maskQuery(query: string): string {
  const fields = [...new URLSearchParams(query)].slice(0, itemsMax);
  const shown = fields.map(([name, value]) => `${maskText(name)}=${maskText(String(maskValue(value, name, 0)))}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL stores no NUL, and no page shows the others
  return shown.join("&").replace(/[\u0000-\u001f\u007f]/g, "");
}

function maskValue(value: unknown, name: string, depth: number): unknown {
  const plain = bare(name);
  if (value === null || typeof value === "boolean") return value;
  if (isSecretName(plain)) return redacted;
  if (typeof value === "object") return maskObject(value, name, depth);
  if (typeof value === "number") return maskNumber(value, plain);
  if (typeof value !== "string") return null;
  const text = value.slice(0, charactersMax);
  if (referenceName.test(plain)) return isKeyLike(text) ? redacted : text.slice(0, 100);
  // The text of an SMS is between the merchant and its customer, and may hold a code to log in with.
  if (plain === "message") return `[${value.length} characters]`;
  if (isCustomerName(plain)) return text.replace(/[^\s,;]+/g, keepEnd);
  return value.length > charactersMax ? `${maskText(text)}…` : maskText(text);
}

function maskObject(value: object, name: string, depth: number): unknown {
  if (depth === depthMax) return "…";
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsMax).map((item) => maskValue(item, name, depth + 1));
    return value.length > itemsMax ? [...items, `… ${value.length - itemsMax} more`] : items;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // A list that was read on another thread is not read again for this.
  if (prototype !== Object.prototype && prototype !== null) return "…";
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const masked = fields
    .slice(0, itemsMax)
    .map(([key, inner]) => [maskText(key.slice(0, 100)), maskValue(inner, key, depth + 1)]);
  if (fields.length > itemsMax) masked.push(["…", `${fields.length - itemsMax} more`]);
  return Object.fromEntries(masked);
}

/** JSON has phones as numbers too. No amount and no id of ours has ten digits. */
function maskNumber(value: number, plain: string): unknown {
  const text = String(value);
  if (isCustomerName(plain)) return keepEnd(text);
  return Math.abs(value) < 1e9 || productName.test(plain) ? value : maskText(text);
}

function isSecretName(plain: string): boolean {
  return secretName.test(plain) && !plainName.test(plain);
}

function isCustomerName(plain: string): boolean {
  return (customerFields.has(plain) || customerName.test(plain)) && !plainName.test(plain);
}

/** Of a number or address its last four characters; of a short one, the last two or none. */
function keepEnd(text: string): string {
  const kept = text.length >= 8 ? 4 : text.length >= 5 ? 2 : 0;
  return `***${text.slice(text.length - kept)}`;
}

const address = /[^\s@"'<>,;:=/]{1,100}@[^\s@"'<>,;:/]{1,255}/g;
/** What a URL has before its host and behind its path opens what it leads to. */
const urlSecret = /(\bhttps?:\/\/)(?:[^\s/?#@]*@)?([^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi;
/** Nine digits and more, however they are grouped: phones, meters, cards, accounts. */
const digits = /\+?\d(?:[ -]?\d){8,}/g;

/** A text without keys and secrets, and of long numbers and addresses only the end. */
export function maskText(text: string): string {
  const open = text.replace(urlSecret, (_whole, scheme: string, place: string, rest?: string) =>
    rest === undefined ? scheme + place : `${scheme}${place}?${redacted}`,
  );
  return maskSecrets(open).replace(address, keepEnd).replace(digits, keepEnd);
}

function bare(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

function splitOnce(text: string, sign: string): readonly [string, string?] {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= bodyBytesMax) return text;
  const start = Buffer.from(text)
    .subarray(0, bodyBytesMax - 6)
    .toString();
  // What is left of a character that was cut in the middle.
  return `${start.replace(/\ufffd+$/, "")}…`;
}
