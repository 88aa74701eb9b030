import { type SecretBox, Unopenable } from "../../../platform/sealing/secret-box.ts";
import type { Endpoint, EndpointKey } from "./endpoint.ts";
import { secretIdentity } from "./secret.ts";

type UrlBox = Pick<SecretBox, "open">;

/** A URL up to its query, and the rest: people put tokens into queries, so that part is stored sealed. */
export function splitUrl(text: string): { readonly url: string; readonly query: string | null } {
  const at = text.indexOf("?");
  return at === -1 ? { url: text, query: null } : { url: text.slice(0, at), query: text.slice(at) };
}

/**
 * The URL as it was saved; null where none is set. For its merchant and for the request to it: logs, metrics and operators
 * see `endpoint.url`. @throws Unopenable when the query is sealed under a key that is not ours
 */
export function wholeUrl(
  secretBox: UrlBox,
  key: EndpointKey,
  endpoint: Pick<Endpoint, "url" | "urlQuery">,
): string | null {
  const { url, urlQuery } = endpoint;
  if (url === null || urlQuery === null) return url;
  return url + secretBox.open(urlQuery, secretIdentity(key));
}

/** The same for an answer, which tells the URL without its query where the key to that is lost. */
export function tellableUrl(
  secretBox: UrlBox,
  key: EndpointKey,
  endpoint: Pick<Endpoint, "url" | "urlQuery">,
): string | null {
  try {
    return wholeUrl(secretBox, key, endpoint);
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    return endpoint.url;
  }
}
