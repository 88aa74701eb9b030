import type { Instant } from "../../../kernel/clock.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type DeliveryId, eventNames } from "../events/event.ts";
import { findDelivery, type StoredDelivery } from "./delivery-queries.ts";
import { type Attempt, listAttemptsOfSubject } from "./log-queries.ts";

/**
 * waiting: an attempt is owed or under way; delivered: one was successful; exhausted: all attempts of the schedule failed;
 * dropped: nothing more is sent, as its endpoint was removed, switched off, or turned to the other mode.
 */
export const deliveryStatuses = ["waiting", "delivered", "exhausted", "dropped"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One delivery as a whole. */
export interface DeliveryState {
  readonly delivery: StoredDelivery;
  readonly status: DeliveryStatus;
  readonly nextAttemptAt: Instant | null;
  readonly resendable: boolean;
  /** The newest first; at most `attemptsShown`. */
  readonly attempts: readonly Attempt[];
}

/** Resends may make many more of them than the schedule has. */
const attemptsShown = 100;
const everything = { events: eventNames, successful: [true, false], reference: null, endpointNumber: null };
const newest = { upToId: 9_223_372_036_854_775_807n, limit: attemptsShown, offset: 0 };

/** Reads one delivery with its attempts. @throws Refusal DELIVERY_NOT_FOUND: also in the other mode, and once purged */
export async function readDelivery(db: Queryable, wallet: WalletKey, deliveryId: DeliveryId): Promise<DeliveryState> {
  const delivery = await findDelivery(db, wallet, deliveryId);
  const { attempts } = await listAttemptsOfSubject(db, wallet, { ...everything, deliveryId }, newest);
  if (delivery === null || (attempts.length === 0 && !delivery.hasBody)) throw refuse("DELIVERY_NOT_FOUND");
  const { isOn, hasBody, isUnderWay, dueAt } = delivery;
  return {
    delivery,
    status: statusOf(delivery, attempts, wallet),
    nextAttemptAt: dueAt,
    resendable: isOn && hasBody && !isUnderWay,
    attempts,
  };
}

function statusOf(
  { dueAt, isExample }: StoredDelivery,
  attempts: readonly Attempt[],
  { mode }: WalletKey,
): DeliveryStatus {
  if (dueAt !== null) return "waiting";
  if (attempts.some(({ successful }) => successful)) return "delivered";
  const [last] = attempts;
  return last !== undefined && (isExample || last.attempt >= attemptsMax(mode)) ? "exhausted" : "dropped";
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after the first failed attempt, the second, and so on; one attempt more than there are waits. */
export const retryWaitsMs: Readonly<Record<Mode, readonly number[]>> = {
  // Three days and more in all: a receiver may be down over a weekend.
  live: [
    5 * second,
    30 * second,
    2 * minute,
    10 * minute,
    30 * minute,
    1 * hour,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ],
  test: [5 * second, 30 * second, 2 * minute, 5 * minute],
};

/** How many attempts a delivery has that nobody asks more for. */
export function attemptsMax(mode: Mode): number {
  return retryWaitsMs[mode].length + 1;
}

/** Each wait is up to a fifth shorter or longer, so that what failed together does not come back together. */
const jitter = 0.2;

interface FailedAttempt {
  readonly mode: Mode;
  /** Its number, from 1. */
  readonly attempt: number;
  /** What the receiver asked for: seconds, or a date. Null when it asked for nothing. */
  readonly retryAfter: string | null;
  readonly now: Instant;
}

/**
 * When to try again, in milliseconds from now; null when that was the last attempt. `chance` lies in [0, 1).
 * A receiver may ask for up to twice the wait that is due, and for none that is shorter.
 */
export function nextWaitMs(failed: FailedAttempt, chance: number): number | null {
  const scheduled = retryWaitsMs[failed.mode][failed.attempt - 1];
  if (scheduled === undefined) return null;
  const waitMs = readRetryAfter(failed.retryAfter, failed.now);
  if (waitMs !== null && waitMs > scheduled) return Math.floor(Math.min(waitMs, 2 * scheduled));
  return Math.floor(scheduled * (1 - jitter + 2 * jitter * chance));
}

/** Milliseconds from now; null when it cannot be read. */
function readRetryAfter(text: string | null, now: Instant): number | null {
  if (text === null) return null;
  if (/^[0-9]{1,9}$/.test(text.trim())) return Number(text) * second;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date - now;
}
