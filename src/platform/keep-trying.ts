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
