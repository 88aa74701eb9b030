import type { IncomingMessage } from "node:http";
import { claimedMode } from "../domain/merchants/key-format.ts";
import type { Mode } from "../kernel/mode.ts";

/** The credentials that a request brought. */
export type Credentials =
  | { readonly kind: "none" }
  /** One key, be it in two headers. `mode` is what its prefix claims. */
  | { readonly kind: "key"; readonly key: string; readonly mode: Mode | null }
  /** Several that differ, or a scheme that is not ours. */
  | { readonly kind: "unusable" };

const none: Credentials = { kind: "none" };
const unusable: Credentials = { kind: "unusable" };
/** Some older clients leave out the blank behind `Token`. */
const schemes = /^(?:(?:bearer|token) +|token(?=ds_(?:live|test)_))([^ ]+)$/i;

/**
 * Reads `Authorization: Bearer`, `Authorization: Token` and `X-API-Key`. Looks at the headers as they were sent: Node's
 * own object drops a second `Authorization`.
 */
export function readCredentials(message: IncomingMessage): Credentials {
  const headers = message.rawHeaders;
  let key: string | null = null;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const sent = credentialIn(headers[i] ?? "", (headers[i + 1] ?? "").trim());
    if (sent === undefined) continue;
    if (sent === null || (key !== null && key !== sent)) return unusable;
    key = sent;
  }
  return key === null ? none : { kind: "key", key, mode: claimedMode(key) };
}

/** The key in a header; null when the header holds something else; undefined when it is another or an empty header. */
function credentialIn(name: string, value: string): string | null | undefined {
  // The length is compared first: this runs for every header of every request.
  if (name.length === 13 && name.toLowerCase() === "authorization") {
    return value === "" ? undefined : (schemes.exec(value)?.[1] ?? null);
  }
  if (name.length === 9 && name.toLowerCase() === "x-api-key") return value === "" ? undefined : value;
  return undefined;
}
