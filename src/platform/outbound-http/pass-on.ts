import { type ClientRequest, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";

/** How a request that was passed on ended. */
export interface PassedOn {
  readonly status: number | null;
  readonly headers: IncomingMessage["headers"];
  /** As its bytes came; null where it was longer than what is copied. */
  readonly body: Buffer | null;
  /** Why the answer did not reach the client whole, in words; null where it did. */
  readonly fault: string | null;
  /** From the request's head to the last byte of the answer. */
  readonly tookMs: number;
}

export interface PassOnOptions {
  /** Where requests are passed on to: scheme, host and port. */
  readonly origin: URL;
  /** Over everything: connecting, sending, the answer. */
  readonly deadlineMs: number;
  /** Of each body, so much is copied at most. All of it is passed on. */
  readonly copiedBytesMax: number;
  readonly monotonicMs: () => number;
}

const clientLeft = "its client left before the answer was out";

/** Concern one connection, and not what is passed on (RFC 9110, 7.6.1). */
const ofOneConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authorization",
  "upgrade",
]);

/**
 * Passes a request on as it came, but for its host, and the answer back as it came: status, headers and bytes, while they
 * come. Where the other side cuts its answer, the client's connection is cut as well, as it would be without us. Each has
 * a connection of its own: one that the other side is just closing would lose a purchase.
 * @param onBody gets the request's body once it is in; null where it is longer than what is copied
 */
export function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: PassOnOptions,
  onBody: (body: Buffer | null) => void,
): Promise<PassedOn> {
  const { origin, deadlineMs, copiedBytesMax, monotonicMs } = options;
  const startedAt = monotonicMs();
  return new Promise((resolve) => {
    let answer: IncomingMessage | null = null;
    let answerBody: () => Buffer | null = () => null;
    let isOver = false;
    const end = (fault: PassedOn["fault"]) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(deadline);
      if (fault !== null) {
        onward?.destroy();
        outgoing.destroy();
      }
      const tookMs = monotonicMs() - startedAt;
      resolve({
        status: answer?.statusCode ?? null,
        headers: answer?.headers ?? {},
        body: answerBody(),
        fault,
        tookMs,
      });
    };
    const deadline = setTimeout(() => end("no answer came in time"), deadlineMs);
    const onward = startRequest(incoming, origin);
    if (onward === null) return end("the request can't be written");

    const body = copyOf(incoming, copiedBytesMax);
    incoming.on("end", () => onBody(body()));
    incoming.on("error", () => end(clientLeft));
    outgoing.on("error", () => end(clientLeft));
    outgoing.on("close", () => end(outgoing.writableFinished ? null : clientLeft));
    onward.on("error", (error: NodeJS.ErrnoException) => end(`the answer was cut (${error.code ?? error.name})`));
    onward.on("response", (came) => {
      answer = came;
      answerBody = copyOf(came, copiedBytesMax);
      came.on("error", () => end("the answer was cut in the middle"));
      outgoing.sendDate = false;
      try {
        outgoing.writeHead(came.statusCode ?? 502, came.statusMessage, passedHeaders(came));
      } catch {
        // What Node reads it may still refuse to write.
        return end("the answer's headers can't be written");
      }
      came.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
}

/** Null where the request's line or headers can't be written: its client sent what no server takes. */
function startRequest(incoming: IncomingMessage, origin: URL): ClientRequest | null {
  const send = origin.protocol === "https:" ? httpsRequest : httpRequest;
  const headers = [...passedHeaders(incoming, "host"), "Host", origin.host];
  try {
    // One connection each: an agent would keep them.
    return send(origin, {
      method: incoming.method ?? "GET",
      path: incoming.url ?? "/",
      headers,
      agent: false,
    });
  } catch {
    return null;
  }
}

/** Names and values by turns, as they came; without one that is set anew. */
function passedHeaders({ rawHeaders, headers }: IncomingMessage, replaced?: string): string[] {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  const passed: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = [rawHeaders[i], rawHeaders[i + 1]];
    const plain = name.toLowerCase();
    if (ofOneConnection.has(plain) || named.has(plain) || plain === replaced) continue;
    passed.push(name, value);
  }
  return passed;
}

/** Keeps what a stream brings, up to so many bytes. @returns all of it; null where it was more */
function copyOf(stream: IncomingMessage, bytesMax: number): () => Buffer | null {
  const parts: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes <= bytesMax) parts.push(part);
    else parts.length = 0;
  });
  return () => (bytes > bytesMax ? null : Buffer.concat(parts));
}
