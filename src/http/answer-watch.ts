import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, Histogram, type Registry } from "prom-client";
import { failedKeyHint } from "../domain/merchants/key-format.ts";
import { formatApiKeyId, formatMerchantId } from "../domain/merchants/merchant.ts";
import type { RequestLog } from "../domain/request-log/request-log.ts";
import { problems } from "../kernel/problem-catalogue.ts";
import type { ProblemCode } from "../kernel/problems.ts";
import { type AddressRange, parseAddress, sourceOf } from "../platform/address.ts";
import type { SecurityEventKind, SecurityEvents } from "../platform/telemetry/security-events.ts";
import { addressOf } from "./plugins/authenticate.ts";
import { answeredPurchaseOf, credentialsOf, isOut, knownKeyOf, leavePlace, reasonOf } from "./request-context.ts";

export interface AnswerWatchServices extends RequestNoting {
  readonly registry: Registry;
  readonly security: SecurityEvents;
}

/** Sees every answer, once it is sent. */
export interface AnswerWatch {
  /** `tookMs`: from the request's head to the answer's last byte, where that is known. */
  note(request: FastifyRequest, reply: FastifyReply, tookMs?: number): void;
  /** Notes a request whose client left before its answer was out. */
  noteUnread(request: FastifyRequest, reply: FastifyReply, tookMs: number): void;
  /** Notes a refusal of bytes that never became a request. */
  noteUnreadable(code: ProblemCode, remoteAddress: string | undefined): void;
}

/** Codes of refusals that somebody should see where they come in numbers. */
const securityKinds: Partial<Record<ProblemCode, SecurityEventKind>> = {
  UNAUTHORIZED: "key_failed",
  IP_NOT_ALLOWED: "address_denied",
  ACCOUNT_SUSPENDED: "account_denied",
  API_ACCESS_NOT_APPROVED: "account_denied",
  SANDBOX_DISABLED: "account_denied",
  RATE_LIMITED: "limit_hit",
  INVALID_JSON: "request_refused",
  PAYLOAD_TOO_LARGE: "request_refused",
  UNSUPPORTED_MEDIA_TYPE: "request_refused",
  HEADERS_TOO_MANY: "request_refused",
};

/** Counts answers by method, route, status and reason, and notes those that an attack is made of. */
export function openAnswerWatch({ registry, security, proxies, requestLog }: AnswerWatchServices): AnswerWatch {
  const noting = { requestLog, proxies };
  const counter = new Counter({
    name: "dispense_http_answers_total",
    help: "Answers by method, route, status and reason: the code of a refusal, or why a purchase failed.",
    labelNames: ["method", "route", "status", "reason"],
    registers: [registry],
  });
  const times = new Histogram({
    name: "dispense_http_seconds",
    help: "Seconds from a request's head to the last byte of its answer, by method, route and status.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });

  return {
    note(request, reply, tookMs) {
      const route = request.routeOptions.url ?? "none";
      const reason = reasonOf(request);
      const { method } = request;
      const status = String(reply.statusCode);
      counter.inc({ method, route, status, reason: reason ?? "" });
      if (tookMs !== undefined) {
        times.observe({ method, route, status }, tookMs / 1_000);
        noteRequest(request, reply, noting, tookMs);
      }
      const kind = reason === null ? undefined : securityKinds[reason as ProblemCode];
      if (reason === null || kind === undefined) return;
      const about = kind === "request_refused" ? `${reason} ${request.method} ${route}` : keyOf(request);
      security.note({ kind, source: sourceOf(addressOf(request, proxies)), about });
    },
    noteUnread(request, reply, tookMs) {
      noteRequest(request, reply, noting, tookMs);
    },
    noteUnreadable(reason, remoteAddress) {
      counter.inc({ method: "", route: "none", status: String(problems[reason].status), reason });
      const source = sourceOf(parseAddress(remoteAddress ?? ""));
      security.note({ kind: "request_refused", source, about: `${reason} unreadable` });
    },
  };
}

const replySlot = Symbol("reply that an answer is of");
const begunSlot = Symbol("when its request came");

interface Answer extends ServerResponse {
  [replySlot]?: FastifyReply;
  [begunSlot]?: number;
}

/**
 * Lets the watch see every answer of `app`, and gives its request's place back once it is out or nobody waits for it. One
 * listener a request that is the same for all: Fastify's `onResponse` and closures of our own cost several times as much.
 * Once, at the root, before everything that can answer.
 */
export function watchAnswers(app: FastifyInstance, watch: Pick<AnswerWatch, "note" | "noteUnread">): void {
  function ended(this: Answer): void {
    const reply = this[replySlot];
    if (reply === undefined) return;
    const tookMs = performance.now() - (this[begunSlot] ?? 0);
    if (isOut(reply)) watch.note(reply.request, reply, tookMs);
    else watch.noteUnread(reply.request, reply, tookMs);
    leavePlace(reply.request);
  }
  app.addHook("onRequest", (_request, reply, done) => {
    const answer: Answer = reply.raw;
    answer[replySlot] = reply;
    answer[begunSlot] = performance.now();
    answer.on("close", ended);
    done();
  });
}

/** The merchant and the key that a request came with; for an unknown key, as much of it as may be logged. */
function keyOf(request: FastifyRequest): string {
  const known = knownKeyOf(request);
  if (known !== null) {
    const { merchantId, keyId } = known;
    return `${formatMerchantId(merchantId)} ${keyId === null ? "a member" : formatApiKeyId(keyId)}`;
  }
  const credentials = credentialsOf(request);
  return credentials.kind === "key" ? failedKeyHint(credentials.key) : credentials.kind;
}

export interface RequestNoting {
  readonly requestLog: Pick<RequestLog, "takes" | "note" | "miss">;
  readonly proxies: readonly AddressRange[];
}

/**
 * Notes a request for its merchant's log, once its answer is out or its client has left; one whose key is unknown is
 * nobody's. Called with every answer: of those that the log does not take, little is looked at.
 */
function noteRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { requestLog, proxies }: RequestNoting,
  tookMs: number,
): void {
  const isReceived = isOut(reply);
  const principal = knownKeyOf(request);
  if (principal === null) return;
  const purchase = answeredPurchaseOf(request);
  const code = reasonOf(request) ?? purchase?.errorCode ?? null;
  const isFailed = code !== null || !isReceived;
  const endpoint = request.routeOptions.url ?? null;
  if (!requestLog.takes(isFailed)) {
    if (isFailed) requestLog.miss({ principal, endpoint, code: isReceived ? code : null });
    return;
  }
  const params = request.params as { readonly reference?: string } | null;
  requestLog.note({
    principal,
    method: request.method,
    url: request.url,
    endpoint,
    namedReference: params?.reference,
    status: isReceived ? reply.statusCode : null,
    code: isReceived ? code : null,
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
