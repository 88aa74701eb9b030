import { isWithin, loopback, parseAddress } from "../../platform/address.ts";
import type { Config } from "./config.ts";

/** The warning where keys would cross a network unencrypted; null where they don't, or a proxy is configured. */
export function exposureWarning({
  host,
  tlsCert,
  trustedProxies,
}: Pick<Config, "host" | "tlsCert" | "trustedProxies">): string | null {
  const address = parseAddress(host);
  const isLocal = address === null ? host.toLowerCase() === "localhost" : isWithin(address, loopback);
  if (isLocal || tlsCert !== null || trustedProxies.length > 0) return null;
  return `HOST ${host} serves other machines without TLS: API keys cross the network in the clear. Set TLS_CERT and TLS_KEY, or put a proxy with TLS before it and its address into TRUSTED_PROXIES.`;
}
