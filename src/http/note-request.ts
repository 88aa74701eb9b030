import type { FastifyReply, FastifyRequest } from "fastify";
import type { RequestLog } from "../domain/request-log/request-log.ts";
import type { AddressRange } from "../platform/address.ts";
import { addressOf } from "./plugins/authenticate.ts";
import { isOut, knownKeyOf, reasonOf, toldPurchaseOf } from "./request-context.ts";

export interface RequestNoting {
  readonly requestLog: Pick<RequestLog, "takes" | "note" | "miss">;
  readonly proxies: readonly AddressRange[];
}

/**
 * Notes a request for its merchant's log, once its answer is out or its client has left; one whose key is unknown is
 * nobody's. Called with every answer: of those that the log does not take, little is looked at.
 */
export function noteRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { requestLog, proxies }: RequestNoting,
  tookMs: number,
): void {
  const isHeard = isOut(reply);
  const principal = knownKeyOf(request);
  if (principal === null) return;
  const purchase = toldPurchaseOf(request);
  const code = reasonOf(request) ?? purchase?.errorCode ?? null;
  const isFailed = code !== null || !isHeard;
  const endpoint = request.routeOptions.url ?? null;
  if (!requestLog.takes(isFailed)) {
    if (isFailed) requestLog.miss({ principal, endpoint, code: isHeard ? code : null });
    return;
  }
  const params = request.params as { readonly reference?: string } | null;
  requestLog.note({
    principal,
    method: request.method,
    url: request.url,
    endpoint,
    namedReference: params?.reference,
    status: isHeard ? reply.statusCode : null,
    code: isHeard ? code : null,
    durationMs: tookMs,
    address: addressOf(request, proxies)?.toString() ?? null,
    requestId: request.id,
    body: keptBodyOf(request),
    purchase,
  });
}

const keptBytesMax = 16_384;
const leftOut = "[left out: larger than 16 KiB]";

/** It is kept for a second: hundreds of large ones would be felt. One that came in chunks says no length. */
function keptBodyOf({ body, headers }: FastifyRequest): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  const length = headers["content-length"];
  const isSmall = length === undefined ? roomFor(body, keptBytesMax) > 0 : Number(length) <= keptBytesMax;
  return isSmall ? body : leftOut;
}

/** What is left of so much room when a value is in it; it stops to look as soon as there is none. */
function roomFor(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - 4;
  let left = room - 2;
  for (const name in value) {
    if (left <= 0) break;
    left = roomFor((value as Record<string, unknown>)[name], left - name.length);
  }
  return left;
}
