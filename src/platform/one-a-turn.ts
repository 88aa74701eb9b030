/**
 * Lets long work pause: whoever waits goes on in a turn of the event loop of its own, one a turn, however many do. So
 * what came in meanwhile waits for one slice of work, and not for one of everybody's.
 */
export function oneATurn(): () => Promise<void> {
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
