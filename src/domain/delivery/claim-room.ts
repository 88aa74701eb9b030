import type { Mode } from "../../kernel/mode.ts";
import type { DeliveryClaim, DueLane, Room } from "./claim-queries.ts";
import { placesFor } from "./delivery-pools.ts";
import { type DeliveryScheduler, poolNameOf } from "./delivery-scheduler.ts";
import { heldMaxOf, isStalled, isUnresponsive, standingOf } from "./endpoint-pace.ts";

/** While fewer are held in a pool, the places that nobody else wants are no loss to anybody. */
const restMax = 512;

/**
 * How many more events of a mode the next claim may bring, by endpoint; of one that is not named it brings the usual few.
 * Named are those that something is held of and that end what they are sent, and those that the last claim left something
 * of and that have succeeded since: what a quick endpoint got is over before the next claim, and the usual few would be
 * all that it ever gets. One that never had an event of this mode here needs no name.
 */
export function roomForEvents(scheduler: DeliveryScheduler, mode: Mode): Room {
  const room = new Map<string, number>();
  const nowMs = scheduler.monotonicMs();
  const { behind, held } = scheduler.pools[mode];
  const isAtRest = held < restMax;
  for (const name of behind) {
    const endpoint = scheduler.endpoints.get(name);
    if (endpoint === undefined || isUnresponsive(endpoint, nowMs)) behind.delete(name);
    else if (endpoint.isHealthy) room.set(name, heldMaxOf(endpoint, isAtRest));
  }
  for (const [name, endpoint] of scheduler.holding) {
    // The few deliveries that a claim brings anyway for these endpoints are set aside at once.
    if (!endpoint.queues.has(mode) || isStalled(endpoint, nowMs) || standingOf(endpoint, nowMs) === "slow") continue;
    room.set(name, Math.max(0, heldMaxOf(endpoint, isAtRest) - (endpoint.held - endpoint.heldByHand)));
  }
  return room;
}

/**
 * The same for what was asked for by hand, of which no more than `heldByHandMax` is held of an endpoint: an endpoint of
 * which nothing of the kind is held needs no name. None of one that ends nothing: it would be claimed to be set aside.
 */
export function roomByHand(scheduler: DeliveryScheduler, heldByHandMax: number): Room {
  const room = new Map<string, number>();
  const nowMs = scheduler.monotonicMs();
  for (const [name, endpoint] of scheduler.holding) {
    if (isStalled(endpoint, nowMs)) room.set(name, 0);
    else if (endpoint.heldByHand > 0) room.set(name, Math.max(0, heldByHandMax - endpoint.heldByHand));
  }
  return room;
}

/** The same for what waits in the slow lane: as many as may begin at once, and of an endpoint that is not named one. */
export function roomAmongSlow({ holding }: DeliveryScheduler): Room {
  const room = new Map<string, number>();
  for (const [name, { window, inFlight }] of holding) room.set(name, Math.max(0, window - inFlight));
  return room;
}

/** How many deliveries of a lane and mode may be claimed now. */
export function placesToClaim({ pools }: DeliveryScheduler, lane: DueLane, mode: Mode): number {
  const pool = pools[poolNameOf(lane, mode)];
  const free = Math.max(0, pool.heldMax - pool.held);
  return lane === "slow" ? Math.min(free, placesFor(pool, "slow")) : free;
}

/** Remembers of which endpoints a claim of events brought as many as it might: their `room`, or else the usual few. */
export function noteClaims(
  { pools }: DeliveryScheduler,
  claims: readonly DeliveryClaim[],
  { mode, room, perEndpoint }: { mode: Mode; room: Room; perEndpoint: number },
): void {
  const { behind } = pools[mode];
  const brought = new Map<string, number>();
  for (const claim of claims) {
    if (claim.lane !== "event" || claim.wallet.mode !== mode) continue;
    const { endpointName } = claim;
    brought.set(endpointName, (brought.get(endpointName) ?? 0) + 1);
  }
  for (const [name, count] of brought) {
    if (count >= (room.get(name) ?? perEndpoint)) behind.add(name);
    else behind.delete(name);
  }
}
