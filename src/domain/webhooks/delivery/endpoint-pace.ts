import { type Breaker, newBreaker } from "../../../kernel/breaker.ts";
import type { DueLane } from "./claim-queries.ts";

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
