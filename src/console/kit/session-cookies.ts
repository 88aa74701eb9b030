import type { FastifyReply, FastifyRequest } from "fastify";
import type { Realm } from "../../domain/identity/people/person.ts";
import type { Place } from "./same-origin.ts";

/** What a console keeps in a browser. Only the first, of whoever is logged in to a realm, lets anybody in. */
type CookieName = Realm | "chosen" | "flash";

const attributes = { path: "/", httpOnly: true, sameSite: "lax" } as const;
/** As long as a session at most; a browser that is closed forgets none of them. */
const keptSeconds = 14 * 86_400;

/** The cookie's name here: with the prefix that keeps other hosts and plain http from setting it, wherever https is. */
function nameOf(name: CookieName, { isSecure }: Place): string {
  return isSecure ? `__Host-${name}` : name;
}

export function readCookie(request: FastifyRequest, place: Place, name: CookieName): string | null {
  return request.cookies[nameOf(name, place)] ?? null;
}

export function setCookie(reply: FastifyReply, place: Place, name: CookieName, value: string): void {
  reply.setCookie(nameOf(name, place), value, { ...attributes, secure: place.isSecure, maxAge: keptSeconds });
}

export function clearCookie(reply: FastifyReply, place: Place, name: CookieName): void {
  reply.clearCookie(nameOf(name, place), { ...attributes, secure: place.isSecure });
}

/** One sentence for the next page, such as that something was done. */
export interface Flash {
  readonly kind: "good" | "bad";
  readonly text: string;
}

export function setFlash(reply: FastifyReply, place: Place, flash: Flash): void {
  setCookie(reply, place, "flash", Buffer.from(JSON.stringify(flash)).toString("base64url"));
}

/** The sentence for this page, which is shown once. */
export function takeFlash(request: FastifyRequest, reply: FastifyReply, place: Place): Flash | null {
  const cookie = readCookie(request, place, "flash");
  if (cookie === null) return null;
  clearCookie(reply, place, "flash");
  try {
    const { kind, text } = JSON.parse(Buffer.from(cookie, "base64url").toString()) as Partial<Flash>;
    return (kind === "good" || kind === "bad") && typeof text === "string" ? { kind, text: text.slice(0, 500) } : null;
  } catch {
    return null;
  }
}
