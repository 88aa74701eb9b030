import { type buildConnector, Client } from "undici";
import { ConnectFailure, type ConnectFault, causeOf } from "./guarded-connect.ts";
import { type Exchanged, type ExchangeLimits, exchange, type HttpRequest } from "./http-exchange.ts";

export type SendFault = ConnectFault | "connection_reset" | "protocol_error";

/** The reply to a request, as far as one came. */
export interface Reply extends Omit<Exchanged, "ended" | "date"> {
  /** Null: the answer is whole, or longer than anybody reads. */
  readonly fault: SendFault | null;
  /** More than the fault says, in words; null where no more is known. */
  readonly faultDetail: string | null;
}

export interface SendOptions extends ExchangeLimits {
  readonly connect: buildConnector.connector;
  /** Connections open at one time over all hosts, in use or idle. One never sends more requests than that under way. */
  readonly connectionsMax: number;
}

export interface HttpSender {
  /** POSTs a text. Never rejects. Follows no redirect, unpacks nothing, keeps no cookie. */
  post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<Reply>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** A client holds one connection, which lives on between requests. */
interface KeptClient {
  readonly client: Client;
  idleSinceMs: number;
}

const idleMsMax = 15_000;
const sweepMs = 5_000;
/** A connection that was used so lately is still open at the other end, unless that end closes for what it is sent. */
const usedLatelyMs = 1_000;
/** A peer that closed long ago says so within a round trip; one that closes later has had the request in hand. */
const staleWithinMs = 1_000;
const headBytesMax = 16_384;

/** Sends requests to hosts that a stranger named, each within a deadline and with a bounded answer. */
export function openHttpSender(options: SendOptions): HttpSender {
  const connections = openConnections(options);
  return {
    async post(url, headers, body) {
      const startedMs = performance.now();
      const request = { method: "POST", path: `${url.pathname}${url.search}`, headers, body } as const;
      const kept = connections.take(url.origin);
      if (kept !== undefined) {
        const idleMs = startedMs - kept.idleSinceMs;
        const reply = await post(kept.client, request, options);
        connections.returnClient(url.origin, kept);
        if (!wasStale(reply, { idleMs, tookMs: performance.now() - startedMs })) return reply;
      }
      const cached = connections.open(url.origin);
      const leftMs = options.deadlineMs - (performance.now() - startedMs);
      const reply = await post(cached.client, request, { ...options, deadlineMs: leftMs });
      connections.returnClient(url.origin, cached);
      return reply;
    },
    close: connections.close,
  };
}

/**
 * Connections are kept for the next request to the same origin: a pool looks for a free one among all it has, these lie
 * on a stack. Where as many are open as may be, an idle one ends for each new one.
 */
function openConnections({ connect, connectionsMax }: SendOptions) {
  /** Idle ones by origin, each of which has some. */
  const idle = new Map<string, KeptClient[]>();
  let openCount = 0;

  function endOldest(origin: string, stack: KeptClient[], count: number): void {
    for (const { client } of stack.splice(0, count)) {
      openCount -= 1;
      void client.destroy();
    }
    if (stack.length === 0) idle.delete(origin);
  }

  function sweep(): void {
    const before = performance.now() - idleMsMax;
    for (const [origin, stack] of idle) {
      const old = stack.findIndex(({ idleSinceMs }) => idleSinceMs > before);
      endOldest(origin, stack, old === -1 ? stack.length : old);
    }
  }

  const timer = setInterval(sweep, sweepMs);
  timer.unref();
  return {
    /** The idle one of this origin that was used last. */
    take(origin: string): KeptClient | undefined {
      const stack = idle.get(origin);
      const cached = stack?.pop();
      if (stack?.length === 0) idle.delete(origin);
      return cached;
    },
    open(origin: string): KeptClient {
      const [longestIdle] = idle;
      if (openCount >= connectionsMax && longestIdle !== undefined) endOldest(...longestIdle, 1);
      openCount += 1;
      return { client: openClient(origin, connect), idleSinceMs: 0 };
    },
    returnClient(origin: string, cached: KeptClient): void {
      if (cached.client.destroyed) {
        openCount -= 1;
        return;
      }
      cached.idleSinceMs = performance.now();
      const stack = idle.get(origin);
      if (stack === undefined) idle.set(origin, [cached]);
      else stack.push(cached);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await Promise.all([...idle.values()].flat().map(({ client }) => client.destroy()));
      idle.clear();
    },
  };
}

function openClient(origin: string, connect: buildConnector.connector): Client {
  return new Client(origin, {
    connect,
    pipelining: 1,
    // One deadline stands over everything, which these two are part of.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMsMax,
    keepAliveMaxTimeout: idleMsMax,
    maxHeaderSize: headBytesMax,
  });
}

/**
 * It was closed at the other end while nobody used it, so that nothing was heard of the request there. Whether bytes were
 * read before a reset, no socket tells: one that idled is taken for stale, any other reset is the answer.
 */
function wasStale({ fault, status }: Reply, { idleMs, tookMs }: { idleMs: number; tookMs: number }): boolean {
  return fault === "connection_reset" && status === null && idleMs > usedLatelyMs && tookMs <= staleWithinMs;
}

async function post(client: Client, request: HttpRequest, limits: ExchangeLimits): Promise<Reply> {
  const { status, retryAfter, beginning, ended } = await exchange(client, request, limits);
  return { status, retryAfter, beginning, ...faultOf(ended) };
}

function faultOf(ended: Exchanged["ended"]): Pick<Reply, "fault" | "faultDetail"> {
  if (ended === "whole" || ended === "cut") return { fault: null, faultDetail: null };
  if (ended === "deadline") return { fault: "timeout", faultDetail: null };
  return { fault: faultOfError(ended), faultDetail: ended instanceof ConnectFailure ? ended.detail : causeOf(ended) };
}

function faultOfError(error: Error): SendFault {
  if (error instanceof ConnectFailure) return error.fault;
  const code = String((error as NodeJS.ErrnoException).code ?? "");
  if (/^(ECONNRESET|EPIPE|ECONNABORTED)$/.test(code)) return "connection_reset";
  // undici's name for a connection that ended; it says "bad response" where the other end broke the protocol.
  if (code === "UND_ERR_SOCKET") return /^bad /.test(error.message) ? "protocol_error" : "connection_reset";
  if (/^(ERR_SSL|EPROTO|ERR_TLS)/.test(code)) return "tls_error";
  if (code === "ETIMEDOUT") return "timeout";
  return "protocol_error";
}
