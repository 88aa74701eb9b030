import { Agent, buildConnector, request } from "undici";
import { assert } from "../kernel/assert.ts";

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
  /** Over everything: names, connecting, waiting for a place, sending, reading. */
  readonly deadlineMs: number;
}

/** What came of a question. Only `unsent` proves that not a byte of it left this machine. */
export type HttpReply =
  | { readonly kind: "answered"; readonly status: number; readonly body: string; readonly tookMs: number }
  | { readonly kind: "unsent"; readonly error: string; readonly tookMs: number }
  /** Silence, a reset, an answer too long or unreadable: the question may have arrived. */
  | { readonly kind: "silent"; readonly error: string; readonly tookMs: number };

export interface AllowlistOptions {
  /** As a URL's `origin` has them: `https://api.example.com`; plain `http://127.0.0.1:8081` only where it is named. */
  readonly origins: readonly string[];
  readonly monotonicMs: () => number;
  /** At a time and host; more wait, under their deadlines. */
  readonly connectionsMax?: number;
}

/** A supplier's answer is hostile input: more than this is no answer. */
export const replyBytesMax = 256 * 1024;
const connectMs = 5_000;

/** The connection was never made, so nothing was ever written to it. */
class NotConnected extends Error {
  override readonly name = "NotConnected";
}

/** Opens the client. Names, connections and TLS are checked as Node does; certificates are never skipped. */
export function openAllowlistedHttp(options: AllowlistOptions): AllowlistedHttp {
  const origins = new Set(options.origins);
  const connect = buildConnector({ timeout: connectMs, minVersion: "TLSv1.2" });
  const agent = new Agent({
    connections: options.connectionsMax ?? 256,
    pipelining: 1,
    // Most servers close after five seconds or later: a connection that may be closing is not used for a purchase.
    keepAliveTimeout: 3_000,
    keepAliveMaxTimeout: 4_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, done) {
      connect(target, (error, socket) => {
        if (error === null) done(null, socket);
        else done(new NotConnected(nameOf(error)), null);
      });
    },
  });

  async function send(question: HttpQuestion, url: URL): Promise<{ status: number; body: string }> {
    const { method, headers, body, deadlineMs } = question;
    const signal = AbortSignal.timeout(deadlineMs);
    const reply = await request(url, { dispatcher: agent, method, headers, body: body ?? null, signal });
    return { status: reply.statusCode, body: await readAll(reply.body) };
  }

  return {
    async ask(question) {
      const startedAt = options.monotonicMs();
      const url = new URL(question.url);
      assert(url.username === "" && url.password === "", "credentials travel in headers");
      const tookMs = () => Math.floor(options.monotonicMs() - startedAt);
      if (!origins.has(url.origin)) return { kind: "unsent", error: `${url.origin} is not allowed`, tookMs: tookMs() };
      try {
        return { kind: "answered", ...(await send(question, url)), tookMs: tookMs() };
      } catch (error) {
        const kind = error instanceof NotConnected ? "unsent" : "silent";
        return { kind, error: error instanceof NotConnected ? error.message : nameOf(error), tookMs: tookMs() };
      }
    },
    close: () => agent.close(),
  };
}

/** As text; what is no UTF-8 is replaced, and shows as such. @throws RangeError past the cap */
async function readAll(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop by a throw destroys the connection: the rest is never read.
  for await (const part of body) {
    bytes += part.length;
    if (bytes > replyBytesMax) throw new RangeError(`an answer of more than ${replyBytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** One line without addresses of ours or anything that was sent. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if (error instanceof RangeError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return error.name === "TimeoutError" ? "no answer within the deadline" : (code ?? error.name);
}
