import type { Json, JsonObject } from "../kernel/json.ts";
import type { HttpReply } from "../platform/allowlisted-http-client.ts";
import type { Question } from "./dialect.ts";

const evidenceCharactersMax = 2_000;
const beginningCharacters = 60;
const depthMax = 6;
const knownNamesMax = 1_000;
const knownNameLengthMax = 40;
const listItemsMax = 20;

/** Worth money, or a key to it: everything below such a name goes, whatever it is. */
const secretName =
  /token|(^|[^a-z])e?[ _-]?pin|pins?$|serial|voucher|lpa|claim|cards?$|purchased|delivery|passw|secret|api.?key/i;
/** Between the words of `mainPin`, which a search that takes capitals for small letters does not see. */
const camelBoundary = /(?<=[a-z0-9])(?=[A-Z])/g;
/** Whose it is, who somebody is. */
const personName =
  /customer|address|e?mail$|phone|billerscode|meter|smart|iuc|^name$|(?<!product)_name$|recipient|unique_element/i;
/** Both sides' names for the question, which a dispute begins with: kept to the letter. */
const referenceName =
  /^(request_?id|reference|ident|id|transaction_?id|provider_reference|code|status|transaction_date|created?_(at|date))$/i;

const longDigits = /[0-9](?:[ -]?[0-9]){6,}/g;
const maskable = /[0-9](?:[ -]?[0-9]){6}|@/;
const announcing = /pin|token|serial|voucher|code/i;
const announcement = /(pin|token|serial|voucher|code)s?(?: ?(?:no|number|code)\b)?(?: is\b| are\b|[\s.:="'#(-])+/;
/** Its first group holds a digit or goes on behind a hyphen, which no `failed` after `Token generation` does. */
const groups = /(?=[a-z]*[0-9-])[0-9a-z]+(?:-[0-9a-z]+|[ ,|<=>]+(?=[a-z-]*[0-9])[0-9a-z-]+)*/;
/** `Your PIN is AB12-CD34`, `Serial No: …`, `user_token=…`: what a word announces, and what is listed beside it. */
const announced = new RegExp(`(${announcement.source})(${groups.source})`, "gi");
const secretCharactersMin = 4;
/** Suppliers call most things a code: variations, errors, answers. Those of cards are longer, and in capitals. */
const codeCharactersMin = 10;
const numberAlone = /^[0-9]{7,}$/;
const digitsInGroups = /^[0-9](?:[ -]?[0-9])*$/;
/** Looked for at the beginnings of words alone: from every letter on, a long word takes time by the square. */
const mailAddress = /(?<![^\s"@])[^\s"@]+@[^\s"@]+/g;
/** Twice what an answer's evidence has room for: one text must not take the time of many answers. */
const textCharactersMax = 4_000;
/** No secret is as long: so much is left out where a text was cut, lest the first half of one shows. */
const secretCharactersMax = 200;

/**
 * Texts lose every run of seven digits or more, grouped ones too, mail addresses, and codes that a word announces. Of a
 * long one, only the beginning is kept.
 */
export function maskText(text: string): string {
  if (text.length <= textCharactersMax) return maskWhole(text);
  return `${maskedBeginning(text, maskWhole)}… of ${text.length} characters`;
}

/** Masked before it is cut; and what the mask saw no end of is left out. */
function maskedBeginning(text: string, mask: (text: string) => string): string {
  return mask(text.slice(0, textCharactersMax)).slice(0, -secretCharactersMax);
}

function maskWhole(text: string): string {
  const told = announcing.test(text) ? text.replace(announced, withoutSecret) : text;
  // Most texts and nearly all names hold neither: one look costs less than two searches.
  if (!maskable.test(told)) return told;
  // A customer's number, and nothing else: the same, without a search.
  if (numberAlone.test(told)) return `[${told.length} digits]`;
  return told
    .replace(mailAddress, "[e-mail]")
    .replace(longDigits, (run) => `[${run.replace(/\D/g, "").length} digits]`);
}

/** What a word announces, unless it is too short or too plain to be worth money: that an operator needs to read. */
function withoutSecret(whole: string, opening: string, word: string, found: string): string {
  // Digits alone are counted as such, with all others.
  if (digitsInGroups.test(found) && maskable.test(found)) return whole;
  const characters = found.replace(/[^0-9a-z]/gi, "").length;
  const isPlain = /[a-z]/.test(found) && (word.toLowerCase() === "code" || !/[0-9]/.test(found));
  const isShort = characters < (word.toLowerCase() === "code" ? codeCharactersMin : secretCharactersMin);
  return isPlain || isShort ? whole : `${opening}[${characters} characters]`;
}

/** What a field's name says of what it holds. */
interface FieldName {
  readonly isHidden: boolean;
  readonly isReference: boolean;
  /** What its value follows in JSON: a comma, the name without numbers of people, a colon. */
  readonly opening: string;
}

/** Suppliers use the same names in every answer, and looking at one costs more than the rest of its field. */
const knownNames = new Map<string, FieldName>();

function fieldName(name: string): FieldName {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSecret = secretName.test(name) || secretName.test(name.replace(camelBoundary, "_"));
  const isHidden = isSecret || personName.test(name);
  const fresh = { isHidden, isReference: referenceName.test(name), opening: `,${JSON.stringify(maskText(name))}:` };
  if (knownNames.size < knownNamesMax && name.length <= knownNameLengthMax) knownNames.set(name, fresh);
  return fresh;
}

const nameless = fieldName("");

/**
 * The value in JSON without secrets and without people: by the fields' names, and by the shape of what they hold. Written
 * straight away: a copy to be written afterwards takes twice as long.
 */
export function redactedJson(value: Json, name = nameless, depth = 0): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (name.isHidden) return '"[redacted]"';
  if (typeof value === "string") return quoted(name.isReference ? value.slice(0, 100) : maskText(value));
  if (typeof value === "number") {
    return name.isReference || Math.abs(value) < 1e7 ? JSON.stringify(value) : '"[number]"';
  }
  if (depth >= depthMax) return '"[deeper]"';
  if (Array.isArray(value)) {
    return `[${value.slice(0, listItemsMax).map((item: Json) => redactedJson(item, name, depth + 1))}]`;
  }
  const object = value as JsonObject;
  let fields = "";
  for (const key of Object.keys(object)) {
    // Nobody has room for the rest.
    if (fields.length > evidenceCharactersMax) break;
    const field = fieldName(key);
    fields += field.opening + redactedJson(object[key] ?? null, field, depth + 1);
  }
  return `{${fields.slice(1)}}`;
}

const plain = /^[\w .,:;+/()-]*$/;

/** As a text of JSON. Most need nothing but the quotes. */
function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/**
 * One question and what came back, for the operator's eyes. Headers, and with them credentials, are never part of it.
 * `json` is what the answer's body holds; undefined where it is no JSON.
 */
export function transcriptOf(question: Question, reply: HttpReply, json: Json | undefined): string {
  const sent = question.body === undefined ? "" : ` ${redactedJson(withoutLetter(question.body))}`;
  const [path = "", query] = question.path.split("?");
  const asked = `${question.method} ${maskPath(path)}${query === undefined ? "" : `?${maskText(query)}`}${sent}`;
  const answer =
    reply.kind === "answered" ? `${reply.status} ${bodyOf(reply.body, json)}` : `${reply.kind}: ${reply.error}`;
  return `${asked} -> ${answer} (${reply.tookMs} ms)`.slice(0, evidenceCharactersMax);
}

/** What a merchant writes to its customers is nobody else's; what a supplier says in a field of that name is evidence. */
function withoutLetter(body: JsonObject): JsonObject {
  return "message" in body ? { ...body, message: "[redacted]" } : body;
}

/** Our references stand in paths, and are kept: they hold letters. */
function maskPath(path: string): string {
  if (!maskable.test(path)) return path;
  return path
    .split("/")
    .map((part) => (/^[0-9 -]{7,}$/.test(part) ? maskText(part) : part))
    .join("/");
}

function bodyOf(body: string, json: Json | undefined): string {
  if (json !== undefined) return redactedJson(json);
  // Not even JSON: nobody knows what it holds, so only its beginning is kept, and no number of it.
  const mask = (text: string) => text.replace(announced, withoutSecret).replace(/[0-9]/g, "#");
  const masked = body.length <= textCharactersMax ? mask(body) : maskedBeginning(body, mask);
  const beginning = masked.slice(0, beginningCharacters);
  return `${body.length} characters, not JSON: ${JSON.stringify(beginning)}`;
}

/** At a value's place, a whole number too long to be sure of: a double holds 15 digits exactly, and longer ones by luck. */
const longNumber = /(?:"\s*:|[[,])\s*-?[0-9]{16}/;
const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*/g;
const longWhole = /^-?[0-9]{16,}$/;

/**
 * Undefined for what is no JSON. A whole number of 16 digits or more comes as its digits, in a text: what a supplier
 * writes so is a token, a PIN or an id, and the nearest number would look like one too.
 */
export function parseJson(text: string): Json | undefined {
  try {
    const json = JSON.parse(text) as Json;
    // Most answers hold none, and a look costs a fraction of reading twice.
    return longNumber.test(text) ? (JSON.parse(withLongNumbersAsTexts(text)) as Json) : json;
  } catch {
    return undefined;
  }
}

/** Of a text that was read as JSON already: so every quotation mark that opens a text in it has one that closes it. */
function withLongNumbersAsTexts(json: string): string {
  return json.replace(textsAndNumbers, (part) => (longWhole.test(part) ? `"${part}"` : part));
}
