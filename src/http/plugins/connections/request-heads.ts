import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { type Refusal, refuse } from "../../../kernel/problems.ts";

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
