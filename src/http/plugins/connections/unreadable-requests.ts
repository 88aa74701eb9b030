import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { problems } from "../../../kernel/problem-catalogue.ts";
import type { Refusal } from "../../../kernel/problems.ts";
import { refuse } from "../../../kernel/problems.ts";
import { addressReached } from "../../../platform/reached-address.ts";
import type { AnswerWatch } from "../../answer-watch.ts";
import { problemText, refusalFor } from "../errors.ts";
import { setResponseHeaders } from "../response-headers.ts";
import type { ConnectionLimits } from "./connection-limits.ts";

/** The form in which clients of a URL get a refusal. */
export type RefusalSender = (reply: FastifyReply, refusal: Refusal) => FastifyReply;

/**
 * A path that cannot be decoded is taken letter by letter, so that it is routed like any other that leads to nothing.
 * Where a key is asked for, it is asked for first. A listener before Fastify's: its `rewriteUrl` notes every request's
 * URL on the request, for 6 % of the time that a sandbox purchase takes.
 */
export function escapeUndecodablePaths({ server }: FastifyInstance): void {
  server.prependListener("request", (request) => {
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
 * Node answers an `Expect` that it does not know with a 417 of its own, without a body. HTTP lets a server pass over what
 * it is not able to expect: such a request goes the way of all others.
 */
export function ignoreExpectHeader({ server }: FastifyInstance): void {
  server.on("checkExpectation", (request, answer) => server.emit("request", request, answer));
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

/** Connections whose last request was refused before it was whole. */
export type RefusedConnections = WeakSet<Socket>;

/**
 * A request that was refused as too slow may come whole after all, as Node goes on to read. It is not carried out: the
 * client was told that nothing was bought.
 */
export function ignoreWhatWasRefused(app: FastifyInstance, refused: RefusedConnections): void {
  app.addHook("preValidation", (request, reply, done) => {
    if (refused.has(request.raw.socket)) reply.hijack();
    else done();
  });
}

/** With what Node notes there, and asks itself where nobody handles unreadable bytes. */
interface Connection extends Socket {
  /** The answer whose turn it is. */
  readonly _httpMessage?: ServerResponse | null;
  /** With the request that is being read. */
  readonly parser?: { readonly incoming: IncomingMessage | null } | null;
}

/**
 * For Fastify's `clientErrorHandler`: bytes that are no HTTP request, or one that did not arrive in time. There is no
 * request yet, so the answer is written by hand and the connection ends. Where an earlier request waits for its answer,
 * that one goes out instead: the client would take ours for it, and read of a charged purchase that nothing was. Where
 * the request was refused before its body was read, it has its answer already.
 */
export function answerUnreadable(
  requestId: () => string,
  limits: Pick<ConnectionLimits, "silenceMs" | "lingerMs">,
  refused: RefusedConnections,
  answers?: Pick<AnswerWatch, "noteUnreadable">,
): (error: NodeJS.ErrnoException, socket: Connection) => void {
  // Whatever comes after unreadable bytes is unreadable as well, and arrives here again.
  const ending = new WeakSet<Connection>();
  return (error, socket) => {
    if (error.code !== "ECONNRESET" && ending.has(socket)) return;
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    ending.add(socket);
    closeInTime(socket, limits);
    if (isAnswered(socket) || owedAnswer(socket) !== null) endWhenAnswered(socket);
    else {
      refused.add(socket);
      const refusal = unreadableRefusal(error);
      socket.end(unreadableAnswer(refusal, requestId(), addressReached({ socket, headers: {} })));
      answers?.noteUnreadable(refusal.code, socket.remoteAddress);
    }
  };
}

/**
 * Ending a connection closes our half of it. Node goes on to read the other, and looks after its time no more: a client
 * that never stops to send would keep its place for good. It is given time to read what it was answered, as closing with
 * bytes unread resets the connection, and so is an answer that is still owed.
 */
function closeInTime(socket: Connection, { silenceMs, lingerMs }: Pick<ConnectionLimits, "silenceMs" | "lingerMs">) {
  const destroyIn = (ms: number) => {
    const timer = setTimeout(() => socket.destroy(), ms).unref();
    socket.once("close", () => clearTimeout(timer));
  };
  destroyIn(silenceMs);
  socket.once("finish", () => destroyIn(lingerMs));
}

/** Ends the connection behind the answers to all requests that came whole. */
function endWhenAnswered(socket: Connection): void {
  const owed = owedAnswer(socket);
  if (owed === null) socket.end();
  else owed.once("finish", () => endWhenAnswered(socket));
}

/** Whether the unreadable bytes are the rest of a request that has had its answer. */
function isAnswered({ _httpMessage: answer, parser }: Connection): boolean {
  return !answer && parser?.incoming?.complete === false;
}

/** The answer that the client waits for. None where the unreadable bytes are the rest of the request that it asked. */
function owedAnswer({ _httpMessage: answer }: Connection): ServerResponse | null {
  return answer && (answer.req.complete || answer.headersSent) ? answer : null;
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
