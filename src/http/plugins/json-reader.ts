import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { parse } from "secure-json-parse";
import { type Refusal, refuse, refuseField } from "../../kernel/problems.ts";

/** How many objects and lists may lie within each other. */
const depthMax = 8;
/** Names in one object. */
const namesMax = 100;
/** Names and commas in the whole body: ten of each for each line of the largest bulk order. */
const valuesMax = 200_000;
/** Names and commas in one entry of a list, or in all that is no list: what is parsed without a pause. */
const unslicedMax = 10_000;
/** A list that has more names and commas is parsed in slices of about as many: a millisecond each. */
const sliceSize = 500;

/** A long list among the body's fields: the places behind its opening and of its closing bracket, and its cuts' commas. */
interface SlicedList {
  /** Where its name stands, quotes included. */
  readonly name: readonly [number, number];
  readonly from: number;
  readonly to: number;
  readonly cuts: number[];
}

/**
 * Reads a JSON body more strictly than `JSON.parse`. A JSON number is the double that JavaScript reads. The long lists
 * of a bulk order are parsed in slices, between which others have their turn (the attack `greedy-bulk`: 1.6 MB of small
 * objects kept the only thread busy for 200 ms).
 *
 * @throws Refusal INVALID_JSON: not UTF-8, not JSON, too deep, too many names or values, a key that could reach a
 *   prototype; VALIDATION_ERROR: a NUL character or half a surrogate pair in a text
 */
export async function readJson(bytes: Buffer): Promise<unknown> {
  if (!isUtf8(bytes)) throw unreadable("The body is not valid UTF-8.");
  const lists = boundShape(bytes);
  if (lists.length > 0) await nextTurn();
  const rest: string[] = [];
  let at = 0;
  for (const { from, to } of lists) {
    rest.push(bytes.toString("utf8", at, from));
    at = to;
  }
  const body = parseStrictly(rest.join("") + bytes.toString("utf8", at), "") as Record<string, unknown>;
  for (const list of lists) {
    const name: string = JSON.parse(bytes.toString("utf8", ...list.name));
    body[name] = await readSlices(bytes, name, list);
  }
  return body;
}

async function readSlices(bytes: Buffer, name: string, { from, to, cuts }: SlicedList): Promise<unknown[]> {
  const entries: unknown[] = [];
  let at = from;
  for (const end of [...cuts, to]) {
    await nextTurn();
    const slice = parseStrictly(`[${bytes.toString("utf8", at, end)}]`, name, entries.length) as unknown[];
    if (slice.length === 0) throw refuse("INVALID_JSON");
    for (const entry of slice) entries.push(entry);
    at = end + 1;
  }
  return entries;
}

/** @param field what a refusal names; the entries of `text` are those of its list from `firstEntry` on */
function parseStrictly(text: string, field: string, firstEntry = 0): unknown {
  let value: unknown;
  try {
    value = parse(text, { protoAction: "error", constructorAction: "error" });
  } catch {
    // The parser's own message quotes the body, which may hold a PIN.
    throw refuse("INVALID_JSON");
  }
  // JSON takes a control character, and UTF-8 half a surrogate pair, only as an escape.
  if (text.includes("\\u")) refuseUnstorableTexts(value, field, firstEntry);
  return value;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Against bodies that are small to send and large to hold: brackets within brackets, an object of 100,000 names. Looked
 * at before they are parsed. Right for every valid JSON; invalid JSON the parser refuses afterwards.
 *
 * @returns the long lists among the body's own fields, in their order
 */
function boundShape(bytes: Buffer): SlicedList[] {
  const shape = newShape();
  let [nameFrom, nameTo] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      const start = i;
      i = endOfText(bytes, start);
      if (shape.depth() === 1) [nameFrom, nameTo] = [start, i + 1];
    } else if (byte === openBrace || byte === openBracket) shape.open(i, byte === openBracket, [nameFrom, nameTo]);
    else if (byte === closeBrace || byte === closeBracket) shape.close(i);
    else if (byte === colon) shape.name();
    else if (byte === comma) shape.comma(i);
  }
  return shape.lists;
}

function newShape() {
  const lists: SlicedList[] = [];
  const names = new Array<number>(depthMax + 1).fill(0);
  let depth = 0;
  /** Names and commas: in all, outside of the sliced lists, and since the last cut. */
  let [inAll, outside, sinceCut] = [0, 0, 0];
  let list: SlicedList | null = null;

  function count(): void {
    inAll += 1;
    if (list === null) outside += 1;
    else sinceCut += 1;
    if (inAll > valuesMax) throw unreadable(`The body has more than ${valuesMax} names and values.`);
    if (Math.max(outside, sinceCut) > unslicedMax) {
      throw unreadable(`The body, or an entry of its lists, has more than ${unslicedMax} names and values.`);
    }
  }

  return {
    lists,
    depth: () => depth,
    open(at: number, isList: boolean, name: readonly [number, number]) {
      depth += 1;
      if (depth > depthMax) throw unreadable(`The body is nested deeper than ${depthMax} levels.`);
      names[depth] = 0;
      const isField = depth === 2 && (names[1] ?? 0) > 0;
      if (isField && isList) [list, sinceCut] = [{ name, from: at + 1, to: at + 1, cuts: [] }, 0];
    },
    close(at: number) {
      if (depth === 2 && list !== null) {
        if (list.cuts.length === 0) outside += sinceCut;
        else lists.push({ ...list, to: at });
        list = null;
      }
      depth = Math.max(0, depth - 1);
    },
    name() {
      const ofObject = (names[depth] ?? 0) + 1;
      names[depth] = ofObject;
      if (ofObject > namesMax) throw unreadable(`An object of the body has more than ${namesMax} names.`);
      count();
    },
    comma(at: number) {
      count();
      if (depth !== 2 || list === null || sinceCut < sliceSize) return;
      list.cuts.push(at);
      sinceCut = 0;
    },
  };
}

/** The place of the quote that ends the text, or the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1;
  return i;
}

const halfPair = /\p{Surrogate}/u;

/** PostgreSQL stores neither. Walks a value of at most `depthMax` levels. @throws Refusal for the first such text */
function refuseUnstorableTexts(value: unknown, field: string, firstEntry = 0): void {
  if (typeof value === "string") refuseUnstorable(value, field === "" ? "body" : field);
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    refuseUnstorable(key, "body");
    const name = firstEntry === 0 ? key : `${Number(key) + firstEntry}`;
    refuseUnstorableTexts(inner, field === "" ? name : `${field}.${name}`);
  }
}

function refuseUnstorable(text: string, field: string): void {
  if (text.includes("\0")) throw refuseField("VALIDATION_ERROR", field, "Must not contain a NUL character.");
  if (halfPair.test(text)) {
    throw refuseField("VALIDATION_ERROR", field, "Must not contain half of a surrogate pair.");
  }
}

function unreadable(message: string): Refusal {
  return refuse("INVALID_JSON", { message });
}

/** The server's `bodyLimit`. */
export const bodyBytesMax = 1_048_576;

/**
 * Makes JSON the only body that `app` reads. An empty body is `undefined`, whatever its type says (PHP's curl announces
 * a form); routes with a body schema refuse it and routes without one ignore it.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request: FastifyRequest, bytes: Buffer) =>
    jsonBodyOf(request, bytes),
  );
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length > 0) throw refuse("UNSUPPORTED_MEDIA_TYPE");
  });
}

/** Reads a body that calls itself JSON. @throws Refusal INVALID_JSON, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE */
export async function jsonBodyOf(request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined;
  const { "content-type": type = "", "content-encoding": encoding } = request.headers;
  if (encoding !== undefined && encoding !== "identity") {
    throw refuse("UNSUPPORTED_MEDIA_TYPE", { message: "Send the body without a content encoding." });
  }
  if (!isUtf8Type(type)) {
    throw refuse("UNSUPPORTED_MEDIA_TYPE", { message: "Send the body as application/json in UTF-8." });
  }
  return readJson(body);
}

/** `application/json` in any case, alone or with `charset=utf-8`; other parameters change nothing. */
function isUtf8Type(type: string): boolean {
  if (type === "application/json") return true;
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(type)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
