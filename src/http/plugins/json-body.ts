import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { parse } from "secure-json-parse";
import { type Refusal, refuse, refuseField } from "../../kernel/problems.ts";

/** The server's `bodyLimit`. */
export const bodyBytesMax = 1_048_576;

/**
 * Makes JSON the only body that `app` reads. An empty body is `undefined`, whatever its type says (PHP's curl announces
 * a form); routes with a body schema refuse it and routes without one ignore it.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (request: FastifyRequest, bytes: Buffer) =>
    jsonBodyOf(request, bytes),
  );
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, bytes: Buffer) => {
    if (bytes.length > 0) throw refuse("UNSUPPORTED_MEDIA_TYPE");
  });
}

/** Reads a body that calls itself JSON. @throws Refusal INVALID_JSON, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE */
export function jsonBodyOf(request: FastifyRequest, body: Buffer): unknown {
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

/**
 * Reads a JSON body more strictly than `JSON.parse`. A JSON number is the double that JavaScript reads.
 * @throws Refusal INVALID_JSON: not UTF-8, not JSON, too deep, too many names or values, a key that could reach a
 *   prototype; VALIDATION_ERROR: a NUL character or half a surrogate pair in a text
 */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw unreadable("The body is not valid UTF-8.");
  boundShape(bytes);
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = parse(text, { protoAction: "error", constructorAction: "error" });
  } catch {
    // The parser's own message quotes the body, which may hold a PIN.
    throw refuse("INVALID_JSON");
  }
  // JSON takes a control character, and UTF-8 half a surrogate pair, only as an escape.
  if (text.includes("\\u")) refuseUnstorableTexts(value, "");
  return value;
}

/** How many objects and lists may lie within each other. */
const depthMax = 8;
/** Names in one object. */
const namesMax = 100;
/** Names in all objects: fifteen for each line of the largest bulk order. */
const namesInAllMax = 150_000;
/** Commas, so that lists have an end as well. */
const commasMax = 2 * namesInAllMax;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Against bodies that are small to send and large to hold: brackets within brackets, an object of 100,000 names. Looked
 * at before they are parsed. Right for every valid JSON; invalid JSON the parser refuses afterwards.
 */
function boundShape(bytes: Buffer): void {
  const names = new Array<number>(depthMax + 1).fill(0);
  let depth = 0;
  let namesInAll = 0;
  let commas = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) i = endOfText(bytes, i);
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > depthMax) throw unreadable(`The body is nested deeper than ${depthMax} levels.`);
      names[depth] = 0;
    } else if (byte === closeBrace || byte === closeBracket) depth = Math.max(0, depth - 1);
    else if (byte === comma) commas += 1;
    else if (byte === colon) {
      const ofObject = (names[depth] ?? 0) + 1;
      names[depth] = ofObject;
      namesInAll += 1;
      if (ofObject > namesMax) throw unreadable(`An object of the body has more than ${namesMax} names.`);
    }
  }
  if (namesInAll > namesInAllMax) throw unreadable(`The body has more than ${namesInAllMax} names.`);
  if (commas > commasMax) throw unreadable(`The body has more than ${commasMax} commas.`);
}

/** The place of the quote that ends the text, or the end of the bytes. */
function endOfText(bytes: Buffer, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1;
  return i;
}

const halfPair = /\p{Surrogate}/u;

/** PostgreSQL stores neither. Walks a value of at most `depthMax` levels. @throws Refusal for the first such text */
function refuseUnstorableTexts(value: unknown, field: string): void {
  if (typeof value === "string") refuseUnstorable(value, field === "" ? "body" : field);
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    refuseUnstorable(key, "body");
    refuseUnstorableTexts(inner, field === "" ? key : `${field}.${key}`);
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
