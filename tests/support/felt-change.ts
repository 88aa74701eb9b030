import type { Answer } from "./app.ts";

/** Asks until an answer shows a change. Whatever is asked a second after one feels it. @throws with the last answer */
export async function untilFelt(
  ask: () => Promise<Answer>,
  isFelt: (answer: Answer) => boolean,
  everyMs = 100,
): Promise<Answer> {
  const beganAt = performance.now();
  for (;;) {
    const isLast = performance.now() - beganAt > 1_000;
    const answer = await ask();
    if (isFelt(answer)) return answer;
    if (isLast) throw new Error(`not within a second: ${JSON.stringify(answer.body)}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
