import type { IncomingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

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
