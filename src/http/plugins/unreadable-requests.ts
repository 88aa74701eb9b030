import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { problems } from "../../kernel/problem-catalogue.ts";
import type { ProblemCode, Refusal } from "../../kernel/problems.ts";
import { refuse } from "../../kernel/problems.ts";
import { problemText, refusalFor } from "./errors.ts";
import { setResponseHeaders } from "./response-headers.ts";

/** How the clients of a URL are told of a refusal. */
export type RefusalSender = (reply: FastifyReply, refusal: Refusal) => FastifyReply;

/**
 * For Fastify's `frameworkErrors`: a URL that the router cannot read. No hook has run for it, and no room's own error
 * handler is asked, so `senderFor` says which form is understood there.
 */
export function answerUnroutable(
  senderFor: (url: string) => RefusalSender,
): (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    setResponseHeaders(request, reply);
    void senderFor(request.url)(reply, refusalFor(error, request));
  };
}

const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: "PAYLOAD_TOO_LARGE",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "PAYLOAD_TOO_LARGE",
};

/**
 * For Fastify's `clientErrorHandler`: bytes that are no HTTP request, or one that did not arrive in time. There is no
 * request yet, so the answer is written by hand and the connection ends.
 */
export function answerUnreadable(requestId: () => string): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = refuse(codes[error.code ?? ""] ?? "INVALID_JSON", {
      message:
        error.code === "ERR_HTTP_REQUEST_TIMEOUT"
          ? "The request took too long to arrive."
          : "Not a readable HTTP request.",
    });
    const id = requestId();
    const body = problemText(refusal, id);
    const { status } = problems[refusal.code];
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        "Content-Type: application/json; charset=utf-8",
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${id}`,
        "Cache-Control: no-store",
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  };
}
