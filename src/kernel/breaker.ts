/** What the breaker of a supplier or of a webhook's endpoint remembers of the latest outcomes. */
export interface Breaker {
  troublesInARow: number;
  /** The latest outcomes, the newest last. */
  readonly recent: { readonly atMs: number; readonly isTrouble: boolean }[];
}

const troublesInARowMax = 10;
const windowMs = 300_000;
const windowSize = 20;
const troublesOfWindowMax = 14;
/** How long a breaker stays open for the first time; each time in a row twice as long, up to the longest. */
export const breakerPauseMs = { first: 30_000, longest: 300_000 } as const;

export function newBreaker(): Breaker {
  return { troublesInARow: 0, recent: [] };
}

/**
 * Records an outcome at a time in milliseconds. In place: every purchase and every delivery passes here.
 * @returns whether the breaker opens now: after ten troubles in a row, or 14 of 20 outcomes within five minutes. It then
 * forgets all outcomes
 */
export function recordOutcome(breaker: Breaker, isTrouble: boolean, atMs: number): boolean {
  const { recent } = breaker;
  breaker.troublesInARow = isTrouble ? breaker.troublesInARow + 1 : 0;
  // Successes before the first trouble need not be kept.
  if (!isTrouble && recent.length === 0) return false;
  recent.push({ atMs, isTrouble });
  while (recent.length > windowSize || (recent[0]?.atMs ?? atMs) <= atMs - windowMs) recent.shift();
  let troubles = 0;
  for (const outcome of recent) if (outcome.isTrouble) troubles += 1;
  const opens = breaker.troublesInARow >= troublesInARowMax || troubles >= troublesOfWindowMax;
  if (opens) breaker.troublesInARow = 0;
  if (opens || troubles === 0) recent.length = 0;
  return opens;
}
