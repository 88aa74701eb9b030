/** An endpoint's latest outcomes, as its breaker remembers them. */
export interface Breaker {
  failuresInRow: number;
  /** Latest outcomes, the newest last. */
  readonly recent: { readonly atMs: number; readonly successful: boolean }[];
}

const failuresInRowMax = 10;
const windowMs = 300_000;
const windowSize = 20;
const failuresOfWindowMax = 14;

export function newBreaker(): Breaker {
  return { failuresInRow: 0, recent: [] };
}

/**
 * Records an outcome. `atMs` is a clock that never jumps.
 * @returns whether the breaker opens now: after ten failures in a row, or 70 % of twenty within five minutes. It then
 * forgets all outcomes
 */
export function noteOutcome(breaker: Breaker, successful: boolean, atMs: number): boolean {
  breaker.failuresInRow = successful ? 0 : breaker.failuresInRow + 1;
  // For an endpoint that only succeeds nothing has to be kept.
  if (successful && breaker.recent.length === 0) return false;
  breaker.recent.push({ atMs, successful });
  while (breaker.recent.length > windowSize || (breaker.recent[0]?.atMs ?? atMs) < atMs - windowMs) {
    breaker.recent.shift();
  }
  const failures = breaker.recent.filter((outcome) => !outcome.successful).length;
  if (failures === 0) breaker.recent.length = 0;
  const isFull = breaker.recent.length === windowSize && failures >= failuresOfWindowMax;
  if (!isFull && breaker.failuresInRow < failuresInRowMax) return false;
  breaker.failuresInRow = 0;
  breaker.recent.length = 0;
  return true;
}
