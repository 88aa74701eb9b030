import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { problems } from "../../../kernel/problem-catalogue.ts";
import { type Refusal, refuse } from "../../../kernel/problems.ts";
import { addressReached } from "../../../platform/address.ts";
import type { AnswerWatch } from "../../answer-watch.ts";
import { setResponseHeaders } from "../../request-context.ts";
import { problemText, refusalFor } from "../errors.ts";

/** The form in which clients of a URL get a refusal. */
export type RefusalSender = (reply: FastifyReply, refusal: Refusal) => FastifyReply;

const openSlot = Symbol("answers that may still be under way");

/** Node reports unreadable bytes without a request: the connection itself knows what it was asked before. */
interface Connection extends Socket {
  [openSlot]?: ServerResponse[];
}

/**
 * A listener before Fastify's. It notes each connection's answers, and takes a path that cannot be decoded letter
 * by letter, so that it is routed like any other that leads to nothing: where a key is asked for, it is asked for first.
 * (Fastify's own `rewriteUrl` takes 6 % of the time of a sandbox purchase.)
 */
export function prepareRequests({ server }: FastifyInstance): void {
  server.prependListener("request", (request, answer) => {
    const socket: Connection = request.socket;
    socket[openSlot] ??= [];
    const open = socket[openSlot];
    // Answers of a connection go out in their order.
    while (open[0]?.writableFinished === true) open.shift();
    open.push(answer);
    if (request.url?.includes("%") === true) request.url = decodable(request.url);
  });
}

function decodable(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? url;
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll("%", "%25") + url.slice(path.length);
  }
}

/**
 * For Fastify's `frameworkErrors`: a URL that the router cannot read. No hook has run for it, and no room's own error
 * handler is asked, so `senderFor` says which form is understood there.
 */
export function answerUnroutable(
  senderFor: (url: string) => RefusalSender,
  answers?: Pick<AnswerWatch, "note">,
): (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    setResponseHeaders(request, reply);
    reply.raw.once("finish", () => answers?.note(request, reply));
    void senderFor(request.url)(reply, refusalFor(error, request));
  };
}

/** The contract's refusal for each error with which Node refuses a request. The sizes are Node's own. */
const refusalsOfNode: Readonly<Record<string, () => Refusal>> = {
  HPE_HEADER_OVERFLOW: () =>
    refuse("PAYLOAD_TOO_LARGE", { message: "The request's address and headers are larger than 16 KiB: shorten them." }),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () =>
    refuse("PAYLOAD_TOO_LARGE", {
      message: "The extensions of the body's chunks are larger than 16 KiB: send the body without them.",
    }),
  ERR_HTTP_REQUEST_TIMEOUT: () => refuse("INVALID_JSON", { message: "The request took too long to arrive." }),
};

/** How long a client may read its refusal before the connection is closed: closing with bytes unread resets it. */
const lingerMs = 2_000;

/**
 * For Fastify's `clientErrorHandler`: bytes that are no HTTP request, or one that did not arrive in time. No more of the
 * connection is read, so what was refused is never carried out. There is no request yet, so the answer is written by
 * hand. Where an earlier request waits for its answer, that one goes out instead: the client would take ours for it, and
 * read of a charged purchase that nothing was.
 */
export function answerUnreadable(
  requestId: () => string,
  answers?: Pick<AnswerWatch, "noteUnreadable">,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket: Connection) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.pause();
    const answered = socket[openSlot]?.filter((one) => one.req.complete || one.headersSent) ?? [];
    const last = answered.at(-1);
    const isRestOfAnswered = last?.req.complete === false;
    if (last === undefined || (last.writableFinished && !isRestOfAnswered)) {
      const refusal = unreadableRefusal(error);
      end(socket, unreadableAnswer(refusal, requestId(), addressReached({ socket, headers: {} })));
      answers?.noteUnreadable(refusal.code, socket.remoteAddress);
    } else if (last.writableFinished) end(socket);
    else last.once("finish", () => end(socket));
  };
}

function end(socket: Socket, answer = ""): void {
  socket.end(answer);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function unreadableRefusal(error: NodeJS.ErrnoException): Refusal {
  return refusalsOfNode[error.code ?? ""]?.() ?? refuse("INVALID_JSON", { message: "Not a readable HTTP request." });
}

/** A whole HTTP answer, as no framework writes one without a request. */
function unreadableAnswer(refusal: Refusal, requestId: string, baseUrl: string): string {
  const body = problemText(refusal, requestId, baseUrl);
  const { status } = problems[refusal.code];
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Cache-Control: no-store",
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

/** Headers that one request may have: Node's own default, many times what clients and proxies send. */
export const headersMax = 1_000;

/**
 * Refuses a request whose headers are not all read, or that does not name one host. Beyond its maximum Node drops headers and
 * says nothing: the address that a proxy appends, or the mark that a request came through one, would be the first to
 * go. So Node reads twice as many as are taken, and nobody relies on a list that may have been cut. Before every other
 * hook that believes a header; once, at the root.
 */
export function refuseUnreliableHeads(app: FastifyInstance): void {
  app.server.maxHeadersCount = 2 * headersMax;
  app.addHook("onRequest", (request, _reply, done) => done(faultOf(request.raw) ?? undefined));
}

function faultOf({ rawHeaders, httpVersionMinor }: IncomingMessage): Refusal | null {
  if (rawHeaders.length > 2 * headersMax) {
    return refuse("HEADERS_TOO_MANY", { meta: { max_headers: headersMax } });
  }
  const hosts = countHosts(rawHeaders);
  if (hosts > 1) return refuse("INVALID_JSON", { message: "Not a readable HTTP request: it has two Host headers." });
  if (hosts === 1 || httpVersionMinor === 0) return null;
  return refuse("INVALID_JSON", { message: "Not a readable HTTP request: it has no Host header." });
}

/** Among the headers as they were sent: Node's own object keeps the first one alone. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    // The length is compared first: this runs for every header of every request.
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts;
}
