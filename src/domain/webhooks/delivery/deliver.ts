import type { Clock, Instant } from "../../../kernel/clock.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { HttpSender, Reply } from "../../../platform/outbound-http/http-sender.ts";
import { type SecretBox, Unopenable } from "../../../platform/sealing/secret-box.ts";
import type { Logger, WideLog } from "../../../platform/telemetry/log.ts";
import { formatMerchantId } from "../../merchants/merchant.ts";
import { type Endpoint, type EndpointKey, openSecret, signatureHeaders, wholeUrl } from "../endpoints/endpoint.ts";
import { type DestinationRules, readDestination } from "../endpoints/url-guard.ts";
import { deliveryTime, type EventName } from "../events/event.ts";
import type { NewAttempt } from "../log/attempt.ts";
import { type DeliveryClaim, endpointOf } from "./claim-queries.ts";
import { type FinishedAttempt, updateFinished } from "./lease-queries.ts";

/** The outcome of one attempt. */
export interface Outcome extends Omit<NewAttempt, "wallet" | "endpointNumber" | "deliveryId" | "attempt" | "event"> {
  readonly retryAfter: string | null;
}

/** The address that an attempt was sent to, as the log keeps it. */
type Destination = Pick<Outcome, "url" | "urlVersion">;

/** Makes one attempt to deliver. Never rejects for what the receiver does. @throws Unopenable of the present secret */
export type Deliver = (claim: DeliveryClaim & { readonly body: string }, endpoint: Endpoint) => Promise<Outcome>;

/** The most time that an attempt may take, from the lookup of the name to the last byte of the reply. */
export const attemptDeadlineMs = 15_000;

/** A reply is read up to so many bytes; a receiver that answers more has been heard all the same. */
export const replyBytesMax = 16_384;
const replyCharactersMax = 500;
/** In UTF-8 no character is longer than four bytes. */
export const replyBytesKept = 4 * replyCharactersMax;

const userAgent = "Dispense-Webhooks/1";

/** What is made once from an endpoint and used for every attempt, until its settings change. */
interface Prepared {
  readonly destination: Destination;
  readonly url: URL | null;
  readonly secret: string;
  readonly previousSecret: string | null;
}

export function openDeliver(services: {
  readonly sender: HttpSender;
  readonly secretBox: SecretBox;
  readonly rules: DestinationRules;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly log: Logger;
}): Deliver {
  // Endpoints are remembered as long as nothing changed, so opening two secrets for each attempt is saved.
  const prepared = new WeakMap<Endpoint, Prepared>();

  function prepare(claim: DeliveryClaim, endpoint: Endpoint): Prepared {
    const present = prepared.get(endpoint);
    if (present !== undefined) return present;
    const key = endpointOf(claim);
    // The rules may be stricter than they were when it was saved.
    const read = readDestination(wholeUrl(services.secretBox, key, endpoint) ?? "", services.rules);
    const made = {
      destination: { url: endpoint.url ?? "", urlVersion: endpoint.urlVersion },
      url: read.kind === "allowed" ? read.url : null,
      secret: endpoint.secret === null ? "" : openSecret(services.secretBox, key, endpoint.secret),
      previousSecret: isOverlap(endpoint, services.clock.now()) ? openPrevious(key, endpoint) : null,
    };
    prepared.set(endpoint, made);
    return made;
  }

  /** Null where its key is lost: a merchant that rotated because of that gets its events by the present one. */
  function openPrevious(key: EndpointKey, { previousSecret }: Endpoint): string | null {
    if (previousSecret === null) return null;
    try {
      return openSecret(services.secretBox, key, previousSecret);
    } catch (error) {
      if (!(error instanceof Unopenable)) throw error;
      const { merchantId, endpointNumber } = key;
      const unopenable = { event: "webhook.previous_secret_unopenable", merchantId, endpointNumber };
      services.log.warn({ ...unopenable, error: error.message });
      return null;
    }
  }

  return async (claim, endpoint) => {
    const { destination, url, secret, previousSecret } = prepare(claim, endpoint);
    if (url === null) return blocked(destination);
    const now = services.clock.now();
    const secrets = previousSecret !== null && isOverlap(endpoint, now) ? [secret, previousSecret] : [secret];
    const message = { id: claim.deliveryId, timestampSeconds: Math.floor(now / 1_000), body: claim.body };
    const headers = { ...plainHeaders(claim.event, claim.wallet.mode), ...signatureHeaders(message, secrets) };
    const startedMs = services.monotonicMs();
    const reply = await services.sender.post(url, headers, claim.body);
    return outcomeOf(destination, reply, services.monotonicMs() - startedMs);
  };
}

/** The headers of every attempt beside those that sign it. */
export function plainHeaders(event: EventName, mode: Mode) {
  return {
    "content-type": "application/json",
    "user-agent": userAgent,
    "x-service-event": event,
    "x-service-mode": mode,
  };
}

/** The secret before the last rotation signs as well. */
function isOverlap({ previousSecretExpiresAt }: Endpoint, now: Instant): boolean {
  return (previousSecretExpiresAt ?? 0) > now;
}

/**
 * Only a whole answer is a success: who died in the middle of one may not have done its work. `durationMs` of a blocked
 * destination is always zero, so that it tells nothing of a network that the merchant cannot see.
 */
function outcomeOf(destination: Destination, reply: Reply, tookMs: number): Outcome {
  const { status, fault, faultDetail, retryAfter } = reply;
  if (fault === "blocked_destination") return blocked(destination);
  return {
    url: destination.url,
    urlVersion: destination.urlVersion,
    successful: fault === null && status !== null && status >= 200 && status <= 299,
    httpStatus: status,
    durationMs: Math.max(0, Math.trunc(tookMs)),
    error: fault,
    errorDetail: faultDetail,
    responseBody: readableText(reply.beginning),
    retryAfter,
  };
}

function blocked(destination: Destination): Outcome {
  const nothing = { successful: false, httpStatus: null, durationMs: 0, responseBody: "", retryAfter: null };
  return { ...destination, ...nothing, error: "blocked_destination", errorDetail: null };
}

/** The first 500 characters, as valid UTF-8 without NUL, whatever bytes came. */
function readableText(bytes: Buffer): string {
  if (bytes.length === 0) return "";
  // In stream mode, a last character that was cut in the middle is left out instead of replaced.
  const text = new TextDecoder("utf-8").decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD");
  return text.length <= replyCharactersMax ? text : [...text].slice(0, replyCharactersMax).join("");
}

export interface AttemptRecording {
  /** With plans for batches: claims and records are few statements with long arrays. */
  readonly database: Database;
  readonly clock: Clock;
  /** Absent: no lines are written. */
  readonly wide?: WideLog | undefined;
}

/** Records attempts in one commit, and then writes one line for each. @returns for each whether it was recorded */
export async function recordAttempts(
  { database, clock, wide }: AttemptRecording,
  attempts: readonly FinishedAttempt[],
): Promise<boolean[]> {
  const recorded = await updateFinished(database, attempts);
  if (wide === undefined) return recorded;
  const now = clock.now();
  for (const [i, attempt] of attempts.entries()) {
    if (wide.takes(!attempt.successful)) wide.write(lineOf(attempt, recorded[i] === true, now));
  }
  return recorded;
}

function lineOf(attempt: FinishedAttempt, isRecorded: boolean, now: number) {
  const { successful, waitMs } = attempt;
  return {
    event: "delivery",
    outcome: successful ? "successful" : (attempt.error ?? "http_error"),
    httpStatus: attempt.httpStatus,
    next: waitMs === null ? (successful ? "none" : "given_up") : "retry",
    retryInMs: waitMs,
    deliveryId: attempt.deliveryId,
    attempt: attempt.attempt,
    webhookEvent: attempt.event,
    merchantId: formatMerchantId(attempt.wallet.merchantId),
    mode: attempt.wallet.mode,
    endpoint: attempt.endpointNumber,
    lane: attempt.lane,
    isRecorded,
    tookMs: attempt.durationMs,
    ageMs: Math.max(0, now - deliveryTime(attempt.deliveryId)),
  };
}
