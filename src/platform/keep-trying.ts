import {
  isConnectionLost,
  isNotSent,
  isResourceExhausted,
  isSerializationFailure,
} from "./database/database-errors.ts";

/**
 * Does something until it succeeds, with a pause after each failure that may pass. What waits for it is kept in memory
 * meanwhile, so whoever calls has a bound on how many calls wait.
 * @throws the first error of which `mayPass` says no: it would come again, or nobody waits any longer
 */
export async function keepTrying<Result>(
  act: () => Promise<Result>,
  { mayPass, pauseMs }: { readonly mayPass: (error: unknown) => boolean; readonly pauseMs: number },
): Promise<Result> {
  let failure: unknown;
  do {
    try {
      return await act();
    } catch (error) {
      failure = error;
    }
    if (mayPass(failure)) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  } while (mayPass(failure));
  throw failure;
}

const retryPauseMs = 100;

/**
 * Does what is safe to repeat again and again, until `retryMs` after a connection was first lost over it. What was never
 * sent is tried until `unsentMs` after the beginning: as long as that is all, it is known that nothing was done.
 */
export async function retryOnConnectionLoss<Result>(
  work: () => Promise<Result>,
  retryMs: number,
  unsentMs = retryMs,
): Promise<Result> {
  // In time, not in tries: each may wait seconds for a connection. Since the loss, not since the beginning: a process that
  // was stopped in between finds its connections gone, and has its tries still.
  const begun = performance.now();
  let deadline = Number.POSITIVE_INFINITY;
  let failure: unknown;
  let loss: unknown;
  do {
    try {
      return await work();
    } catch (error) {
      if (isConnectionLost(error)) loss ??= error;
      // That this try was not carried out says nothing of the one that was lost.
      if (isResourceExhausted(error) && loss !== undefined) throw loss;
      if (!(isConnectionLost(error) || isNotSent(error) || isSerializationFailure(error))) throw error;
      failure = loss ?? error;
      if (!isNotSent(failure)) deadline = Math.min(deadline, performance.now() + retryMs);
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    }
  } while (performance.now() < (isNotSent(failure) ? begun + unsentMs : deadline));
  throw failure;
}
