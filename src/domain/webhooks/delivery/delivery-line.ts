import type { Clock } from "../../../kernel/clock.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { WideLog } from "../../../platform/telemetry/wide-log.ts";
import { formatMerchantId } from "../../merchants/merchant.ts";
import { deliveryTime } from "../events/event.ts";
import { type FinishedAttempt, updateFinished } from "./lease-queries.ts";

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
