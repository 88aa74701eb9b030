import type { Json, JsonObject } from "../../kernel/json.ts";
import type { HttpReply } from "../../platform/outbound-http/allowlisted-http-client.ts";
import type { Question } from "../dialect.ts";
import { maskedOpening, maskPath, maskText } from "./mask-text.ts";

/** So many characters of a supplier's answer are kept. */
export const evidenceCharactersMax = 2_000;
const depthMax = 6;
const knownNamesMax = 1_000;
const knownNameLengthMax = 40;
const listItemsMax = 20;

/** Names of values that are worth money or give access to it: everything below such a name is removed. */
const secretName =
  /token|(^|[^a-z])e?[ _-]?pin|pins?$|serial|voucher|lpa|claim|cards?$|card.?(details|number|code)|redemption|purchased|delivery|passw|secret|api.?key|^ac$|iccid|puk$|matching.?id|qr.?code|short.?url|install|access.?code|confirmation|sharing/i;
/** The border between the words of `mainPin`, which a search that ignores case does not see. */
const camelBoundary = /(?<=[a-z0-9])(?=[A-Z])/g;
/** Names of values that tell who the customer is. */
const personName =
  /customer|address|e?mail$|phone|mobile.?number|billerscode|meter|smart|iuc|^name$|(?<!product)_name$|recipient(?!s$)|unique_element/i;
/** Names of references of either side, which a dispute begins with: their values are kept to the letter. */
const referenceName =
  /^(request_?id|order_?id|order_?no|esim_?tran_?no|reference|ident|id|transaction_?id|message_?id|provider_reference|code|status|transaction_date|created?_(at|date))$/i;

/** What a field's name tells about its value. */
interface FieldName {
  readonly isHidden: boolean;
  readonly isReference: boolean;
  /** The text before its value in JSON: a comma, the name with people's numbers masked, a colon. */
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
    // There is no room for the rest.
    if (fields.length > evidenceCharactersMax) break;
    const field = fieldName(key);
    fields += field.opening + redactedJson(object[key] ?? null, field, depth + 1);
  }
  return `{${fields.slice(1)}}`;
}

/** The same with the fields of these names hidden, as deep as evidence shows any. */
export function withoutFields<Value extends Json | undefined>(
  value: Value,
  names: readonly string[],
  depth = 0,
): Value | Json {
  if (names.length === 0 || typeof value !== "object" || value === null || depth > depthMax) return value;
  if (Array.isArray(value)) return value.map((item: Json) => withoutFields(item, names, depth + 1));
  const fields = Object.entries(value as JsonObject).map(([name, inner]) => [
    name,
    names.includes(name) ? "[redacted]" : withoutFields(inner, names, depth + 1),
  ]);
  return Object.fromEntries(fields);
}

const plain = /^[\w .,:;+/()-]*$/;

/** As a text of JSON. Most need nothing but the quotes. */
function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/**
 * One question and what came back, for the operator's eyes. Credentials are no part of a question, and so never of it.
 * `json` is what the answer's body holds; undefined where it is no JSON.
 */
export function transcriptOf(question: Question, reply: HttpReply, json: Json | undefined): string {
  const { hides = [] } = question;
  const fields = question.body ?? question.form;
  const sent = fields === undefined ? "" : ` ${redactedJson(withoutFields(withoutLetter(fields), hides))}`;
  const [path = "", query] = question.path.split("?");
  const queried = query === undefined ? "" : `?${redactedJson(withoutFields(fieldsOf(query), hides))}`;
  const requested = `${question.method} ${maskPath(path)}${queried}${sent}`;
  const answer =
    reply.kind === "answered"
      ? `${reply.status} ${bodyOf(reply.body, withoutFields(json, hides))}`
      : `${reply.kind}: ${reply.error}`;
  return `${requested} -> ${answer} (${reply.tookMs} ms)`.slice(0, evidenceCharactersMax);
}

function fieldsOf(query: string): JsonObject {
  return Object.fromEntries(new URLSearchParams(query));
}

/** What suppliers call the message that a merchant sends to its customers. In an answer these names may mean anything. */
const letterNames = ["message", "sms"];

function withoutLetter(body: JsonObject): JsonObject {
  const names = letterNames.filter((name) => name in body);
  return names.length === 0 ? body : { ...body, ...Object.fromEntries(names.map((name) => [name, "[redacted]"])) };
}

function bodyOf(body: string, json: Json | undefined): string {
  if (json !== undefined) return redactedJson(json);
  return `${body.length} characters, not JSON: ${JSON.stringify(maskedOpening(body))}`;
}
