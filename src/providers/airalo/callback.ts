import { createHmac, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "../../kernel/json.ts";
import { type News, readNews } from "../addressed-callback.ts";
import type { CallbackMessage, CallbackReading } from "../contract.ts";
import { objectOf, parseJson, textAt } from "../reply.ts";

/** Signed with our client secret. The spelling of the body is undocumented: each that their libraries make is tried. */
export function readCallback(message: CallbackMessage, clientSecret: string): CallbackReading {
  const received = message.headers["airalo-signature"];
  const given = Buffer.from(typeof received === "string" ? received.toLowerCase() : "");
  const isGenuine = spellingsOf(message.body).some((body) => {
    const expected = Buffer.from(createHmac("sha512", clientSecret).update(body).digest("hex"));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isGenuine ? readNews(message, newsIn) : { kind: "forged", evidence: "airalo-signature is not of this body" };
}

/** As it came, without its spaces, and as PHP's `json_encode` writes the same. */
function spellingsOf(body: string): readonly string[] {
  if (parseJson(body) === undefined) return [body];
  return [body, rewritten(body, JSON.stringify), rewritten(body, phpText)];
}

const textsAndSpaces = /"[^"\\]*(?:\\.[^"\\]*)*"|[ \t\r\n]+/g;

/** The numbers stay as they are spelt: `9.0` would lose its zero. */
function rewritten(json: string, write: (text: string) => string): string {
  return json.replace(textsAndSpaces, (part) => (part.startsWith('"') ? write(JSON.parse(part) as string) : ""));
}

function phpText(text: string): string {
  return JSON.stringify(text)
    .replaceAll("/", "\\/")
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** An order, with our reference as its description. Their other messages tell of data used and of our credit. */
function newsIn(body: JsonObject): News | null {
  const order = objectOf(body.data) ?? body;
  const [supplierReference, providerReference] = [textAt(order, "description"), textAt(order, "id")];
  if (supplierReference === null) return null;
  return { supplierReference, providerReference, status: textAt(order, "status", "slug") ?? "completed" };
}
