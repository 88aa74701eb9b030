import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { type AddressRange, isWithin, loopback, parseAddress, sourceOf } from "../../../platform/address.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";

/** How long a connection may keep the service waiting, and how many there may be. */
export interface ConnectionLimits {
  /** A client that sends its request slower than this is cut off, `lookEveryMs` later at most. */
  readonly requestMs: number;
  readonly lookEveryMs: number;
  /** How long a connection is kept for the client's next request. */
  readonly keepAliveMs: number;
  /** How long no byte may come or go while a request waits for its answer, or an answer for its reader. */
  readonly silenceMs: number;
  readonly connectionsMax: number;
  /** How many connections one source may have: an IPv4 address, or the /64 of an IPv6 address. */
  readonly connectionsPerSourceMax: number;
  /** Sources without that limit: a proxy on the machine itself is one source and brings everybody's requests. */
  readonly unboundedSources: readonly AddressRange[];
}

export const connectionLimits: ConnectionLimits = {
  requestMs: 30_000,
  lookEveryMs: 5_000,
  keepAliveMs: 72_000,
  // A purchase that five suppliers decline, each at the end of its 30 s, is answered after 150.
  silenceMs: 180_000,
  // Room for a thousand merchants with four each. Measured: an idle one costs 12 kB, one whose request stops halfway 54,
  // one that asks for all it may at once and reads nothing 115. At worst that is some 450 MB, much of it outside of the
  // heap: one of 256 MB bears it. Beside what webhooks need, it is no more than 5,500 open files.
  connectionsMax: 4_000,
  // More than a company behind one address has ever needed, and a quarter: it takes four to lock everybody else out.
  connectionsPerSourceMax: 1_000,
  unboundedSources: loopback,
};

/** For Fastify's options. Node keeps these times itself. */
export function timeoutsOf({ requestMs, lookEveryMs, keepAliveMs, silenceMs }: ConnectionLimits) {
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionTimeout: silenceMs,
    http: {
      // Left alone it is 60 s, which Node allows the body as well where `requestTimeout` is shorter than that.
      headersTimeout: requestMs,
      connectionsCheckingInterval: lookEveryMs,
      // Looked after in `unreadable-requests.ts`, where the answer has a body.
      requireHostHeader: false,
    },
  };
}

const loggedAgainAfterMs = 60_000;

/**
 * Closes at once what is one connection too many, before it is read, and says so in the log, once a minute at most. The
 * proxies that are believed may have as many connections as there are.
 */
export function limitConnections(
  { server }: FastifyInstance,
  limits: ConnectionLimits,
  { log, proxies }: { readonly log: Logger; readonly proxies: readonly AddressRange[] },
): void {
  const { connectionsMax, connectionsPerSourceMax, unboundedSources } = limits;
  const open = new Map<string, number>();
  const warnOfAll = onceAMinute(log);
  const warnOfSource = onceAMinute(log);

  server.maxConnections = connectionsMax;
  server.on("drop", () => warnOfAll({ event: "http.connections_full", connectionsMax }));
  server.on("connection", (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress ?? "");
    if (address !== null && (isWithin(address, unboundedSources) || isWithin(address, proxies))) return;
    const source = sourceOf(address);
    const before = open.get(source) ?? 0;
    if (before >= connectionsPerSourceMax) {
      warnOfSource({ event: "http.connections_of_source_full", source, connectionsPerSourceMax });
      socket.destroy();
      return;
    }
    open.set(source, before + 1);
    socket.once("close", () => {
      const left = (open.get(source) ?? 1) - 1;
      if (left > 0) open.set(source, left);
      else open.delete(source);
    });
  });
}

function onceAMinute(log: Logger): (line: Parameters<Logger["warn"]>[0]) => void {
  let isLogged = false;
  return (line) => {
    if (isLogged) return;
    isLogged = true;
    setTimeout(() => {
      isLogged = false;
    }, loggedAgainAfterMs).unref();
    log.warn(line);
  };
}
