import { type Breaker, newBreaker, noteOutcome } from "./breaker.ts";

/** Attempts at one time to one endpoint. */
export const perEndpointMax = 10;
/** An endpoint that was never heard of begins with one at a time: it may be one that never answers. */
const windowAtFirst = 1;
/** How many deliveries of one endpoint are held for each that it may have in flight. */
const heldPerWindow = {
  /** Before a first success, and after a failure: what is held and not answered takes the place of what others want. */
  unproven: 2,
  /** The next ones are at hand when one ends. */
  proven: 12,
  /** As long as next to nothing is held of anybody: the places are no loss to others. */
  provenAtRest: 40,
} as const;
/** An endpoint for which nothing ended for so long is not trusted any more: it may have died meanwhile. */
const patienceMsMin = 1_000;
/** One that is slow by nature has longer: so many times what its latest success took. */
const patiencePerAnswer = 2;
/** An attempt that takes longer keeps a place that others could use many times over. */
export const quickMs = 1_000;
/** An endpoint that has succeeded within this time is expected to do so again. */
const livelyMs = 10_000;
/** So many failures in a row, or slow successes, make an endpoint slow. A single one happens to anybody. */
const inRowMax = 2;

/**
 * How an endpoint is expected to answer: a `lively` one has just succeeded, a `known` one did earlier, an `untried` one
 * never did. A `slow` one has failed twice in a row, or takes long to answer.
 */
export type Standing = "lively" | "known" | "untried" | "slow";

/** How many deliveries one endpoint may be sent at one time, by how it has answered to this process. */
export interface ConcurrencyWindow {
  /** The endpoint's attempts in flight, in all pools together. */
  inFlight: number;
  /** How many attempts it may have in flight: each success adds one, a failure halves it. */
  window: number;
  held: number;
  /** Whether its last attempt succeeded, not long ago. */
  isHealthy: boolean;
  /** Null: it never succeeded, as far as this process knows. */
  succeededAtMs: number | null;
  /** Failures since its last success, in all processes: claims bring what others have recorded. */
  failuresInRow: number;
  /** Successes that took long, since the last quick one. */
  slowInRow: number;
  /** When an attempt last ended, or the first of the attempts under way began. */
  progressAtMs: number;
  /** How long no attempt may end before the endpoint is no longer trusted. */
  patienceMs: number;
  readonly breaker: Breaker;
}

/** The window of an endpoint that this process knows nothing about. */
export function newConcurrencyWindow(): ConcurrencyWindow {
  return {
    inFlight: 0,
    window: windowAtFirst,
    held: 0,
    isHealthy: false,
    succeededAtMs: null,
    failuresInRow: 0,
    slowInRow: 0,
    progressAtMs: 0,
    patienceMs: patienceMsMin,
    breaker: newBreaker(),
  };
}

export function standingOf(pace: ConcurrencyWindow, nowMs: number): Standing {
  if (pace.failuresInRow >= inRowMax || pace.slowInRow >= inRowMax) return "slow";
  if (pace.succeededAtMs === null) return "untried";
  return nowMs - pace.succeededAtMs <= livelyMs ? "lively" : "known";
}

interface PaceOutcome {
  readonly successful: boolean;
  readonly tookMs: number;
  readonly atMs: number;
  readonly isProbe: boolean;
}

/** Learns from an outcome. @returns whether the breaker opens */
export function noteAttempt(pace: ConcurrencyWindow, { successful, tookMs, atMs, isProbe }: PaceOutcome): boolean {
  pace.isHealthy = successful;
  pace.window = successful ? Math.min(perEndpointMax, pace.window + 1) : Math.max(1, Math.floor(pace.window / 2));
  pace.patienceMs = successful ? Math.max(patienceMsMin, patiencePerAnswer * tookMs) : patienceMsMin;
  pace.failuresInRow = successful ? 0 : pace.failuresInRow + 1;
  if (successful) {
    pace.succeededAtMs = atMs;
    pace.slowInRow = tookMs > quickMs ? pace.slowInRow + 1 : 0;
  }
  return noteOutcome(pace.breaker, successful, atMs) || (isProbe && !successful);
}

/** Something is under way, and nothing has ended for longer than it is trusted. */
export function isStalled(pace: ConcurrencyWindow, nowMs: number): boolean {
  return pace.inFlight > 0 && isUnresponsive(pace, nowMs);
}

/** Nothing has ended for longer than it is trusted: what is under way hangs, or nothing is. */
export function isUnresponsive(pace: ConcurrencyWindow, nowMs: number): boolean {
  return nowMs - pace.progressAtMs > pace.patienceMs;
}

/** It begins anew, with the window of one that was never heard of. */
export function resetWindow(pace: ConcurrencyWindow): void {
  pace.isHealthy = false;
  pace.window = Math.min(pace.window, windowAtFirst);
}

/** How many deliveries of it may be held. */
export function heldMaxOf(pace: ConcurrencyWindow, isAtRest: boolean): number {
  if (!pace.isHealthy) return pace.window * heldPerWindow.unproven;
  return pace.window * (isAtRest ? heldPerWindow.provenAtRest : heldPerWindow.proven);
}
