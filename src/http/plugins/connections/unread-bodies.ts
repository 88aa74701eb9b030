import type { IncomingMessage } from "node:http";
import type { FastifyReply } from "fastify";

/**
 * For a refusal, before it is sent. A connection that closes with bytes unread in it is reset, and the reset overtakes
 * the answer: a client that still writes learns of a broken pipe, and not why it was refused. So the connection stays,
 * and Node reads the rest of the body and throws it away, for as long as the request may take in all.
 */
export function readBodyOut(reply: FastifyReply): void {
  const { raw: answer } = reply;
  const { raw: request } = reply.request;
  // The service stops, and has said so on the answer.
  if (answer.hasHeader("connection")) return;
  const wantsEnd = !answer.shouldKeepAlive;
  if (wantsEnd && !isBodyComing(request)) return;
  // Instead of Fastify's `close`, which stands on whatever its body parsers refuse, or of the one that Node would send.
  if (wantsEnd || reply.hasHeader("connection")) reply.header("connection", "keep-alive");
  if (wantsEnd) answer.once("finish", () => endBehindBody(request));
}

function isBodyComing({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined);
}

function endBehindBody(request: IncomingMessage): void {
  if (request.readableEnded) request.socket.destroySoon();
  else request.once("end", () => request.socket.destroySoon());
}
