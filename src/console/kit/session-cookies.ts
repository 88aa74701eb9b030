import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Realm } from "../../domain/identity/people/person.ts";
import { addressReached, ownAddress } from "../../platform/address.ts";

/** What a console keeps in a browser. Of whoever is logged in to a realm, or only looks at it; the others let nobody in. */
type CookieName = Realm | "viewing" | "chosen" | "mode" | "steps" | "flash" | "device";

const attributes = { path: "/", httpOnly: true, sameSite: "lax" } as const;
/** As long as a session at most; a browser that is closed forgets none of them. */
const keptSeconds = 14 * 86_400;
/** By what a browser is known again at its next log-in: as long as browsers keep any. */
const deviceKeptSeconds = 400 * 86_400;

/** The cookie's name here: with the prefix that keeps other hosts and plain http from setting it, wherever https is. */
function nameOf(name: CookieName, { isSecure }: Place): string {
  return isSecure ? `__Host-${name}` : name;
}

export function readCookie(request: FastifyRequest, place: Place, name: CookieName): string | null {
  return request.cookies[nameOf(name, place)] ?? null;
}

export function setCookie(reply: FastifyReply, place: Place, name: CookieName, value: string): void {
  const maxAge = name === "device" ? deviceKeptSeconds : keptSeconds;
  reply.setCookie(nameOf(name, place), value, { ...attributes, secure: place.isSecure, maxAge });
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

/** The answer for whoever reaches the console where its cookies would travel in the clear. */
export const unsafeSentence =
  "The console is served by https, or on this machine alone: otherwise its cookies can't be safe. " +
  "Set PUBLIC_URL to the https address of the proxy in front, or TLS_CERT and TLS_KEY.";

const loopbackHost = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/;

/** Where a browser reached the console. */
export interface Place {
  /** `https://shop.example` or `http://127.0.0.1:8080`, without a slash at its end. */
  readonly origin: string;
  /** This machine as its own connection knows it, where it was reached as such: for what others read, as `Host` is not. */
  readonly local: string | null;
  /** Cookies may say `Secure`, and so have names that no other host can set. */
  readonly isSecure: boolean;
}

/**
 * The console's own address: the configured one, else as the browser reached it, which must be https or this machine. Null
 * where cookies would travel in the clear. A browser that was sent here can't lie about `Host`.
 */
export function placeOf(request: IncomingMessage, publicUrl: string | null): Place | null {
  const reached = addressReached(request);
  const isLocal = loopbackHost.test(request.headers.host ?? "");
  const local = isLocal ? ownAddress(request.socket) : null;
  if (publicUrl !== null && !isLocal) {
    return publicUrl.startsWith("https:") ? { origin: new URL(publicUrl).origin, local, isSecure: true } : null;
  }
  if (reached.startsWith("https:")) return { origin: reached, local, isSecure: true };
  return isLocal ? { origin: reached, local, isSecure: false } : null;
}

/**
 * Whether a change was sent by one of our own pages. Browsers send `Origin` with every form that is posted; without it, or
 * with `null`, it was no page of ours, as our pages have a referrer policy that keeps it.
 */
export function isFromOwnPage(request: IncomingMessage, { origin }: Place): boolean {
  const { origin: sent, "sec-fetch-site": site } = request.headers;
  return sent === origin && (site === undefined || site === "same-origin");
}
