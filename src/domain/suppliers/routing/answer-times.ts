/** Bounds of the times that answers are counted by, in milliseconds: each a third or a half above the one before. */
export const answerBoundsMs: readonly number[] = [
  ...[50, 75, 100, 150, 200, 300, 400, 600, 800, 1_200],
  ...[1_600, 2_400, 3_200, 4_800, 6_400, 9_600, 12_800, 19_200, 25_600, 40_000],
];

/** How many answers took at most as long as each bound, and longer than the one below: one number for each of them. */
export type AnswerTimes = readonly number[];

/** The place of the bound that an answer counts under; the last one for whatever took longer. */
export function boundOf(tookMs: number): number {
  const place = answerBoundsMs.findIndex((bound) => tookMs <= bound);
  return place < 0 ? answerBoundsMs.length - 1 : place;
}

export function noAnswers(): number[] {
  return answerBoundsMs.map(() => 0);
}

export function addTimes(all: readonly AnswerTimes[]): AnswerTimes {
  return answerBoundsMs.map((_, place) => all.reduce((sum, times) => sum + (times[place] ?? 0), 0));
}

/**
 * The milliseconds that a share of the answers (0.5, 0.95) took at most; null where there was none. Within a bound answers
 * are taken as evenly spread, so it may be off by a third.
 */
export function percentileOf(times: AnswerTimes, share: number): number | null {
  const rank = times.reduce((sum, answers) => sum + answers, 0) * share;
  let below = 0;
  for (const [place, answers] of times.entries()) {
    if (answers > 0 && below + answers >= rank) {
      const [floor, bound] = [answerBoundsMs[place - 1] ?? 0, answerBoundsMs[place] ?? 0];
      return Math.ceil(floor + ((rank - below) / answers) * (bound - floor));
    }
    below += answers;
  }
  return null;
}
