import type { IncomingHttpHeaders } from "node:http";
import { isIP, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import ipaddr from "ipaddr.js";

/** An IP address; one of IPv4 written as IPv6 (`::ffff:10.0.0.1`) is the IPv4 address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A block of addresses: `10.0.0.0/8`, `2001:db8::/32`. */
export interface AddressRange {
  /** As stored and shown: network address and prefix length. */
  readonly text: string;
  readonly network: Address;
  readonly bits: number;
}

/** The machine itself. */
export const loopback: readonly AddressRange[] = ["127.0.0.0/8", "::1"]
  .map(parseAddressRange)
  .filter((range) => range !== null);

/** Reads one address, strictly: no octal, no hexadecimal, no shortened IPv4. Null when it is none. */
export function parseAddress(text: string): Address | null {
  // Node's own test first: ipaddr.js alone also reads `127.1` and `0x7f.0.0.1`.
  return isIP(text) === 0 ? null : ipaddr.process(text);
}

/** Reads `192.0.2.7` or `192.0.2.0/24`, IPv6 the same way. Bits beyond the prefix are cleared. Null when it is none. */
export function parseAddressRange(text: string): AddressRange | null {
  const match = /^([^/]+)(?:\/([0-9]{1,3}))?$/.exec(text.trim());
  if (match?.[1] === undefined || isIP(match[1]) === 0) return null;
  const given = ipaddr.parse(match[1]);
  const width = given.kind() === "ipv4" ? 32 : 128;
  const prefix = match[2] === undefined ? width : Number(match[2]);
  const address = ipaddr.process(match[1]);
  // The first 96 bits of an IPv4 address written as IPv6 only say that it is one.
  const bits = given.kind() === address.kind() ? prefix : prefix - 96;
  if (prefix > width || bits < 0) return null;
  const network = networkOf(address, bits);
  return { text: `${network.toString()}/${bits}`, network, bits };
}

/** The range that a text stands for, where bits beyond its prefix were cleared for it; null where there were none. */
export function clearedRange(text: string): string | null {
  const range = parseAddressRange(text);
  const address = parseAddress(text.trim().split("/", 1)[0] ?? "");
  return range === null || address === null || address.toString() === range.network.toString() ? null : range.text;
}

export function isWithin(address: Address, ranges: readonly AddressRange[]): boolean {
  for (const range of ranges) {
    if (range.network.kind() === address.kind() && address.match(range.network as never, range.bits)) return true;
  }
  return false;
}

/** As some proxies write a hop: `203.0.113.5:41234`, `[2001:db8::1]:443`, `[2001:db8::1]`. */
const withPort = /^(?:([0-9.]+):[0-9]{1,5}|\[([0-9A-Fa-f:.]+)\](?::[0-9]{1,5})?)$/;

/**
 * The client's address. Believes `X-Forwarded-For` only as far as our own proxies wrote it: from the right, past
 * configured proxies, up to the first address that is none. Null when that address is unreadable.
 */
export function clientAddress(seen: {
  readonly socketAddress: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly proxies: readonly AddressRange[];
}): Address | null {
  let address = parseAddress(seen.socketAddress ?? "");
  if (seen.forwardedFor === undefined || seen.proxies.length === 0) return address;
  const hops = seen.forwardedFor.split(",");
  while (address !== null && hops.length > 0 && isWithin(address, seen.proxies)) {
    address = parseAddress((hops.pop() ?? "").trim().replace(withPort, "$1$2"));
  }
  return address;
}

/**
 * The source that failed authentications and connections count for: an IPv4 address, an IPv6 address's /64 (a customer
 * of a provider has that many), or all unreadable ones together.
 */
export function sourceOf(address: Address | null): string {
  if (address === null) return "unreadable";
  return address.kind() === "ipv4" ? address.toString() : networkOf(address, 64).toString();
}

function networkOf(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.max(0, Math.min(8, bits - index * 8));
    return byte & (0xff << (8 - kept));
  });
  return ipaddr.fromByteArray(bytes);
}

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
  const address = parseAddress(text);
  if (address === null) return false;
  const name = address.toString();
  if (address.range() !== "unicast" || metadataAddresses.has(name) || own.has(name)) return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

/** Shows how a client reached us. A request has both fields; bytes that are no request come with a socket alone. */
export interface Arrival {
  readonly socket: Socket;
  readonly headers: IncomingHttpHeaders;
}

/** A name or address with its port. Anything else a client may write there is not repeated to it. */
const hostForm = /^[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$|^\[[0-9a-fA-F:.]{2,45}\](:[0-9]{1,5})?$/;

/**
 * The address of this service as the client reached it, without a slash at its end: by its own `Host` header, else by the address
 * that its connection ends at. Good for links in answers to that same client, and for nothing that others read.
 */
export function addressReached({ socket, headers }: Arrival): string {
  const { host } = headers;
  const scheme = cameOverHttps({ socket, headers }) ? "https" : "http";
  return `${scheme}://${host !== undefined && hostForm.test(host) ? host : localAddress(socket)}`;
}

/** This service's address on its own machine, by the connection alone: for what others read, as a `Host` is not. */
export function ownAddress(socket: Socket): string {
  const scheme = cameOverHttps({ socket, headers: {} }) ? "https" : "http";
  const { localPort } = socket;
  return `${scheme}://${localPort === undefined ? "localhost" : `127.0.0.1:${localPort}`}`;
}

/**
 * By our own TLS, or by the word of the proxy in front, which alone can know. A client that makes it up deceives itself
 * alone.
 */
export function cameOverHttps({ socket, headers }: Arrival): boolean {
  if ((socket as Partial<TLSSocket>).encrypted === true) return true;
  const protocol = headers["x-forwarded-proto"];
  return typeof protocol === "string" && /^https\b/i.test(protocol);
}

/** False for a request that this process sends to itself, without a network: nobody outside can make such a one. */
export function cameByConnection({ socket }: Pick<Arrival, "socket">): boolean {
  return socket instanceof Socket;
}

function localAddress({ localAddress: address = "localhost", localPort }: Socket): string {
  const name = address.includes(":") ? `[${address}]` : address;
  return localPort === undefined ? name : `${name}:${localPort}`;
}
