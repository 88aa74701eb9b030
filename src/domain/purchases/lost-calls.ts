import { Overloaded } from "../../platform/database/batcher.ts";
import { CommitUnknown, isConnectionLost } from "../../platform/database/database-errors.ts";

/**
 * What can be said of calls that were given up behind their wallet. One that was sent before, over a connection that was
 * lost, may be the very one that holds the wallet: its commit waits for a standby.
 */
export function openLostCalls<Call extends object>(refusal: () => Overloaded | null = () => null) {
  const lost = new WeakSet<Call>();
  return {
    /**
     * Remembers the calls where their connection is lost over them. They go out again until that is known; others, which
     * waited meanwhile, don't begin then. @throws the error
     */
    async watch<Result>(calls: readonly Call[], send: () => Promise<Result>): Promise<Result> {
      const refused = calls.some((call) => lost.has(call)) ? null : refusal();
      if (refused !== null) throw refused;
      try {
        return await send();
      } catch (error) {
        if (isConnectionLost(error)) for (const call of calls) lost.add(call);
        throw error;
      }
    },
    /** The error of a call that is given up: whether it was carried out is open, or certainly nothing was done. */
    givenUp(call: Call): CommitUnknown | Overloaded {
      const sentence = "somebody else holds the wallet";
      return lost.has(call) ? new CommitUnknown(sentence, { cause: null }) : new Overloaded(sentence);
    },
  };
}
