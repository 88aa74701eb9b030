import { setTimeout as delay } from "node:timers/promises";

/** A rest behind each piece, for every file that is under way: a piece takes some 5 ms of the process. */
const restMs = 15;

let underWay = 0;

/**
 * The pieces of a long file, with rests between them: however many files this process writes, together they take a quarter
 * of it, and whoever buys has the rest.
 */
export async function* pacedPieces<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  underWay += 1;
  try {
    for await (const piece of pieces) {
      yield piece;
      await delay(restMs * underWay);
    }
  } finally {
    underWay -= 1;
  }
}
