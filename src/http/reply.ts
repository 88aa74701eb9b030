import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Purchase } from "../domain/purchases/purchase.ts";
import { nextCheckSeconds } from "../domain/resolution/requery/reschedule-requery.ts";
import type { Clock } from "../kernel/clock.ts";
import { cameOverHttps } from "../platform/address.ts";
import type { RateState } from "../platform/rate-limit/rate-limit.ts";
import { credentialsOf } from "./request-context.ts";

const securityHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // Answers carry balances, tokens and keys. What may be cached (the documentation) says so itself.
  "cache-control": "no-store",
};

/** A year. Without subdomains: those are the operator's, and none of our business. */
const httpsOnly = "max-age=31536000";

/** Sets the headers of every answer before anything else happens, so that no error or 404 goes without. At the root. */
export function addResponseHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    setResponseHeaders(request, reply);
    done();
  });
}

/** For answers that no hook sees: a URL that the router cannot read. */
export function setResponseHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders);
  reply.header("x-request-id", request.id);
  if (cameOverHttps(request.raw)) reply.header("strict-transport-security", httpsOnly);
  const credentials = credentialsOf(request);
  if (credentials.kind === "key" && credentials.mode !== null) reply.header("x-api-mode", credentials.mode);
}

/** Tells the client where it stands, once its key is known (draft-ietf-httpapi-ratelimit-headers). */
export function setRateHeaders(reply: FastifyReply, limit: number, rate: RateState): void {
  reply.header("ratelimit-policy", `"key";q=${limit};w=60`);
  reply.header("ratelimit", `"key";r=${rate.remaining};t=${rate.resetSeconds}`);
}

/** Sends what is JSON already. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(text);
}

/** Says with a pending purchase when to ask again. @returns the seconds; null for one that has ended */
export function setRetryAfter(
  reply: FastifyReply,
  purchase: Purchase,
  { clock, sandboxPendingSeconds }: { readonly clock: Clock; readonly sandboxPendingSeconds: number },
): number | null {
  if (purchase.status !== "pending") return null;
  const seconds = nextCheckSeconds(purchase, clock.now(), sandboxPendingSeconds);
  reply.header("retry-after", String(seconds));
  return seconds;
}
