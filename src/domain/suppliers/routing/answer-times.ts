/** Bounds of the times that answers are counted by, in milliseconds: each about a third or a half above the one before. */
export const answerBoundsMs = [
  ...[50, 75, 100, 150, 200, 300, 400, 600, 800, 1_200],
  ...[1_600, 2_400, 3_200, 4_800, 6_400, 9_600, 12_800, 19_200, 25_600, 40_000],
] as const;
const longestMs = answerBoundsMs[answerBoundsMs.length - 1] ?? 0;

/** The bound that an answer counts under; the last one for whatever took longer. */
export function boundOf(tookMs: number): number {
  return answerBoundsMs.find((bound) => tookMs <= bound) ?? longestMs;
}

/** So many answers that took at most so long, and longer than the bound below. */
export interface AnswerTimes {
  readonly upToMs: number;
  readonly answers: number;
}

/**
 * The milliseconds that a share of the answers (0.5, 0.95) took at most; null where there was none. Within a bound answers
 * are taken as evenly spread, so it may be off by a third.
 */
export function percentileOf(times: readonly AnswerTimes[], share: number): number | null {
  const all = times.reduce((sum, { answers }) => sum + answers, 0);
  if (all === 0) return null;
  const rank = all * share;
  let below = 0;
  for (const { upToMs, answers } of times.toSorted((one, other) => one.upToMs - other.upToMs)) {
    if (below + answers >= rank && answers > 0) {
      const floor = answerBoundsMs.findLast((bound) => bound < upToMs) ?? 0;
      return Math.round(floor + ((rank - below) / answers) * (upToMs - floor));
    }
    below += answers;
  }
  return longestMs;
}
