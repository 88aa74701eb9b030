import type { IncomingMessage } from "node:http";
import { addressReached, ownAddress } from "../../platform/reached-address.ts";

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
