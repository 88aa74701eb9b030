/**
 * Lets all that comes within one turn of the event loop go on side by side: nothing goes on before the turn has brought
 * everything, and from there on ticks and microtasks run in the order in which they were queued, so each step is taken
 * by all before the next step by any. What a step runs and reads stays in the processor's caches. What comes alone waits
 * for the end of its turn, which is nothing. (Larus and Parkes, "Using cohort-scheduling to enhance server performance".)
 *
 * @returns takes what comes next. It must not throw: who comes after it would be lost
 */
export function inStep(): (next: () => void) => void {
  let arrived: (() => void)[] = [];

  function goOn(): void {
    const together = arrived;
    arrived = [];
    for (const next of together) next();
  }

  return (next) => {
    if (arrived.push(next) === 1) setImmediate(goOn);
  };
}
