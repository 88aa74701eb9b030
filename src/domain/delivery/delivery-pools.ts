import { type ConcurrencyWindow, perEndpointMax, quickMs, type Standing, standingOf } from "./endpoint-pace.ts";

/** What became of a delivery that waited for its turn: it is sent, given back as it was, or left to the slow lane. */
export type Turn = "begin" | "give_back" | "set_aside";

/** The share of a pool's places that endpoints of a standing may take: those that may be silent leave the rest free. */
const shares: Readonly<Record<Standing, number>> = { lively: 1, known: 0.4, untried: 0.2, slow: 0.2 };
/** Endpoints that are not lively begin nothing while more than this share of the places is taken. */
const shareOfAll = 0.8;

/** Attempts that share a number of places. */
export interface Pool {
  readonly places: number;
  /** Deliveries held at one time, from claim to record. */
  readonly heldMax: number;
  held: number;
  inFlight: number;
  /** The attempts in flight by the standing of their endpoint when they began; those under way for long are slow. */
  readonly inFlightAs: Record<Standing, number>;
  /** Endpoints with something to send, in turns. */
  readonly queues: EndpointQueue[];
  /** The names of endpoints for which the last claim brought as much as it was allowed: there is more. */
  readonly behind: Set<string>;
}

/** A delivery that waits for its turn. */
interface Waiting {
  /** Whether the delivery was claimed for a place of the slow lane. */
  readonly isFromSlowLane: boolean;
  /** Takes the place at once. */
  readonly begin: (standing: Standing) => void;
  readonly refuse: (turn: Exclude<Turn, "begin">) => void;
}

/** The deliveries that wait for one endpoint in one pool. */
export interface EndpointQueue {
  readonly pool: Pool;
  readonly endpoint: ConcurrencyWindow;
  readonly waiting: Waiting[];
  isQueued: boolean;
}

/** An attempt from its beginning to its end. */
export interface UnderWay {
  readonly pool: Pool;
  readonly endpoint: ConcurrencyWindow;
  readonly sinceMs: number;
  /** The standing that the attempt is counted under: the endpoint's own may change meanwhile. */
  standing: Standing;
}

export interface PoolSize {
  readonly places: number;
  readonly heldMax: number;
}

export function newPool({ places, heldMax }: PoolSize): Pool {
  const inFlightAs = { lively: 0, known: 0, untried: 0, slow: 0 };
  return { places, heldMax, held: 0, inFlight: 0, inFlightAs, queues: [], behind: new Set() };
}

/** How many more attempts of endpoints of this standing may begin now. */
export function placesFor({ places, inFlight, inFlightAs }: Pool, standing: Standing): number {
  if (standing === "lively") return places - inFlight;
  const ofStanding = Math.max(1, Math.floor(places * shares[standing])) - inFlightAs[standing];
  const ofAll = Math.max(1, Math.floor(places * shareOfAll)) - inFlight;
  return Math.max(0, Math.min(ofStanding, ofAll));
}

/** An attempt takes a place. */
export function enter(
  pool: Pool,
  endpoint: ConcurrencyWindow,
  { standing, atMs }: { standing: Standing; atMs: number },
): UnderWay {
  if (endpoint.inFlight === 0) endpoint.progressAtMs = atMs;
  endpoint.inFlight += 1;
  pool.inFlight += 1;
  pool.inFlightAs[standing] += 1;
  return { pool, endpoint, sinceMs: atMs, standing };
}

/** An attempt gives its place back. */
export function leave({ pool, endpoint, standing }: UnderWay, atMs: number): void {
  endpoint.inFlight -= 1;
  endpoint.progressAtMs = atMs;
  pool.inFlight -= 1;
  pool.inFlightAs[standing] -= 1;
}

/** Counts those that are under way for long among the slow ones. `underWay` comes with the oldest first. */
export function demoteSlow(underWay: Iterable<UnderWay>, nowMs: number): void {
  for (const attempt of underWay) {
    if (nowMs - attempt.sinceMs <= quickMs) return;
    const { inFlightAs } = attempt.pool;
    inFlightAs[attempt.standing] -= 1;
    inFlightAs.slow += 1;
    attempt.standing = "slow";
  }
}

/** Whether the endpoint may have one more attempt under way. */
export function hasWindow({ inFlight, window }: ConcurrencyWindow): boolean {
  return inFlight < Math.min(perEndpointMax, window);
}

/** Puts a queue where it gets its turn, when it has something to send and its endpoint may have more. */
export function enqueue(queue: EndpointQueue): void {
  if (queue.isQueued || queue.waiting.length === 0 || !hasWindow(queue.endpoint)) return;
  queue.isQueued = true;
  queue.pool.queues.push(queue);
}

/** Gives free places to the queues, one each in turn. Who may not have one now waits in the table, and holds none here. */
export function dispatch(pool: Pool, nowMs: number): void {
  while (pool.inFlight < pool.places) {
    const queue = pool.queues.shift();
    if (queue === undefined) return;
    queue.isQueued = false;
    const { endpoint, waiting } = queue;
    const next = waiting[0];
    if (next === undefined || !hasWindow(endpoint)) continue;
    const standing = next.isFromSlowLane ? "slow" : standingOf(endpoint, nowMs);
    if (placesFor(pool, standing) === 0) {
      refuseAll(queue, "set_aside");
      continue;
    }
    waiting.shift();
    next.begin(standing);
    enqueue(queue);
  }
}

/** Tells everything that waits in a queue the same. */
export function refuseAll({ waiting }: EndpointQueue, turn: Exclude<Turn, "begin">): void {
  for (const { refuse } of waiting.splice(0)) refuse(turn);
}
