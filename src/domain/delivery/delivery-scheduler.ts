import type { Mode } from "../../kernel/mode.ts";
import { type EndpointKey, endpointName } from "../webhooks/endpoints/endpoint.ts";
import type { DeliveryClaim, DueLane } from "./claim-queries.ts";
import {
  demoteSlow,
  dispatch,
  type EndpointQueue,
  enqueue,
  enter,
  hasWindow,
  leave,
  newPool,
  type Pool,
  type PoolSize,
  refuseAll,
  type Turn,
  type UnderWay,
} from "./delivery-pools.ts";
import {
  type ConcurrencyWindow,
  heldMaxOf,
  isStalled,
  isUnresponsive,
  newConcurrencyWindow,
  noteAttempt,
  resetWindow,
  standingOf,
} from "./endpoint-pace.ts";

/** Live, sandbox, and the deliveries asked for by hand in each have places of their own. */
export type PoolName = Mode | `manual_${Mode}`;

interface SchedulerOptions {
  readonly pools: Readonly<Record<PoolName, PoolSize>>;
  readonly monotonicMs: () => number;
  /** Called when an endpoint or a pool that had reached its share has room again. */
  readonly onRoom: () => void;
}

/** Endpoints without held deliveries are remembered up to this number, for their windows and breakers. */
const endpointsMax = 50_000;

interface EndpointState extends ConcurrencyWindow {
  /** How many of the held deliveries were asked for by hand: these take no place of events. */
  heldByHand: number;
  /** Whether deliveries of the endpoint may stand in the slow lane. */
  hasSetAside: boolean;
  readonly queues: Map<PoolName, EndpointQueue>;
}

/** Decides which endpoint is sent to next: held deliveries wait here. Endpoints are known by their `endpointName`. */
export interface DeliveryScheduler extends Omit<SchedulerOptions, "pools"> {
  readonly pools: Readonly<Record<PoolName, Pool>>;
  readonly endpoints: Map<string, EndpointState>;
  /** The endpoints that have held deliveries. */
  readonly holding: Map<string, EndpointState>;
  /** Attempts under way, the oldest first. */
  readonly underWay: Map<DeliveryClaim, UnderWay>;
  isClosed: boolean;
}

/** What the end of an attempt changes. */
interface Released {
  readonly opensBreaker: boolean;
  /** The endpoint answers again, and something may have been set aside for it. */
  readonly bringsBack: boolean;
}

/** Opens the scheduler of one process. */
export function openScheduler({ pools, ...options }: SchedulerOptions): DeliveryScheduler {
  return {
    ...options,
    pools: {
      live: newPool(pools.live),
      test: newPool(pools.test),
      manual_live: newPool(pools.manual_live),
      manual_test: newPool(pools.manual_test),
    },
    endpoints: new Map(),
    holding: new Map(),
    underWay: new Map(),
    isClosed: false,
  };
}

export function poolNameOf(lane: DueLane, mode: Mode): PoolName {
  return lane === "manual" ? `manual_${mode}` : mode;
}

/** Resolves when the delivery's turn has come. One that may not begin soon does not wait here: it is to be set aside. */
export function acquire(scheduler: DeliveryScheduler, claim: DeliveryClaim): Promise<Turn> {
  const endpoint = hold(scheduler, claim);
  if (scheduler.isClosed) return Promise.resolve("give_back");
  const nowMs = scheduler.monotonicMs();
  if (isSetAsideAtOnce(claim, endpoint, nowMs)) {
    endpoint.hasSetAside = true;
    return Promise.resolve("set_aside");
  }
  const queue = queueOf(scheduler, endpoint, poolNameOf(claim.lane, claim.wallet.mode));
  return new Promise((resolve) => {
    queue.waiting.push({
      isFromSlowLane: claim.lane === "slow",
      begin(standing) {
        scheduler.underWay.set(claim, enter(queue.pool, endpoint, { standing, atMs: scheduler.monotonicMs() }));
        resolve("begin");
      },
      refuse(turn) {
        if (turn === "set_aside") endpoint.hasSetAside = true;
        resolve(turn);
      },
    });
    enqueue(queue);
    dispatch(queue.pool, nowMs);
  });
}

/** The attempt is over. Where its endpoint is slow now, or its breaker opens, the events that wait for it are set aside. */
export function release(
  scheduler: DeliveryScheduler,
  claim: DeliveryClaim,
  outcome: "successful" | "failed" | "not_made",
): Released {
  const endpoint = stateOf(scheduler, claim.endpointName);
  const attempt = scheduler.underWay.get(claim);
  const atMs = scheduler.monotonicMs();
  const tookMs = atMs - (attempt?.sinceMs ?? atMs);
  if (attempt !== undefined) leave(attempt, atMs);
  scheduler.underWay.delete(claim);
  const { isProbe } = claim;
  const successful = outcome === "successful";
  const opensBreaker = outcome !== "not_made" && noteAttempt(endpoint, { successful, tookMs, atMs, isProbe });
  const isSlow = standingOf(endpoint, atMs) === "slow";
  if (opensBreaker || isSlow) setEventsAside(endpoint);
  for (const queue of endpoint.queues.values()) enqueue(queue);
  for (const pool of Object.values(scheduler.pools)) dispatch(pool, atMs);
  return { opensBreaker, bringsBack: successful && !isSlow && endpoint.hasSetAside };
}

/** Nothing more is held of this claim: its attempt is recorded, or it was given back or set aside. */
export function forget(scheduler: DeliveryScheduler, claim: DeliveryClaim): void {
  const { endpointName: name } = claim;
  const endpoint = stateOf(scheduler, name);
  const pool = scheduler.pools[poolNameOf(claim.lane, claim.wallet.mode)];
  const wasFull = pool.held >= pool.heldMax;
  endpoint.held -= 1;
  if (claim.lane === "manual") endpoint.heldByHand -= 1;
  pool.held -= 1;
  if (endpoint.held === 0) scheduler.holding.delete(name);
  // Not of each place: who is told of every single one would claim them one by one.
  const isHalf = endpoint.held === Math.floor(heldMaxOf(endpoint, false) / 2);
  if (wasFull || endpoint.held === 0 || isHalf) scheduler.onRoom();
}

/** Gives back what waits for this endpoint. */
export function giveBackWaiting(scheduler: DeliveryScheduler, key: EndpointKey): void {
  for (const queue of stateOf(scheduler, endpointName(key)).queues.values()) refuseAll(queue, "give_back");
}

/** All that was set aside for this endpoint has been brought back. */
export function noteBroughtBack(scheduler: DeliveryScheduler, key: EndpointKey): void {
  stateOf(scheduler, endpointName(key)).hasSetAside = false;
}

/**
 * Sets aside what waits for endpoints that end nothing, and counts attempts that are under way for long among the slow
 * ones: they would keep places from what others could send. To be called every half second.
 */
export function evictStalled(scheduler: DeliveryScheduler): void {
  const nowMs = scheduler.monotonicMs();
  for (const endpoint of scheduler.holding.values()) {
    if (!isStalled(endpoint, nowMs)) continue;
    resetWindow(endpoint);
    for (const queue of endpoint.queues.values()) refuseAll(queue, "set_aside");
  }
  demoteSlow(scheduler.underWay.values(), nowMs);
  for (const pool of Object.values(scheduler.pools)) dispatch(pool, nowMs);
}

/** Gives back everything that waits, now and later. */
export function closeScheduler(scheduler: DeliveryScheduler): void {
  scheduler.isClosed = true;
  for (const endpoint of scheduler.holding.values()) {
    for (const queue of endpoint.queues.values()) refuseAll(queue, "give_back");
  }
}

/** Takes a place among those that are held. */
function hold(scheduler: DeliveryScheduler, claim: DeliveryClaim): EndpointState {
  const { endpointName: name } = claim;
  const endpoint = stateOf(scheduler, name);
  const nowMs = scheduler.monotonicMs();
  if (isUnresponsive(endpoint, nowMs)) {
    if (endpoint.held === 0) resetWindow(endpoint);
    // An attempt that ended here a moment ago may not be recorded yet.
    endpoint.failuresInRow = claim.failures;
  }
  endpoint.held += 1;
  if (claim.lane === "manual") endpoint.heldByHand += 1;
  if (claim.lane === "slow") endpoint.hasSetAside = true;
  scheduler.pools[poolNameOf(claim.lane, claim.wallet.mode)].held += 1;
  scheduler.holding.set(name, endpoint);
  return endpoint;
}

/** Events wait in the table for an endpoint that would keep them waiting here. */
function isSetAsideAtOnce({ lane, isBreakerOpen }: DeliveryClaim, endpoint: EndpointState, nowMs: number): boolean {
  if (isStalled(endpoint, nowMs)) return lane !== "slow" || !hasWindow(endpoint);
  if (lane === "slow") return !hasWindow(endpoint);
  if (lane === "manual") return false;
  const standing = standingOf(endpoint, nowMs);
  return isBreakerOpen || standing === "slow" || (standing === "untried" && endpoint.hasSetAside);
}

function setEventsAside({ queues }: EndpointState): void {
  for (const [name, queue] of queues) {
    if (name === "live" || name === "test") refuseAll(queue, "set_aside");
  }
}

function stateOf({ endpoints }: DeliveryScheduler, name: string): EndpointState {
  const present = endpoints.get(name);
  if (present !== undefined) return present;
  if (endpoints.size >= endpointsMax) forgetIdle(endpoints);
  const made = { ...newConcurrencyWindow(), heldByHand: 0, hasSetAside: false, queues: new Map() };
  endpoints.set(name, made);
  return made;
}

function queueOf(scheduler: DeliveryScheduler, endpoint: EndpointState, name: PoolName): EndpointQueue {
  const present = endpoint.queues.get(name);
  if (present !== undefined) return present;
  const made = { pool: scheduler.pools[name], endpoint, waiting: [], isQueued: false };
  endpoint.queues.set(name, made);
  return made;
}

function forgetIdle(endpoints: Map<string, EndpointState>): void {
  for (const [name, { held }] of endpoints) {
    if (held === 0) endpoints.delete(name);
  }
}
