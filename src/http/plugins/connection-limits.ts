import type { FastifyInstance } from "fastify";
import type { Logger } from "../../platform/log.ts";
import { boundedRequest } from "./pipelined-requests.ts";

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
  /** Requests of one connection that are read before the first of them is answered. */
  readonly unansweredMax: number;
}

export const connectionLimits: ConnectionLimits = {
  requestMs: 30_000,
  lookEveryMs: 5_000,
  keepAliveMs: 72_000,
  // A purchase that five suppliers decline, each at the end of its 30 s, is answered after 150.
  silenceMs: 180_000,
  // Measured: 12 kB for one that is idle, 54 for one whose request stops halfway, 115 for one that asks for all it may at
  // once and reads nothing, so at worst some 450 MB for all; a heap of 256 MB bears it. A thousand merchants with four
  // each have room, and beside what webhooks need no more than 5,500 open files.
  connectionsMax: 4_000,
  // Clients that pipeline at all do so by ten or fewer.
  unansweredMax: 16,
};

/** For Fastify's options. Node keeps these times itself. */
export function patienceOf({ requestMs, lookEveryMs, keepAliveMs, silenceMs, unansweredMax }: ConnectionLimits) {
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionTimeout: silenceMs,
    http: { connectionsCheckingInterval: lookEveryMs, IncomingMessage: boundedRequest(unansweredMax) },
  };
}

const toldAgainAfterMs = 60_000;

/** Closes at once what is one connection too many, before it is read, and says so in the log, once a minute at most. */
export function limitConnections(app: FastifyInstance, { connectionsMax }: ConnectionLimits, log: Logger): void {
  let isTold = false;
  app.server.maxConnections = connectionsMax;
  app.server.on("drop", () => {
    if (isTold) return;
    isTold = true;
    setTimeout(() => {
      isTold = false;
    }, toldAgainAfterMs).unref();
    log.warn({ event: "http.connections_full", connectionsMax });
  });
}
