import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Azure's host, which answers metadata on an address that is otherwise an ordinary one. */
const metadataAddresses = new Set(["168.63.129.16"]);

/** All of IPv6 that is routed worldwide today. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is globally routable unicast, so that a request to it cannot reach this machine's own networks:
 * not loopback, private, link-local, shared (100.64/10), multicast, reserved or documentation, nor an IPv6 address that
 * carries an IPv4 one (mapped ones count as what they map; NAT64, 6to4 and Teredo are refused), nor cloud metadata.
 * A text that is no address in Node's strict reading is not public. `own` are addresses of this machine.
 */
export function isPublicAddress(text: string, own: ReadonlySet<string> = new Set()): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  const name = address.toString();
  if (address.range() !== "unicast" || metadataAddresses.has(name) || own.has(name)) return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}
