import { isIP } from "node:net";
import { refuseField } from "../../../kernel/problems.ts";
import { isPublicAddress } from "../../../platform/address.ts";
import type { ResolveName } from "../../../platform/outbound-http/guarded-connect.ts";

/** Where webhooks may go. */
export interface DestinationRules {
  /** The operator's switch for trying things out: http, any port, private addresses and local names are allowed too. */
  readonly allowPrivate: boolean;
  /** Addresses of this machine, in one spelling; they may be public ones. */
  readonly ownAddresses: ReadonlySet<string>;
}

/** The judgement on a URL without a lookup. */
type Destination =
  | {
      readonly kind: "allowed";
      readonly url: URL;
      /** Name or address, without the brackets of IPv6 and the dot of a fully qualified name. */
      readonly host: string;
      /** The host is an address: there is nothing to look up, and it has been judged. */
      readonly isLiteral: boolean;
    }
  /** `why` is one sentence for the merchant. */
  | { readonly kind: "refused"; readonly why: string };

export const urlLengthMax = 2_048;
const httpsPorts = new Set(["", "8443"]);
/** For whoever tries out on a machine that nobody reaches from outside. */
const locally =
  "To try it on your own machine, give it a public https address by a tunnel; who runs this service may set WEBHOOK_ALLOW_PRIVATE=true for that.";
const localNames = /(^|\.)(localhost|local|internal|home\.arpa)$/;
const nameShape = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{1,63}$/;

/**
 * Reads a webhook URL and judges its form: scheme, port, credentials, and the host as the URL parser understands it,
 * which is what a client connects to (`https://0x7f.1` is 127.0.0.1). An address written as such is judged here, as no
 * lookup will ever be made for it.
 */
export function readDestination(text: string, rules: DestinationRules): Destination {
  // The parser drops tabs and line ends and takes a backslash for a slash: other readers of the text would not.
  if (/[\s\\\p{Cc}]/u.test(text) || text.length > urlLengthMax) return refused("Must be a URL without blanks.");
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return refused("Must be a URL such as https://example.com/webhooks.");
  if (url.username !== "" || url.password !== "") return refused("Must not carry credentials.");
  if (url.protocol !== "https:" && !(rules.allowPrivate && url.protocol === "http:")) {
    return refused(`Must begin with https://. ${locally}`);
  }
  if (!rules.allowPrivate && !httpsPorts.has(url.port)) return refused("Must use port 443 or 8443.");
  return judgeHost(url, rules);
}

/** The addresses to which nothing may be sent. Every address of a name counts: a client may choose any. */
export function refusedAmong(addresses: readonly string[], rules: DestinationRules): readonly string[] {
  return rules.allowPrivate ? [] : addresses.filter((address) => !isPublicAddress(address, rules.ownAddresses));
}

/**
 * Checks a URL that a merchant wants to save; asks the name servers, so never inside a transaction. A name that has no
 * address now is accepted: it may get one, and what protects us is that every attempt looks again.
 * @throws Refusal INVALID_WEBHOOK_URL
 */
export async function checkWebhookUrl(
  text: string,
  { rules, resolveName }: { readonly rules: DestinationRules; readonly resolveName: ResolveName },
): Promise<void> {
  const destination = readDestination(text, rules);
  if (destination.kind === "refused") throw refuseField("INVALID_WEBHOOK_URL", "url", destination.why);
  if (destination.isLiteral || rules.allowPrivate) return;
  const answer = await resolveName(destination.host);
  if (answer.kind === "addresses" && refusedAmong(answer.addresses, rules).length > 0) {
    throw refuseField("INVALID_WEBHOOK_URL", "url", `Must name a host whose addresses are all public. ${locally}`);
  }
}

function judgeHost(url: URL, rules: DestinationRules): Destination {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  const isLiteral = isIP(host) !== 0;
  if (isLiteral) {
    if (refusedAmong([host], rules).length > 0)
      return refused(`Must not be a private, local or reserved address. ${locally}`);
  } else if (!rules.allowPrivate && (localNames.test(host) || !nameShape.test(host))) {
    return refused(`Must name a public host. ${locally}`);
  }
  return { kind: "allowed", url, host, isLiteral };
}

function refused(why: string): Destination {
  return { kind: "refused", why };
}
