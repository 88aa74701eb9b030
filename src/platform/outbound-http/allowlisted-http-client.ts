import { buildConnector, Client } from "undici";
import { assert } from "../../kernel/assert.ts";
import { type Exchanged, exchange } from "./http-exchange.ts";

/** Asks origins that the operator's configuration names, and no others. */
export interface AllowlistedHttp {
  /** Sends once. Never follows a redirect, never repeats, never throws. */
  ask(question: HttpQuestion): Promise<HttpReply>;
  /** Closes idle connections; what is under way ends first. */
  close(): Promise<void>;
}

export interface HttpQuestion {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Added to the address: credentials, which `url` must not hold. */
  readonly secretQuery?: string;
  /** Instead of the usual bound on an answer's length. */
  readonly replyBytesMax?: number;
  /** Over everything: names, connecting, waiting for a place, sending, reading. */
  readonly deadlineMs: number;
}

/** The result of a request. Only `unsent` proves that not a byte of it left this machine. */
export type HttpReply =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly body: string;
      /** The answer's Date header; null where it has none. */
      readonly date: string | null;
      readonly tookMs: number;
    }
  | { readonly kind: "unsent"; readonly error: string; readonly tookMs: number }
  /** Silence, a reset, an answer too long or unreadable: the question may have arrived. */
  | { readonly kind: "silent"; readonly error: string; readonly tookMs: number };

export interface AllowlistOptions {
  /** As a URL's `origin` has them: `https://api.example.com`; plain `http://127.0.0.1:8081` only where it is named. */
  readonly origins: readonly string[];
  readonly monotonicMs: () => number;
  /** At a time and origin; more wait, under their deadlines. */
  readonly connectionsMax?: number;
}

/** A supplier's answer is hostile input: more than this is no answer. */
export const replyBytesMax = 256 * 1024;
const connectMs = 5_000;
/** A supplier that takes two seconds, and a thousand customers who wait for it. */
const usualConnectionsMax = 1_024;
/** For a connection, at a time and origin: as many as purchases may wait for the database. */
const waitingMax = 20_000;

/** The connection was never made, so nothing was ever written to it. */
class NotConnected extends Error {
  override readonly name = "NotConnected";
}

/** Opens the client. Names, connections and TLS are checked as Node does; certificates are never skipped. */
export function openAllowlistedHttp(options: AllowlistOptions): AllowlistedHttp {
  const connect = connector();
  const { monotonicMs, connectionsMax = usualConnectionsMax } = options;
  const places = new Map(options.origins.map((origin) => [origin, openPlaces(origin, connect, connectionsMax)]));

  return {
    async ask(question) {
      const { method, url: address, headers, body = null, deadlineMs } = question;
      const startedAt = monotonicMs();
      const url = new URL(address);
      assert(url.username === "" && url.password === "", "credentials travel in headers");
      const tookMs = () => Math.floor(monotonicMs() - startedAt);
      const origin = places.get(url.origin);
      if (origin === undefined) return { kind: "unsent", error: `${url.origin} is not allowed`, tookMs: tookMs() };
      const client = await origin.take(deadlineMs);
      if (client === null) return { kind: "unsent", error: "no connection was free", tookMs: tookMs() };
      const request = { method, path: pathOf(url, question.secretQuery), headers, body };
      const leftMs = deadlineMs - (monotonicMs() - startedAt);
      const bytesMax = question.replyBytesMax ?? replyBytesMax;
      const limits = { deadlineMs: leftMs, replyBytesMax: bytesMax, replyBytesKept: bytesMax };
      const exchanged = await exchange(client, request, limits);
      origin.returnClient(client);
      return replyOf(exchanged, tookMs(), bytesMax);
    },
    close: async () => void (await Promise.all(Array.from(places.values(), (origin) => origin.close()))),
  };
}

function pathOf({ pathname, search }: URL, secretQuery: string | undefined): string {
  if (secretQuery === undefined) return `${pathname}${search}`;
  return search === "" ? `${pathname}?${secretQuery}` : `${pathname}${search}&${secretQuery}`;
}

function connector(): buildConnector.connector {
  const connect = buildConnector({ timeout: connectMs, minVersion: "TLSv1.2" });
  return (target, done) => {
    connect(target, (error, socket) => {
      if (error === null) done(null, socket);
      else done(new NotConnected(nameOf(error)), null);
    });
  };
}

/** The connections to one origin, each for one question at a time. */
interface Places {
  /** A free one, or the next that comes free; null when none did in time, or too many wait already. */
  take(deadlineMs: number): Promise<Client | null>;
  returnClient(client: Client): void;
  close(): Promise<void>;
}

/** A pool looks for a free connection among all it has; these lie on a stack, so that the last one used goes first. */
function openPlaces(origin: string, connect: buildConnector.connector, max: number): Places {
  const all = new Set<Client>();
  const free: Client[] = [];
  const waiting = new Set<(client: Client | null) => void>();

  function open(): Client {
    const client = new Client(origin, {
      connect,
      pipelining: 1,
      // Most servers close after five seconds or later: a connection that may be closing is not used for a purchase.
      keepAliveTimeout: 3_000,
      keepAliveMaxTimeout: 4_000,
      // One deadline stands over everything, which these two are part of.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    all.add(client);
    return client;
  }

  function nextFree(deadlineMs: number): Promise<Client | null> {
    return new Promise((resolve) => {
      const done = (client: Client | null) => {
        clearTimeout(timer);
        waiting.delete(done);
        resolve(client);
      };
      const timer = setTimeout(() => done(null), deadlineMs);
      waiting.add(done);
    });
  }

  return {
    async take(deadlineMs) {
      const present = free.pop();
      if (present !== undefined) return present;
      if (all.size < max) return open();
      return waiting.size < waitingMax ? nextFree(deadlineMs) : null;
    },
    returnClient(client) {
      const [next] = waiting;
      if (client.destroyed) {
        all.delete(client);
        next?.(open());
      } else if (next === undefined) free.push(client);
      else next(client);
    },
    close: async () => void (await Promise.all(Array.from(all, (client) => client.close()))),
  };
}

function replyOf({ status, date, beginning, ended }: Exchanged, tookMs: number, bytesMax: number): HttpReply {
  if (ended === "whole" && status !== null) {
    // As text; what is no UTF-8 is replaced, and shows as such.
    return { kind: "answered", status, body: beginning.toString("utf8"), date, tookMs };
  }
  if (ended instanceof NotConnected) return { kind: "unsent", error: ended.message, tookMs };
  return { kind: "silent", error: wordsOf(ended, bytesMax), tookMs };
}

function wordsOf(ended: Exchanged["ended"], bytesMax: number): string {
  if (ended === "deadline") return "no answer within the deadline";
  if (ended === "cut") return `an answer of more than ${bytesMax} bytes`;
  return nameOf(ended);
}

/** One line without addresses of ours or anything that was sent. */
function nameOf(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : "failed";
}
