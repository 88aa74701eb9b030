import { setTimeout as delay } from "node:timers/promises";

/** For waits that no clock of the domain is about. */
export const rest = (ms: number): Promise<void> => delay(ms);

/** A rest behind each piece, for every file that is under way: three times as long as the piece took, and no longer. */
const restShare = 3;
const restMsMax = 50;

let underWay = 0;

/**
 * The pieces of a long file, with rests between them: however many files this process writes, together they take a quarter
 * of it, and whoever buys has the rest.
 */
export async function* pacedPieces<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  underWay += 1;
  try {
    let startedMs = performance.now();
    for await (const piece of pieces) {
      const restMs = Math.min(restMsMax, restShare * (performance.now() - startedMs));
      yield piece;
      await delay(restMs * underWay);
      startedMs = performance.now();
    }
  } finally {
    underWay -= 1;
  }
}

/**
 * Lets long work pause: whoever waits goes on in a turn of the event loop of its own, one a turn, however many do. So
 * what came in meanwhile waits for one slice of work, and not for one of everybody's.
 */
export function openYieldToEventLoop(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  function goOn(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(goOn);
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(goOn);
    });
}
