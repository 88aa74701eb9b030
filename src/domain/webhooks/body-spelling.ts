import type { Json } from "../../kernel/json.ts";

/** How two texts of the same JSON may differ, as programs that parse a body and write it anew make them differ. */
export const spellings = ["whitespace", "key_order", "escaped_slashes", "unicode_escapes", "other"] as const;
export type Spelling = (typeof spellings)[number];

/** What a program may write after commas, colons and at line ends. */
const layouts: readonly ((value: Json) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(value, null, 4),
  (value) => JSON.stringify(value, null, "\t"),
  spaced,
];

/** What a program may write with a backslash. */
const escapes: readonly ((text: string) => string)[] = [
  (text) => text,
  escapeSlashes,
  escapeUnicode,
  (text) => escapeSlashes(escapeUnicode(text)),
  escapeMarkup,
];

/**
 * The texts that a body may have had before, or have become, where a program parsed it and wrote it anew: with other blanks
 * and line ends, sorted keys, escaped slashes or characters. The text itself is not among them. Pure.
 */
export function respellings(body: string): readonly string[] {
  const found = new Set<string>([body.trim(), `${body}\n`, `${body}\r\n`, body.replaceAll("\r\n", "\n")]);
  const value = parsed(body);
  const values = value === undefined ? [] : [value, sorted(value)];
  const texts = values.flatMap((each) => layouts.map((layout) => layout(each)));
  for (const text of texts) for (const escaped of escapes) found.add(escaped(text));
  found.delete(body);
  return [...found];
}

/** How the same JSON is spelled in two texts; null where they don't say the same. Pure. */
export function spellingDifferences(received: string, signed: string): readonly Spelling[] | null {
  const [ours, theirs] = [parsed(received), parsed(signed)];
  if (ours === undefined || theirs === undefined) return received.trim() === signed.trim() ? ["whitespace"] : null;
  if (JSON.stringify(sorted(ours)) !== JSON.stringify(sorted(theirs))) return null;
  const differs = (count: (text: string) => number) => count(received) !== count(signed);
  const found: Spelling[] = [];
  if (differs(blanksIn)) found.push("whitespace");
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) found.push("key_order");
  if (differs((text) => occurrences(text, /\\\//g))) found.push("escaped_slashes");
  if (differs((text) => occurrences(text, /\\u[0-9a-f]{4}/gi))) found.push("unicode_escapes");
  return found.length === 0 && received !== signed ? ["other"] : found;
}

/** Where two texts part: the number of the first character that differs, from 1. */
export function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at + 1;
}

/** Undefined for what is no JSON. */
function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The same with the keys of every object in order. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** As Python writes it: a blank after each comma and colon. */
function spaced(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}: ${spaced(each)}`)
    .join(", ")}}`;
}

/** As PHP writes it. */
function escapeSlashes(text: string): string {
  return text.replaceAll("/", "\\/");
}

/** As PHP and Python write it: nothing but ASCII. */
function escapeUnicode(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, inAscii);
}

/** As Go writes it: nothing that HTML would take for its own. */
function escapeMarkup(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, inAscii);
}

function inAscii(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Blanks and line ends outside of texts. */
function blanksIn(text: string): number {
  return occurrences(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'), /\s/g);
}

function occurrences(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
