import type { Instant } from "../../../kernel/clock.ts";
import type { WalletKey } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type DeliveryId, eventNames } from "../events/event.ts";
import { findDelivery, type StoredDelivery } from "./delivery-queries.ts";
import { type Attempt, listAttemptsOfSubject } from "./log-queries.ts";
import { attemptsMax } from "./retry-schedule.ts";

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
