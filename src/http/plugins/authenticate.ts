import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";
import type { Address, AddressRange } from "../../domain/merchants/address.ts";
import { clientAddress, sourceOf } from "../../domain/merchants/address.ts";
import { admit } from "../../domain/merchants/authenticate.ts";
import { isWellFormedKey } from "../../domain/merchants/key-format.ts";
import type { KeyUses } from "../../domain/merchants/key-uses.ts";
import type { Keyring } from "../../domain/merchants/keyring.ts";
import type { Account, Principal } from "../../domain/merchants/merchant.ts";
import { Refusal, refuse } from "../../kernel/problems.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import type { RateLimit, RateState } from "../../platform/rate-limit/rate-limit.ts";
import type { RateWindow } from "../../platform/rate-limit/rate-window.ts";
import type { Credentials } from "../credentials.ts";
import { credentialsOf, principalOf, setDenied, setPrincipal } from "../request-context.ts";
import type { Visitors } from "../try-it/visitors.ts";
import type { RequestsInWork } from "./requests-in-work.ts";
import { setRateHeaders } from "./response-headers.ts";

export interface Authentication {
  readonly keyring: Keyring;
  readonly rateLimit: RateLimit;
  readonly inWork: RequestsInWork;
  /** Failed authentications and forged callbacks by source: it gets so many guesses a minute, whatever it guesses. */
  readonly failures: RateWindow;
  /** The only addresses whose `X-Forwarded-For` is believed. */
  readonly proxies: readonly AddressRange[];
  /** Told of every request that a key let in. */
  readonly keyUses: Pick<KeyUses, "note">;
  /** The members who send a request from the console just now. */
  readonly visitors: Pick<Visitors, "take">;
}

/** The contract's promise for a source that fails to authenticate. */
export const failuresPerMinuteMax = 300;

/**
 * Puts every route of `app` behind a key: key, account, mode gates, address, rate, in this order and before the body is
 * read. With everything in memory, as it nearly always is, the request goes on in the same turn of the event loop. Without a
 * key comes in whom the console announced.
 */
export function authenticateRequests(app: FastifyInstance, services: Authentication): void {
  app.addHook("onRequest", (request, reply, done) => {
    const credentials = credentialsOf(request);
    const found = accountOf(credentials, request, services);
    const visit = { services, request, reply, done };
    if (found instanceof Promise) found.catch(refuseWhenAway).then((account) => goOn(visit, account), done);
    else goOn(visit, found);
  });
}

function accountOf(credentials: Credentials, { raw }: FastifyRequest, { keyring, visitors }: Authentication) {
  if (credentials.kind === "key") return keyring.find(credentials.key);
  return credentials.kind === "none" ? visitors.take(raw) : null;
}

interface Visit {
  readonly services: Authentication;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly done: HookHandlerDoneFunction;
}

/** `done` runs all the rest of the request, and what that throws is not ours to catch: it is called outside of any try. */
function goOn(visit: Visit, account: Account | null): void {
  const { done } = visit;
  const taken = admitted(visit, account);
  if (taken instanceof Error) done(taken);
  else if (taken instanceof Promise) {
    taken.catch(refuseWhenAway).then((rate) => done(overRate(visit, rate)), done);
  } else done(overRate(visit, taken));
}

function admitted(
  { services, request, reply }: Visit,
  account: Account | null,
): Error | RateState | Promise<RateState> {
  try {
    const address = () => addressOf(request, services.proxies);
    const principal = admit(account, address);
    setPrincipal(request, principal);
    if (principal.keyId === null) reply.header("x-api-mode", principal.mode);
    else services.keyUses.note(principal.keyId, address);
    return services.rateLimit.take(countedAs(principal));
  } catch (error) {
    if (account === null) return throttled(error, request, services);
    setDenied(request, account.principal);
    // Refused after its key was known: it costs none of the minute's requests, but the answer has the headers.
    setRateHeaders(reply, services.rateLimit.limit, services.rateLimit.peek(countedAs(account.principal)));
    return error as Error;
  }
}

/** The number that requests are counted under: the key's, or for all members of a merchant together one that no key has. */
function countedAs({ keyId, merchantId }: Principal): number {
  return keyId ?? -merchantId;
}

/** Why the request goes no further; else it counts as one in work until it is answered. */
function overRate({ services, request, reply }: Visit, rate: RateState): Refusal | undefined {
  const { limit } = services.rateLimit;
  setRateHeaders(reply, limit, rate);
  if (rate.accepted) return services.inWork.begin(request, principalOf(request).merchantId) ?? undefined;
  return refuse("RATE_LIMITED", {
    message: `This key may send ${limit} requests a minute.`,
    retryAfterSeconds: rate.retryAfterSeconds,
  });
}

/** A 401, or a 429 when its source had too many of them in this minute. Keys that work are never held up by this. */
function throttled(error: unknown, request: FastifyRequest, { failures, proxies }: Authentication): Error {
  if (!(error instanceof Refusal && error.code === "UNAUTHORIZED")) return error as Error;
  if (failures.count(sourceOf(addressOf(request, proxies)))) return keyMissing(credentialsOf(request)) ?? error;
  return refuse("RATE_LIMITED", {
    message: "Too many failed authentications from this address.",
    retryAfterSeconds: failures.resetSeconds(),
  });
}

const howToSend = "Send it as Authorization: Bearer <key>, Authorization: Token <key> or X-API-Key: <key>.";

/** Says how to send a key where none was sent. Null where one was sent: why it is refused is never answered. */
function keyMissing(credentials: Credentials): Refusal | null {
  if (credentials.kind === "none") return unauthorized("No API key was sent.");
  if (credentials.kind === "unusable")
    return unauthorized("The request must carry one API key, in one of these forms.");
  return isWellFormedKey(credentials.key)
    ? null
    : unauthorized("What was sent is no API key: it begins with ds_test_ or ds_live_ and has 46 characters.");
}

function unauthorized(what: string): Refusal {
  return refuse("UNAUTHORIZED", { message: `${what} ${howToSend}` });
}

/** Where a request came from, by the proxies that are believed. */
export function addressOf(request: FastifyRequest, proxies: readonly AddressRange[]): Address | null {
  const forwardedFor = request.raw.headers["x-forwarded-for"];
  return clientAddress({
    socketAddress: request.raw.socket.remoteAddress,
    forwardedFor: Array.isArray(forwardedFor) ? forwardedFor.join(",") : forwardedFor,
    proxies,
  });
}
