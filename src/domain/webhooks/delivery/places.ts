import { type Breaker, newBreaker, recordOutcome } from "../../../kernel/breaker.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { DeliveryClaim, DueLane, Room } from "./claim-queries.ts";

/** Live, sandbox, and the deliveries asked for by hand in each have places of their own. In the order of their turns. */
const poolNames = ["manual_live", "manual_test", "live", "test"] as const;
export type PoolName = (typeof poolNames)[number];

/** What becomes of a delivery that was claimed: it is sent, given back as it was, or postponed. */
export type Turn = "begin" | "give_back" | "postpone";

interface Waiting {
  readonly claim: DeliveryClaim;
  readonly rank: number;
  readonly decide: (turn: Turn) => void;
}

interface EndpointState extends EndpointPace {
  /** From when it is taken until its attempt is recorded, a delivery is held, and has a place. */
  readonly taken: Record<PoolName, number>;
  /** What is held and not under way: first what was asked for by hand, then live, then sandbox. */
  readonly waiting: Waiting[];
}

interface PlacesOptions {
  readonly sizes: Readonly<Record<PoolName, number>>;
  readonly monotonicMs: () => number;
  /** Called when an endpoint, or a pool that was full, has room again. */
  readonly onRoom: () => void;
}

/** One process's places for deliveries. Endpoints are known by their `endpointName`. */
export interface Places extends PlacesOptions {
  readonly taken: Record<PoolName, number>;
  readonly endpoints: Map<string, EndpointState>;
  /** Endpoints that something is held of, or that got something since the last claim. */
  readonly active: Map<string, EndpointState>;
  /** The attempts under way, by when they began. */
  readonly underWay: Map<DeliveryClaim, number>;
  isClosed: boolean;
}

/** Endpoints without held deliveries are remembered up to this number. */
const endpointsMax = 50_000;

const noneTaken = () => ({ manual_live: 0, manual_test: 0, live: 0, test: 0 });

export function openPlaces(options: PlacesOptions): Places {
  const maps = { endpoints: new Map(), active: new Map(), underWay: new Map() };
  return { ...options, ...maps, taken: noneTaken(), isClosed: false };
}

/** How many deliveries of a lane and mode may be claimed now. */
export function placesLeft({ sizes, taken }: Places, lane: DueLane, mode: Mode): number {
  const pool = poolOf(lane, mode);
  return Math.floor(sizes[pool] * (lane === "postponed" ? postponedShare : 1)) - taken[pool];
}

/**
 * How many more deliveries of a lane and mode may be claimed of the endpoints that are in work, by name; of others, the
 * usual few. An endpoint that hangs is not named for its events: those that a claim brings are postponed, and then in
 * nobody's way.
 */
export function roomOf({ active, monotonicMs }: Places, lane: DueLane, mode: Mode): Room {
  const room = new Map<string, number>();
  const nowMs = monotonicMs();
  const pool = poolOf(lane, mode);
  for (const [name, endpoint] of active) {
    const taken = endpoint.taken[pool];
    const hangs = isHanging(endpoint, nowMs);
    if (lane === "postponed") {
      if (!mayBegin(endpoint, false, nowMs)) room.set(name, 0);
    } else if (lane === "manual") {
      if (taken > 0) room.set(name, hangs ? 0 : Math.max(0, takenByHandMax - taken));
    } else if (!hangs && (taken > 0 || endpoint.ended > 0)) {
      room.set(name, Math.max(0, takenMaxOf(endpoint, nowMs) - taken));
    }
  }
  return room;
}

/** A claim begins: what endpoints get through is counted anew. */
export function countAnew({ active }: Places): void {
  for (const [name, endpoint] of active) {
    endpoint.ended = 0;
    if (isIdle(endpoint)) active.delete(name);
  }
}

/** Of what was asked for by hand no more is held of one endpoint: who asks for thousands takes few places at a time. */
const takenByHandMax = 4;

/**
 * Resolves when the delivery's turn has come. It is to be postponed where its endpoint hangs, or has its share of the
 * places, and an event also where its endpoint fails: it would be met by every claim for as long as its attempt hangs.
 */
export function awaitTurn(places: Places, claim: DeliveryClaim): Promise<Turn> {
  if (places.isClosed) return Promise.resolve("give_back");
  const endpoint = stateOf(places, claim.endpointName);
  const pool = poolOf(claim.lane, claim.wallet.mode);
  if (isPostponed(places, endpoint, claim)) return Promise.resolve("postpone");
  places.taken[pool] += 1;
  endpoint.taken[pool] += 1;
  places.active.set(claim.endpointName, endpoint);
  return new Promise((decide) => {
    const rank = poolNames.indexOf(pool);
    const behind = endpoint.waiting.findIndex((other) => other.rank > rank);
    endpoint.waiting.splice(behind < 0 ? endpoint.waiting.length : behind, 0, { claim, rank, decide });
    beginNext(places, endpoint);
  });
}

/**
 * The attempt is over: the next one may begin. Where the breaker opens, the events that wait are postponed.
 * @returns whether it opens
 */
export function endAttempt(
  places: Places,
  claim: DeliveryClaim,
  outcome: "successful" | "failed" | "not_made",
): boolean {
  const endpoint = stateOf(places, claim.endpointName);
  const nowMs = places.monotonicMs();
  const tookMs = nowMs - (places.underWay.get(claim) ?? nowMs);
  places.underWay.delete(claim);
  endpoint.inFlight -= 1;
  endpoint.progressAtMs = nowMs;
  endpoint.ended += 1;
  if (outcome === "successful") {
    endpoint.succeededAtMs = nowMs;
    endpoint.answerMs = tookMs;
  }
  const isFailed = outcome === "failed";
  const opens = outcome !== "not_made" && recordOutcome(endpoint.breaker, isFailed, nowMs);
  const opensBreaker = opens || (claim.isProbe && isFailed);
  if (opensBreaker) refuse(places, endpoint, "postpone", ({ lane }) => lane !== "manual");
  beginNext(places, endpoint);
  return opensBreaker;
}

/** Nothing is held of this claim any more. */
export function leave(places: Places, claim: DeliveryClaim): void {
  const endpoint = stateOf(places, claim.endpointName);
  const pool = poolOf(claim.lane, claim.wallet.mode);
  const wasFull = places.taken[pool] >= places.sizes[pool];
  places.taken[pool] -= 1;
  endpoint.taken[pool] -= 1;
  // Not for each place: the next claim would bring one delivery.
  if (wasFull || endpoint.taken[pool] === 0) places.onRoom();
}

/** Gives back what waits for an endpoint. */
export function giveBackWaiting(places: Places, { endpointName }: DeliveryClaim): void {
  refuse(places, stateOf(places, endpointName), "give_back");
}

/** Postpones what waits for endpoints that hang: it keeps places from what could be sent. Call it twice a second. */
export function postponeHanging(places: Places): void {
  const nowMs = places.monotonicMs();
  for (const endpoint of places.active.values()) {
    if (isHanging(endpoint, nowMs)) refuse(places, endpoint, "postpone");
  }
}

/** Gives back everything that waits, now and later. What is not recorded is tried once more. */
export function closePlaces(places: Places): void {
  places.isClosed = true;
  for (const endpoint of places.active.values()) refuse(places, endpoint, "give_back");
}

function poolOf(lane: DueLane, mode: Mode): PoolName {
  return lane === "manual" ? `manual_${mode}` : mode;
}

function isPostponed({ taken, sizes, monotonicMs }: Places, endpoint: EndpointState, claim: DeliveryClaim): boolean {
  const { lane, isBreakerOpen, isFailing } = claim;
  const nowMs = monotonicMs();
  if (lane === "event" && (isBreakerOpen || (isFailing && !isAnswering(endpoint, nowMs)))) return true;
  if (isHanging(endpoint, nowMs) && !mayBegin(endpoint, lane === "manual", nowMs)) return true;
  const pool = poolOf(lane, claim.wallet.mode);
  return taken[pool] >= sizes[pool] * shareOf(endpoint, lane, nowMs);
}

function beginNext({ underWay, monotonicMs }: Places, endpoint: EndpointState): void {
  const nowMs = monotonicMs();
  for (let next = endpoint.waiting[0]; next !== undefined; next = endpoint.waiting[0]) {
    if (!mayBegin(endpoint, next.claim.lane === "manual", nowMs)) return;
    endpoint.waiting.shift();
    if (endpoint.inFlight === 0) endpoint.progressAtMs = nowMs;
    endpoint.inFlight += 1;
    underWay.set(next.claim, nowMs);
    next.decide("begin");
  }
}

/** Tells what waits for an endpoint, and is chosen, the same; it holds its place no longer. */
function refuse(
  places: Places,
  endpoint: EndpointState,
  turn: "give_back" | "postpone",
  isChosen: (claim: DeliveryClaim) => boolean = () => true,
): void {
  for (const waiting of endpoint.waiting.splice(0)) {
    if (!isChosen(waiting.claim)) {
      endpoint.waiting.push(waiting);
      continue;
    }
    leave(places, waiting.claim);
    waiting.decide(turn);
  }
}

function isIdle({ taken }: EndpointState): boolean {
  return poolNames.every((pool) => taken[pool] === 0);
}

function stateOf({ endpoints }: Places, name: string): EndpointState {
  const present = endpoints.get(name);
  if (present !== undefined) return present;
  if (endpoints.size >= endpointsMax) forgetIdle(endpoints);
  const made = { ...newPace(), taken: noneTaken(), waiting: [] };
  endpoints.set(name, made);
  return made;
}

function forgetIdle(endpoints: Map<string, EndpointState>): void {
  for (const [name, endpoint] of endpoints) if (isIdle(endpoint)) endpoints.delete(name);
}

/** Attempts at one time to an endpoint that answers, and to one that may never do. */
const inFlightMax = { answering: 10, unproven: 1 } as const;
/** What somebody asked for by hand goes out though an attempt is under way that may never be answered. */
const byHandBeside = 1;
/** Without a success for so long an endpoint may have died meanwhile. */
const answeringMs = 10_000;
/** An attempt that takes longer keeps a place that others could use many times over. */
const quickMs = 1_000;
/** An endpoint hangs when nothing has ended for a second, or so many times what its last success took. */
const patiencePerAnswer = 2;
/** Deliveries held of an endpoint that may never answer: what waits behind the first goes back a second later. */
const takenUnproven = 4;
/** Of one that answers: as many as it may be sent at once, and several times what it got through since the last claim. */
const takenPerEnded = 4;
const takenMax = 400;
const shares = { quick: 1, known: 0.6, unproven: 0.2 } as const;
export const postponedShare = shares.unproven;

/** What this process knows of how an endpoint answers. Times are of a clock that never jumps. */
export interface EndpointPace {
  inFlight: number;
  /** When an attempt last ended, or the first of those under way began. */
  progressAtMs: number;
  /** Minus infinity: it never succeeded, as far as this process knows. */
  succeededAtMs: number;
  /** What the latest success took. */
  answerMs: number;
  /** Attempts that ended since the last claim. */
  ended: number;
  readonly breaker: Breaker;
}

/** Of an endpoint that this process knows nothing about. */
export function newPace(): EndpointPace {
  const breaker = newBreaker();
  return { inFlight: 0, progressAtMs: 0, succeededAtMs: Number.NEGATIVE_INFINITY, answerMs: 0, ended: 0, breaker };
}

/** Something is under way, and nothing has ended for longer than it is waited for. */
export function isHanging({ inFlight, progressAtMs, answerMs }: EndpointPace, nowMs: number): boolean {
  return inFlight > 0 && nowMs - progressAtMs > Math.max(quickMs, patiencePerAnswer * answerMs);
}

/** It has succeeded a moment ago, and does not hang. */
export function isAnswering(pace: EndpointPace, nowMs: number): boolean {
  return nowMs - pace.succeededAtMs <= answeringMs && !isHanging(pace, nowMs);
}

/** Whether one more attempt may begin. */
export function mayBegin(pace: EndpointPace, isByHand: boolean, nowMs: number): boolean {
  if (isAnswering(pace, nowMs)) return pace.inFlight < inFlightMax.answering;
  return pace.inFlight < inFlightMax.unproven + (isByHand ? byHandBeside : 0);
}

/** How many of its events may be held: the quicker it is, the more are at hand when one ends. */
export function takenMaxOf(pace: EndpointPace, nowMs: number): number {
  if (!isAnswering(pace, nowMs)) return takenUnproven;
  return Math.min(takenMax, inFlightMax.answering + takenPerEnded * pace.ended);
}

/**
 * Up to which share of the places of its kind a delivery is taken. Without this the attack silent-receivers comes
 * through: two thousand endpoints that never answer have all places, for fifteen seconds each. Those never heard of, and
 * what is postponed, leave some to those that answered before, and all to those that have just answered quickly.
 */
export function shareOf(pace: EndpointPace, lane: DueLane, nowMs: number): number {
  if (lane === "postponed") return postponedShare;
  if (isAnswering(pace, nowMs) && pace.answerMs <= quickMs) return shares.quick;
  return Number.isFinite(pace.succeededAtMs) ? shares.known : shares.unproven;
}
