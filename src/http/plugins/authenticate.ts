import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isWellFormedKey } from "../../domain/merchants/key-format.ts";
import { admit, type Keyring, type KeyUses } from "../../domain/merchants/keyring.ts";
import type { Account, Principal } from "../../domain/merchants/merchant.ts";
import { Refusal, refuse } from "../../kernel/problems.ts";
import { type Address, type AddressRange, clientAddress, sourceOf } from "../../platform/address.ts";
import { refuseWhenAway } from "../../platform/database/refuse-when-away.ts";
import type { RateLimit } from "../../platform/rate-limit/rate-limit.ts";
import type { RateWindow } from "../../platform/rate-limit/request-leases.ts";
import { type Credentials, credentialsOf, setDenied, setPrincipal, setRateHeaders } from "../request-context.ts";
import type { Visitors } from "../try-it/try-it.ts";
import type { RequestsInWork } from "../waiting.ts";

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
 * read. A request that the console announced comes in without a key.
 */
export function authenticateRequests(app: FastifyInstance, services: Authentication): void {
  const { rateLimit, inWork } = services;
  app.addHook("onRequest", async (request, reply) => {
    const account = await accountOf(request, services);
    const principal = admitted(account, request, reply, services);
    const rate = await rateLimit.take(countedAs(principal)).catch(refuseWhenAway);
    setRateHeaders(reply, rateLimit.limit, rate);
    if (!rate.accepted) {
      throw refuse("RATE_LIMITED", {
        message: `This key may send ${rateLimit.limit} requests a minute.`,
        retryAfterSeconds: rate.retryAfterSeconds,
      });
    }
    // It counts as one in work until it is answered.
    const refusal = inWork.begin(request, principal.merchantId);
    if (refusal !== null) throw refusal;
  });
}

function accountOf(request: FastifyRequest, { keyring, visitors }: Authentication): Promise<Account | null> {
  const credentials = credentialsOf(request);
  if (credentials.kind === "key") return keyring.find(credentials.key).catch(refuseWhenAway);
  return Promise.resolve(credentials.kind === "none" ? visitors.take(request.raw) : null);
}

/** Keeps the principal with the request. @throws Refusal where the account or its address is not let in */
function admitted(
  account: Account | null,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Authentication,
): Principal {
  const { rateLimit, keyUses, proxies } = services;
  const address = () => addressOf(request, proxies);
  // Where no key of ours said it before: a member has none, and an older script's token does not name its mode.
  if (account !== null && !namesItsMode(request)) reply.header("x-api-mode", account.principal.mode);
  try {
    const principal = admit(account, address);
    setPrincipal(request, principal);
    if (principal.keyId !== null) keyUses.note(principal.keyId, address);
    return principal;
  } catch (error) {
    if (account === null) throw throttled(error, request, services);
    setDenied(request, account.principal);
    // Refused after its key was known: it costs none of the minute's requests, but the answer has the headers.
    setRateHeaders(reply, rateLimit.limit, rateLimit.peek(countedAs(account.principal)));
    throw error;
  }
}

function namesItsMode(request: FastifyRequest): boolean {
  const credentials = credentialsOf(request);
  return credentials.kind === "key" && credentials.mode !== null;
}

/** The number that requests are counted under: the key's, or for all members of a merchant together one that no key has. */
function countedAs({ keyId, merchantId }: Principal): number {
  return keyId ?? -merchantId;
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
