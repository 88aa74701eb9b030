import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { claimedMode, type Randomness } from "../domain/merchants/key-format.ts";
import type { Principal } from "../domain/merchants/merchant.ts";
import type { Purchase } from "../domain/purchases/purchase.ts";
import { nextCheckSeconds } from "../domain/resolution/requery/reschedule-requery.ts";
import { assert } from "../kernel/assert.ts";
import type { Clock } from "../kernel/clock.ts";
import type { FailureCode } from "../kernel/failure-codes.ts";
import { ulid, type WalletKey } from "../kernel/ids.ts";
import { looksSecret } from "../kernel/mask-secrets.ts";
import type { Mode } from "../kernel/mode.ts";
import type { ProblemCode } from "../kernel/problems.ts";
import { addressReached, cameByConnection, cameOverHttps, ownAddress } from "../platform/address.ts";
import type { RateState } from "../platform/rate-limit/rate-limit.ts";

const credentialsSlot = Symbol("credentials");
const principalSlot = Symbol("principal");
const deniedSlot = Symbol("whose key was known and is refused");
const reasonSlot = Symbol("why the answer is no success");
const publicUrlSlot = Symbol("address that the service is known by");
const answeredSlot = Symbol("purchase that the answer tells of");
const placeSlot = Symbol("place among the merchant's requests");

/** What we keep with a request, under symbols: Fastify's types need no augmentation and nothing can clash. */
interface Context {
  [credentialsSlot]: Credentials | null;
  [principalSlot]: Principal | null;
  [deniedSlot]: Principal | null;
  [reasonSlot]: ProblemCode | FailureCode | null;
  [answeredSlot]: AnsweredPurchase | null;
  [placeSlot]: (() => void) | null;
}

/** What the request log keeps of a purchase. */
export type AnsweredPurchase = Pick<Purchase, "id" | "reference" | "errorCode">;

/**
 * Gives every request of the server its places, so that all requests keep one shape. Once, at the root. `publicUrl`: the
 * address that the service is known by, without a slash at its end; null where nobody configured one.
 */
export function decorateRequests(app: FastifyInstance, publicUrl: string | null = null): void {
  app.decorate(publicUrlSlot, publicUrl);
  app.decorateRequest(credentialsSlot, null);
  app.decorateRequest(principalSlot, null);
  app.decorateRequest(deniedSlot, null);
  app.decorateRequest(reasonSlot, null);
  app.decorateRequest(answeredSlot, null);
  app.decorateRequest(placeSlot, null);
}

/** The credentials that the request brought; read once. */
export function credentialsOf(request: FastifyRequest): Credentials {
  const context = contextOf(request);
  context[credentialsSlot] ??= readCredentials(request.raw);
  return context[credentialsSlot];
}

/** Keeps who sends the request. Called by the authentication alone. */
export function setPrincipal(request: FastifyRequest, principal: Principal): void {
  contextOf(request)[principalSlot] = principal;
}

/** Keeps the owner of a key that was refused. It serves the log and the counts alone and gives access to nothing. */
export function setDenied(request: FastifyRequest, principal: Principal): void {
  contextOf(request)[deniedSlot] = principal;
}

/** The owner of the key that a request brought, let in or not, or whose member sent it; null where the key is unknown. */
export function knownKeyOf(request: FastifyRequest): Principal | null {
  const context = contextOf(request);
  return context[principalSlot] ?? context[deniedSlot];
}

/** Keeps why an answer is no success, for the counts: the code of its refusal, or why its purchase failed. */
export function setReason(request: FastifyRequest, reason: ProblemCode | FailureCode): void {
  contextOf(request)[reasonSlot] = reason;
}

export function reasonOf(request: FastifyRequest): ProblemCode | FailureCode | null {
  return contextOf(request)[reasonSlot];
}

/** Keeps the purchase that the answer tells of, for the request log. */
export function setAnsweredPurchase(request: FastifyRequest, purchase: AnsweredPurchase): void {
  contextOf(request)[answeredSlot] = purchase;
}

export function answeredPurchaseOf(request: FastifyRequest): AnsweredPurchase | null {
  return contextOf(request)[answeredSlot];
}

/** Keeps how a request leaves its place among its merchant's requests in work. */
export function setPlace(request: FastifyRequest, leave: () => void): void {
  contextOf(request)[placeSlot] = leave;
}

/** Leaves the place, once: the request is answered, its client is gone, or nothing works on it any more. */
export function leavePlace(request: FastifyRequest): void {
  contextOf(request)[placeSlot]?.();
  contextOf(request)[placeSlot] = null;
}

/** The principal of the request, on routes behind the authentication. */
export function principalOf(request: FastifyRequest): Principal {
  const principal = contextOf(request)[principalSlot];
  assert(principal, "a route that asks for the principal is behind the authentication");
  return principal;
}

/** Whether the client still waits for the response, to be asked at any time: a client that hung up will not read it. */
export function isAwaited(reply: FastifyReply): () => boolean {
  const { socket } = reply.request.raw;
  // Where several requests came at once, Node marks only the response whose turn it is: so the socket is asked, too.
  return () => !reply.raw.destroyed && !socket.destroyed;
}

/**
 * Whether all of the response went out, once it is over. One of this process to itself is out when it is written: no
 * connection has to take it.
 */
export function isOut({ raw, request }: FastifyReply): boolean {
  return raw.writableFinished || (raw.writableEnded && !cameByConnection(request.raw));
}

/** The wallet that the request's key opens. */
export function walletOf(request: FastifyRequest): WalletKey {
  const { merchantId, mode } = principalOf(request);
  return { merchantId, mode };
}

/** The address of this service for links in the request's answer, without a slash at its end. */
export function publicUrlOf(request: FastifyRequest): string {
  return configuredUrlOf(request) ?? addressReached(request.raw);
}

/** The address of this service for documents, which all readers share. */
export function lastingUrlOf(request: FastifyRequest): string {
  return configuredUrlOf(request) ?? ownAddress(request.raw.socket);
}

function configuredUrlOf(request: FastifyRequest): string | null {
  return (request.server as unknown as { [publicUrlSlot]: string | null })[publicUrlSlot];
}

function contextOf(request: FastifyRequest): Context {
  return request as unknown as Context;
}

/** The credentials that a request brought. */
export type Credentials =
  | { readonly kind: "none" }
  /** One key, be it in two headers. `mode` is what its prefix claims. */
  | { readonly kind: "key"; readonly key: string; readonly mode: Mode | null }
  /** Several that differ, or a scheme that is not ours. */
  | { readonly kind: "unusable" };

const none: Credentials = { kind: "none" };
const unusable: Credentials = { kind: "unusable" };
/** Some older clients leave out the blank behind `Token`. */
const schemes = /^(?:(?:bearer|token) +|token(?=ds_(?:live|test)_))([^ ]+)$/i;

/**
 * Reads `Authorization: Bearer`, `Authorization: Token` and `X-API-Key`. Looks at the headers as they were sent: Node's
 * own object drops a second `Authorization`.
 */
function readCredentials(message: IncomingMessage): Credentials {
  const headers = message.rawHeaders;
  let key: string | null = null;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const sent = credentialIn(headers[i] ?? "", (headers[i + 1] ?? "").trim());
    if (sent === undefined) continue;
    if (sent === null || (key !== null && key !== sent)) return unusable;
    key = sent;
  }
  return key === null ? none : { kind: "key", key, mode: claimedMode(key) };
}

/** The key in a header; null when the header holds something else; undefined when it is another or an empty header. */
function credentialIn(name: string, value: string): string | null | undefined {
  // The length is compared first: this runs for every header of every request.
  if (name.length === 13 && name.toLowerCase() === "authorization") {
    return value === "" ? undefined : (schemes.exec(value)?.[1] ?? null);
  }
  if (name.length === 9 && name.toLowerCase() === "x-api-key") return value === "" ? undefined : value;
  return undefined;
}

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Gives each request its id: the client's own `X-Request-Id` where it is 1–64 of `A-Z a-z 0-9 . _ -`, else `req_` and
 * a ULID, also where what was sent looks like a key, PIN or token: it would stand in the log. For Fastify's `genReqId`;
 * without a message for what is no request.
 */
export function requestIds(options: {
  readonly clock: Clock;
  readonly randomness: Randomness;
}): (message?: IncomingMessage) => string {
  const { clock, randomness } = options;
  return (message) => {
    const sent = message?.headers["x-request-id"];
    const isTaken = typeof sent === "string" && acceptable.test(sent) && !looksSecret(sent);
    return isTaken ? sent : `req_${ulid(clock.now(), randomness)}`;
  };
}

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
